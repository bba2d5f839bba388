"""Sealing: records leave the inbox without their keys, are shuffled, and become pending.

Nothing that readers see changes by it. Records are decrypted, so only a process that can read the
private keys of the inbox seals anything.
"""

from datetime import date, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction

from surveys.fieldwork.responses.chunks import run_for_each, run_in_steps, yield_to_writers
from surveys.fieldwork.responses.erasure import empty_log
from surveys.fieldwork.responses.held import LEAST_IN_A_RELEASE, store_pending
from surveys.fieldwork.responses.inbox import clear_records, count_inbox, take_from_inbox
from surveys.fieldwork.responses.inbox_encryption import Unreadable
from surveys.fieldwork.responses.inbox_keys import can_open_inbox, note_replacement
from surveys.fieldwork.responses.shuffling import mix_fetched, renew_keys
from surveys.models import Instrument, Response, Run
from surveys.site import clock

# Keys that are deleted in one step. Nobody waits for it, and each key is overwritten in two
# indexes.
KEYS_PER_STEP = 1_000


def seal(instrument: Instrument) -> int:
    """Seal at most SEAL_SLICE responses of one instrument, and return how many were sealed.

    Sealing takes the records out of the inbox, shuffles them, and makes them pending. Only their
    keys stay in the inbox. While the survey is running, nothing is sealed if fewer than
    LEAST_IN_A_RELEASE responses are in the inbox, so that each record is sealed together with
    others. Once the survey is over, any number is sealed.

    If a record cannot be read, its step seals nothing. “manage.py seal” says so to the operator.
    """
    # None lets each step choose the fewest responses that it seals.
    moved = run_in_steps(partial(_seal_readable_step, instrument, None), settings.SEAL_SLICE)
    if moved:
        # Otherwise the order of those who fetched a ticket could be compared with that of the keys.
        mix_fetched(instrument.survey_id)
        # The log of SQLite still has the records with their keys, in the order of arrival.
        empty_log()
    return moved


def _seal_step(instrument: Instrument, minimum: int | None, most: int) -> int:
    """Seal at most `most` responses in one transaction, and return how many were sealed.

    The records become pending. The instrument is locked. Seal nothing if this process cannot read
    the private keys. Raise inbox_encryption.Unreadable if one of the records cannot be read; then
    nothing is changed.

    minimum: the fewest responses that are sealed; if fewer are in the inbox, nothing is. None
        stands for LEAST_IN_A_RELEASE, or for 1 once the survey is over.
    """
    # Counting before the transaction is cheap: with SQLite, the transaction itself waits until
    # nobody else writes.
    if not can_open_inbox() or not count_inbox(instrument, 1):
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
        # From now on, only old copies of the inbox have these records beside their keys.
        note_replacement()
        if instrument.survey.tickets:
            # The keys show which tickets are spent. So they stay, but in random order.
            renew_keys(instrument, keys)
        else:
            clear_records(keys, clock.now().date())
    return len(keys)


def _seal_readable_step(instrument: Instrument, minimum: int | None, most: int) -> int:
    """Return what `_seal_step` returns, or 0 if it meets a record that cannot be read."""
    try:
        return _seal_step(instrument, minimum, most)
    except Unreadable:
        return 0


def seal_rest(instrument: Instrument) -> int:
    """Seal the whole inbox of a closed survey, and return how many responses were sealed.

    The caller has closed the survey. If any response was sealed, the rows that say who fetched a
    ticket are shuffled too. Unlike `seal`, this does not empty the log of SQLite: the caller or
    “manage.py seal” does this later.

    Records that cannot be read stay in the inbox, as with `seal`.
    """
    # A minimum of 1 seals even if the clock does not yet say that the survey is over. The third
    # argument, `most`, is the size of a step.
    moved = run_in_steps(partial(_seal_readable_step, instrument, 1))
    if moved:
        # Otherwise the order of those who fetched a ticket could be compared with that of the keys.
        mix_fetched(instrument.survey_id)
    return moved


def seal_due() -> int:
    """Make the responses in all inboxes pending if they are due, and return how many were sealed.

    An open survey needs LEAST_IN_A_RELEASE responses in its inbox, a closed one a single response.

    Raise inbox_encryption.Unreadable at the end if a survey has records that cannot be read. The
    others are sealed before.
    """
    with_inbox = Response.objects.filter(record__isnull=False).values("instrument").distinct()
    unreadable = []

    def seal_all(instrument: Instrument) -> int:
        """Seal all that is due of one instrument, and return how many responses were sealed."""
        moved = 0
        try:
            # Without a minimum, a step seals nothing if too few responses are there.
            seal_step = partial(_seal_step, instrument, None)
            moved = run_in_steps(seal_step)
        except Unreadable as error:
            unreadable.append(error)
        yield_to_writers()
        return moved

    moved = sum(run_for_each(seal_all, Instrument.objects.filter(pk__in=with_inbox)))
    if unreadable:
        raise unreadable[0]
    return moved


def forget_keys() -> int:
    """Delete the keys of responses that were sealed more than a day ago; return how many.

    A key stays after sealing so that a device can send its response again, which it does for at
    most a day. The keys of tickets have no day of sealing, and stay until the tickets of the
    survey are finished.

    A day counts as past only if it was past at the last run of “manage.py seal” too. So nothing is
    deleted too early if the clock jumps ahead once.
    """
    last_run = Run.objects.filter(command="seal").first()
    if last_run is None:
        return 0
    today = clock.now().date()
    if clock.is_believed():
        # A clock that was ahead has dated these keys. They count as sealed today; otherwise they
        # would stay until that day.
        Response.objects.filter(record__isnull=True, sealed_on__gt=today).update(sealed_on=today)

    earlier_day = min(today, last_run.finished.date())
    first_kept_day = earlier_day - timedelta(days=1)
    return run_in_steps(partial(_delete_old_keys, first_kept_day), step=KEYS_PER_STEP)


def _delete_old_keys(first_kept_day: date, most: int) -> int:
    """Delete at most `most` keys that were sealed before a day, and return how many.

    `forget_keys` calls this until none is left. Responses that are not sealed stay.
    """
    old = Response.objects.filter(record__isnull=True, sealed_on__lt=first_kept_day).values("pk")
    deleted, _ = Response.objects.filter(pk__in=old[:most]).delete()
    return deleted
