"""Released responses: whatever shows, counts or exports responses reads them with this module."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import decode, record_dtype
from surveys.models import Instrument
from surveys.site import turn
from surveys.site.errors import Refused

RESPONSES_DELETED = (
    "The responses of this survey were deleted on {day}, as respondents were told. Its counts, "
    "report groups and results are still there."
)


class Released(NamedTuple):
    """The tally of the released responses, and the number of responses that wait.

    tally: see fieldwork.responses.records.count_responses.
    waiting: responses that were not released at the last release, rounded down to a multiple of 20.
    """

    tally: dict
    waiting: int


def read_released(instrument: Instrument) -> Released:
    """Return the tally and the number of waiting responses of an instrument, read just now.

    Both are read with one statement, so they belong together.
    """
    return released_from(Instrument.objects.only("tally", "waiting").get(pk=instrument.pk))


def released_from(instrument: Instrument) -> Released:
    """Return the tally and the number of waiting responses that are loaded with `instrument`.

    The database is not read. So this is for an instrument that was read from it just now.
    """
    tally = instrument.tally
    # The stored tally is empty before the first release.
    if not tally:
        tally = {"n": 0, "counts": {}}
    return Released(tally=tally, waiting=instrument.waiting)


def iter_batches(instrument: Instrument, *order: str, together: int = 1) -> Iterator[np.ndarray]:
    """Yield the released responses as structured arrays (see responses.records), shape (n,).

    Raise Refused if the responses are deleted or being deleted: nobody may count half of them. If a
    request reads very many, surveys.site.turn may raise Busy or Overdue.

    order: fields of a batch by which the batches are ordered, if their order matters.
    together: the number of batches in each array. Counting is faster with fewer, larger arrays.
    """
    definition = parse_instrument(instrument)
    record_size = record_dtype(definition).itemsize
    # The day of deletion comes from the same query as the records: if it were read before, the
    # deletion could begin in between.
    batches = instrument.batches.order_by(*order).values_list("records", "instrument__deleted_on")

    is_empty = True
    parts = []
    # A batch can be large, so one at a time is kept in memory.
    for number, (records, deleted_on) in enumerate(batches.iterator(chunk_size=1), 1):
        if deleted_on:
            raise Refused(RESPONSES_DELETED.format(day=deleted_on))
        # Requests that read very many responses take turns.
        turn.count_work(len(records) // record_size)
        is_empty = False
        parts.append(records)
        if number % together == 0:
            yield decode(definition, b"".join(parts))
            parts = []

    if parts:
        yield decode(definition, b"".join(parts))
    # Without a batch, nothing has shown yet whether the responses are deleted.
    if is_empty:
        require_rows(instrument)


def require_rows(instrument: Instrument) -> None:
    """Raise Refused, with the day, if the responses of an instrument are deleted or being deleted.

    Whoever reads single responses calls this first. “manage.py seal” stores the day when it
    begins to delete. Until then the responses can be read, also on the day that respondents were
    told.
    """
    deleted_on = Instrument.objects.values_list("deleted_on", flat=True).get(pk=instrument.pk)
    if deleted_on:
        raise Refused(RESPONSES_DELETED.format(day=deleted_on))
