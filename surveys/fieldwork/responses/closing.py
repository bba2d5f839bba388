"""Closing a survey ends the taking of responses, seals what still waits, releases what may be shown, and wipes away
where all of it waited.
"""

from django.contrib.auth.models import AbstractBaseUser

from surveys.fieldwork import lifecycle
from surveys.fieldwork.responses.erasure import wipe_closed
from surveys.fieldwork.responses.release import release
from surveys.fieldwork.responses.sealing import seal_rest
from surveys.models import Survey


def close_survey(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Raises surveys.site.errors.Refused unless the survey is open or paused."""
    lifecycle.close(survey, by)
    seal_rest(survey.instrument)
    release(survey.instrument, at_once=True)
    wipe_closed()  # what is left to do, the next “manage.py seal” does


reopen_survey = lifecycle.reopen
