"""The format of a response, read from the instrument alone, is that of the survey with all its mechanisms."""

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from mechanisms.designs import specs
from surveys.authoring.drafts.question_subset import set_draw
from surveys.definition.kinds import KINDS
from surveys.definition.parsing import parse_instrument
from surveys.definition.response_format import Layout, response_format
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses.records import InvalidReports, encode
from surveys.models import Instrument, Question, Survey
from tests.factories.responses import make_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_scale,
    add_text_question,
    add_translations,
    add_yes_no,
    create_draft,
    publish_survey,
)
from tests.factories.ticket_surveys import create_survey_with_tickets
from tests.helpers.response_layouts import assert_same_layout

pytestmark = pytest.mark.once
RELEASES = sorted((Path(__file__).resolve().parents[1] / "releases").glob("*/sqlite/database.sql"))
COLD = {"of": "degrees", "from": -5, "to": 0}
WARM = {"of": "degrees", "from": 1, "to": 10}
NORTH = {"of": "region", "in": ["North"]}


def every_question(survey: Survey) -> None:
    """Add a question of each kind and of each kind of mechanism, a grid, and conditions on answers and numbers."""
    numbers = {"kind": Question.Kind.NUMBER, "minimum": -5, "maximum": 10, "text": "How cold?"}
    Question.objects.create(survey=survey, key="degrees", position=1, decline=True, **numbers)
    add_background(survey, decline=True)
    add_background(survey, "numbered", ("7", "8", "9"), when=NORTH)
    add_yes_no(survey, when={"any": [COLD, {"all": [WARM, NORTH]}]})
    add_yes_no(survey, "coins", "two-coin", when=COLD)
    add_choice(survey, decline=True)
    add_choice(survey, "subset", "abcdefgh", "subset", parameters={"epsilon": "1"})
    add_choice(
        survey,
        "many",
        [f"Job {number}" for number in range(210)],
        "geometry",
        parameters={"epsilon": "2"},
    )
    add_choice(
        survey, "any", kind=Question.Kind.ANY, design="unary-any", parameters={"epsilon": "2"}
    )
    add_choice(
        survey,
        "marks",
        "abcdef",
        kind=Question.Kind.ANY,
        design="marks",
        parameters={"epsilon": "2.1973"},
    )
    add_quantity(survey, decline=True)
    add_scale(survey)
    add_text_question(survey)
    if not survey.import_only:  # files cannot have its reports
        add_text_question(
            survey,
            "repeated",
            design="rappor",
            parameters={"hashes": "1", "f": "1/2", "p": "3/4", "q": "1/2"},
        )
    for key in ("home", "work"):
        add_choice(
            survey,
            key,
            ("Never", "Often"),
            "direct",
            parameters={"epsilon": "1"},
            grid="How often?",
            when=WARM,
        )


def picking(survey: Survey) -> Survey:
    """Let devices pick two of four questions, some of which have a condition."""
    set_draw(survey=survey, count=2, of=["tax", "coins", "fruit", "home"])
    return Survey.objects.get(pk=survey.pk)


def released_instruments(dump: Path) -> list[Instrument]:
    """Return the instruments in the database that a release wrote."""
    with sqlite3.connect(":memory:") as database:
        database.executescript(dump.read_text())
        rows = database.execute("SELECT sha256, content FROM surveys_instrument").fetchall()
    return [Instrument(sha256=sha256, content=content) for sha256, content in rows]


def specs_in(instrument: Instrument) -> list[dict[str, Any]]:
    questions = json.loads(instrument.content)["questions"]
    return [question["mechanism"] for question in questions if question["mechanism"]]


def outcome(layout: Layout, reports: dict[str, Any]) -> bytes | str:
    """Return the record that is made of reports, or why they are refused."""
    try:
        return encode(layout, reports)
    except InvalidReports as error:
        return str(error)


def some_reports(instrument: Instrument, n: int) -> list[dict[str, Any]]:
    """Return what n devices send. In every second response one report was replaced by another, or by none."""
    rng, draw = random.Random(1), response_format(instrument).draw
    responses = make_responses(instrument, n)
    for number, reports in enumerate(responses):
        if draw:
            picked = rng.sample(draw.of, draw.count)
            reports.update(dict.fromkeys(set(draw.of) - set(picked)))
        if number % 2:
            key = rng.choice([*reports])
            reports[key] = rng.choice([None, 0, 1, 99, "0110", "x", rng.choice(responses)[key]])
    return responses


@pytest.mark.parametrize("dump", RELEASES, ids=lambda dump: dump.parts[-3])
def test_instrument_of_an_earlier_release_is_read_alike(dump: Path) -> None:
    instruments = released_instruments(dump)

    assert len(instruments) >= 4
    for instrument in instruments:
        assert_same_layout(instrument)


@pytest.mark.django_db
@pytest.mark.parametrize("languages", [(), ("de", "ar")], ids=["one language", "three languages"])
@pytest.mark.parametrize("draws", [False, True], ids=["all questions", "two picked"])
def test_questions_conditions_grids_and_draws_are_read_alike(
    languages: tuple[str, ...], *, draws: bool
) -> None:
    survey = create_draft()
    every_question(survey)
    if draws:
        survey = picking(survey)
    instrument = publish_survey(add_translations(survey, *languages) if languages else survey)

    assert {item.kind for item in parse_instrument(instrument).items} == {*KINDS}
    assert {spec["kind"] for spec in specs_in(instrument)} == {*specs.KINDS}
    assert_same_layout(instrument)


@pytest.mark.django_db
@pytest.mark.parametrize("draws", [False, True], ids=["all questions", "two picked"])
def test_the_same_reports_are_stored_and_refused(*, draws: bool) -> None:
    survey = create_draft()
    every_question(survey)
    instrument = publish_survey(picking(survey) if draws else survey)
    form, frozen = response_format(instrument), parse_instrument(instrument)

    outcomes = []
    for reports in some_reports(instrument, 1_000):
        outcomes.append(outcome(form, reports))
        assert outcomes[-1] == outcome(frozen, reports)

    assert sum(isinstance(result, bytes) for result in outcomes) > 500
    assert len({result for result in outcomes if isinstance(result, str)}) > 20


@pytest.mark.django_db
def test_survey_that_takes_files_is_read_alike() -> None:
    survey = create_draft(import_only=True)
    every_question(survey)
    lock_questions(survey, survey.owner)
    instrument = Instrument.objects.get(survey=survey)

    assert response_format(instrument).nonresponse
    assert_same_layout(instrument)


@pytest.mark.django_db
@pytest.mark.parametrize("steps", ["one", "two"])
def test_survey_with_tickets_is_read_alike(steps: str) -> None:
    instrument = create_survey_with_tickets(people=0, steps=steps).instrument

    assert response_format(instrument).tickets.steps == steps
    assert_same_layout(instrument)
