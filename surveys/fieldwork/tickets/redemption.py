"""Redemption: a ticket is verified, and becomes the key under which the inbox stores its response.

This is the primary key of the inbox, so one ticket gives one response, however often it is sent. It
is made from the nonce alone: random bytes of the ticket that nobody but the device knew before.
"""

from functools import lru_cache
from uuid import UUID

from surveys.definition.response_format import Tickets
from surveys.fieldwork.tickets import protocol
from surveys.models import Survey


class Forged(Exception):
    """The error for a ticket that was not signed for this survey."""


class NotOpen(Exception):
    """The error for a response that is sent before answers are open.

    Until then, invited people can only take their tickets.

    survey: the survey to which the response was sent.
    """

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        super().__init__()


def verify_ticket(slug: str, tickets: Tickets, ticket: str) -> UUID:
    """Return the key under which the inbox stores the response with this ticket.

    Raise ValueError if the text of the ticket is malformed, and Forged if the ticket was not signed
    for this survey. Whether the ticket is spent is not checked here: the inbox stores only one
    response under a key.

    slug: the slug of the survey.
    tickets: the part about tickets in the instrument of the survey, with the modulus of the key.
    ticket: the ticket in base64url, as the device sent it.
    """
    ticket_bytes = protocol.decode_base64url(ticket, protocol.TICKET_LETTERS)
    if not protocol.is_signed(ticket_bytes, slug, tickets.n):
        raise Forged
    return protocol.spent_key(ticket_bytes)


@lru_cache(maxsize=1024)
def require_open(pk: UUID) -> None:
    """Raise NotOpen if a survey does not take answers yet.

    No answers are taken before the opening time, and while too few people have a ticket. Once
    answers are open, they stay open until the survey is closed. So after one call without an error
    the result is cached, and this process does not read the survey again.

    pk: the primary key of the survey. Raise Survey.DoesNotExist if no survey has it.
    """
    # An error is not cached, so a survey that is not open yet is read again.
    survey = Survey.objects.get(pk=pk)
    if survey.is_early:
        raise NotOpen(survey)
