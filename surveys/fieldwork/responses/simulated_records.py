"""Parts of the records of simulated people: their answers are randomized, and questions left out, as on devices."""

import numpy as np

from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.routing.paths import rows_left_out
from surveys.fieldwork.responses.records import mark_missing


def randomize_column(
    item: QuestionDefinition, truths: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return the reports to a question as records hold them: the truths if the question is not randomized.

    truths: code of the true answer of each person, shape (n,); 0 and 1 where several options can be chosen,
        shape (n, size); texts of a text question.
    """
    if item.mechanism is None:
        return truths
    return item.mechanism.randomize_stored(truths, rng)


def leave_out_questions(
    frozen: SurveyDefinition, rows: np.ndarray, rng: np.random.Generator
) -> None:
    """Remove from records the reports to questions that a person is not asked, and mark them as missing.

    The background answers in the rows decide which conditional questions those are. Of the question subset, as many
    as a device picks stay, at random.
    """
    left_out = rows_left_out(frozen.items, lambda key: rows[key], {})
    if frozen.draw:
        # The columns are each person's order of the questions.
        ranks = rng.random((len(rows), len(frozen.draw.of))).argsort(axis=1)
        for key, rank in zip(frozen.draw.of, ranks.T, strict=True):
            left_out[key] = left_out.get(key, False) | (rank >= frozen.draw.count)
    for key, is_missing in left_out.items():
        rows[key][is_missing] = 0
    mark_missing(frozen, rows, left_out)
