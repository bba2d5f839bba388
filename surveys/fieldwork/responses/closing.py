"""Closing a survey ends the taking of responses, seals what still waits, releases what may be shown, and wipes away
where all of it waited.
"""

from django.contrib.auth.models import AbstractBaseUser

from surveys.ballots.release import release
from surveys.ballots.sealing import seal_rest
from surveys.ballots.wiping import wipe_closed
from surveys.models import Survey
from surveys.publishing import lifecycle


def close_survey(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Raises surveys.errors.Refused unless the survey is open or paused."""
    lifecycle.close(survey, by)
    seal_rest(survey.instrument)
    release(survey.instrument, closing=True)
    wipe_closed()  # what is left to do, the next “manage.py seal” does


reopen_survey = lifecycle.reopen
