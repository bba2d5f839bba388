"""The rows of an instrument, batch by batch, in an order that has nothing to do with how they arrived."""

from collections.abc import Iterator

import numpy as np

from surveys.ballots.reader import rows
from surveys.ballots.records import reports
from surveys.models import Instrument
from surveys.publishing.instruments import paper


def decoded(instrument: Instrument) -> Iterator[np.ndarray]:
    """Each batch as a structured array of shape (n,), by their random ids."""
    return rows(instrument, "pk")


def batches(instrument: Instrument) -> Iterator[list[tuple]]:
    """The rows of each batch as tuples of reports, in the order of the questions."""
    frozen = paper(instrument)
    for part in decoded(instrument):
        yield list(zip(*(reports(item, part[item.key]) for item in frozen.items), strict=True))
