"""Surveys that ask invited people only, made as their authors make them."""

from datetime import timedelta
from functools import cache

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.definition import ticket_key
from surveys.definition.ticket_key import text
from surveys.fieldwork.tickets import codes, invitees, issuance
from surveys.fieldwork.tickets.invitees import Row
from surveys.fieldwork.tickets.protocol import BLINDED, unpacked
from surveys.models import Invitee, Issuer, Survey
from tests.factories.surveys import draft, publish, researcher, yes_no
from tests.helpers.ticket_device import draw


def rows(number: int) -> list[Row]:
    return [Row(f"Person {n:02}", f"p{n:02}@example.org") for n in range(number)]


def ticketed(
    people: int = 25, steps: str = "two", owner: User | None = None, **texts: object
) -> Survey:
    """Published, and for two steps not open yet."""
    texts = {
        "tickets": steps,
        "opens": timezone.now() + timedelta(days=2) if steps == "two" else None,
    } | texts
    survey = draft(owner or researcher(), **texts)
    yes_no(survey)
    if people:
        invitees.invite(survey, rows(people))
    publish(survey, survey.owner)
    survey.refresh_from_db()
    return survey


@cache
def _key() -> tuple[str, bytes]:
    """Drawn once, where nobody looks at it: it takes a tenth of a second."""
    drawn = ticket_key.draw()
    return drawn.modulus, drawn.private


def with_tickets(survey: Survey) -> Survey:
    """A survey that was published for everybody becomes one of one step, with one person on its list."""
    modulus, private = _key()
    Issuer.objects.create(survey=survey, modulus=modulus, private=private)
    Survey.objects.filter(pk=survey.pk).update(tickets="one")
    survey.refresh_from_db()
    invitees.invite(survey, rows(1))
    return survey


def opened(survey: Survey) -> Survey:
    """Its opening time has come."""
    Survey.objects.filter(pk=survey.pk).update(opens=timezone.now() - timedelta(minutes=1))
    survey.refresh_from_db()
    return survey


def of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def take(survey: Survey, people: int) -> list[str]:
    """The tickets of the first so many on the list, taken as devices do."""
    return [ticket_of(invitee) for invitee in survey.invitees.order_by("label")[:people]]


def ticket_of(invitee: Invitee) -> str:
    drawn = draw(invitee.survey.slug, invitee.survey.issuer.modulus)
    signed = issuance.fetch(
        invitee.survey, codes.code_of(invitee), unpacked(drawn.blinded, BLINDED)
    )
    return drawn.ticket(text(signed))
