"""Takes the toy kind of test_kind.py through form, save, freeze, answer, store, release, report, export and API.

It runs in the copy of the program that has the toy, on a database of its own. Models are imported inside functions,
after django.setup().
"""

import csv
import io
import json
from typing import Any

import django
import numpy as np
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.test.utils import get_runner, setup_test_environment

YES_FIRST = ["Yes", "No", "I don’t know"]
BY_CODE = ["No", "Yes", "I don’t know"]


def main() -> None:
    every_table_has_it()
    survey, client = written_in_the_form()
    read_and_written_elsewhere(survey, client)
    published(survey, client)
    reported(survey, client)


def every_table_has_it() -> None:
    from surveys.models import Question
    from tests import kinds

    assert all(keys == [kind.name for kind in Question.Kind] for _, keys in kinds.tables())


def written_in_the_form() -> tuple[Any, Client]:
    """Add it on its page, open that again, and save it unchanged."""
    from tests.making import draft, researcher
    from tests.pages import Form

    owner, client = researcher(), Client()
    client.force_login(owner)
    survey = draft(owner)
    at = f"/surveys/{survey.slug}/questions/"
    page = client.get(f"{at}new/").content.decode()
    assert 'value="unsure" data-select="one" data-answers="3"' in page
    assert "The device scrambles one of three answers." in page
    assert 'data-when="kind" data-is="yes-no choice any quantity scale unsure"' in page  # “Prefer not to say”
    typed = {"kind": "unsure", "text": "Did you ever cheat?", "key": "cheat", "design": "balanced"}
    assert client.post(f"{at}new/", typed).status_code == 302
    assert "three answers" in client.get(f"{at}cheat/").content.decode()
    before = survey.questions.values("kind", "design", "parameters", "decline").get()
    values = {name: value for name, value in Form(client.get(f"{at}cheat/")).values.items() if name[:2] != "q-"}
    assert client.post(f"{at}cheat/", values).status_code == 302
    assert survey.questions.values("kind", "design", "parameters", "decline").get() == before
    assert (before["kind"], before["design"]) == ("unsure", "direct")
    return survey, client


def read_and_written_elsewhere(survey: Any, client: Client) -> None:
    """The overview, the survey's file and its XLSForm, the API, and a rehearsal."""
    from surveys.accounts.tokens import issue_token
    from surveys.authoring.files import survey_file
    from surveys.authoring.files.xlsform import reader, writer
    from surveys.authoring.planning.overview import overview

    (line,) = overview(survey).lines
    assert (line.kind_short, [*line.shown], line.problem) == ("Yes, no or unsure", YES_FIRST, "")
    copy = survey_file.read(survey_file.parse(survey_file.as_text(survey)), owner=survey.owner)
    assert copy.questions.get().kind == "unsure"
    assert [each["kind"] for each in reader.read(writer.as_xlsx(survey)).questions] == ["unsure"]
    token = {"HTTP_AUTHORIZATION": f"Bearer {issue_token(survey.owner, 'toy')}", "content_type": "application/json"}
    asked = {"key": "cheat", "kind": "unsure", "text": "Did you ever cheat?", "design": "balanced"}
    body = json.dumps({"title": "Cheating", "questions": [asked]})
    made = client.post("/api/v1/surveys/", body, **token)
    assert made.status_code == 201, made.content
    assert made.json()["questions"][0]["kind"] == "unsure"
    assert client.get(f"/surveys/{survey.slug}/rehearsal/").status_code == 200


def published(survey: Any, client: Client) -> None:
    """Freeze it, show it to respondents, and take what their devices send."""
    from surveys.definition.instrument import paper, parse
    from surveys.fieldwork.lifecycle import publish
    from tests.making import background, body, send

    background(survey)
    instrument = publish(survey)
    frozen = paper(instrument)
    assert parse(frozen.sha256, frozen.content) == frozen
    assert [*frozen.items[0].choices] == BY_CODE
    page = client.get(f"/s/{survey.slug}/").content.decode()
    places = [page.index(f'name="q-cheat" value="{code}"') for code in (1, 0, 2)]
    assert places == sorted(places)  # Yes before No
    for report, status in ((0, 201), (1, 201), (2, 201), (3, 422), ("1", 422)):
        assert send(instrument, body(instrument, reports={"cheat": report, "region": 0})).status_code == status
    truths = np.array([1] * 90 + [0] * 150 + [2] * 60)
    reports = frozen.items[0].mechanism.randomize(truths, np.random.default_rng(1)).tolist()
    for report in reports:
        assert send(instrument, body(instrument, reports={"cheat": report, "region": 1})).status_code == 201


def reported(survey: Any, client: Client) -> None:
    """Release, and read it as page, API and files."""
    from surveys.accounts.tokens import issue_token
    from surveys.exchange.export.formats import FILES
    from surveys.fieldwork.responses.closing import close_survey
    from surveys.models import Instrument
    from surveys.results.estimates.report import report
    from surveys.results.report.headlines import finding

    survey.refresh_from_db()
    close_survey(survey)
    instrument = Instrument.objects.get(survey=survey)
    result = report(instrument)
    question = result.questions[0]
    assert (result.n, question.n) == (303, 303)
    assert [choice.label for _, choice in question.ordered()] == YES_FIRST
    low, high = question.choices[1].interval
    assert low < 0.3 < high
    sentence = finding(question).headline
    assert "say “Yes”" in sentence
    assert sentence.split(".")[0] in client.get(f"/surveys/{survey.slug}/report/").content.decode()
    files = {file.name: b"".join(file.stream(instrument)) for file in FILES}
    rows = list(csv.DictReader(io.StringIO(files["responses.csv"].decode("utf-8-sig"))))
    assert len(rows) == 303
    assert {row["cheat"] for row in rows} == {"0", "1", "2"}
    assert json.loads(files["codebook.json"])["variables"][0]["kind"] == "unsure"
    token = {"HTTP_AUTHORIZATION": f"Bearer {issue_token(survey.owner, 'toy')}"}
    told = client.get(f"/api/v1/surveys/{survey.slug}/report/", **token).json()["questions"][0]
    assert told["choices"][1]["estimate"] == question.choices[1].estimate


if __name__ == "__main__":
    django.setup()
    setup_test_environment()
    call_command("collectstatic", verbosity=0, interactive=False)
    get_runner(settings)(verbosity=0, interactive=False).setup_databases()
    main()
    print("all of it works")
