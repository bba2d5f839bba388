"""Release: pending responses join the batches and the tally.

A release has at least LEAST_IN_A_RELEASE responses. While the survey is open or paused, it leaves
as many pending, so that the last release has enough too. Once the survey is closed, all pending
responses are released. “manage.py seal” releases at most once in an hour of the clock, and closing
a survey releases at once. Reading a report never releases anything: readers could choose the
moment. No other module writes the tally or a batch.
"""

from datetime import datetime
from random import SystemRandom

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.background_groups import update_report_groups
from surveys.fieldwork.responses.chunks import run_for_each, yield_to_writers
from surveys.fieldwork.responses.held import LEAST_IN_A_RELEASE, count_pending, take_pending
from surveys.fieldwork.responses.inbox import count_inbox
from surveys.fieldwork.responses.records import (
    add_tallies,
    count_responses,
    decode,
    record_dtype,
    shuffle,
)
from surveys.fieldwork.tickets.invitees import count_fetched
from surveys.models import Batch, Held, Import, Instrument, Response, Survey, database_uuid
from surveys.signals import responses_released
from surveys.site import clock

# Stored batches that are shuffled together with new records. Without this, the order of the
# batches would be the order of arrival.
MOST_MIXED_BATCHES = 10


def release(instrument: Instrument, *, at_once: bool = False) -> int:
    """Release the pending responses that may be released, and return how many were released.

    There is at most one release in an hour of the clock. Only the first one after the closing time
    of the survey may be a second one in its hour.

    at_once: release now, even if there was a release in this hour or the inbox is not sealed. This
        is for a closing and for the invented responses of a demo.
    """
    if not _claim_release(instrument, at_once=at_once):
        return 0

    total = 0
    while moved := _release_some(instrument):
        total += moved
        yield_to_writers()

    _note_unreleased(instrument)
    # This does nothing unless the survey is closed.
    update_report_groups(instrument)
    return total


def release_due() -> int:
    """Release what is due in all surveys, and return how many responses were released.

    “manage.py seal” calls this. Surveys that take no responses and have nothing unreleased are left
    out, unless their closing time has come since their last release. Import-only surveys are left
    out as well, because their files are added without a release.
    """
    has_pending = Exists(Held.objects.filter(instrument=OuterRef("pk")))
    has_inbox = Exists(
        Response.objects.filter(instrument=OuterRef("pk"), record__isnull=False),
    )
    # The release of a survey that takes responses stores its hour even if there is nothing to
    # release. This shows that the timer runs: see progress.is_neglected.
    takes_responses = Q(survey__status__in=(Survey.Status.OPEN, Survey.Status.PAUSED))
    # Results are published only if a release was due after the closing time: see
    # progress.is_settled. A survey that was closed by hand before that time has nothing left to
    # release, so it would get none. The column `looked` has the hour of the last release.
    is_unsettled = Q(survey__closes__lte=clock.now(), looked__lt=F("survey__closes"))
    instruments = Instrument.objects.filter(
        Q(has_pending) | Q(has_inbox) | takes_responses | is_unsettled, survey__import_only=False
    )
    # These fields may be large. `release` reads them again when it holds the lock.
    return sum(run_for_each(release, instruments.defer("content", "tally")))


def _lock_instrument(instrument: Instrument) -> Instrument:
    """Return the instrument, locked until the end of the transaction.

    Sealing and releasing wait for this lock. Because of `no_key`, submissions that refer to the
    instrument do not.
    """
    locked = Instrument.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "survey"
    )
    return locked.get(pk=instrument.pk)


@transaction.atomic
def _claim_release(instrument: Instrument, *, at_once: bool) -> bool:
    """Return whether a release may start now, and store the hour if it may.

    The stored hour keeps other releases from starting in the same hour. Return False if the last
    release was in this hour, unless the closing time has come since. Return False also if the
    survey is over and its inbox is not sealed yet. The instrument is locked.

    at_once: return True in any case, and store the hour.
    """
    instrument = _lock_instrument(instrument)
    now = clock.now()
    this_hour = _start_of_hour(now)
    last_release = clock.happened(instrument.looked)
    closes = instrument.survey.closes
    is_past_closing = closes is not None and closes <= now

    if not at_once:
        if instrument.survey.is_over_at(now) and count_inbox(instrument, 1):
            # The next run seals the inbox first. If few responses are left, they are released
            # together with the others or never.
            return False
        was_in_this_hour = last_release is not None and last_release >= this_hour
        is_first_since_closing = (
            is_past_closing and last_release is not None and last_release < closes
        )
        if was_in_this_hour and not is_first_since_closing:
            return False

    # The first release since the closing stores the closing time if that is later than the start of
    # the hour. Otherwise it would count as a release before the closing, and be due again.
    instrument.looked = this_hour
    if is_past_closing:
        instrument.looked = max(this_hour, closes)
    instrument.save(update_fields=["looked"])
    return True


def _start_of_hour(time: datetime) -> datetime:
    """Return this time without its minutes, seconds and microseconds."""
    return time.replace(minute=0, second=0, microsecond=0)


