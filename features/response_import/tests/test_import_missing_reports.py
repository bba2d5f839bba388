"""Reports that are missing in files, and come back in the files that leave."""

import csv
import hashlib
import io
import json

import httpx
import pandas as pd
import pytest

from candor_client import Candor
from config.wsgi import application
from features.response_import import staging
from features.response_import.tests.import_files import send
from features.response_import.tests.test_import_workbooks import workbook
from surveys.accounts.tokens import issue_token
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.authoring.files.survey_file import new_version
from surveys.definition.freezing import canonical_json
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork import lifecycle
from surveys.fieldwork.responses.records import record_dtype, wire_reports
from surveys.models import Instrument
from surveys.results.estimates.report import report
from tests.factories import surveys
from tests.factories.import_surveys import create_import_survey, create_one_question_survey
from tests.factories.many_responses import add_invented_responses
from tests.results.test_missing_reports import rows_of, written

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LABELS = {"questions": {"age": {"as": "labels"}}}
FORCED = {"design": "forced-response", "parameters": {"truth": "2/3", "yes": "1/6", "no": "1/6"}}
NIGERIA = ["no"] * 1604 + ["yes"] * 831 + [""] * 22  # the answers in random order, as counts


@pytest.fixture
def filled() -> Instrument:
    """tax, fruit (strings), region and age of 2,000, of which a fifth of the reports are missing."""
    instrument = Instrument.objects.get(survey=create_import_survey())
    add_invented_responses(instrument, 2000, missing=0.2)
    return instrument


def nigeria(missing: str) -> bytes:
    """The file as another program writes it; missing: what it writes for no answer."""
    table = [
        ["id", "rr.q1", "age"],
        *([number, answer or missing, 30] for number, answer in enumerate(NIGERIA)),
    ]
    out = io.StringIO()
    csv.writer(out).writerows(table)
    return out.getvalue().encode()


MAPPING = {"questions": {"militant": {"column": "rr.q1"}}}


def militant() -> Instrument:
    survey = create_one_question_survey(
        key="militant", text="Do you know a militant?", kind="yes-no", **FORCED
    )
    return Instrument.objects.get(survey=survey)


@pytest.mark.parametrize(
    "data",
    [
        nigeria("NA"),
        nigeria("."),
        nigeria(""),
        nigeria("NA").replace(b"yes", b"1.0").replace(b"no\r", b"0.0\r").replace(b",no,", b",0.0,"),
        nigeria("-99").replace(b",", b";"),
        nigeria("NA").decode().encode("utf-16"),
        workbook(
            Nigeria=[
                ["id", "rr.q1", "age"],
                *([n, answer or None, 30] for n, answer in enumerate(NIGERIA)),
            ]
        ),
    ],
    ids=["NA", "point", "empty", "floats", "-99 and semicolons", "utf-16", "xlsx"],
)
def test_the_nigeria_survey_comes_in_as_it_is(data: bytes) -> None:
    instrument = militant()
    mapping = MAPPING | ({"missing": ["-99"]} if b"-99" in data else {})
    file = send(instrument.survey, data, mapping, staging.PART)
    assert (file.rows, file.missing) == (2457, {"militant": 22})
    found = report(instrument)
    (question,) = found.questions
    assert (found.n, question.n, question.missing) == (2457, 2435, 22)
    assert question.choices[1].estimate == pytest.approx(0.26190965092402, abs=1e-13)
    assert question.choices[1].standard_error == pytest.approx(0.01441270523346, abs=1e-13)
    assert question.choices[1].observed == pytest.approx(831 / 2435)


def test_a_file_of_one_column_keeps_the_rows_without_a_report() -> None:
    instrument = militant()
    send(instrument.survey, b"militant\n1\nNA\n0\nNA\n")
    frame = pd.read_csv(io.BytesIO(written(instrument, "responses.csv")))
    assert (len(frame), int(frame["militant"].isna().sum())) == (4, 2)
    again = create_one_question_survey(
        instrument.survey.owner, key="militant", kind="yes-no", **FORCED
    )
    assert send(again, written(instrument, "responses.csv")).missing == {"militant": 2}


