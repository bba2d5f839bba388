"""Responses for tests of reports: truths, randomized by the library and released, however few."""

import numpy as np

from surveys.ballots.records import encode
from surveys.ballots.release import join
from surveys.models import Instrument
from surveys.publishing.instruments import Item, paper


def answered(instrument: Instrument, n: int, seed: int = 1, **truths: object) -> None:
    """n respondents; truths by question key, else drawn at random."""
    frozen, rng = paper(instrument), np.random.default_rng(seed)
    columns = {
        item.key: _reports(item, np.asarray(truths.get(item.key, rng.integers(item.size, size=n))), rng)
        for item in frozen.items
    }
    store(instrument, [dict(zip(columns, person, strict=True)) for person in zip(*columns.values(), strict=True)])


def _reports(item: Item, truths: np.ndarray, rng: np.random.Generator) -> list:
    if item.mechanism is None:
        return truths.tolist()
    made = item.mechanism.randomize(truths, rng).tolist()
    return ["".join(map(str, bits)) for bits in made] if item.is_string else made


def store(instrument: Instrument, reports: list[dict]) -> None:
    """Reports exactly as given, in the report at once."""
    frozen = paper(instrument)
    join(instrument, b"".join(encode(frozen, each) for each in reports))
