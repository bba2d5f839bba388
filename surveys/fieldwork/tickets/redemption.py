"""A ticket is redeemed: it is checked, and becomes the key under which its response lies in the inbox.

That key is the inbox's primary key, so that one ticket stands for one response, however often it comes. It is made from
the nonce alone, which nobody but the device has seen before.
"""

from functools import lru_cache
from uuid import UUID

from surveys.definition.response_format import Tickets
from surveys.fieldwork.tickets import protocol
from surveys.models import Survey


class Forged(Exception):
    """It was not signed for this survey."""


class NotOpen(Exception):
    """In two steps: answers are not open."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        super().__init__()


def verify_ticket(slug: str, tickets: Tickets, ticket: str) -> UUID:
    """Return the key of the response. Raises ValueError or Forged."""
    whole = protocol.unpacked(ticket, protocol.TICKET)
    if not protocol.is_signed(whole, slug, tickets.n):
        raise Forged
    return protocol.spent_key(whole)


@lru_cache(maxsize=1024)
def require_open(pk: UUID) -> None:
    """Raises NotOpen before the opening time of a survey in two steps, and as long as too few have taken a ticket;
    Survey.DoesNotExist. Once answers are open they stay so until the survey is closed, so that this process looks once.
    """
    survey = Survey.objects.get(pk=pk)
    if survey.is_early:
        raise NotOpen(survey)