@pytest.mark.parametrize("name", ["responses.csv", "responses-excel.csv"])
def test_what_we_export_comes_back_with_what_is_missing(filled: Instrument, name: str) -> None:
    again = create_import_survey(filled.survey.owner, "Again")
    send(
        again,
        written(filled, name),
        {"questions": {"age": {"as": "labels"}}} if "excel" in name else {"version": 3},
    )
    assert Instrument.objects.get(survey=again).tally == Instrument.objects.get(pk=filled.pk).tally


@pytest.mark.parametrize("size", [30, 31, 33, 40])
def test_rows_of_empty_cells_count_wherever_the_file_is_cut(size: int) -> None:
    survey = create_import_survey()
    data = (
        b"tax,fruit,region,age\n1,010,North,99\n"
        + b",,,\n" * 30
        + b"0,010,South,18\n"
        + b",,,\n" * 9
    )
    file = send(survey, data, LABELS, size)
    assert (file.rows, file.missing["tax"]) == (41, 39)
    assert Instrument.objects.get(survey=survey).tally["answered"] == dict.fromkeys(
        ("tax", "fruit", "region", "age"), 2
    )


@pytest.mark.usefixtures("connection_stays_open")
def test_the_client_gives_na(filled: Instrument, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Candor, "transport", httpx.WSGITransport(app=application))
    frozen, rows = parse_instrument(filled), rows_of(filled)
    with Candor("http://localhost", issue_token(filled.survey.owner, "test")) as candor:
        frame, labelled = candor.rows(frozen.survey), candor.rows(frozen.survey, labels=True)
        numbers = candor.report(frozen.survey)
    for item in frozen.items:
        expected, name = (
            wire_reports(frozen, rows, item),
            "fruit_1" if item.key == "fruit" else item.key,
        )
        shown = {
            "fruit": lambda report: int(report[0]),
            "age": lambda code: 18 + code,
            "region": lambda code: 1 + code,
        }.get(item.key, int)
        assert [None if pd.isna(each) else each for each in frame[name]] == [
            None if each is None else shown(each) for each in expected
        ]
        assert labelled[name].isna().sum() == expected.count(None)
    assert str(frame["tax"].dtype) == "Int64"
    assert numbers.attrs["n"] == 2000
    again = create_import_survey(filled.survey.owner, "Again")
    with Candor("http://localhost", issue_token(filled.survey.owner, "more")) as candor:
        assert candor.import_responses(again.slug, frame, {"version": 3}) == 2000
    tally = Instrument.objects.get(survey=again).tally
    assert tally["answered"] == filled.tally["answered"]


def test_a_survey_prepared_before_gets_a_place_for_what_is_missing_with_its_next_version() -> None:
    survey = create_survey(owner=surveys.create_researcher(), title="Paper", import_only=True)
    save_question(survey=survey, text="?", key="q", kind="yes-no", **FORCED)
    instrument = lifecycle.lock_questions(survey)
    older = json.loads(instrument.content)
    del older["nonresponse"]
    instrument.content = canonical_json(older)
    instrument.sha256 = hashlib.sha256(instrument.content.encode()).hexdigest()
    instrument.save()
    assert record_dtype(parse_instrument(instrument)).itemsize == 1
    survey.refresh_from_db()
    assert send(survey, b"q\n1\n0.0\n").rows == 2
    assert set(Instrument.objects.get(survey=survey).tally) == {"n", "counts"}
    with pytest.raises(staging.Wrong) as raised:
        send(survey, b"id,q\n1,Yes\n2,NA\n")
    assert (
        "Make a new version of this survey and prepare that"
        in raised.value.file.problems[0]["message"]
    )
    after = new_version(survey, survey.owner)
    lifecycle.lock_questions(after)
    after.refresh_from_db()
    assert send(after, b"id,q\n1,Yes\n2,NA\n").missing == {"q": 1}
