"""Surveys for tests of analyses, with exactly the reports that a test needs, and their pages."""

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

# The parameters of the design "matrix" for three answers: each is reported as it is with 8/10, and as
# each other one with 1/10. Only surveys that take their responses from files can have this design.
MATRIX = {"rows": "8/10 1/10 1/10; 1/10 8/10 1/10; 1/10 1/10 8/10"}


def publish_with_counts(
    counts: dict[tuple[int, ...], tuple[int, int]], **labels: tuple[str, ...]
) -> Instrument:
    """Publish a survey with a yes/no question, and release these numbers of reports.

    counts: for each set of background answers, as codes in the order of `labels`, the number of
        respondents and how many of their reports are Yes.
    labels: the answers of each background question, by its key.
    """
    survey = create_draft()
    add_yes_no(survey)
    # With `cut`, the background questions are report groups.
    for key, answers in labels.items():
        add_background(survey, key, answers, cut=True)
    instrument = publish_survey(survey)

    responses = []
    for codes, (n_respondents, n_yes) in counts.items():
        background = dict(zip(labels, codes, strict=True))
        for number in range(n_respondents):
            # The first `n_yes` respondents report Yes, which is 1.
            responses.append({"tax": int(number < n_yes)} | background)
    release_reports(instrument, responses)
    # The release has changed the stored tally, which this returns.
    return Instrument.objects.get(pk=instrument.pk)


def publish_import_survey(*questions: dict, **settings: object) -> Instrument:
    """Create a survey that takes its responses from files, and lock its questions.

    questions: the fields of each question, with its key; the text has a default value.
    settings: further fields of the survey.
    """
    survey = create_survey(
        owner=create_researcher(), title="On paper", import_only=True, **settings
    )
    for question in questions:
        save_question(survey=survey, text=f"About {question['key']}?", **question)
    # Such a survey is not published: files can be imported once its questions are locked.
    return lifecycle.lock_questions(survey)


def owner_client(instrument: Instrument) -> Client:
    """Return a client that is logged in as the owner of the survey."""
    client = Client()
    client.force_login(instrument.survey.owner)
    return client


def analyst_client(instrument: Instrument) -> Client:
    """Create an analyst in the team, and return a client that is logged in without row access."""
    client = Client()
    analyst = create_researcher("analyst")
    Membership.objects.create(survey=instrument.survey, user=analyst, role="analyst")
    client.force_login(analyst)
    return client


def get_api(client: Client, instrument: Instrument, rest: str) -> HttpResponse:
    """Get an address of the report API; `rest` follows ".../report/" and may have a query."""
    return client.get(f"/api/v1/surveys/{instrument.survey.slug}/report/{rest}")


def get_analysis_page(client: Client, instrument: Instrument, rest: str) -> HttpResponse:
    """Get the page of an analysis; `rest` follows ".../compare/" and may have a query."""
    return client.get(f"/surveys/{instrument.survey.slug}/compare/{rest}")


def get_report_page(client: Client, instrument: Instrument, rest: str) -> HttpResponse:
    """Get a page of the report, or a file; `rest` follows ".../report/" and may have a query."""
    return client.get(f"/surveys/{instrument.survey.slug}/report/{rest}")


def get_compare_page(client: Client, instrument: Instrument, rest: str = "") -> HttpResponse:
    """Get a page under Compare that compares the answers to the background question "region".

    rest: the path after ".../compare/", without a query; "" for the first page.
    """
    return client.get(f"/surveys/{instrument.survey.slug}/compare/{rest}?by=region")
