"""What pages of docs/ say to the API is said to it as it stands there: analysis.md, inviting.md, languages.md and
searchable-lists-and-text-answers.md."""

import json
import re
from datetime import timedelta

import httpx
import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from candor_client import Candor
from config.wsgi import application
from surveys.accounts.tokens import issue_token
from surveys.authoring.drafts.drafts import save_question
from surveys.authoring.files.survey_file import new_version
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Survey
from tests.docs.code_blocks import DOCS, program
from tests.factories.many_responses import add_invented_responses
from tests.factories.responses import release_reports
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_text_question,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)
from tests.servers.smtp_server import run_smtp_server

pytestmark = pytest.mark.django_db
REQUEST = re.compile(r"^    (GET|POST) (/api/v1/\S+?(?:<[^>]+>\S*)*)(?: +(\{.*\}))?$", re.MULTILINE)


def requests(page: str) -> list[tuple[str, str, str]]:
    return REQUEST.findall((DOCS / page).read_text())


def of(survey: Survey) -> Client:
    return Client(headers={"Authorization": f"Token {issue_token(survey.owner, 'docs')}"})


def test_every_request_of_the_analyses_is_answered() -> None:
    earlier = create_draft(create_researcher())
    add_yes_no(earlier, "copied")
    add_yes_no(earlier, "help")
    add_choice(earlier, "fruit")
    add_quantity(earlier, "hours")
    add_background(earlier, "faculty", ("Arts", "Law", "Science"), cut=True)
    save_question(
        survey=earlier, key="days", kind="number", text="Days?", minimum="0", maximum="40", step="1"
    )
    add_invented_responses(publish_survey(earlier), 600)
    close_survey(earlier)
    now = new_version(earlier, earlier.owner)
    add_invented_responses(publish_survey(now), 600, seed=2)
    client, done = of(now), []
    for method, address, _ in requests("analysis.md"):
        assert method == "GET"
        filled = address.replace("<slug>", now.slug).replace(
            "<slug of an earlier version>", earlier.slug
        )
        response = client.get(filled)
        assert response.status_code == 200, response.content
        done.append(address.partition("/report/")[2].partition("/")[0])
    assert done == ["model", "table", "compare", "trend", "weighted"]


def test_texts_are_counted() -> None:
    survey = create_draft(create_researcher())
    add_text_question(survey, "drug")
    instrument = publish_survey(survey)
    (item,) = parse_instrument(instrument).items
    sent = item.mechanism.randomize(["heroin", "cocaine", "crack"] * 200, np.random.default_rng(1))
    release_reports(instrument, [{"drug": report} for report in item.report_format.reports(sent)])
    ((method, address, content),) = requests("searchable-lists-and-text-answers.md")
    assert method == "POST"
    address = address.replace("SLUG", survey.slug).replace("KEY", "drug")
    response = of(survey).post(address, content, content_type="application/json")
    assert response.status_code == 201, response.content
    counted = response.json()["rounds"][-1]["candidates"]
    assert {each["text"] for each in counted if each["found"]} == {
        *json.loads(content)["candidates"]
    }


def test_a_survey_in_two_languages_is_created() -> None:
    survey = create_draft(create_researcher())
    (content,) = re.findall(r"```json\n(.*?)```", (DOCS / "languages.md").read_text(), re.DOTALL)
    response = of(survey).post("/api/v1/surveys/", content, content_type="application/json")
    assert response.status_code == 201, response.content
    texts = of(survey).get(f"/api/v1/surveys/{response.json()['slug']}/languages/").json()
    assert "Arbeit und Steuern" in json.dumps(texts, ensure_ascii=False)


def test_people_are_invited_as_the_page_does(
    monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    monkeypatch.setattr(Candor, "transport", httpx.WSGITransport(app=application))
    survey = create_draft(create_researcher(), opens=timezone.now() + timedelta(days=2))
    add_yes_no(survey)
    with run_smtp_server() as box:
        settings.EMAIL_URL = box.url
        candor = Candor("http://localhost", issue_token(survey.owner, "docs"))
        exec(
            compile(program("inviting.md", "python"), "inviting.md", "exec"),
            {"candor": candor, "slug": survey.slug},
        )
    survey.refresh_from_db()
    assert survey.tickets == Survey.Tickets.TWO
    assert survey.invitees.count() == 21
