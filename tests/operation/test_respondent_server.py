"""What the server does not take, keep or say. Numbers in docstrings: lines of the list in docs/threat-model.md."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from surveys.fieldwork.lifecycle import close
from surveys.fieldwork.responses.sealing import seal_rest
from surveys.models import Response, Survey
from tests.factories import surveys
from tests.factories.surveys import publish_survey

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
TRACES = ("203.0.113.9", "Zanzibar/1.0", "fr-CH", "an-invitation")


@pytest.mark.parametrize("name", ["truth", "truths", "answer", "answers", "chosen"])
def test_a_true_answer_is_taken_nowhere(name: str) -> None:
    """22. Not beside the reports, not in their place."""
    instrument = surveys.create_published()
    for content in (
        surveys.response_body(instrument, **{name: {"tax": 1}}),
        {**surveys.response_body(instrument), "reports": {name: 1}},
    ):
        assert surveys.post_response(instrument, content).status_code == 422
    assert not Response.objects.exists()


def test_the_page_never_shows_what_it_is_given() -> None:
    """22. An answer in the address, in a form or in a cookie changes no byte of the page, and none is taken."""
    survey = surveys.create_published().survey
    path = f"/s/{survey.slug}/"
    client = Client()
    client.cookies["q-tax"] = "1"
    assert client.get(path, {"q-tax": "1"}).content == Client().get(path).content
    assert client.post(path, {"q-tax": "1"}).status_code == 405
    assert "checked" not in re.sub(
        r"<script.*?</script>", "", client.get(path).content.decode(), flags=re.DOTALL
    )


def _everything_stored() -> str:
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        rows = []
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}"')
            rows += [
                bytes(cell) if isinstance(cell, memoryview) else cell
                for row in cursor
                for cell in row
            ]
    return repr(rows)


def test_the_database_keeps_nothing_of_who_sent_a_response() -> None:
    """20. Neither waiting nor sealed: every cell of every table is looked at."""
    instrument = surveys.create_published()
    seen = {
        "REMOTE_ADDR": TRACES[0],
        "HTTP_USER_AGENT": TRACES[1],
        "HTTP_ACCEPT_LANGUAGE": TRACES[2],
    }
    body = surveys.response_body(instrument)
    assert (
        surveys.post_response(
            instrument, body, QUERY_STRING=f"from={TRACES[3]}", **seen
        ).status_code
        == 201
    )
    assert not [trace for trace in TRACES if trace in _everything_stored()]
    seal_rest(instrument)
    assert not [trace for trace in TRACES if trace in _everything_stored()]


def test_no_access_log_is_configured() -> None:
    """20. Neither where the site serves itself nor in the configurations that the documentation gives."""
    nginx = (ROOT / "docs/deploy/nginx.conf").read_text()
    assert "access_log off;" in nginx
    assert not re.search(r"access_log\s+/", nginx)
    served = (*ROOT.glob("config/*.py"), ROOT / "Makefile", *ROOT.glob("docs/deploy/*"))
    assert not [
        path
        for path in served
        if re.search(r"--access-logfile|^accesslog = ['\"]", path.read_text(), re.M)
    ]


def test_over_https_the_browser_is_told_to_stay_with_it(settings) -> None:
    """2. On pages, errors and the submission address alike."""
    settings.SECURE_HSTS_SECONDS = 31_536_000
    instrument = surveys.create_published()
    client = Client()
    for path in (f"/s/{instrument.survey.slug}/", "/s/nobodyknows/", "/leave/", "/trust/"):
        answer = client.get(path, secure=True)
        assert answer["Strict-Transport-Security"].startswith("max-age=31536000")
    sent = surveys.post_response(instrument, surveys.response_body(instrument), secure=True)
    assert sent["Strict-Transport-Security"].startswith("max-age=31536000")


NEUTRAL = {"en": "Survey", "de": "Umfrage", "fr": "Enquête", "es": "Encuesta", "ar": "استطلاع"}


@pytest.mark.parametrize("language", NEUTRAL)
@pytest.mark.parametrize("state", ["open", "closed", "early"])
def test_a_neutral_title_is_all_that_the_browsers_history_gets(language: str, state: str) -> None:
    """The title of the page says nothing of the survey's, in every state; the page itself does."""
    survey = surveys.create_draft(language=language, neutral_title=True, title="Violence at home")
    surveys.add_yes_no(survey)
    publish_survey(survey)
    if state == "closed":
        close(survey)
    if state == "early":
        Survey.objects.filter(pk=survey.pk).update(opens=timezone.now() + timedelta(days=1))
    page = Client().get(f"/s/{survey.slug}/").content.decode()
    head, body = page.split("</head>")
    assert f"<title>{NEUTRAL[language]}</title>" in head
    assert "Violence" not in head
    assert "Violence at home" in re.sub(r"<script.*?</script>", "", body, flags=re.DOTALL)
