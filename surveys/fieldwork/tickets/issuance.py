"""A ticket is fetched: whoever has a code has one blinded text signed, and nobody learns which ticket becomes of it."""

import hashlib
import uuid
from enum import Enum

from django.db import connection
from django.utils import timezone

from surveys.definition import ticket_key
from surveys.fieldwork.tickets import blind_signature, codes
from surveys.models import Fetched, Invitee, Issuer, Survey

TRIES = 3  # where another ticket of the same invitee is taken at the same moment


class Reason(Enum):
    """Why there is no ticket."""

    NO_CODE = "no such code"
    FOREIGN = "foreign"  # a code for another survey
    TAKEN = "taken"  # with this code, by another device or another try
    OPEN = "open"  # in two steps, and answers are open
    CLOSED = "closed"
    PAUSED = "paused"


class NoTicket(Exception):
    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


# One statement decides whether tickets are given out, and whether this invitee has one to come. Two at once with one
# code meet in its one free number. What was signed before is known by its digest, and takes no second number.
_INSERT = f"""
    INSERT INTO surveys_fetched (id, invitee_id, number, blinded)
    SELECT %(id)s, invitee.id, (SELECT count(*) FROM surveys_fetched taken WHERE taken.invitee_id = invitee.id),
        CAST(%(blinded)s AS varchar(64))
    FROM surveys_invitee invitee JOIN surveys_survey survey ON survey.id = invitee.survey_id
    WHERE invitee.digest = %(digest)s AND survey.id = %(survey)s AND survey.status = '{Survey.Status.OPEN}'
        AND (survey.closes IS NULL OR survey.closes > %(now)s)
        AND (survey.tickets = '{Survey.Tickets.ONE}' OR survey.opens > %(now)s)
        AND (SELECT count(*) FROM surveys_fetched taken WHERE taken.invitee_id = invitee.id) < invitee.allowed
        AND NOT EXISTS (
            SELECT 1 FROM surveys_fetched same
            WHERE same.invitee_id = invitee.id AND same.blinded = CAST(%(blinded)s AS varchar(64))
        )
    ON CONFLICT (invitee_id, number) DO NOTHING
"""  # noqa: S608 (no value of anybody's is part of it)


def sign_ticket(survey: Survey, code: str, blinded: bytes) -> bytes:
    """Return the signature of a blinded ticket; the same for a repeated request. Raises NoTicket.

    code: as fieldwork.tickets.codes.normalize_code makes it. Raises NoTicket; ValueError where the
    text is no number that the
    key signs; fieldwork.tickets.blind_signature.Faulty; site.errors.Refused where the site lacks its TICKET_KEY.
    """
    found = Issuer.objects.get(survey=survey)
    if found.is_finished:
        raise NoTicket(Reason.CLOSED)
    key = ticket_key.load_private_key(found)
    blind_signature.check(key.public_key(), blinded)
    _take(survey, codes.digest(code), hashlib.sha256(blinded).hexdigest())
    return blind_signature.sign(key, blinded)


def _take(survey: Survey, digest: str, blinded: str) -> None:
    """Note that the invitee has it; does nothing where that is noted already. Raises NoTicket."""
    for _ in range(TRIES):
        if _insert(survey, digest, blinded):
            return
        require_giving(survey.pk)
        invitee = Invitee.objects.filter(digest=digest).first()
        if invitee is None:
            raise NoTicket(Reason.NO_CODE)
        if invitee.survey_id != survey.pk:
            raise NoTicket(Reason.FOREIGN)
        if Fetched.objects.filter(invitee=invitee, blinded=blinded).exists():
            return
        if invitee.fetched.count() >= invitee.allowed:
            break
    raise NoTicket(Reason.TAKEN)


def _insert(survey: Survey, digest: str, blinded: str) -> bool:
    values = {
        "id": _of_the_database(uuid.uuid4()),
        "blinded": blinded,
        "digest": digest,
        "survey": _of_the_database(survey.pk),
        "now": connection.ops.adapt_datetimefield_value(timezone.now()),
    }
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, values)
        return cursor.rowcount == 1


def _of_the_database(value: uuid.UUID) -> uuid.UUID | str:
    return value if connection.features.has_native_uuid_field else value.hex


def require_giving(pk: uuid.UUID) -> None:
    """Raises NoTicket where no tickets are given out, with the reason."""
    survey = Survey.objects.get(pk=pk)
    if survey.is_over:
        raise NoTicket(Reason.CLOSED)
    if survey.status != Survey.Status.OPEN:
        raise NoTicket(Reason.PAUSED)
    if survey.tickets == Survey.Tickets.TWO and survey.opens <= timezone.now():
        raise NoTicket(Reason.OPEN)
