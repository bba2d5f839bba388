"""The rows of an instrument, batch by batch, in an order that has nothing to do with how they arrived."""

from collections.abc import Iterator

import numpy as np

from surveys.ballots.records import decode, responses
from surveys.models import Instrument
from surveys.publishing.instruments import paper


def decoded(instrument: Instrument) -> Iterator[np.ndarray]:
    """Each sealed batch as a structured array of shape (n,); surveys.ballots.records says how it is laid out."""
    frozen = paper(instrument)
    stored = instrument.batches.order_by("pk").values_list("records", flat=True)
    for records in stored.iterator(chunk_size=1):
        yield decode(frozen, bytes(records))


def batches(instrument: Instrument) -> Iterator[list[tuple]]:
    """The rows of each batch as tuples of reports, or None, in the order of the questions."""
    frozen = paper(instrument)
    for rows in decoded(instrument):
        yield list(zip(*(responses(frozen, rows, item) for item in frozen.items), strict=True))
