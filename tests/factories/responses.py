"""Responses for tests of reports: truths that are randomized and released, however few they are."""

import numpy as np

from surveys.definition.instrument import QuestionDefinition
from surveys.definition.parsing import parse_instrument
from surveys.definition.routing.paths import left_out
from surveys.fieldwork.responses.records import encode
from surveys.fieldwork.responses.release import add_to_report
from surveys.models import Instrument


def add_responses(instrument: Instrument, n: int, seed: int = 1, **truths: object) -> None:
    """Add n released responses; `seed` and `truths` are as in make_responses()."""
    release_reports(instrument, make_responses(instrument, n, seed, **truths))


def make_responses(instrument: Instrument, n: int, seed: int = 1, **truths: object) -> list[dict]:
    """Return the randomized reports of n respondents, by question key.

    A question that a respondent is not asked has None.

    seed: the same seed and the same truths give the same reports.
    truths: the n true answers to a question, by its key. Other questions have random ones.
    """
    definition = parse_instrument(instrument)
    rng = np.random.default_rng(seed)
    reports_by_key = {}
    for item in definition.items:
        # Random answers are drawn in any case, so that the other draws do not depend on `truths`.
        random_answers = _random_truths(item, n, rng)
        answers = np.asarray(truths.get(item.key, random_answers))
        reports_by_key[item.key] = _randomize(item, answers, rng)

    responses = []
    for reports in zip(*reports_by_key.values(), strict=True):
        response = dict(zip(reports_by_key, reports, strict=True))
        # The reports to background questions are the true answers, which decide who is asked what.
        skipped_keys = left_out(definition.items, response.get)
        responses.append(response | dict.fromkeys(skipped_keys))
    return responses


def _random_truths(item: QuestionDefinition, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return n random true answers: codes, or texts for a text question.

    For a multiple selection, the shape is (n, number of options), with 1 for a chosen option.
    """
    if item.mechanism and item.mechanism.select == "any":
        return rng.integers(2, size=(n, item.size))
    # Only a text question is randomized and has no answers to choose from.
    is_text_question = item.mechanism and not item.size
    if is_text_question:
        return rng.choice(["cannabis", "ecstasy", "something else"], size=n)
    return rng.integers(item.size, size=n)


def _randomize(item: QuestionDefinition, truths: np.ndarray, rng: np.random.Generator) -> list:
    """Return the reports that devices send for these truths, one for each."""
    # The answers to a question without a mechanism are not randomized.
    if item.mechanism is None:
        return truths.tolist()
    stored = item.mechanism.randomize_stored(truths, rng)
    return item.report_format.reports(stored)


def release_reports(instrument: Instrument, responses: list[dict]) -> None:
    """Release these responses at once, without the inbox, and even if they are few.

    responses: the reports of each respondent, by question key; None for no report.
    """
    definition = parse_instrument(instrument)
    records = [encode(definition, reports) for reports in responses]
    add_to_report(instrument, b"".join(records))