@transaction.atomic
def _release_some(instrument: Instrument) -> int:
    """Release some of the pending responses, and return how many.

    `release` calls this until it returns 0, so that each transaction is short. Return 0 if too few
    are pending, or if the survey has results only after closing and is not over. The instrument is
    locked.
    """
    instrument = _lock_instrument(instrument)
    is_over = instrument.survey.is_over_at(clock.now())
    if parse_instrument(instrument).results_after_closing and not is_over:
        return 0

    # Until the survey is over, as many stay pending as the last release needs.
    n_to_keep = 0 if is_over else LEAST_IN_A_RELEASE
    records = take_pending(instrument, n_to_keep)
    if not records:
        return 0
    return add_to_report(instrument, records)


@transaction.atomic
def _note_unreleased(instrument: Instrument) -> None:
    """Store how many responses are not released, and how many people fetched a ticket.

    These numbers are shown until the next release. So they must not reveal when one response
    arrives or one ticket is fetched, and are rounded down. The instrument is locked.
    """
    instrument = _lock_instrument(instrument)
    n_unreleased = count_pending(instrument) + count_inbox(instrument)
    # The number is rounded down to a multiple of LEAST_IN_A_RELEASE.
    instrument.waiting = n_unreleased - n_unreleased % LEAST_IN_A_RELEASE
    instrument.save(update_fields=["waiting"])
    # This stores the number of people, rounded while the survey is open.
    count_fetched(instrument.survey)


def add_to_report(instrument: Instrument, records: bytes) -> int:
    """Add records to the tally and the batches of an instrument, and return how many there are.

    From then on they are in the report and the exports. This is for releases, and for responses
    that need not be hidden among others: those from files and those of a demo. The caller has
    locked the instrument in a transaction.

    records: joined records of the instrument, in any order.
    """
    definition = parse_instrument(instrument)
    responses = decode(definition, records)
    _add_to_tally(instrument, count_responses(definition, responses))
    _store_shuffled(instrument, records)
    return len(responses)


# While a file is imported, its responses are stored as pieces, each of which becomes a batch. They
# are copied within the database, so their records are not loaded.
_COPY_PIECES = """
    INSERT INTO surveys_batch (id, instrument_id, n, records)
    SELECT id, %(instrument)s, n, records FROM surveys_piece WHERE file_id = %(file)s
"""


def add_import(instrument: Instrument, file: Import) -> None:
    """Add the responses of an imported file to the report. The caller has locked the instrument.

    The responses need not be hidden among others: the respondents have answered elsewhere. The
    pieces of the file become batches unchanged. The last records of the file, in `file.held`, are
    too few for a piece, and are shuffled together with stored batches.
    """
    values = {"instrument": database_uuid(instrument.pk), "file": database_uuid(file.pk)}
    with connection.cursor() as cursor:
        cursor.execute(_COPY_PIECES, values)
    # This is the tally of the pieces. It is empty if there are none.
    if file.tally:
        _add_to_tally(instrument, file.tally)
    if file.held:
        add_to_report(instrument, bytes(file.held))


def _add_to_tally(instrument: Instrument, added: dict) -> None:
    """Add the tally of new responses to the tally of the instrument, and store the day.

    Features learn of it by the signal `responses_released`.

    added: the tally of the new responses, as records.count_responses returns it.
    """
    instrument.tally = add_tallies(instrument.tally, added)
    # Deleted records are left in the file of SQLite until responses.erasure wipes it.
    instrument.wiped = False
    instrument.released_on = clock.now().date()
    instrument.save(update_fields=["tally", "wiped", "released_on"])
    responses_released.send(
        Survey, survey=instrument.survey, total=instrument.tally["n"], added=added["n"]
    )


def _store_shuffled(instrument: Instrument, records: bytes) -> None:
    """Store records as batches, shuffled together with the records of some stored batches.

    Without this, the order of the batches would be the order in which the responses arrived. At
    most MOST_MIXED_BATCHES stored batches are taken at random, incomplete ones first (with fewer
    records than settings.SEAL_SLICE). They are replaced by the new batches.
    """
    definition = parse_instrument(instrument)
    # The batches are put into random order, so the slice below is a random choice.
    stored = list(instrument.batches.order_by().values_list("pk", "n"))
    SystemRandom().shuffle(stored)
    incomplete_keys = [pk for pk, n in stored if n < settings.SEAL_SLICE]
    complete_keys = [pk for pk, n in stored if n >= settings.SEAL_SLICE]
    mixed_keys = (incomplete_keys + complete_keys)[:MOST_MIXED_BATCHES]

    mixed = instrument.batches.filter(pk__in=mixed_keys)
    stored_records = [bytes(part) for part in mixed.values_list("records", flat=True)]
    records = shuffle(definition, records + b"".join(stored_records))
    mixed.delete()

    # Both sizes are in bytes. The last batch may be incomplete.
    record_size = record_dtype(definition).itemsize
    batch_size = settings.SEAL_SLICE * record_size
    for start in range(0, len(records), batch_size):
        part = records[start : start + batch_size]
        n = len(part) // record_size
        Batch.objects.create(instrument=instrument, n=n, records=part)
