"""Responses for tests of reports: truths, randomized by the library and released, however few."""

import numpy as np

from surveys.definition.instrument import QuestionDefinition
from surveys.definition.parsing import parse_instrument
from surveys.definition.routing.paths import left_out
from surveys.fieldwork.responses.records import encode
from surveys.fieldwork.responses.release import add_to_report
from surveys.models import Instrument


def add_responses(instrument: Instrument, n: int, seed: int = 1, **truths: object) -> None:
    """Add n released responses with these truths, or random ones."""
    release_reports(instrument, make_responses(instrument, n, seed, **truths))


def make_responses(instrument: Instrument, n: int, seed: int = 1, **truths: object) -> list[dict]:
    """Return the randomized reports of n respondents."""
    frozen, rng = parse_instrument(instrument), np.random.default_rng(seed)
    columns = {
        item.key: _reports(item, np.asarray(truths.get(item.key, _truths(item, n, rng))), rng)
        for item in frozen.items
    }
    people = [
        dict(zip(columns, person, strict=True)) for person in zip(*columns.values(), strict=True)
    ]
    return [each | dict.fromkeys(left_out(frozen.items, each.get)) for each in people]


def _truths(item: QuestionDefinition, n: int, rng: np.random.Generator) -> np.ndarray:
    if item.mechanism and item.mechanism.select == "any":
        return rng.integers(2, size=(n, item.size))
    if item.mechanism and not item.size:  # it has a text for an answer
        return rng.choice(["cannabis", "ecstasy", "something else"], size=n)
    return rng.integers(item.size, size=n)


def _reports(item: QuestionDefinition, truths: np.ndarray, rng: np.random.Generator) -> list:
    if item.mechanism is None:
        return truths.tolist()
    return item.report_format.reports(item.mechanism.randomize_stored(truths, rng))


def release_reports(instrument: Instrument, reports: list[dict]) -> None:
    """Release these reports at once."""
    frozen = parse_instrument(instrument)
    add_to_report(instrument, b"".join(encode(frozen, each) for each in reports))
