"""Sealing: records leave the inbox, shuffled and without their keys, for what is held. Nothing shows of it."""

from datetime import date, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction

from surveys.fieldwork.responses.chunks import in_steps, run_for_each, yield_to_writers
from surveys.fieldwork.responses.erasure import empty_log
from surveys.fieldwork.responses.held import LEAST, store_pending
from surveys.fieldwork.responses.inbox import clear_records, count_inbox, take_from_inbox
from surveys.fieldwork.responses.shuffling import mix_fetched, renew_keys
from surveys.models import Instrument, Response, Run
from surveys.site import clock
from surveys.site.postgres_tables import note_rewriting

FORGET_STEP = 1_000  # nobody waits for it, and each key is overwritten in two indexes


def seal(instrument: Instrument) -> int:
    """Seal one slice of what waits, whoever asks; returns how many responses moved.

    Nothing moves while fewer than LEAST wait, so that no record lies by itself; at a closing however few.
    """
    moved = in_steps(partial(_seal_step, instrument, None), settings.SEAL_SLICE)
    if moved:
        mix_fetched(instrument.survey_id)
        empty_log()  # where they lay beside their keys in order of arrival
    return moved


def _seal_step(instrument: Instrument, minimum: int | None, most: int) -> int:
    if not count_inbox(
        instrument, 1
    ):  # looking is free, but for the rest SQLite makes us queue with those who write
        return 0
    with transaction.atomic():
        # Holding the instrument makes sealers queue; no_key leaves the way free for submissions that refer to it.
        locked = Instrument.objects.select_for_update(no_key=True, of=("self",)).select_related(
            "survey"
        )
        instrument = locked.get(pk=instrument.pk)
        if minimum is None:
            minimum = 1 if instrument.survey.is_over_at(clock.now()) else LEAST
        if count_inbox(instrument, minimum) < minimum:
            return 0
        keys, records = take_from_inbox(instrument, most)
        store_pending(instrument, records)
        if instrument.survey.tickets:
            renew_keys(instrument, keys)
            note_rewriting(Response)
        else:
            clear_records(keys, clock.now().date())
    return len(keys)


def seal_rest(instrument: Instrument) -> int:
    """Empty the inbox of one instrument, however few wait; for closed surveys."""
    moved = in_steps(partial(_seal_step, instrument, 1))
    if moved:
        mix_fetched(instrument.survey_id)
    return moved


def seal_due() -> int:
    """Seal everything that is due, over all surveys: full groups of open ones, all of closed ones."""
    keys = Response.objects.filter(record__isnull=False).values("instrument").distinct()
    return sum(run_for_each(_seal_all, Instrument.objects.filter(pk__in=keys)))


def _seal_all(instrument: Instrument) -> int:
    moved = in_steps(partial(_seal_step, instrument, None))
    yield_to_writers()
    return moved


def forget_keys() -> int:
    """Delete the bare keys of responses sealed more than a day ago; no retry is coming for them. Keys of tickets have
    no day, and stay until these are finished.

    The last run of “manage.py seal” has to agree on the day: a clock that jumps ahead once forgets nothing early.
    """
    before = Run.objects.filter(command="seal").first()
    if before is None:
        return 0
    today = clock.now().date()
    if clock.is_believed():
        # Sealed by a clock that was ahead: such a key waits anew, or it would stay until that day has come.
        Response.objects.filter(record__isnull=True, sealed_on__gt=today).update(sealed_on=today)
    last = min(today, before.finished.date()) - timedelta(days=1)
    return in_steps(partial(_forget_step, last), step=FORGET_STEP)


def _forget_step(last: date, most: int) -> int:
    old = Response.objects.filter(record__isnull=True, sealed_on__lt=last).values("pk")
    deleted, _ = Response.objects.filter(pk__in=old[:most]).delete()
    return deleted
