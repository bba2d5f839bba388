"""Release: what is held joins the batches and the running tally, never fewer than LEAST responses at a time.

While the survey is open or paused all that is held but LEAST, so that the last step has as many too; once it is closed
all of it. It happens in “manage.py seal”, at most once in an hour of the clock, and at a closing; never because
somebody reads, who would then choose the moment. Nothing else writes the tally or a batch.
"""

from datetime import datetime
from random import SystemRandom

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.background_groups import update_report_groups
from surveys.fieldwork.responses.chunks import run_for_each, yield_to_writers
from surveys.fieldwork.responses.held import LEAST, count_pending, take_pending
from surveys.fieldwork.responses.inbox import count_inbox, database_uuid
from surveys.fieldwork.responses.records import (
    add_tallies,
    count_responses,
    decode,
    record_dtype,
    shuffle,
)
from surveys.fieldwork.tickets.invitees import count_fetched
from surveys.models import Batch, Held, Import, Instrument, Response, Survey
from surveys.signals import responses_released
from surveys.site import clock

MIXED = (
    10  # batches that are shuffled anew with what comes, so that they lie in no order of arrival
)


def release(instrument: Instrument, *, at_once: bool = False) -> int:
    """Release what the rule allows; returns how many responses.

    at_once: at a closing, and for a demo's invented answers. Otherwise nothing happens twice in an hour of the clock,
    but for the first time after a closing time has passed, which is a closing too.
    """
    if not _claim_hour(instrument, at_once=at_once):
        return 0
    total = 0
    while moved := _release_some(instrument):
        total += moved
        yield_to_writers()
    _note_unreleased(instrument)
    update_report_groups(instrument)  # where it is closed
    return total


def release_due() -> int:
    """Over all surveys. Those that are closed and have nothing unread are passed over."""
    unread = Q(Exists(Held.objects.filter(instrument=OuterRef("pk")))) | Q(
        Exists(Response.objects.filter(instrument=OuterRef("pk"), record__isnull=False))
    )
    taking = Q(survey__status__in=(Survey.Status.OPEN, Survey.Status.PAUSED))
    found = Instrument.objects.filter(unread | taking, survey__import_only=False).defer(
        "content", "tally"
    )
    return sum(run_for_each(release, found))


def _locked(instrument: Instrument) -> Instrument:
    """Holding the instrument makes sealers queue; no_key leaves the way free for submissions that refer to it."""
    locked = Instrument.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "survey"
    )
    return locked.get(pk=instrument.pk)


@transaction.atomic
def _claim_hour(instrument: Instrument, *, at_once: bool) -> bool:
    """Decide whether a release may start now, and note that it does."""
    instrument = _locked(instrument)
    now, last, closes = clock.now(), clock.happened(instrument.looked), instrument.survey.closes
    if not at_once and instrument.survey.is_over_at(now) and count_inbox(instrument, 1):
        return (
            False  # sealed first, at the next run: what is few comes out with the others or never
        )
    has_passed = closes is not None and closes <= now
    first_since_closing = has_passed and last is not None and last < closes
    if not (at_once or last is None or last < _hour(now) or first_since_closing):
        return False
    instrument.looked = max(_hour(now), closes) if has_passed else _hour(now)
    instrument.save(update_fields=["looked"])
    return True


def _hour(time: datetime) -> datetime:
    return time.replace(minute=0, second=0, microsecond=0)


@transaction.atomic
def _release_some(instrument: Instrument) -> int:
    """Release one portion; returns how many responses."""
    instrument = _locked(instrument)
    is_over = instrument.survey.is_over_at(clock.now())
    if parse_instrument(instrument).results_after_closing and not is_over:
        return 0
    records = take_pending(instrument, 0 if is_over else LEAST)
    return add_to_report(instrument, records) if records else 0


@transaction.atomic
def _note_unreleased(instrument: Instrument) -> None:
    """Store how many responses are not released yet, in multiples of LEAST."""
    instrument = _locked(instrument)
    unread = count_pending(instrument) + count_inbox(instrument)
    instrument.waiting = unread - unread % LEAST
    instrument.save(update_fields=["waiting"])
    count_fetched(instrument.survey)


def add_to_report(instrument: Instrument, records: bytes) -> int:
    """Records become part of the report; in a transaction that holds the instrument. Returns how many they are.

    For a release, and for responses that nobody waits to be hidden among: from files, and a demo's.
    """
    frozen = parse_instrument(instrument)
    rows = decode(frozen, records)
    _add_to_tally(instrument, count_responses(frozen, rows))
    _store_shuffled(instrument, records)
    return len(rows)


def add_import(instrument: Instrument, file: Import) -> None:
    """Add the batches of an import to the report."""
    with connection.cursor() as cursor:
        cursor.execute(
            _ADOPT, {"instrument": database_uuid(instrument.pk), "file": database_uuid(file.pk)}
        )
    if file.tally:
        _add_to_tally(instrument, file.tally)
    if file.held:
        add_to_report(instrument, bytes(file.held))


_ADOPT = """
    INSERT INTO surveys_batch (id, instrument_id, n, records)
    SELECT id, %(instrument)s, n, records FROM surveys_piece WHERE file_id = %(file)s
"""


def _add_to_tally(instrument: Instrument, added: dict) -> None:
    """Add the counts of new responses to the tally of the instrument."""
    instrument.tally = add_tallies(instrument.tally, added)
    instrument.wiped = False  # see surveys.fieldwork.responses.erasure
    instrument.released_on = clock.now().date()
    instrument.save(update_fields=["tally", "wiped", "released_on"])
    responses_released.send(
        Survey, survey=instrument.survey, total=instrument.tally["n"], added=added["n"]
    )


def _store_shuffled(instrument: Instrument, records: bytes) -> None:
    """Store records as batches, shuffled together with some stored batches."""
    frozen = parse_instrument(instrument)
    lying = list(instrument.batches.order_by().values_list("pk", "n"))
    SystemRandom().shuffle(lying)
    picked = [pk for pk, _ in sorted(lying, key=lambda one: one[1] >= settings.SEAL_SLICE)[:MIXED]]
    mixed = instrument.batches.filter(pk__in=picked)
    records = shuffle(
        frozen, records + b"".join(bytes(one) for one in mixed.values_list("records", flat=True))
    )
    mixed.delete()
    size = record_dtype(frozen).itemsize
    for start in range(0, len(records), settings.SEAL_SLICE * size):
        part = records[start : start + settings.SEAL_SLICE * size]
        Batch.objects.create(instrument=instrument, n=len(part) // size, records=part)
