"""What is sealed and not released: records without their keys, shuffled, which nothing reads but a release.

They lie here until so many have come together that a release shows nobody's by itself.
"""

from random import SystemRandom

from django.conf import settings
from django.db.models import Sum

from surveys.definition.parsing import paper
from surveys.fieldwork.responses.records import record_dtype, shuffle
from surveys.models import Held, Instrument

LEAST = 20  # responses that every release adds at least; a constant, because the respondent's page promises it


def hold(instrument: Instrument, records: bytes) -> None:
    """Put records to those that are held; in a transaction that holds the instrument."""
    frozen = paper(instrument)
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


def held(instrument: Instrument) -> int:
    """How many responses are held."""
    return instrument.held.aggregate(n=Sum("n"))["n"] or 0


def draw(instrument: Instrument, keep: int) -> bytes:
    """Take out all but `keep`, or of very many some, so many at least as a release needs; nothing where that cannot be.

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
    return _take(instrument, picked, keep if drawn == total else 0)


def _take(instrument: Instrument, picked: list, keep: int) -> bytes:
    frozen = paper(instrument)
    chosen = instrument.held.filter(pk__in=picked)
    records = shuffle(
        frozen, b"".join(bytes(one) for one in chosen.values_list("records", flat=True))
    )
    chosen.delete()
    cut = keep * record_dtype(frozen).itemsize
    hold(instrument, records[:cut])
    return records[cut:]
