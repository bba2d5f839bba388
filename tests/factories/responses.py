"""Responses for tests of reports: truths, randomized by the library and released, however few."""

import numpy as np

from surveys.definition.instrument import FrozenQuestion
from surveys.definition.parsing import paper
from surveys.definition.routing.paths import left_out
from surveys.fieldwork.responses.records import encode
from surveys.fieldwork.responses.release import join
from surveys.models import Instrument


def answered(instrument: Instrument, n: int, seed: int = 1, **truths: object) -> None:
    """n respondents; truths by question key, else drawn at random."""
    store(instrument, randomized(instrument, n, seed, **truths))


def randomized(instrument: Instrument, n: int, seed: int = 1, **truths: object) -> list[dict]:
    """The reports of n respondents, as their devices send them."""
    frozen, rng = paper(instrument), np.random.default_rng(seed)
    columns = {
        item.key: _reports(item, np.asarray(truths.get(item.key, _truths(item, n, rng))), rng)
        for item in frozen.items
    }
    people = [
        dict(zip(columns, person, strict=True)) for person in zip(*columns.values(), strict=True)
    ]
    return [each | dict.fromkeys(left_out(frozen.items, each.get)) for each in people]


def _truths(item: FrozenQuestion, n: int, rng: np.random.Generator) -> np.ndarray:
    if item.mechanism and item.mechanism.select == "any":
        return rng.integers(2, size=(n, item.size))
    if item.mechanism and not item.size:  # it has a text for an answer
        return rng.choice(["cannabis", "ecstasy", "something else"], size=n)
    return rng.integers(item.size, size=n)


def _reports(item: FrozenQuestion, truths: np.ndarray, rng: np.random.Generator) -> list:
    if item.mechanism is None:
        return truths.tolist()
    return item.wire.reports(item.mechanism.randomize_stored(truths, rng))


def store(instrument: Instrument, reports: list[dict]) -> None:
    """Reports exactly as given, in the report at once."""
    frozen = paper(instrument)
    join(instrument, b"".join(encode(frozen, each) for each in reports))
