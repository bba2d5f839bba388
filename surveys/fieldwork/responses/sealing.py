"""Sealing: records leave the inbox without their keys, are shuffled, and become pending.

Nothing that readers see changes by it.
"""

from datetime import date, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction

from surveys.fieldwork.responses.chunks import run_for_each, run_in_steps, yield_to_writers
from surveys.fieldwork.responses.erasure import empty_log
from surveys.fieldwork.responses.held import LEAST_IN_A_RELEASE, store_pending
from surveys.fieldwork.responses.inbox import clear_records, count_inbox, take_from_inbox
from surveys.fieldwork.responses.shuffling import mix_fetched, renew_keys
from surveys.models import Instrument, Response, Run
from surveys.site import clock
from surveys.site.postgres_tables import note_rewriting

# Keys that are deleted in one step. Nobody waits for it, and each key is overwritten in two
# indexes.
KEYS_PER_STEP = 1_000


def seal(instrument: Instrument) -> int:
    """Seal at most SEAL_SLICE responses of one instrument, and return how many were sealed.

    Sealing takes the records out of the inbox, and leaves only their keys there. Until the survey
    is over, nothing is sealed if fewer than LEAST_IN_A_RELEASE responses are in the inbox,
    so that each record is sealed together with others. Then any number is sealed.
    """
    moved = run_in_steps(partial(_seal_step, instrument, None), settings.SEAL_SLICE)
    if moved:
        mix_fetched(instrument.survey_id)
        # The log of SQLite still has the records with their keys, in the order of arrival.
        empty_log()
    return moved


def _seal_step(instrument: Instrument, minimum: int | None, most: int) -> int:
    """Seal at most `most` responses in one transaction, and return how many were sealed.

    minimum: seal nothing if fewer responses are in the inbox. None stands for LEAST_IN_A_RELEASE,
        or for 1 once the survey is over.
    """
    # Checking first is cheap, but SQLite makes a transaction queue with those that write.
    if not count_inbox(instrument, 1):
        return 0
    with transaction.atomic():
        # Sealing and releasing wait for this lock. Because of `no_key`, submissions that refer
        # to the instrument do not.
        locked = Instrument.objects.select_for_update(no_key=True, of=("self",)).select_related(
            "survey"
        )
        instrument = locked.get(pk=instrument.pk)
        if minimum is None:
            minimum = 1 if instrument.survey.is_over_at(clock.now()) else LEAST_IN_A_RELEASE
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
    """Seal the whole inbox of a closed survey, and return how many responses were sealed.

    The caller has closed the survey. If any response was sealed, `mix_fetched` also shuffles the
    rows of fetched tickets. Unlike `seal`, this does not empty the log of SQLite: the caller or
    “manage.py seal” does this later.
    """
    # A minimum of 1 seals even if the clock does not yet say that the survey is over. The third
    # argument, `most`, is the size of a step.
    moved = run_in_steps(partial(_seal_step, instrument, 1))
    if moved:
        # Otherwise the order of those who fetched a ticket could be compared with that of the keys.
        mix_fetched(instrument.survey_id)
    return moved


def seal_due() -> int:
    """Make the responses in all inboxes pending if they are due, and return how many were sealed.

    An open survey needs LEAST_IN_A_RELEASE responses in its inbox, a closed one a single response.
    """
    keys = Response.objects.filter(record__isnull=False).values("instrument").distinct()
    return sum(run_for_each(_seal_all, Instrument.objects.filter(pk__in=keys)))


def _seal_all(instrument: Instrument) -> int:
    """Seal all that is due of one instrument, and return how many responses were sealed."""
    moved = run_in_steps(partial(_seal_step, instrument, None))
    yield_to_writers()
    return moved


def forget_keys() -> int:
    """Delete the keys of responses that were sealed more than a day ago; return how many.

    No device sends such a response again. The keys of tickets have no day, and stay until the
    tickets of the survey are finished.

    The last run of “manage.py seal” must have been as late: if the clock jumps ahead once,
    nothing is deleted too early.
    """
    last_run = Run.objects.filter(command="seal").first()
    if last_run is None:
        return 0
    today = clock.now().date()
    if clock.is_believed():
        # A clock that was ahead has dated these keys. They count as sealed today; otherwise they
        # would stay until that day.
        Response.objects.filter(record__isnull=True, sealed_on__gt=today).update(sealed_on=today)
    last_day = min(today, last_run.finished.date()) - timedelta(days=1)
    return run_in_steps(partial(_delete_old_keys, last_day), step=KEYS_PER_STEP)


def _delete_old_keys(last_day: date, most: int) -> int:
    """Delete at most `most` keys that were sealed before `last_day`, and return how many.

    `forget_keys` calls this until none is left. Responses that are not sealed stay.
    """
    old = Response.objects.filter(record__isnull=True, sealed_on__lt=last_day).values("pk")
    deleted, _ = Response.objects.filter(pk__in=old[:most]).delete()
    return deleted
