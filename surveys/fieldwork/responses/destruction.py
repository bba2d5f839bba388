"""Destroying a closed survey: its responses are deleted first, then everything else.

One line of the history stays.
"""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet

from surveys.accounts import history
from surveys.definition.sender import forget_unused_logos
from surveys.fieldwork.responses.chunks import run_in_steps
from surveys.fieldwork.responses.erasure import wipe_destroyed
from surveys.fieldwork.responses.inbox_keys import note_replacement
from surveys.models import Fetched, Instrument, Invitee, Mail, Response, Survey
from surveys.site import clock
from surveys.site.errors import Invalid, Refused
from surveys.site.postgres_tables import erased_models, note_rewriting
from surveys.site.removals import Kind, record_removal, record_removals

# Rows of one response, ticket or person that are deleted in one step.
ROWS_PER_STEP = 1_000
# Batches, of up to SEAL_SLICE records each, that are deleted in one step.
BATCHES_PER_STEP = 20


def destroy(survey: Survey, by: AbstractBaseUser | None = None, *, confirm: str) -> str:
    """Delete a closed survey with everything but one line of history.

    Return "", or a sentence for people if traces are left in the database, as
    erasure.wipe_destroyed does. If this is interrupted, it can be repeated.

    Raise surveys.site.errors.Refused if the survey is not closed, and Invalid if `confirm` is not
    its title.

    by: who destroys the survey, for the history.
    confirm: the title of the survey, typed to confirm the deletion.
    """
    if not survey.is_over_at(clock.now()):
        # The survey is over by the clock of this machine, but that clock is not believed.
        if survey.is_over:
            raise Refused(clock.UNSURE_MESSAGE)
        raise Refused("Close the survey first. Only a closed survey can be deleted permanently.")
    if confirm.strip() != survey.title:
        raise Invalid({"title": "This is not the title of the survey. Nothing was deleted."})

    # What may have very many rows is deleted first, in short steps.
    erase_responses(survey.instrument)
    erase_people(survey)
    _erase_survey(survey, by)
    return wipe_destroyed()


def destroy_again(survey: Survey) -> None:
    """Delete a survey that was deleted before and has returned with a backup, whatever its state.

    If this is interrupted, it can be repeated.
    """
    instrument = Instrument.objects.filter(survey=survey).first()
    if instrument is not None:
        erase_responses(instrument)
    erase_people(survey)
    _erase_survey(survey, None)


def erase_responses(instrument: Instrument) -> None:
    """Delete all responses of a survey, in short steps. The tally and the report groups stay.

    These are the inbox, the pending responses, and the batches of released ones.
    """
    # Old copies of the inbox still have the records that are deleted here.
    note_replacement()
    erase(Response.objects.filter(instrument=instrument), ROWS_PER_STEP)
    erase(instrument.held.all(), BATCHES_PER_STEP)
    erase(instrument.batches.all(), BATCHES_PER_STEP)


def erase_people(survey: Survey, kind: Kind | None = None) -> None:
    """Delete the invited people of a survey, their mails, and who fetched a ticket, in short steps.

    kind: as in `erase`, for the people.
    """
    erase(Mail.objects.filter(invitee__survey=survey), ROWS_PER_STEP)
    erase(Fetched.objects.filter(invitee__survey=survey), ROWS_PER_STEP)
    erase(Invitee.objects.filter(survey=survey), ROWS_PER_STEP, kind)


def erase(rows: QuerySet, step: int, kind: Kind | None = None) -> None:
    """Delete all rows of a query in steps, and note that their table is due for rewriting.

    Rows of other tables that refer to them are deleted too. Other writers get the database between
    two steps. The note is made at the end, also if there was no row: PostgreSQL keeps deleted rows
    until a table is rewritten.

    rows: the query, which must not be sliced.
    step: the number of rows that are deleted at once.
    kind: the kind of removal that is recorded for each row, or None if another one covers it.
    """

    @transaction.atomic
    def erase_some(most: int) -> int:
        """Delete at most `most` of the rows, and return how many rows were deleted.

        Rows of other tables that refer to them are counted too. So the result is less than `most`
        only if no more rows are left.
        """
        keys = list(rows.values_list("pk", flat=True)[:most])
        if kind:
            record_removals(kind, keys)
        deleted, _ = rows.model.objects.filter(pk__in=keys).delete()
        return deleted

    run_in_steps(erase_some, step=step)
    note_rewriting(rows.model)


@transaction.atomic
def _erase_survey(survey: Survey, by: AbstractBaseUser | None) -> None:
    """Delete a survey with its instrument and everything that refers to them.

    The caller has deleted the responses and invited people already, because that takes long. Logos
    that no survey uses any more are deleted too, and the history records the deletion. The survey
    is locked.

    by: who destroys the survey, for the history.
    """
    survey = survey.locked()
    slug = survey.slug
    record_removal(Kind.SURVEY, survey.pk)
    # The instrument refers to the survey, so it is deleted first.
    Instrument.objects.filter(survey=survey).delete()
    survey.delete()
    forget_unused_logos()
    note_rewriting(*erased_models())
    # The history of the survey went with it, so this line belongs to no survey.
    history.record(None, by, history.What.DESTROYED, slug)
