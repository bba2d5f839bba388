"""Surveys for tests of analyses, with exactly these reports; and their doors."""

from django.http import HttpResponse
from django.test import Client

from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.fieldwork import lifecycle
from surveys.models import Instrument, Membership
from tests.factories.responses import release_reports
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)

MATRIX = {
    "rows": "8/10 1/10 1/10; 1/10 8/10 1/10; 1/10 1/10 8/10"
}  # only surveys that take files have one


def publish_with_counts(
    people: dict[tuple[int, ...], tuple[int, int]], **labels: tuple[str, ...]
) -> Instrument:
    """Publish a survey with so many people, and so many reports of Yes, for each set of background
    answers.
    """
    survey = create_draft()
    add_yes_no(survey)
    for key, names in labels.items():
        add_background(survey, key, names, cut=True)
    made = publish_survey(survey)
    rows = [
        {"tax": int(number < yes), **dict(zip(labels, at, strict=True))}
        for at, (n, yes) in people.items()
        for number in range(n)
    ]
    release_reports(made, rows)
    return Instrument.objects.get(pk=made.pk)


def publish_import_survey(*questions: dict, **survey: object) -> Instrument:
    """A survey for files with these questions."""
    made = create_survey(owner=create_researcher(), title="On paper", import_only=True, **survey)
    for question in questions:
        save_question(survey=made, text=f"About {question['key']}?", **question)
    return lifecycle.lock_questions(made)


def owner_client(made: Instrument) -> Client:
    """Return a client that is logged in as the owner."""
    client = Client()
    client.force_login(made.survey.owner)
    return client


def analyst_client(made: Instrument) -> Client:
    """Return a client without row access."""
    client, person = Client(), create_researcher("analyst")
    Membership.objects.create(survey=made.survey, user=person, role="analyst")
    client.force_login(person)
    return client


def get_api(client: Client, made: Instrument, rest: str) -> HttpResponse:
    """GET an address of the report API."""
    return client.get(f"/api/v1/surveys/{made.survey.slug}/report/{rest}")


def get_analysis_page(client: Client, made: Instrument, rest: str) -> HttpResponse:
    """GET a page of an analysis."""
    return client.get(f"/surveys/{made.survey.slug}/compare/{rest}")


def get_report_page(client: Client, made: Instrument, rest: str) -> HttpResponse:
    return client.get(f"/surveys/{made.survey.slug}/report/{rest}")


def get_compare_page(client: Client, made: Instrument, rest: str = "") -> HttpResponse:
    """GET a page under Compare, by region."""
    return client.get(f"/surveys/{made.survey.slug}/compare/{rest}?by=region")
