"""Closing a survey ends the taking of responses and seals what still waits."""

from django.contrib.auth.models import AbstractBaseUser

from surveys.ballots.sealing import seal_rest
from surveys.models import Survey
from surveys.publishing import lifecycle


def close_survey(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Raises surveys.errors.Refused unless the survey is open or paused."""
    lifecycle.close(survey, by)
    seal_rest(survey.instrument)


reopen_survey = lifecycle.reopen
