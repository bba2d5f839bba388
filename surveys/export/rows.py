"""The rows of an instrument, batch by batch, in an order that has nothing to do with how they arrived."""

from collections.abc import Iterator

import numpy as np

from surveys.fieldwork.responses.released import iter_batches
from surveys.models import Instrument


def decoded(instrument: Instrument) -> Iterator[np.ndarray]:
    """Each batch as a structured array of shape (n,), by their random ids."""
    return iter_batches(instrument, "pk")
