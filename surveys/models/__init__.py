"""What is stored, all of it: surveys, answers, people. Nothing here names a respondent."""

from surveys.models.answers import Batch, Instrument, Response
from surveys.models.imports import Import, Part
from surveys.models.people import (
    INVITATION_DAYS,
    AccessToken,
    Event,
    Invitation,
    Membership,
    Role,
    Unchangeable,
)
from surveys.models.surveys import SLUG_LETTERS, Choice, Question, Survey, random_slug

__all__ = [
    "INVITATION_DAYS",
    "SLUG_LETTERS",
    "AccessToken",
    "Batch",
    "Choice",
    "Event",
    "Import",
    "Instrument",
    "Invitation",
    "Membership",
    "Part",
    "Question",
    "Response",
    "Role",
    "Survey",
    "Unchangeable",
    "random_slug",
]
