"""Stages of the contract of kinds: what respondents answer, what the report says, what leaves and comes back."""

import csv
import html
import io
import json
import re
import zipfile
from collections import Counter
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.test import Client

from features.response_import.tests.import_files import send
from features.simulation.simulation import rehearse
from surveys.authoring.drafts.question_plan import NO_DECLINING
from surveys.definition.freezing import build_definition
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.parsing import parse_instrument
from surveys.export.formats import files as all_files
from surveys.fieldwork.lifecycle import lock_questions
from surveys.models import Import, Instrument, Response, Survey
from surveys.results.estimates.answer_order import display_order
from surveys.results.report.headlines import Verdict, finding
from surveys.results.report.quality import check_counts, check_rows
from surveys.web.workspace.kind_forms import KIND_FORMS
from tests.definition.test_settings import AS_JSON, settings
from tests.factories import surveys
from tests.factories.surveys import publish_survey
from tests.helpers.exports import csv_of, export_file, json_rows
from tests.helpers.report_api import report_json
from tests.helpers.response_layouts import assert_same_layout
from tests.whole_site.question_kinds.cases import (
    KEY,
    PEOPLE,
    TEXT,
    Case,
    Stages,
    World,
    estimates,
    every_kind,
    shares_of,
    way_of,
)

WRONG = (None, -1, 10**12, "x", "", True)  # reports of no kind
PAGES = (
    *(
        "",
        "report/?interval=exact&order=size",
        "report/quality/",
        "compare/linked/",
        "report/methods.txt",
    ),
    *("report/shares.csv", "report/it/shares.csv", "settings/"),
)
FIGURES = ("report/it/shares.svg", "report/it/shares.png")
DECLINING = {"decline", "declinable"}  # the boxes “Prefer not to say” of the form


def answering(world: World) -> None:
    """The respondents' page asks it, and takes reports of its design and nothing else."""
    instrument = publish_survey(world.draft)
    page = Client().get(f"/s/{instrument.survey.slug}/").content.decode()
    assert TEXT in page
    assert f'name="q-{KEY}"' in page
    values = re.findall(rf'name="q-{KEY}" value="(\d+)"', page)
    assert [*map(int, values)] in (
        [],
        world.traits.in_order(range(world.item.size)),
    )  # a field, or all to choose from
    for report in world.reports[:3]:
        assert (
            surveys.post_response(
                instrument, surveys.response_body(instrument, reports={KEY: report})
            ).status_code
            == 201
        )
    for report in WRONG:
        assert (
            surveys.post_response(
                instrument, surveys.response_body(instrument, reports={KEY: report})
            ).status_code
            == 422
        ), report
    assert Response.objects.filter(instrument=instrument).count() == 3
    assert_same_layout(instrument)
    world.page(instrument.survey)


def tells_shares(world: World) -> None:
    assert_estimates(world, len(world.item.choices))


def tells_a_mean(world: World) -> None:
    assert not world.result.choices
    assert_estimates(world, 1)


def tells_a_mean_and_shares(world: World) -> None:
    assert_estimates(world, len(world.item.choices) + 1)


def tells_candidates(world: World) -> None:
    assert not world.result.choices
    assert_estimates(world, 3)


def assert_estimates(world: World, count: int) -> None:
    """Near the invented truth, with nothing for the checks of quality to object to, alike by page and by program."""
    assert (world.report.n, world.result.n, world.result.kind) == (PEOPLE, PEOPLE, world.case.kind)
    near = [abs(value - truth) <= 4 * error + 1e-9 for value, truth, error in estimates(world)]
    assert near == [True] * count
    labels = [choice.label for _, choice in display_order(world.result)]
    assert labels in ([], world.traits.in_order([*map(str, world.item.choices)]))
    instrument = world.instrument
    checks = check_counts(parse_instrument(instrument), world.report) + check_rows(
        parse_instrument(instrument), instrument
    )
    assert {check.verdict.value for check in checks} <= {"not contradicted"}
    assert bool(checks) == (world.traits.sensitive and not world.traits.is_written)
    by_api = world.api.get(f"/api/v1/surveys/{instrument.survey.slug}/report/").json()
    assert by_api["questions"] == json.loads(json.dumps(report_json(world.report)["questions"]))


