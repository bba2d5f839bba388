"""A response may lack reports: every number is made of the reports that there are, and says how many these are."""

import csv
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from django.test import Client

from mechanisms import Tally
from mechanisms.analysis.diagnostics import repeated_reports
from surveys.definition.parsing import parse_instrument
from surveys.export import decoded, files as all_files, find_file
from surveys.fieldwork.responses.records import (
    MASK,
    InvalidReports,
    decode,
    encode,
    has_report,
    record_dtype,
    wire_reports,
)
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates import maximum_likelihood
from surveys.results.estimates.repeats import most_repeated
from surveys.results.estimates.report import identity_mechanism, report
from surveys.results.report.data_quality import inspect
from surveys.results.report.figures import source
from surveys.results.report.methods import methods
from surveys.results.report.quality import numbers_of_ones
from tests.factories import surveys
from tests.factories.import_surveys import create_import_survey
from tests.factories.many_responses import add_invented_responses
from tests.factories.responses import release_reports
from tests.helpers.exports import csv_of, json_rows
from tests.helpers.report_api import report_json
from tests.servers import subprocesses
from tests.servers.r import RSCRIPT, needs_r

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def filled() -> Instrument:
    """tax, fruit (strings), region and age of 2,000, of which a fifth of the reports are missing."""
    instrument = Instrument.objects.get(survey=create_import_survey())
    add_invented_responses(instrument, 2000, missing=0.2)
    return instrument


def rows_of(instrument: Instrument) -> np.ndarray:
    return np.concatenate(list(decoded(instrument)))


def test_every_share_is_of_the_reports_to_its_question(filled: Instrument) -> None:
    frozen, rows, found = (
        parse_instrument(filled),
        rows_of(filled),
        report(filled, seen=ReaderView(filled)),
    )
    for item, question in zip(frozen.items, found.questions, strict=True):
        there = has_report(frozen, rows, item.key)
        assert (question.n, question.missing) == (int(there.sum()), 2000 - int(there.sum()))
        assert 1500 < question.n < 1700
        mechanism = item.mechanism or identity_mechanism(item.size)
        counts = (
            mechanism.tally_packed(np.ascontiguousarray(rows[item.key][there])).counts
            if item.is_string
            else np.bincount(rows[item.key][there], minlength=item.size)
        )
        expected = mechanism.estimate(Tally(question.n, counts))
        assert [choice.estimate for choice in question.choices] == pytest.approx(
            expected.proportions.tolist()
        )
        assert [choice.standard_error for choice in question.choices] == pytest.approx(
            expected.standard_errors.tolist()
        )
        assert [choice.interval for choice in question.choices] == [
            pytest.approx(tuple(ends)) for ends in expected.intervals.tolist()
        ]
    assert [question["n"] for question in report_json(found)["questions"]] == [
        each.n for each in found.questions
    ]
    assert report_json(found)["n"] == 2000


def test_a_filter_leaves_out_who_has_no_answer_to_it(filled: Instrument) -> None:
    frozen, rows = parse_instrument(filled), rows_of(filled)
    known = has_report(frozen, rows, "region")
    assert not rows["region"][~known].any()  # stored as zeros, which is North
    for code in (0, 1):
        members = known & (rows["region"] == code)
        found = report(filled, group=Group((("region", (code,)),)), seen=ReaderView(filled))
        assert found.n == members.sum()
        assert found.questions[0].n == (members & has_report(frozen, rows, "tax")).sum()
    both = report(filled, group=Group((("region", (0, 1)),)), seen=ReaderView(filled))
    assert both.n == known.sum() < 2000


def test_checks_look_at_the_reports_that_there_are(filled: Instrument) -> None:
    frozen, rows = parse_instrument(filled), rows_of(filled)
    fruit = next(item for item in frozen.items if item.key == "fruit")
    ((_, ones),) = numbers_of_ones(frozen, filled)
    sent = [each for each in wire_reports(frozen, rows, fruit) if each is not None]
    assert ones.tolist() == np.bincount([each.count("1") for each in sent], minlength=4).tolist()
    (repeats,) = most_repeated(frozen, filled)
    expected = repeated_reports(fruit.mechanism, sent)
    assert (repeats.n, repeats.times, repeats.p_value) == (
        len(sent),
        expected.times,
        pytest.approx(expected.p_value),
    )
    assert {check.verdict.name for check in inspect(filled)} == {"FINE"}


