"""Redemption: a ticket is verified, and becomes the key under which the inbox stores its response.

This is the primary key of the inbox, so one ticket gives one response, however often it is sent. It
is made from the nonce alone, which nobody but the device knew before.
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

    Respondents may only take tickets until then.

    survey: the survey to which the response was sent.
    """

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        super().__init__()


def verify_ticket(slug: str, tickets: Tickets, ticket: str) -> UUID:
    """Return the key under which the response with this ticket is stored.

    Raise ValueError if the ticket is not written as tickets are, and Forged if it was not signed
    for this survey. Whether a response with this ticket is stored already is not checked here.

    slug: the slug of the survey.
    tickets: the tickets of its instrument, with the modulus of the key.
    ticket: the ticket in base64url, as the device sent it.
    """
    ticket_bytes = protocol.decode_base64url(ticket, protocol.TICKET_LETTERS)
    if not protocol.is_signed(ticket_bytes, slug, tickets.n):
        raise Forged
    return protocol.spent_key(ticket_bytes)


@lru_cache(maxsize=1024)
def require_open(pk: UUID) -> None:
    """Raise NotOpen if a survey does not take answers yet, but only gives out tickets.

    No answers are taken before the opening time, and while too few people have a ticket. Once
    answers are open, they stay open until the survey is closed, so this process checks it once.

    Raise Survey.DoesNotExist if no survey has this primary key.
    """
    survey = Survey.objects.get(pk=pk)
    if survey.is_early:
        raise NotOpen(survey)
