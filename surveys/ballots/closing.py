"""Closing a survey ends the taking of responses and seals what still waits."""

from surveys import publishing
from surveys.ballots.sealing import seal_rest
from surveys.models import Survey


def close_survey(survey: Survey) -> None:
    """Raises surveys.publishing.Refused unless the survey is open."""
    publishing.close(survey)
    seal_rest(survey.instrument)


reopen_survey = publishing.reopen
