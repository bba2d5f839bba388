"""Finishing the tickets of a closed survey, for good: all that tells of invited people goes, and their number stays."""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.fieldwork.responses.chunks import run_for_each
from surveys.fieldwork.responses.destruction import STEP, erase, erase_people
from surveys.fieldwork.responses.erasure import wipe_closed
from surveys.fieldwork.responses.sealing import seal_rest
from surveys.fieldwork.tickets.invitees import counts
from surveys.models import Instrument, Issuer, Response, Survey
from surveys.site import clock
from surveys.site.errors import Refused
from surveys.site.postgres_tables import note_rewriting


def finish(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Delete the key that signs, the people who were invited with their digests and addresses, who of them fetched a
    ticket, and which tickets are spent. Interrupted it can be done again, and so does the timer.

    Raises surveys.site.errors.Refused unless the survey is closed and has tickets. It can never be opened again.
    """
    if not survey.tickets or survey.is_draft:
        raise Refused("This survey has no tickets.")
    if not survey.is_over_at(clock.now()):
        raise Refused(
            clock.UNSURE
            if survey.is_over
            else "Close the survey first. Then you can finish its tickets."
        )
    seal_rest(survey.instrument)
    _end(survey, by)
    _erase(survey)
    wipe_closed()  # The next run of “manage.py seal” does what is left to do.


def finish_due() -> None:
    """What an interruption left of it."""
    left = Survey.objects.filter(
        issuer__isnull=False, issuer__private=None, invitees__isnull=False
    ).distinct()
    run_for_each(_erase, left)


@transaction.atomic
def _end(survey: Survey, by: AbstractBaseUser | None) -> None:
    survey = survey.locked()
    issuer = Issuer.objects.select_for_update(no_key=True).get(survey=survey)
    if issuer.is_finished:
        return
    if not survey.is_over_at(clock.now()):
        raise Refused("Close the survey first. It has just been reopened.")
    issuer.finished = counts(survey)._asdict()
    issuer.private = None
    issuer.save(update_fields=["finished", "private"])
    Instrument.objects.filter(survey=survey).update(
        wiped=False
    )  # see surveys.fieldwork.responses.erasure
    note_rewriting(Issuer)
    history.record(survey, by, history.What.FINISHED)


def _erase(survey: Survey) -> None:
    """The people last, by whom it is known whether anything is left to do."""
    erase(Response.objects.filter(instrument__survey=survey, record__isnull=True), STEP)
    erase_people(survey)