def headline(world: World) -> None:
    """A sentence that says something, on the page as by program."""
    result = finding(world.result)
    assert re.fullmatch(r"[“A-Z0-9].+[.]", result.headline)
    assert result.verdict not in (Verdict.EMPTY, Verdict.FEW, Verdict.FILTERED)
    assert (result.verdict is Verdict.WITHHELD) == world.traits.is_written
    page = html.unescape(re.sub(r"<[^>]+>", "", world.page(world.instrument.survey, "report/")))
    assert result.sentence in " ".join(page.split())
    assert report_json(world.report)["questions"][0]["finding"]["sentence"] == result.sentence


def pages_of_the_report(world: World) -> None:
    survey = world.instrument.survey
    for path in (*PAGES, *(FIGURES if world.result.has_figure else ())):
        page = world.client.get(world.at(survey, path))
        assert page.status_code == 200, path
        assert len(page.content) > 50, path
    assert Client().get(world.at(survey, "report/")).status_code == 302  # to the login


def files(world: World) -> None:
    """Each has something in it; the codebook says what was asked, and how."""
    made = {file.name: export_file(world.instrument, file.name) for file in all_files()}
    assert min(map(len, made.values())) > 100
    assert zipfile.ZipFile(io.BytesIO(made["everything.zip"])).testzip() is None
    (about,), item = json.loads(made["codebook.json"])["variables"], world.item
    assert (about["name"], about["kind"], about["question"]) == (KEY, world.case.kind, TEXT)
    assert about["mechanism"] == (item.mechanism.spec() if item.mechanism else None)
    assert [choice["label"] for choice in about["choices"]] == [*item.choices]
    assert TEXT in made["README.txt"].decode()
    assert re.search(rf'key = "{KEY}"|^  {KEY} = ', made["analysis.R"].decode(), re.MULTILINE)


def rows(world: World) -> None:
    """CSV, JSON and Parquet hold what was sent, and nothing else; the CSV for spreadsheets has labels."""
    instrument, item = world.instrument, world.item
    (about,) = json.loads(export_file(instrument, "codebook.json"))["variables"]
    cells = Counter(cells_of(item, report) for report in world.reports)
    header, *lines = csv.reader(io.StringIO(csv_of(instrument)))
    assert (header, Counter(map(numbers, lines))) == (about["columns"], cells)
    for objects in (
        json_rows(instrument),
        pq.read_table(io.BytesIO(export_file(instrument, "responses.parquet"))).to_pylist(),
    ):
        assert {tuple(each) for each in objects} == {tuple(header)}
        assert Counter(tuple(each.values()) for each in objects) == cells
    if item.is_string:  # a column for each choice
        columns = [[cell for cell in column if cell] for column in zip(*lines, strict=True)]
        shares = [(len(column), column.count("1") / len(column)) for column in columns]
        assert shares == [
            (choice.n, pytest.approx(choice.observed)) for choice in world.result.choices
        ]
    header, *lines = csv.reader(io.StringIO(csv_of(instrument, "responses-excel.csv")))
    assert header == ([f"{KEY}: {choice}" for choice in item.choices] if item.is_string else [KEY])
    assert Counter(map(tuple, lines)) == Counter(
        labels_of(item, report) for report in world.reports
    )


def cells_of(item: QuestionDefinition, report: Any) -> tuple[int | None, ...]:
    """What is in a row for a report."""
    if item.is_string:
        return tuple(None if mark == "-" else int(mark) for mark in report)
    if not item.traits.is_background_number:
        # A report that names no answer is its own number.
        if item.has_own_numbers:
            return (report,)
        return (int(item.values.texts[report]),)
    number = None if report == item.decline_code else int(item.choices[report])
    return (number,) if item.decline_code is None else (number, int(number is None))


def labels_of(item: QuestionDefinition, report: Any) -> tuple[str, ...]:
    """The same where labels take the place of codes."""
    if item.is_string or item.has_own_numbers:
        return tuple("" if cell is None else str(cell) for cell in cells_of(item, report))
    return (item.choices[report],)


def numbers(row: list[str]) -> tuple[int | None, ...]:
    return tuple(None if cell == "" else int(cell) for cell in row)


