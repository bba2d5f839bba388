"""Finishing the tickets of a closed survey, for good.

Everything that says who was invited is deleted, and only the numbers of people stay. An `Issuer`
row has the private key that signs the tickets of a survey; without the key no ticket can be issued.
"""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.fieldwork.responses.chunks import run_for_each
from surveys.fieldwork.responses.destruction import ROWS_PER_STEP, erase, erase_people
from surveys.fieldwork.responses.erasure import wipe_closed
from surveys.fieldwork.responses.inbox import count_inbox
from surveys.fieldwork.responses.sealing import seal_rest
from surveys.fieldwork.tickets.invitees import counts
from surveys.models import Instrument, Issuer, Response, Survey
from surveys.site import clock
from surveys.site.errors import Refused
from surveys.site.postgres_tables import note_rewriting
from surveys.site.removals import Kind, record_removal


def finish(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Finish the tickets of a closed survey for good. The survey can never be reopened.

    First seal the inbox. Then delete the private key that signs tickets, the invited people with
    their digests and email addresses, which of them fetched a ticket, and which tickets are spent.
    Finally wipe what the database keeps of deleted rows. The counts of people and tickets stay,
    and the history records the finishing once. If this is interrupted, it can be repeated, and
    the timer does so.

    Raise surveys.site.errors.Refused unless the survey is closed and has tickets, and if its inbox
    could not be sealed: this process may not be able to read it.

    by: who finishes the tickets, for the history.
    """
    if not survey.tickets or survey.is_draft:
        raise Refused("This survey has no tickets.")
    if not survey.is_over_at(clock.now()):
        # The survey is over by the clock of this machine, but that clock is not believed.
        if survey.is_over:
            raise Refused(clock.UNSURE_MESSAGE)
        raise Refused("Close the survey first. Then you can finish its tickets.")

    seal_rest(survey.instrument)
    if count_inbox(survey.instrument, 1):
        raise Refused("Some answers are not shuffled yet. Try again in five minutes.")
    # The private key goes first: from then on the tickets are finished, whatever happens.
    _mark_finished(survey, by)
    _erase(survey)
    # If something remains to be done, the next run of “manage.py seal” does it.
    wipe_closed()


def finish_due() -> None:
    """Complete each call of `finish` that was interrupted before all people were deleted.

    The timer calls this, and wipes deleted rows later in the same run. A call that was interrupted
    before the private key was deleted is not completed: the tickets of its survey are not finished
    yet.
    """
    # `finish` deletes the private key first and the people last. A survey with people but without
    # the key is therefore in between. The join gives a row for each person, hence `distinct`.
    interrupted = Survey.objects.filter(
        issuer__isnull=False, issuer__private=None, invitees__isnull=False
    ).distinct()
    run_for_each(_erase, interrupted)


@transaction.atomic
def _mark_finished(survey: Survey, by: AbstractBaseUser | None) -> None:
    """Delete the private key, store the final counts, and record this in the history.

    Do nothing if the tickets are finished already. Raise Refused if the survey has been reopened
    since the caller checked it. The survey and its issuer are locked.

    by: who finishes the tickets, for the history.
    """
    survey = survey.locked()
    issuer = Issuer.objects.select_for_update(no_key=True).get(survey=survey)
    if issuer.is_finished:
        return
    if not survey.is_over_at(clock.now()):
        raise Refused("Close the survey first. It has just been reopened.")

    # The people are deleted later, so their numbers are stored now.
    issuer.finished = counts(survey)._asdict()
    issuer.private = None
    issuer.save(update_fields=["finished", "private"])

    # The deleted key is left in the file of SQLite until responses.erasure wipes it.
    Instrument.objects.filter(survey=survey).update(wiped=False)
    record_removal(Kind.TICKETS, survey.instrument.pk)
    # With PostgreSQL, the table is rewritten.
    note_rewriting(Issuer)
    history.record(survey, by, history.What.FINISHED)


def _erase(survey: Survey) -> None:
    """Delete the keys of spent tickets, and then the invited people.

    The people are last, because `finish_due` continues as long as there are any.
    """
    spent_keys = Response.objects.filter(instrument__survey=survey, record__isnull=True)
    erase(spent_keys, ROWS_PER_STEP)
    # A backup may have these people on the list of the draft, which has no tickets to finish.
    erase_people(survey, Kind.INVITEE)
