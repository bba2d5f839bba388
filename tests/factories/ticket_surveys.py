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
from tests.factories.surveys import add_yes_no, create_draft, create_researcher, publish_survey
from tests.helpers.ticket_device import create_blinded_ticket


def make_invitee_rows(number: int) -> list[Row]:
    return [Row(f"Person {n:02}", f"p{n:02}@example.org") for n in range(number)]


def create_survey_with_tickets(
    people: int = 25, steps: str = "two", owner: User | None = None, **texts: object
) -> Survey:
    """Create and publish a survey for invited people."""
    texts = {
        "tickets": steps,
        "opens": timezone.now() + timedelta(days=2) if steps == "two" else None,
    } | texts
    survey = create_draft(owner or create_researcher(), **texts)
    add_yes_no(survey)
    if people:
        invitees.invite(survey, make_invitee_rows(people))
    publish_survey(survey, survey.owner)
    survey.refresh_from_db()
    return survey


@cache
def _key() -> tuple[str, bytes]:
    """Drawn once, where nobody looks at it: it takes a tenth of a second."""
    drawn = ticket_key.create_issuer()
    return drawn.modulus, drawn.private


def add_tickets(survey: Survey) -> Survey:
    """A survey that was published for everybody becomes one of one step, with one person on its list."""
    modulus, private = _key()
    Issuer.objects.create(survey=survey, modulus=modulus, private=private)
    Survey.objects.filter(pk=survey.pk).update(tickets="one")
    survey.refresh_from_db()
    invitees.invite(survey, make_invitee_rows(1))
    return survey


def open_now(survey: Survey) -> Survey:
    """Move the opening time into the past."""
    Survey.objects.filter(pk=survey.pk).update(opens=timezone.now() - timedelta(minutes=1))
    survey.refresh_from_db()
    return survey


def client_for(user: User) -> Client:
    """Return a client that is logged in as this user."""
    client = Client()
    client.force_login(user)
    return client


def take_tickets(survey: Survey, people: int) -> list[str]:
    """Return the tickets of the first people on the list."""
    return [take_ticket(invitee) for invitee in survey.invitees.order_by("label")[:people]]


def take_ticket(invitee: Invitee) -> str:
    drawn = create_blinded_ticket(invitee.survey.slug, invitee.survey.issuer.modulus)
    signed = issuance.sign_ticket(
        invitee.survey, codes.code_of(invitee), unpacked(drawn.blinded, BLINDED)
    )
    return drawn.ticket(text(signed))
