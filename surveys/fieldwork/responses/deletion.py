"""The day on which a survey said that its responses are deleted: the timer keeps it, in steps that can be done again.

A survey that is still open is closed first, so that what waits is released by the usual rule. Then it is noted that the
responses go, from when on nobody reads a row; then they go: inbox, held and batches, and all that tickets know of
invited people. The tally, the cut that a closing stored and the likeliest shares that were computed stay. Whoever is
stopped in between is followed by the next run.
"""

from contextlib import suppress

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from surveys.accounts import history
from surveys.fieldwork.lifecycle import TAKING
from surveys.fieldwork.responses.chunks import run_for_each
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.destruction import erase_responses
from surveys.fieldwork.responses.release import release
from surveys.fieldwork.responses.sealing import seal_rest
from surveys.fieldwork.responses.ticket_completion import finish
from surveys.models import Batch, Held, Import, Instrument, Part, Piece, Response, Survey
from surveys.site import clock
from surveys.site.errors import Refused
from surveys.site.postgres_tables import note_rewriting


def delete_due() -> None:
    """Over all surveys whose day has come, and whose responses are not gone."""
    run_for_each(delete_responses, _due().select_related("survey").defer("content", "tally"))


def _due() -> QuerySet[Instrument]:
    """None of them once all is done, so that a run costs nothing."""
    kept = (Batch, Held, Response)
    unfinished = Q(survey__issuer__private__isnull=False) | Q(
        *(Exists(each.objects.filter(instrument=OuterRef("pk"))) for each in kept), _connector=Q.OR
    )
    return Instrument.objects.filter(
        Q(deleted_on=None) | unfinished,
        survey__delete_on__lte=clock.now().date(),
        survey__delete_on__isnull=False,
    )


def delete_responses(instrument: Instrument) -> None:
    if instrument.deleted_on is None:
        _close(instrument.survey)
        seal_rest(instrument)
        release(instrument, at_once=True)
        _mark_deleted(instrument)
    if instrument.survey.tickets:
        finish(Survey.objects.get(pk=instrument.survey_id))
    erase_responses(instrument)


def _close(survey: Survey) -> None:
    """Close a survey that must be deleted."""
    if Survey.objects.get(pk=survey.pk).status in TAKING:
        with suppress(Refused):  # closed by hand this moment
            close_survey(survey)


@transaction.atomic
def _mark_deleted(instrument: Instrument) -> None:
    """Note the day of deletion, so that nobody reads rows from now on."""
    locked = Instrument.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "survey"
    )
    instrument = locked.get(pk=instrument.pk)
    if instrument.deleted_on is not None:
        return
    instrument.deleted_on = clock.now().date()
    instrument.waiting = 0
    instrument.wiped = False  # see surveys.fieldwork.responses.erasure
    instrument.save(update_fields=["deleted_on", "waiting", "wiped"])
    Import.objects.filter(survey=instrument.survey).delete()  # files that came in part
    note_rewriting(Import, Part, Piece)
    history.record(
        instrument.survey,
        None,
        history.What.DELETED,
        f"as said before publishing: {instrument.survey.delete_on}",
    )