def import_back(world: World) -> None:
    """In a survey for files with the same question, a file gives the same tally and the same report."""
    about = {"version": json.loads(export_file(world.instrument, "codebook.json"))["version"]}
    for name, mapping in {
        "responses.csv": about,
        "responses-excel.csv": None,
        "responses.parquet": None,
    }.items():
        assert_import_back(world, name, mapping)


def assert_import_back(world: World, name: str, mapping: object = None) -> None:
    there = world.new(import_only=True, decline=world.question(world.instrument.survey).decline)
    lock_questions(there, world.owner)
    file = send(Survey.objects.get(pk=there.pk), export_file(world.instrument, name), mapping)
    assert (file.state, file.rows) == (Import.State.DONE, PEOPLE)
    again, tally = Instrument.objects.get(survey=there), world.instrument.tally
    assert (again.tally["n"], again.tally["counts"]) == (tally["n"], tally["counts"])
    assert (
        report_json(world.report_of(again))["questions"] == report_json(world.report)["questions"]
    )


def assumed_shares(world: World) -> None:
    shares = shares_of(world.item).tolist()
    invented = rehearse(build_definition(world.draft), {KEY: shares}, 2000, seed=1).report
    near = [
        abs(value - truth) <= 4 * error + 1e-9
        for value, truth, error in estimates(world, invented.questions[0])
    ]
    assert near
    assert all(near)
    assert (
        simulation(world, {"shares": {KEY: shares}, "n": 2000, "seed": 1})
        == report_json(invented)["questions"][0]
    )


def left_out_of_simulations(world: World) -> None:
    assert simulation(world, {})["choices"] == []


def simulation(world: World, body: dict[str, Any]) -> dict[str, Any]:
    """By program, and the page opens."""
    assert "Report of 500 invented people" in world.page(world.draft, "simulation/?n=500")
    answer = world.api.post(
        f"/api/v1/surveys/{world.draft.slug}/rehearsal/", json.dumps(body), **AS_JSON
    )
    assert answer.status_code == 200, answer.content
    return answer.json()["questions"][0]


def may_decline(case: Case) -> bool:
    return bool(DECLINING & {*KIND_FORMS[case.kind].fields})


def declining(world: World) -> None:
    """One more answer from the form to the files and back."""
    (box,) = DECLINING & {*KIND_FORMS[world.case.kind].fields}
    survey, path = world.draft, f"questions/{KEY}/"
    world.save(survey, path, world.form(survey, path), {box: "on"})
    assert settings(survey) == settings(world.new(decline=True))
    assert box in world.form(survey, path).values
    other = World(world.case, decline=True)
    assert other.item.choices == (*world.item.choices, "Prefer not to say")
    assert ("preferred not to say" in finding(other.result).headline) == (
        not world.traits.sensitive
    )
    for name in ("report", "rows"):
        way_of(ANSWERS[name], world.case)[1](other)
    assert_import_back(other, "responses-excel.csv")


def no_declining(world: World) -> None:
    """People may write that they prefer not to say."""
    whole = {"title": "A survey", "questions": [world.case.as_json | {"decline": True}]}
    answer = world.api.post("/api/v1/surveys/", json.dumps(whole), **AS_JSON)
    assert answer.status_code == 422
    assert answer.json()["errors"] == {"questions.0.decline": NO_DECLINING}


ANSWERS: Stages = {
    "answering": {"alike": (every_kind, answering)},
    "report": {
        "shares": (
            lambda case: not case.traits.is_written and not case.traits.has_mean,
            tells_shares,
        ),
        "mean": (lambda case: case.traits.has_mean and case.traits.sensitive, tells_a_mean),
        "mean, shares": (lambda case: case.traits.is_background_number, tells_a_mean_and_shares),
        "candidates": (lambda case: case.traits.is_written, tells_candidates),
    },
    "headline": {"alike": (every_kind, headline)},
    "pages of the report": {"alike": (every_kind, pages_of_the_report)},
    "files": {"alike": (every_kind, files)},
    "rows": {"alike": (every_kind, rows)},
    "import back": {"alike": (every_kind, import_back)},
    "simulation": {
        "assumed": (lambda case: not case.traits.is_written, assumed_shares),
        "left out": (lambda case: case.traits.is_written, left_out_of_simulations),
    },
    "decline": {
        "offered": (may_decline, declining),
        "refused": (lambda case: not may_decline(case), no_declining),
    },
}
