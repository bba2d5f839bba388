"""What a design that the table has is put through: test_mechanism.py runs this in copies of the tree that have one
more, named by the environment.
"""

import csv
import io
import json
import os
import uuid
import zipfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from django.test import Client

import mechanisms
from features.demo.drafts import documents
from mechanisms import planning
from surveys.authoring.drafts import drafts
from surveys.authoring.planning.precision import verdict
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.construction import build
from surveys.definition.designs.levels import recommend_design
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.odds import odds
from surveys.definition.parsing import parse_instrument
from surveys.export.formats import files as all_files
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses import Outcome, store_response
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import encode
from surveys.models import Instrument, Survey
from surveys.results.estimates.report import report
from surveys.results.report.methods import methods
from surveys.results.report.quality import check_counts, check_rows, worst
from tests.api.test_reading import client_of
from tests.factories import surveys
from tests.factories.responses import add_responses
from tests.factories.surveys import publish_survey
from tests.helpers.exports import json_rows
from tests.helpers.html_forms import Form
from tests.helpers.report_api import report_json
from tests.javascript import node
from tests.servers import subprocesses

pytestmark = pytest.mark.django_db
KIND = os.environ["KIND"]
ROW = DESIGNS[os.environ["DESIGN"]]
MOODS = ("Calm", "Sad", "Cross")
SIZE = 2 if KIND == "yes-no" else len(MOODS)
MECHANISM = build(ROW.key, SIZE, ROW.start)
INDEX = Path(mechanisms.__file__).parents[1] / "static" / "mechanisms" / "index.js"
PROGRAM = """
const { contrast, epsilon, probabilities, randomize } = await import(process.argv[1]);
const [spec, truth, words, n] = JSON.parse(process.argv[2]);
const same = words.map((stream) => randomize(spec, truth, () => stream.shift()));
const reports = Array.from({ length: n }, () => randomize(spec, truth));
const { chosen, other } = contrast(spec, truth);
const shares = [chosen, other].map(([part, all]) => Number(part) / Number(all));
console.log(JSON.stringify({ same, reports, epsilon: epsilon(spec), rows: probabilities(spec), shares }));
"""


def asked(**survey: object) -> Survey:
    draft = surveys.create_draft(**survey)
    question = {"key": "mood", "text": "How?", "kind": KIND, "choices": MOODS, "design": ROW.key}
    drafts.save_question(survey=draft, **question, parameters=ROW.start)
    surveys.add_background(draft)
    return draft


def instrument_of(survey: Survey) -> Instrument:
    return Instrument.objects.get(survey=survey)


@pytest.fixture
def mood() -> QuestionDefinition:
    return parse_instrument(publish_survey(asked())).items[0]


def import_responses(survey: Survey, data: bytes) -> dict:
    """Send a file of responses that this program wrote, as programs do, and return what became of it."""
    client, imports = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/imports/"
    mapping = {"mapping": {"version": 3}}
    begun = client.post(imports, mapping, content_type="application/json").json()
    one = f"{imports}{begun['id']}/"
    client.put(f"{one}parts/1/", data, content_type="text/csv")
    return client.post(f"{one}finish/", {"parts": 1}, content_type="application/json").json()


def test_it_is_public_and_comes_back_from_its_spec() -> None:
    assert type(MECHANISM).__name__ in mechanisms.__all__
    assert mechanisms.from_spec(MECHANISM.spec()) == MECHANISM


def test_the_page_shows_it_and_saves_it(client: Client) -> None:
    owner = surveys.create_researcher()
    client.force_login(owner)
    survey = surveys.create_draft(owner)
    address = f"/surveys/{survey.slug}/questions/new/"
    page = client.get(address)
    assert ROW.title in page.content.decode()
    assert ROW.advice in page.content.decode()
    values = {
        name: value for name, value in Form(page).values.items() if name != "csrfmiddlewaretoken"
    }
    assert {letter: values[f"{ROW.key}-{letter}"] for letter in ROW.parameters} == ROW.start
    typed = {"text": "How?", "kind": KIND, "choices": "\r\n".join(MOODS), "design": ROW.key}
    assert client.post(address, values | typed).status_code == 302
    question = survey.questions.get()
    assert (question.design, question.parameters) == (ROW.key, ROW.start)
    again = Form(client.get(f"/surveys/{survey.slug}/questions/{question.key}/")).values
    assert (again["design"], again["text"]) == (ROW.key, "How?")


