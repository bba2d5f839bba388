"""Closing a survey ends the taking of responses and seals what still waits."""

from django.contrib.auth.models import AbstractBaseUser

from surveys import publishing
from surveys.ballots.sealing import seal_rest
from surveys.models import Survey


def close_survey(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Raises surveys.publishing.Refused unless the survey is open or paused."""
    publishing.close(survey, by)
    seal_rest(survey.instrument)


reopen_survey = publishing.reopen
