"""Surveys that only invited people can answer, created as their authors create them."""

from datetime import timedelta
from functools import cache

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.definition import ticket_key
from surveys.definition.ticket_key import to_base64url
from surveys.fieldwork.tickets import codes, invitees, issuance
from surveys.fieldwork.tickets.invitees import Row
from surveys.fieldwork.tickets.protocol import BLINDED_LETTERS, decode_base64url
from surveys.models import Invitee, Issuer, Survey
from tests.factories.surveys import add_yes_no, create_draft, create_researcher, publish_survey
from tests.helpers.ticket_device import create_blinded_ticket


def make_invitee_rows(number: int) -> list[Row]:
    """Return this number of people to invite, each with a name and an e-mail address."""
    return [Row(f"Person {n:02}", f"p{n:02}@example.org") for n in range(number)]


def create_survey_with_tickets(
    people: int = 25, steps: str = "two", owner: User | None = None, **texts: object
) -> Survey:
    """Create and publish a survey for invited people, who need a ticket to answer.

    people: the number of invited people; 0 for an empty list.
    steps: "one", or "two" if answers open in two days, after tickets were taken.
    texts: further fields of the survey.
    """
    # None: answers open when the survey is published.
    opens = timezone.now() + timedelta(days=2) if steps == "two" else None
    fields = {"tickets": steps, "opens": opens} | texts
    survey = create_draft(owner or create_researcher(), **fields)
    add_yes_no(survey)
    if people:
        invitees.invite(survey, make_invitee_rows(people))
    publish_survey(survey, survey.owner)
    # Publishing changes another object of the same row.
    survey.refresh_from_db()
    return survey


@cache
def _issuer_key() -> tuple[str, bytes]:
    """Return the modulus and the private part of a key that signs tickets.

    All tests share one key, since creating a key takes a tenth of a second.
    """
    issuer = ticket_key.create_issuer()
    return issuer.modulus, issuer.private


def add_tickets(survey: Survey) -> Survey:
    """Turn a published survey without tickets into one with tickets, and invite one person.

    The survey has one step: its answers are open already. Authors cannot do this. It saves tests of
    any survey from having to invite people before they publish.
    """
    modulus, private = _issuer_key()
    Issuer.objects.create(survey=survey, modulus=modulus, private=private)
    # The settings of a published survey cannot be changed, so its row is.
    Survey.objects.filter(pk=survey.pk).update(tickets="one")
    survey.refresh_from_db()
    invitees.invite(survey, make_invitee_rows(1))
    return survey


def open_now(survey: Survey) -> Survey:
    """Move the opening time of a survey into the past, and return the survey."""
    Survey.objects.filter(pk=survey.pk).update(opens=timezone.now() - timedelta(minutes=1))
    survey.refresh_from_db()
    return survey


def client_for(user: User) -> Client:
    """Return a client that is logged in as this user."""
    client = Client()
    client.force_login(user)
    return client


def take_tickets(survey: Survey, people: int) -> list[str]:
    """Take tickets for the first people on the list, by their names, and return the tickets.

    people: the number of these people.
    """
    return [take_ticket(invitee) for invitee in survey.invitees.order_by("label")[:people]]


def take_ticket(invitee: Invitee) -> str:
    """Take the ticket of an invitee, and return the ticket.

    The device blinds the ticket, the site signs the blinded text, and the device makes a ticket of
    the signature. So the site cannot recognize the ticket later.
    """
    survey = invitee.survey
    blinded_ticket = create_blinded_ticket(survey.slug, survey.issuer.modulus)
    blinded = decode_base64url(blinded_ticket.blinded, BLINDED_LETTERS)
    signed = issuance.sign_ticket(survey, codes.code_of(invitee), blinded)
    return blinded_ticket.ticket(to_base64url(signed))