def test_programs_write_it_read_it_and_plan_with_it() -> None:
    client = client_of(surveys.create_researcher())
    question = {"key": "mood", "kind": KIND, "text": "How?", "design": ROW.key}
    if KIND == "choice":
        question["choices"] = MOODS
    whole = {"title": "Moods", "questions": [question | {"parameters": ROW.start}]}
    answer = client.post("/api/v1/surveys/", whole, content_type="application/json")
    assert answer.status_code == 201, answer.content
    read = client.get(f"/api/v1/surveys/{answer.json()['slug']}/").json()
    assert read == answer.json()
    assert (read["questions"][0]["design"], read["questions"][0]["parameters"]) == (
        ROW.key,
        ROW.start,
    )
    listed = {design["key"]: design for design in client.get("/api/v1/designs/").json()["designs"]}
    assert listed[ROW.key]["kinds"] == ["yes-no", "choice"]
    plan = {"design": ROW.key, "parameters": ROW.start, "kind": KIND, "size": SIZE, "n": 1000}
    answer = client.post("/api/v1/planning/", plan, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert answer.json()["epsilon"] == MECHANISM.epsilon


def test_planning_compares_what_its_class_tells() -> None:
    names = {recipe.name for recipe in type(MECHANISM).recipes()}
    assert names <= planning.side_by_side(SIZE, 1.0, 1000).keys()
    assert names <= {each.mechanism.name for each in mechanisms.recommend(SIZE, 1.0)}
    assert ROW.level.questions in ("", "one")
    taken = {recommend_design(SIZE, f"{0.05 * step:.2f}").design for step in range(10, 60)}
    assert (ROW.key in taken) == bool(ROW.level.questions)
    assert any(
        question["design"] == ROW.key
        for document in documents()
        for question in document["questions"]
    )


def test_the_script_draws_the_same_reports_as_python(mood: QuestionDefinition) -> None:
    if (program := node.find()) is None:
        pytest.skip("no node on this machine")
    words = np.random.default_rng(3).integers(2**32, size=(200, 8)).tolist()
    given = json.dumps([mood.mechanism.spec(), 1, words, 4000])
    command = [program, "--input-type=module", "--eval", PROGRAM, INDEX.as_uri(), given]
    drawn = json.loads(subprocesses.run(command).stdout)
    assert drawn["same"] == [
        mood.mechanism.randomize_one(1, iter(stream).__next__) for stream in words
    ]
    rows = [[float(chance) for chance in row] for row in mood.mechanism.probabilities()]
    assert drawn["rows"] == pytest.approx(np.array(rows))
    assert drawn["epsilon"] == pytest.approx(mood.mechanism.epsilon)
    _, chosen, other = mood.mechanism.contrast(1)
    assert drawn["shares"] == pytest.approx([float(chosen), float(other)])
    assert np.bincount(drawn["reports"], minlength=SIZE) / 4000 == pytest.approx(rows[1], abs=0.05)
    calm = mood.mechanism.randomize(np.ones(4000, int), 1)
    assert np.bincount(calm, minlength=SIZE) / 4000 == pytest.approx(rows[1], abs=0.05)


def test_it_is_asked_answered_released_and_estimated(client: Client) -> None:
    survey = asked()
    item = parse_instrument(publish_survey(survey)).items[0]
    assert item.mechanism == MECHANISM
    shape, chosen, other = MECHANISM.contrast()
    seen = odds(item)
    assert seen.shape == shape
    assert (
        seen.recorded_if_chosen / seen.total,
        seen.recorded_if_other / seen.total,
    ) == pytest.approx((float(chosen), float(other)), abs=0.01)
    assert verdict(KIND, item.mechanism, 1000).needed > 0
    instrument = instrument_of(survey)
    assert "How?" in client.get(f"/s/{survey.slug}/").content.decode()
    for number, status in ((SIZE - 1, 201), (SIZE, 422), ("1", 422), (None, 422)):
        body = surveys.response_body(instrument, reports={"mood": number, "region": 0})
        assert surveys.post_response(instrument, body).status_code == status
    for number, mood in enumerate(
        item.mechanism.randomize(np.zeros(400, int), np.random.default_rng(4)).tolist()
    ):
        record = encode(parse_instrument(instrument), {"mood": mood, "region": number % 2})
        assert store_response(instrument, uuid.uuid4(), record) is Outcome.RECORDED
    close_survey(survey)
    result = report(instrument_of(survey))
    calm = result.questions[0].choices[0]
    assert result.n == 401
    assert calm.interval[0] < 1
    assert calm.estimate == pytest.approx(1, abs=0.2)
    client.force_login(survey.owner)
    page = client.get(f"/surveys/{survey.slug}/report/").content.decode()
    assert item.mechanism.title in page


def test_it_stands_in_every_file_and_comes_back_from_one() -> None:
    survey = asked()
    instrument = publish_survey(survey)
    add_responses(instrument, 300)
    instrument.refresh_from_db()
    files = {file.name: b"".join(file.stream(instrument)) for file in all_files()}
    assert zipfile.ZipFile(io.BytesIO(files["everything.zip"])).testzip() is None
    rows = list(csv.DictReader(io.StringIO(files["responses.csv"].decode())))
    objects = json_rows(instrument)
    table = pq.read_table(io.BytesIO(files["responses.parquet"])).to_pylist()
    assert (
        [int(row["mood"]) for row in rows]
        == [one["mood"] for one in objects]
        == [one["mood"] for one in table]
    )
    result = report(instrument)
    moods = [one["mood"] for one in objects]
    book = json.loads(files["codebook.json"])["variables"][0]
    # No is 0 and Yes is 1; the answers of other questions count from 1.
    values = [int(choice["value"]) for choice in book["choices"]]
    assert [choice.observed for choice in result.questions[0].choices] == [
        pytest.approx(moods.count(value) / 300) for value in values
    ]
    assert book["mechanism"] == MECHANISM.spec()
    line = MECHANISM.line()
    assert [book["choices"][1][letter] for letter in "cd"] == [
        pytest.approx(part[1]) for part in (line.slope, line.offset)
    ]
    assert MECHANISM.describe_probabilities()[0] in files["README.txt"].decode()
    assert 'key = "mood"' in files["analysis.R"].decode()
    paragraph = str(methods(parse_instrument(instrument), result))
    assert f"(mood): {MECHANISM.title}" in paragraph
    assert f"; {MECHANISM.in_words()}" in paragraph
    assert MECHANISM.source in paragraph
    checked = check_counts(parse_instrument(instrument), result) + check_rows(
        parse_instrument(instrument), instrument
    )
    assert worst(checked) == "not contradicted"

    other = asked(owner=survey.owner, import_only=True)
    lock_questions(other, other.owner)
    other.refresh_from_db()
    done = import_responses(other, files["responses.csv"])
    assert (done["state"], done["rows"]) == ("done", 300)
    assert (
        report_json(report(instrument_of(other)))["questions"] == report_json(result)["questions"]
    )
