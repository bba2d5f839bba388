"""Surveys for tests of analyses, with exactly these reports; and their doors."""

from django.http import HttpResponse
from django.test import Client

from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.fieldwork import lifecycle
from surveys.models import Instrument, Membership
from tests.factories.responses import store
from tests.factories.surveys import background, draft, publish, researcher, yes_no

MATRIX = {
    "rows": "8/10 1/10 1/10; 1/10 8/10 1/10; 1/10 1/10 8/10"
}  # only surveys that take files have one


def counted(
    people: dict[tuple[int, ...], tuple[int, int]], **labels: tuple[str, ...]
) -> Instrument:
    """tax (Warner, 3/4): so many people, and so many reports of Yes, with these answers to background questions."""
    survey = draft()
    yes_no(survey)
    for key, names in labels.items():
        background(survey, key, names, cut=True)
    made = publish(survey)
    rows = [
        {"tax": int(number < yes), **dict(zip(labels, at, strict=True))}
        for at, (n, yes) in people.items()
        for number in range(n)
    ]
    store(made, rows)
    return Instrument.objects.get(pk=made.pk)


def on_paper(*questions: dict, **survey: object) -> Instrument:
    """A survey for files with these questions."""
    made = create_survey(owner=researcher(), title="On paper", import_only=True, **survey)
    for question in questions:
        save_question(survey=made, text=f"About {question['key']}?", **question)
    return lifecycle.prepare(made)


def owner(made: Instrument) -> Client:
    client = Client()
    client.force_login(made.survey.owner)
    return client


def analyst(made: Instrument) -> Client:
    """Somebody without the right to rows."""
    client, person = Client(), researcher("analyst")
    Membership.objects.create(survey=made.survey, user=person, role="analyst")
    client.force_login(person)
    return client


def api(client: Client, made: Instrument, rest: str) -> HttpResponse:
    return client.get(f"/api/v1/surveys/{made.survey.slug}/report/{rest}")


def analysed(client: Client, made: Instrument, rest: str) -> HttpResponse:
    """A page of an analysis."""
    return client.get(f"/surveys/{made.survey.slug}/compare/{rest}")


def page(client: Client, made: Instrument, rest: str) -> HttpResponse:
    return client.get(f"/surveys/{made.survey.slug}/report/{rest}")


def compare(client: Client, made: Instrument, rest: str = "") -> HttpResponse:
    """What stands under Compare, by region."""
    return client.get(f"/surveys/{made.survey.slug}/compare/{rest}?by=region")
