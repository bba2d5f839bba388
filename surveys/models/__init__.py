"""The models of surveys, answers and people. Nothing in them leads from a person to a response."""

from surveys.models.accounts import Delay, DemoAccount, Identity, Preferences
from surveys.models.answers import Batch, Cut, Held, InboxKey, Instrument, Response, Round
from surveys.models.imports import Import, Part, Piece
from surveys.models.mails import Mail, Turn
from surveys.models.people import (
    INVITATION_DAYS,
    AccessToken,
    Event,
    Invitation,
    Membership,
    ReportLink,
    Role,
    Unchangeable,
)
from surveys.models.runs import DatabaseIdentity, Removal, Run
from surveys.models.surveys import (
    LEAST_TICKETS,
    SLUG_LETTERS,
    Choice,
    Logo,
    Question,
    Survey,
    Translated,
    database_now,
    database_uuid,
    random_slug,
)
from surveys.models.tickets import Fetched, Invitee, Issuer
from surveys.models.webhooks import Delivery, Occasion, Webhook

__all__ = [
    "INVITATION_DAYS",
    "LEAST_TICKETS",
    "SLUG_LETTERS",
    "AccessToken",
    "Batch",
    "Choice",
    "Cut",
    "DatabaseIdentity",
    "Delay",
    "Delivery",
    "DemoAccount",
    "Event",
    "Fetched",
    "Held",
    "Identity",
    "Import",
    "InboxKey",
    "Instrument",
    "Invitation",
    "Invitee",
    "Issuer",
    "Logo",
    "Mail",
    "Membership",
    "Occasion",
    "Part",
    "Piece",
    "Preferences",
    "Question",
    "Removal",
    "ReportLink",
    "Response",
    "Role",
    "Round",
    "Run",
    "Survey",
    "Translated",
    "Turn",
    "Unchangeable",
    "Webhook",
    "database_now",
    "database_uuid",
    "random_slug",
]