def test_a_question_without_any_report_has_no_estimate_and_everything_else_has() -> None:
    survey = create_import_survey()
    instrument = Instrument.objects.get(survey=survey)
    release_reports(instrument, [{"tax": 1, "fruit": None, "region": 1, "age": 81}] * 60)
    instrument.refresh_from_db()
    questions = {question.key: question for question in report(instrument).questions}
    assert (questions["fruit"].n, questions["fruit"].basis, questions["fruit"].missing) == (
        0,
        None,
        60,
    )
    assert questions["tax"].choices[1].observed == 1
    assert [check.key for check in inspect(instrument)] == ["tax"]
    client = Client()
    client.force_login(survey.owner)
    for address in ("", "print/", "quality/", "methods.txt", "shares.csv", "fruit/shares.svg"):
        assert client.get(f"/surveys/{survey.slug}/report/{address}").status_code in (200, 404), (
            address
        )
    for file in all_files():
        assert b"".join(file.stream(instrument))
    questions_of_the_api = client.get(f"/api/v1/surveys/{survey.slug}/report/").json()["questions"]
    assert [question["n"] for question in questions_of_the_api] == [60, 0, 60, 60]


def test_the_likeliest_shares_are_of_the_whole_reports_that_there_are(filled: Instrument) -> None:
    frozen, rows = parse_instrument(filled), rows_of(filled)
    fruit = next(item for item in frozen.items if item.key == "fruit")
    sent = [each for each in wire_reports(frozen, rows, fruit) if each is not None]
    maximum_likelihood.store_likelihood_shares(filled)
    shares = Instrument.objects.get(pk=filled.pk).likeliest
    assert shares["n"] == 2000
    assert shares["shares"]["fruit"] == pytest.approx(
        fruit.mechanism.maximum_likelihood(sent).tolist(), abs=1e-3
    )


def test_text_says_how_many_reports_each_question_has(filled: Instrument) -> None:
    found = report(filled)
    by_key = {question.key: question for question in found.questions}
    text = str(methods(parse_instrument(filled), found))
    assert f"n = {by_key['tax'].n:,} for tax, n = {by_key['fruit'].n:,} for fruit" in text
    assert "missing completely at random" in text
    assert f"n = {by_key['tax'].n:,} ({by_key['tax'].missing} responses have no report);" in source(
        found, by_key["tax"]
    )
    client = Client()
    client.force_login(filled.survey.owner)
    page = client.get(
        f"/surveys/{parse_instrument(filled).survey}/report/?everything=yes"
    ).content.decode()
    assert (
        f"n = {by_key['tax'].n:,}. {by_key['tax'].missing} responses have no answer to this question."
        in page
    )
    assert f"Shares of the {by_key['tax'].n:,} respondents who got this question" in page


def written(instrument: Instrument, name: str) -> bytes:
    return b"".join(find_file(name).stream(instrument))


def test_rows_leave_with_blank_cells_and_nulls(filled: Instrument) -> None:
    frozen, rows = parse_instrument(filled), rows_of(filled)
    expected = {item.key: wire_reports(frozen, rows, item) for item in frozen.items}
    frame = pd.read_csv(io.BytesIO(written(filled, "responses.csv")))
    lines = json_rows(filled)
    table = pq.read_table(io.BytesIO(written(filled, "responses.parquet"))).to_pylist()
    expected["age"] = [None if code is None else 18 + code for code in expected["age"]]
    # The values of North and South are 1 and 2.
    expected["region"] = [None if code is None else 1 + code for code in expected["region"]]
    fruit = expected.pop("fruit")
    expected |= {
        f"fruit_{v + 1}": [None if each is None else int(each[v]) for each in fruit]
        for v in range(3)
    }
    for name, values in expected.items():
        assert [None if pd.isna(each) else each for each in frame[name].tolist()] == values
        assert [line[name] for line in lines] == values
        assert [row[name] for row in table] == values
    wide = pd.read_csv(io.BytesIO(written(filled, "responses-excel.csv")), encoding="utf-8-sig")
    assert wide.shape == (2000, 6)
    assert wide["fruit: Apple"].isna().sum() == fruit.count(None)
    assert wide["region"].isna().sum() == expected["region"].count(None)


