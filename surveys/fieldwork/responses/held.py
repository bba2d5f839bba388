"""Pending responses: sealed, and not released yet.

Their records are stored without their keys and shuffled, in rows of at most settings.SEAL_SLICE
records: the pending batches. Only a release reads them. They stay until so many are pending that a
release isolates nobody's response.
"""

from random import SystemRandom

from django.conf import settings
from django.db.models import Sum

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import record_dtype, shuffle
from surveys.models import Held, Instrument

# The fewest responses of a release. It is a constant because the respondent's page promises it.
LEAST_IN_A_RELEASE = 20


def store_pending(instrument: Instrument, records: bytes) -> None:
    """Add records to the pending ones, shuffled together with small pending batches.

    The new records and as many pending batches as fit become one batch. So small batches do not
    pile up, and a record cannot be told apart by the sealing it came with. The caller has locked
    the instrument in a transaction.

    records: joined records of the instrument; there may be none.
    """
    definition = parse_instrument(instrument)
    n = len(records) // record_dtype(definition).itemsize
    # The smallest batch comes first. If a batch does not fit any more, no later one does.
    for batch in instrument.held.filter(n__lte=settings.SEAL_SLICE - n).order_by("n"):
        if n + batch.n > settings.SEAL_SLICE:
            break
        n += batch.n
        records += bytes(batch.records)
        batch.delete()
    if n:
        Held.objects.create(instrument=instrument, n=n, records=shuffle(definition, records))


def count_pending(instrument: Instrument) -> int:
    """Return how many responses of an instrument are pending.

    Responses in the inbox are not sealed yet, so they are not counted.
    """
    # Each batch is stored with the number of its records. The sum of no rows is None.
    total = instrument.held.aggregate(n=Sum("n"))["n"]
    if total is None:
        return 0
    return total


def take_pending(instrument: Instrument, keep: int) -> bytes:
    """Remove pending batches at random, and return their joined records for a release.

    Return b"" if too few are pending: at least LEAST_IN_A_RELEASE records are returned, and at
    least `keep` stay pending. Many pending records are taken in several calls. What a call leaves
    then is enough for another release.

    The caller has locked the instrument in a transaction. The system's random generator decides
    which responses stay: neither their keys nor the order of arrival matter.

    keep: the number of records that must stay pending.
    """
    batches = list(instrument.held.values_list("pk", "n"))
    total = sum(n for _, n in batches)
    if total - keep < LEAST_IN_A_RELEASE:
        return b""

    # About as many records are taken as fit into a batch, so that the transaction is short.
    n_enough = max(settings.SEAL_SLICE, LEAST_IN_A_RELEASE)
    SystemRandom().shuffle(batches)
    batch_keys = []
    n_taken = 0
    for pk, n in batches:
        n_left = total - n_taken
        # If the rest were too small for another release, it is taken too.
        if n_taken >= n_enough and n_left >= keep + LEAST_IN_A_RELEASE:
            break
        batch_keys.append(pk)
        n_taken += n

    if n_taken < total:
        # The batches that are not taken have more than `keep` records, so nothing else must stay.
        return _take_batches(instrument, batch_keys, keep=0)
    return _take_batches(instrument, batch_keys, keep=keep)


def _take_batches(instrument: Instrument, batch_keys: list, keep: int) -> bytes:
    """Delete pending batches, and return their joined records, except for `keep` that stay pending.

    The records are shuffled first, so chance decides which of them stay. Those that stay are stored
    again in other batches.

    batch_keys: the primary keys of the batches.
    keep: the number of records that stay pending.
    """
    definition = parse_instrument(instrument)
    batches = instrument.held.filter(pk__in=batch_keys)
    batch_records = [bytes(part) for part in batches.values_list("records", flat=True)]
    records = shuffle(definition, b"".join(batch_records))
    batches.delete()

    n_bytes_kept = keep * record_dtype(definition).itemsize
    store_pending(instrument, records[:n_bytes_kept])
    return records[n_bytes_kept:]
