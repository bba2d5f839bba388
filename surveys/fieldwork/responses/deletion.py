"""The deletion of responses on the day that respondents were told, by the timer.

A survey that is still open is closed first, so what is pending is released by the usual rule. Then
the day of deletion is stored, and from then on nobody reads single responses. Then they are
deleted: inbox, pending responses and batches, and everything that tickets say about invited
people. The tally, the stored report groups and the computed likeliest shares stay. The steps can be
repeated: if a run is stopped between them, the next one continues.
"""

from contextlib import suppress

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from surveys.accounts import history
from surveys.fieldwork.lifecycle import CLOSABLE_STATUSES
from surveys.fieldwork.responses.chunks import run_for_each
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.destruction import erase_responses
from surveys.fieldwork.responses.inbox import count_inbox
from surveys.fieldwork.responses.inbox_keys import can_open_inbox
from surveys.fieldwork.responses.release import release
from surveys.fieldwork.responses.sealing import seal_rest
from surveys.fieldwork.responses.ticket_completion import finish
from surveys.models import Batch, Held, Import, Instrument, Part, Piece, Response, Survey
from surveys.site import clock
from surveys.site.errors import Refused
from surveys.site.postgres_tables import note_rewriting
from surveys.site.removals import Kind, record_removal


def delete_due() -> None:
    """Delete the responses of every survey whose day of deletion has come.

    “manage.py seal” calls this.
    """
    due = _due_instruments().select_related("survey")
    # These fields may be large. They are read again where they are needed.
    run_for_each(delete_responses, due.defer("content", "tally"))


def _due_instruments() -> QuerySet[Instrument]:
    """Return the instruments whose day of deletion has come and whose deletion is not complete.

    A deletion that was interrupted has stored its day, but left some rows or the private key that
    signs tickets.
    """
    has_records = []
    for model in (Batch, Held, Response):
        has_records.append(Exists(model.objects.filter(instrument=OuterRef("pk"))))
    has_private_key = Q(survey__issuer__private__isnull=False)
    has_any_records = Q(*has_records, _connector=Q.OR)
    is_incomplete = has_private_key | has_any_records
    return Instrument.objects.filter(
        Q(deleted_on=None) | is_incomplete,
        survey__delete_on__lte=clock.now().date(),
        survey__delete_on__isnull=False,
    )


def delete_responses(instrument: Instrument) -> None:
    """Close the survey, release what is pending, and delete all responses and invited people.

    The survey and its tally stay. Responses that cannot be read are deleted unread. If this is
    interrupted, calling it again does the rest. A process that cannot read the inbox leaves a
    survey with responses there to one that can.
    """
    if count_inbox(instrument, 1) and not can_open_inbox():
        return
    # Once the day is stored, nothing is released any more: the responses may be half deleted.
    if instrument.deleted_on is None:
        close_if_open(instrument.survey)
        seal_rest(instrument)
        release(instrument, at_once=True)
        _mark_deleted(instrument)
    # Tickets cannot be finished while there is a response in the inbox.
    erase_responses(instrument)
    if instrument.survey.tickets:
        finish(Survey.objects.get(pk=instrument.survey_id))


def close_if_open(survey: Survey) -> None:
    """Close the survey if it is open, paused or being filled from files; otherwise do nothing."""
    if Survey.objects.get(pk=survey.pk).status in CLOSABLE_STATUSES:
        # Somebody may have closed the survey since its status was read. Then it need not be closed.
        with suppress(Refused):
            close_survey(survey)


@transaction.atomic
def _mark_deleted(instrument: Instrument) -> None:
    """Store today as the day of deletion, so that nobody reads single responses from now on.

    Also delete files that are still being imported, and record the deletion in the history. Do
    nothing if a day is stored already. The instrument is locked.
    """
    locked = Instrument.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "survey"
    )
    instrument = locked.get(pk=instrument.pk)
    if instrument.deleted_on is not None:
        return

    instrument.deleted_on = clock.now().date()
    instrument.waiting = 0
    # Deleted records are left in the file of SQLite until responses.erasure wipes it.
    instrument.wiped = False
    instrument.save(update_fields=["deleted_on", "waiting", "wiped"])
    record_removal(Kind.RESPONSES, instrument.pk)

    Import.objects.filter(survey=instrument.survey).delete()
    note_rewriting(Import, Part, Piece)
    history.record(
        instrument.survey,
        None,
        history.What.DELETED,
        f"as said before publishing: {instrument.survey.delete_on}",
    )
