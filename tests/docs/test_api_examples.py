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
from surveys.definition.parsing import paper
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Survey
from tests.docs.code_blocks import DOCS, program
from tests.factories.many_responses import fill
from tests.factories.responses import store
from tests.factories.surveys import (
    background,
    choice,
    draft,
    publish,
    quantity,
    researcher,
    written,
    yes_no,
)
from tests.servers.smtp_server import mailbox

pytestmark = pytest.mark.django_db
REQUEST = re.compile(r"^    (GET|POST) (/api/v1/\S+?(?:<[^>]+>\S*)*)(?: +(\{.*\}))?$", re.MULTILINE)


def requests(page: str) -> list[tuple[str, str, str]]:
    return REQUEST.findall((DOCS / page).read_text())


def of(survey: Survey) -> Client:
    return Client(headers={"Authorization": f"Token {issue_token(survey.owner, 'docs')}"})


def test_every_request_of_the_analyses_is_answered() -> None:
    earlier = draft(researcher())
    yes_no(earlier, "copied")
    yes_no(earlier, "help")
    choice(earlier, "fruit")
    quantity(earlier, "hours")
    background(earlier, "faculty", ("Arts", "Law", "Science"), cut=True)
    save_question(
        survey=earlier, key="days", kind="number", text="Days?", minimum="0", maximum="40", step="1"
    )
    fill(publish(earlier), 600)
    close_survey(earlier)
    now = new_version(earlier, earlier.owner)
    fill(publish(now), 600, seed=2)
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
    survey = draft(researcher())
    written(survey, "drug")
    instrument = publish(survey)
    (item,) = paper(instrument).items
    sent = item.mechanism.randomize(["heroin", "cocaine", "crack"] * 200, np.random.default_rng(1))
    store(instrument, [{"drug": report} for report in item.wire.reports(sent)])
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
    survey = draft(researcher())
    (content,) = re.findall(r"```json\n(.*?)```", (DOCS / "languages.md").read_text(), re.DOTALL)
    response = of(survey).post("/api/v1/surveys/", content, content_type="application/json")
    assert response.status_code == 201, response.content
    texts = of(survey).get(f"/api/v1/surveys/{response.json()['slug']}/languages/").json()
    assert "Arbeit und Steuern" in json.dumps(texts, ensure_ascii=False)


def test_people_are_invited_as_the_page_does(
    monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    monkeypatch.setattr(Candor, "transport", httpx.WSGITransport(app=application))
    survey = draft(researcher(), opens=timezone.now() + timedelta(days=2))
    yes_no(survey)
    with mailbox() as box:
        settings.EMAIL_URL = box.url
        candor = Candor("http://localhost", issue_token(survey.owner, "docs"))
        exec(
            compile(program("inviting.md", "python"), "inviting.md", "exec"),
            {"candor": candor, "slug": survey.slug},
        )
    survey.refresh_from_db()
    assert survey.tickets == Survey.Tickets.TWO
    assert survey.invitees.count() == 21
