"""Records of simulated respondents.

As on a device, answers are randomized, and questions are left out that a respondent is not asked.
"""

import numpy as np

from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.routing.paths import rows_left_out
from surveys.fieldwork.responses.records import mark_missing


def randomize_column(
    item: QuestionDefinition, truths: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return the randomized reports to a question in the form in which records store them.

    Return the truths if the question has no mechanism, so that its answers are not randomized.

    truths: code of the true answer of each respondent, shape (n,); of a multiple selection bits,
        shape (n, size); of a text question the texts, shape (n,).
    rng: the source of the random numbers.
    """
    if item.mechanism is None:
        return truths
    return item.mechanism.randomize_stored(truths, rng)


def leave_out_questions(
    definition: SurveyDefinition, responses: np.ndarray, rng: np.random.Generator
) -> None:
    """Remove the reports to questions that a respondent is not asked, in place.

    The background answers in `responses` decide which questions with a condition are asked. Of the
    question subset, as many questions stay as a device picks, at random. Removed reports are zero,
    and marked as missing.

    responses: a structured array as records.decode returns it, but writable.
    rng: the source of the random numbers.
    """
    # So far no background answer is missing.
    left_out = rows_left_out(definition.items, codes=lambda key: responses[key], missing={})

    subset = definition.draw
    if subset:
        # Each row is one respondent's random order of the questions of the subset. The first
        # `subset.count` places are picked.
        ranks = rng.random((len(responses), len(subset.of))).argsort(axis=1)
        for key, ranks_of_question in zip(subset.of, ranks.T, strict=True):
            is_not_picked = ranks_of_question >= subset.count
            # A question without a condition is left out only if it is not picked.
            left_out[key] = left_out.get(key, False) | is_not_picked

    for key, is_missing in left_out.items():
        responses[key][is_missing] = 0
    mark_missing(definition, responses, left_out)
