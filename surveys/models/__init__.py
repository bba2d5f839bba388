"""What is stored, all of it: surveys, answers, people. Nothing here names a respondent."""

from surveys.models.accounts import Delay, Preferences
from surveys.models.answers import Batch, Cut, Held, Instrument, Response
from surveys.models.imports import Import, Part, Piece
from surveys.models.people import (
    INVITATION_DAYS,
    AccessToken,
    Event,
    Invitation,
    Membership,
    Role,
    Unchangeable,
)
from surveys.models.runs import Run
from surveys.models.surveys import SLUG_LETTERS, SWITCHES, TOLD, Choice, Logo, Question, Survey, Translated, random_slug
from surveys.models.webhooks import Delivery, Occasion, Webhook

__all__ = [
    "INVITATION_DAYS",
    "SLUG_LETTERS",
    "SWITCHES",
    "TOLD",
    "AccessToken",
    "Batch",
    "Choice",
    "Cut",
    "Delay",
    "Delivery",
    "Event",
    "Held",
    "Import",
    "Instrument",
    "Invitation",
    "Logo",
    "Membership",
    "Occasion",
    "Part",
    "Piece",
    "Preferences",
    "Question",
    "Response",
    "Role",
    "Run",
    "Survey",
    "Translated",
    "Unchangeable",
    "Webhook",
    "random_slug",
]
