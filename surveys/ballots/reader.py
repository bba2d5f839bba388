"""What was released, and nothing else: whatever shows, counts or exports responses reads through here."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from surveys.ballots.records import decode
from surveys.models import Instrument
from surveys.publishing.instruments import paper


class Released(NamedTuple):
    """tally: see surveys.ballots.records.tally. waiting: how many are not in it, in whole groups of 20, as of the
    last release."""

    tally: dict
    waiting: int


def released(instrument: Instrument) -> Released:
    """Both from one statement."""
    return as_loaded(Instrument.objects.only("tally", "waiting").get(pk=instrument.pk))


def as_loaded(instrument: Instrument) -> Released:
    """Of an instrument that was read from the database this moment, with others: no further statement."""
    return Released(instrument.tally or {"n": 0, "counts": {}}, instrument.waiting)


def rows(instrument: Instrument, *order: str) -> Iterator[np.ndarray]:
    """Each batch as a structured array of shape (n,), one in memory at a time, in one statement.

    surveys.ballots.records says how an array is laid out. order: fields of a batch, where the order matters.
    """
    frozen = paper(instrument)
    stored = instrument.batches.order_by(*order).values_list("records", flat=True)
    for records in stored.iterator(chunk_size=1):
        yield decode(frozen, bytes(records))