def test_the_codebook_says_what_a_blank_cell_is_and_how_many_reports_there_are(
    filled: Instrument,
) -> None:
    book = json.loads(written(filled, "codebook.json"))
    expected = filled.tally["answered"] | {
        "region": None,
        "age": None,
    }  # which not everybody sees who has the file
    assert {each["name"]: each["n"] for each in book["variables"]} == expected
    assert {each["missing"] for each in book["variables"]} == {
        "an empty cell, or null: not asked / no report"
    }
    assert book["rows"].startswith(
        "Each row is one response: one report or none for each variable."
    )
    text = written(filled, "README.txt").decode()
    assert f"not asked / no report. n = {filled.tally['answered']['tax']:,} of 2,000." in text


def test_everything_in_one_file_agrees(filled: Instrument) -> None:
    with zipfile.ZipFile(io.BytesIO(written(filled, "everything.zip"))) as archive:
        told = json.loads(archive.read("report.json"))
        book = json.loads(archive.read("codebook.json"))
    assert told == json.loads(json.dumps(report_json(report(filled, seen=ReaderView(filled)))))
    assert [each["n"] for each in told["questions"]] == [each["n"] for each in book["variables"]]


@needs_r
def test_the_r_script_takes_blank_cells_for_missing(filled: Instrument, tmp_path: Path) -> None:
    (tmp_path / "responses.csv").write_text(csv_of(filled), encoding="utf-8", newline="")
    (tmp_path / "analysis.R").write_bytes(written(filled, "analysis.R"))
    command = [RSCRIPT, "--vanilla", "analysis.R", "responses.csv", "report.csv"]
    subprocesses.run(command, cwd=tmp_path)
    frame = pd.read_csv(tmp_path / "report.csv")
    choices = [
        (question, choice)
        for question in report(filled, seen=ReaderView(filled)).questions
        for choice in question.choices
    ]
    assert frame["n"].tolist() == [question.n for question, _ in choices]
    assert np.allclose(
        frame["estimate"], [choice.estimate for _, choice in choices], rtol=0, atol=1e-12
    )
    assert np.allclose(
        frame["standard_error"],
        [choice.standard_error for _, choice in choices],
        rtol=0,
        atol=1e-12,
    )


def test_the_report_says_n_for_each_question_in_tables(filled: Instrument) -> None:
    client = Client()
    client.force_login(filled.survey.owner)
    table = client.get(
        f"/surveys/{parse_instrument(filled).survey}/report/shares.csv"
    ).content.decode()
    found = {row["variable"]: int(row["n"]) for row in csv.DictReader(io.StringIO(table))}
    assert found == filled.tally["answered"]


def test_tallies_say_how_many_reports_there_are(filled: Instrument) -> None:
    client = Client()
    client.force_login(filled.survey.owner)
    told = client.get(f"/api/v1/surveys/{parse_instrument(filled).survey}/tallies/").json()
    assert told["answered"] == filled.tally["answered"]
    assert sum(told["counts"]["tax"]) == told["answered"]["tax"] < told["n"] == 2000


def test_no_report_is_encoded_as_zeros_under_the_mask(filled: Instrument) -> None:
    frozen = parse_instrument(filled)
    record = encode(frozen, {"tax": None, "fruit": "010", "region": None, "age": 5})
    (row,) = decode(frozen, record)
    assert (row["tax"], row["region"], row["age"], row[MASK].tolist()) == (0, 0, 5, [0b1010_0000])
    assert wire_reports(frozen, decode(frozen, record), frozen.items[0]) == [None]


def test_a_survey_that_asks_itself_has_no_mask_and_takes_no_null() -> None:
    instrument = surveys.create_published()
    frozen = parse_instrument(instrument)
    assert frozen.keys_with_missing == ()
    assert "nonresponse" not in frozen.content
    assert MASK not in record_dtype(frozen).names
    assert (
        "no report"
        not in written(instrument, "import.sps").decode()
        + written(instrument, "import.do").decode()
    )
    add_invented_responses(instrument, 40)
    assert set(instrument.tally) == {"n", "counts"}
    with pytest.raises(InvalidReports):
        encode(frozen, dict.fromkeys(item.key for item in frozen.items))


def test_scripts_of_other_programs_say_what_an_empty_cell_is(filled: Instrument) -> None:
    for name in ("import.sps", "import.do", "analysis.R"):
        assert "not asked / no report" in written(filled, name).decode()
    assert "RRreg::RRuni(na.omit(as.integer(" in written(filled, "analysis.R").decode()
