"""What was released, and nothing else: whatever shows, counts or exports responses reads through here."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import decode, record_dtype
from surveys.models import Instrument
from surveys.site import turn
from surveys.site.errors import Refused

DELETED = (
    "The responses of this survey were deleted on {day}, as respondents were told. Its counts, report groups and "
    "results are still there."
)


class Released(NamedTuple):
    """tally: see fieldwork.responses.records.count_responses. waiting: how many are not in it, in
    whole groups of 20, as of the
    last release."""

    tally: dict
    waiting: int


def read_released(instrument: Instrument) -> Released:
    """Return the tally and the number of waiting responses, from one statement."""
    return as_loaded(Instrument.objects.only("tally", "waiting").get(pk=instrument.pk))


def as_loaded(instrument: Instrument) -> Released:
    """Of an instrument that was read from the database this moment, with others: no further statement."""
    return Released(instrument.tally or {"n": 0, "counts": {}}, instrument.waiting)


def iter_batches(instrument: Instrument, *order: str, together: int = 1) -> Iterator[np.ndarray]:
    """Yield the released responses, batch by batch.

    fieldwork.responses.records says how an array is laid out. order: fields of a batch, where the order matters.
    together: how many batches make an array; what is only counted is counted faster in fewer steps.

    Raises Refused where they are deleted, or being deleted: nobody counts half of them; in a request Busy and Overdue
    of surveys.site.turn.
    """
    frozen, is_any, some = parse_instrument(instrument), False, []
    size = record_dtype(frozen).itemsize
    stored = instrument.batches.order_by(*order).values_list("records", "instrument__deleted_on")
    for number, (records, deleted_on) in enumerate(stored.iterator(chunk_size=1), 1):
        if deleted_on:
            raise Refused(DELETED.format(day=deleted_on))
        turn.count_work(len(records) // size)
        is_any, some = True, [*some, records]
        if number % together == 0:
            yield decode(frozen, b"".join(some))
            some = []
    if some:
        yield decode(frozen, b"".join(some))
    if not is_any:
        require_rows(instrument)


def require_rows(instrument: Instrument) -> None:
    """Raises Refused, with the day, where the responses are deleted or about to be: fieldwork.responses.deletion."""
    if day := Instrument.objects.values_list("deleted_on", flat=True).get(pk=instrument.pk):
        raise Refused(DELETED.format(day=day))
