"""What is sealed and not released: records without their keys, shuffled, which nothing reads but a release.

They lie here until so many have come together that a release shows nobody's by itself.
"""

from random import SystemRandom

from django.conf import settings
from django.db.models import Sum

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import record_dtype, shuffle
from surveys.models import Held, Instrument

LEAST = 20  # responses that every release adds at least; a constant, because the respondent's page promises it


def store_pending(instrument: Instrument, records: bytes) -> None:
    """Add records to the pending ones."""
    frozen = parse_instrument(instrument)
    size = record_dtype(frozen).itemsize
    n = len(records) // size
    for row in instrument.held.filter(n__lte=settings.SEAL_SLICE - n).order_by("n"):
        if n + row.n > settings.SEAL_SLICE:
            break
        n += row.n
        records += bytes(row.records)
        row.delete()
    if n:
        Held.objects.create(instrument=instrument, n=n, records=shuffle(frozen, records))


def count_pending(instrument: Instrument) -> int:
    """Return how many sealed responses wait for the next release."""
    return instrument.held.aggregate(n=Sum("n"))["n"] or 0


def take_pending(instrument: Instrument, keep: int) -> bytes:
    """Take pending records out at random, leaving `keep`; empty if too few would be released.

    In a transaction that holds the instrument. Which ones stay, the system's generator decides: neither keys nor the
    order of arrival have a part in it. What a single call leaves is enough for another release, or is `keep`.
    """
    rows = list(instrument.held.values_list("pk", "n"))
    total = sum(n for _, n in rows)
    if total - keep < LEAST:
        return b""
    SystemRandom().shuffle(rows)
    picked, drawn = [], 0
    for pk, n in rows:
        if drawn >= max(settings.SEAL_SLICE, LEAST) and total - drawn >= keep + LEAST:
            break
        picked.append(pk)
        drawn += n
    return _take_batches(instrument, picked, keep if drawn == total else 0)


def _take_batches(instrument: Instrument, picked: list, keep: int) -> bytes:
    """Delete pending batches and return their records."""
    frozen = parse_instrument(instrument)
    chosen = instrument.held.filter(pk__in=picked)
    records = shuffle(
        frozen, b"".join(bytes(one) for one in chosen.values_list("records", flat=True))
    )
    chosen.delete()
    cut = keep * record_dtype(frozen).itemsize
    store_pending(instrument, records[:cut])
    return records[cut:]
