"""Destroying a closed survey: what respondents sent goes first, then everything else. One line of history stays."""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet

from surveys.accounts import history
from surveys.definition.sender import forget_unused_logos
from surveys.fieldwork.responses.chunks import in_steps
from surveys.fieldwork.responses.erasure import wipe_destroyed
from surveys.models import Fetched, Instrument, Invitee, Response, Survey
from surveys.site import clock
from surveys.site.errors import Invalid, Refused
from surveys.site.postgres_tables import erased_models, note_rewriting

STEP = 1_000  # bare keys, and invited people
ROWS = 20  # of some ten thousand records


def destroy(survey: Survey, by: AbstractBaseUser | None = None, *, confirm: str) -> str:
    """Leave nothing of a closed survey but a line that it was; returns what is left to do, or nothing.

    confirm: its title, as somebody typed it who means it. Interrupted it can be done again. Raises
    surveys.site.errors.Refused for a survey that is not closed, and Invalid for another title.
    """
    if not survey.is_over_at(clock.now()):
        closing = "Close the survey first. Only a closed survey can be deleted permanently."
        raise Refused(clock.UNSURE if survey.is_over else closing)
    if confirm.strip() != survey.title:
        raise Invalid({"title": "This is not the title of the survey. Nothing was deleted."})
    erase_responses(survey.instrument)
    erase_people(survey)
    _erase_survey(survey, by)
    return wipe_destroyed()


def erase_responses(instrument: Instrument) -> None:
    """Inbox, held and batches go; the tally stays. In short steps, since others want to write meanwhile."""
    erase(Response.objects.filter(instrument=instrument), STEP)
    erase(instrument.held.all(), ROWS)
    erase(instrument.batches.all(), ROWS)


def erase_people(survey: Survey) -> None:
    """Whoever was invited, and that they fetched a ticket."""
    erase(Fetched.objects.filter(invitee__survey=survey), STEP)
    erase(Invitee.objects.filter(survey=survey), STEP)


def erase(rows: QuerySet, step: int) -> None:
    def some(most: int) -> int:
        deleted, _ = rows.model.objects.filter(
            pk__in=list(rows.values_list("pk", flat=True)[:most])
        ).delete()
        return deleted

    in_steps(some, step=step)
    note_rewriting(rows.model)


@transaction.atomic
def _erase_survey(survey: Survey, by: AbstractBaseUser | None) -> None:
    survey = survey.locked()
    slug = survey.slug
    survey.instrument.delete()
    survey.delete()
    forget_unused_logos()
    note_rewriting(*erased_models())
    history.record(None, by, history.What.DESTROYED, slug)
