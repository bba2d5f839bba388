"""Issuance: someone with a code gets a blinded text signed, and nobody learns the ticket.

The device draws a ticket and hides it in a number, the blinded text. From the signature of this
number it computes the signature of the ticket. So the site cannot recognize the ticket later.
"""

import hashlib
import uuid
from enum import Enum

from django.db import connection

from surveys.definition import ticket_key
from surveys.fieldwork.tickets import blind_signature, codes
from surveys.models import Fetched, Invitee, Issuer, Survey, database_now, database_uuid
from surveys.site import clock

# Attempts to store a ticket, if another ticket of the same invitee is stored at the same moment.
MOST_TRIES = 3


class Reason(Enum):
    """The reason why no ticket is issued.

    NO_CODE: nobody has this code.
    FOREIGN: the code is for another survey.
    CODE_USED: another device, or another attempt, took a ticket with this code.
    OPEN: the survey has two steps, and its answers are open.
    CLOSED: the survey is closed.
    PAUSED: the survey is paused.
    """

    NO_CODE = "no such code"
    FOREIGN = "foreign"
    CODE_USED = "taken"
    OPEN = "open"
    CLOSED = "closed"
    PAUSED = "paused"


class NoTicket(Exception):
    """The error for a request to which no ticket is issued.

    reason: why none is issued.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


# One statement decides whether tickets are issued, and whether this invitee may have one more. The
# tickets of an invitee are numbered from 0. Two requests with one code at the same time compete for
# its one free number. A blinded text that was signed before is recognized by its digest, and takes
# no second number.
_INSERT = f"""
    INSERT INTO surveys_fetched (id, invitee_id, number, blinded)
    SELECT
        %(id)s,
        invitee.id,
        (SELECT count(*) FROM surveys_fetched taken WHERE taken.invitee_id = invitee.id),
        CAST(%(blinded)s AS varchar(64))
    FROM surveys_invitee invitee JOIN surveys_survey survey ON survey.id = invitee.survey_id
    WHERE invitee.digest = %(digest)s
        AND survey.id = %(survey)s AND survey.status = '{Survey.Status.OPEN}'
        AND (survey.closes IS NULL OR survey.closes > %(now)s)
        AND (survey.tickets = '{Survey.Tickets.ONE}' OR survey.opens > %(now)s)
        AND (SELECT count(*) FROM surveys_fetched taken WHERE taken.invitee_id = invitee.id)
            < invitee.allowed
        AND NOT EXISTS (
            SELECT 1 FROM surveys_fetched same
            WHERE same.invitee_id = invitee.id AND same.blinded = CAST(%(blinded)s AS varchar(64))
        )
    ON CONFLICT (invitee_id, number) DO NOTHING
"""  # noqa: S608 (no value of anybody's is part of it)


def sign_ticket(survey: Survey, code: str, blinded: bytes) -> bytes:
    """Store that an invitee has fetched a ticket, and return the signature of the blinded text.

    A request that is repeated with the same blinded text gets the signature again, and takes no
    second ticket.

    Raise NoTicket, with the reason, if no ticket is issued; ValueError if the blinded text is not
    a number that the key signs; fieldwork.tickets.blind_signature.Faulty if the computer made a
    mistake; and site.errors.Refused if the site lacks its TICKET_KEY.

    code: the code of the invitee, as fieldwork.tickets.codes.normalize_code returns it.
    blinded: the blinded text, as the device sent it.
    """
    issuer = Issuer.objects.get(survey=survey)
    if issuer.is_finished:
        raise NoTicket(Reason.CLOSED)

    # The text is checked first: one that cannot be signed must not use up the invitee's ticket.
    key = ticket_key.load_private_key(issuer)
    blind_signature.check(key.public_key(), blinded)
    blinded_digest = hashlib.sha256(blinded).hexdigest()
    _store_fetched(survey, codes.digest(code), blinded_digest)
    return blind_signature.sign(key, blinded)


def _store_fetched(survey: Survey, code_digest: str, blinded_digest: str) -> None:
    """Store that the invitee with this code has fetched a ticket. Raise NoTicket if it is refused.

    It is refused if the survey gives out no tickets now, if nobody has the code or somebody who is
    invited to another survey, and if the invitee has all the tickets that are allowed. Do nothing if
    this blinded text is stored for the invitee already: the device asks for the same ticket again.

    code_digest, blinded_digest: as in `_insert`.
    """
    for _ in range(MOST_TRIES):
        if _insert(survey, code_digest, blinded_digest):
            return

        # Nothing was inserted, so find the reason.
        require_giving(survey.pk)
        invitee = Invitee.objects.filter(digest=code_digest).first()
        if invitee is None:
            raise NoTicket(Reason.NO_CODE)
        if invitee.survey_id != survey.pk:
            raise NoTicket(Reason.FOREIGN)
        if Fetched.objects.filter(invitee=invitee, blinded=blinded_digest).exists():
            return
        if invitee.fetched.count() >= invitee.allowed:
            break
        # `_insert` gives each ticket of an invitee the next number. Probably another request took
        # this number at the same moment. The invitee may have one more ticket, so the loop repeats.
    raise NoTicket(Reason.CODE_USED)


def _insert(survey: Survey, code_digest: str, blinded_digest: str) -> bool:
    """Store a fetched ticket if the survey and the invitee allow it; return whether it was stored.

    `_INSERT` decides this in the database, so no error is raised if nothing is stored. Return
    False also if this blinded text is stored for the invitee already, or if another ticket of the
    invitee is stored at this moment.

    code_digest: the digest of the code, as fieldwork.tickets.codes.digest returns it.
    blinded_digest: the SHA-256 of the blinded text, in hexadecimal digits.
    """
    values = {
        "id": database_uuid(uuid.uuid4()),
        "blinded": blinded_digest,
        "digest": code_digest,
        "survey": database_uuid(survey.pk),
        "now": database_now(),
    }
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, values)
        # The statement inserts one row or none.
        return cursor.rowcount == 1


def require_giving(pk: uuid.UUID) -> None:
    """Raise NoTicket, with the reason, if a survey issues no tickets now.

    pk: the primary key of the survey, which is read again.
    """
    survey = Survey.objects.get(pk=pk)
    if survey.is_over:
        raise NoTicket(Reason.CLOSED)
    if survey.status != Survey.Status.OPEN:
        raise NoTicket(Reason.PAUSED)
    # In a survey in two steps, all tickets are taken before the opening time.
    if survey.tickets == Survey.Tickets.TWO and survey.opens <= clock.clock_now():
        raise NoTicket(Reason.OPEN)
