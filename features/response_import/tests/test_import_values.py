"""Cells that are the values of answers: those that the author wrote are matched, and all others are asked about."""

import csv as csv_files
import io
from pathlib import Path
from typing import Any

import pytest

from features.response_import.tests.import_files import csv, send as send_file, tally
from features.response_import.tests.response_uploads import (
    DOORS,
    NO_ANSWER,
    Refused,
    Send,
    door,
    nothing_is_stored,
)
from surveys.authoring.files import any_file
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork import lifecycle
from surveys.models import Instrument, Survey
from surveys.site.errors import Invalid
from tests.factories import surveys
from tests.factories.import_surveys import create_one_question_survey
from tests.factories.many_responses import add_invented_responses
from tests.helpers.exports import export_file

pytestmark = pytest.mark.django_db
FILES = Path(__file__).parent / "files"
SCALE = ["Never", "Rarely", "Sometimes", "Often", "Always"]


@pytest.fixture(params=DOORS)
def send_people(request: pytest.FixtureRequest, tmp_path: Path) -> Send:
    return door(request, tmp_path)


def background_settings(*choices: str, **settings: Any) -> dict[str, Any]:
    return {"kind": "background", "choices": [*choices], "decline": False} | settings


def test_written_values_of_a_form_are_matched_without_a_question(send_people: Send) -> None:
    survey = import_form()

    send_people(survey, (FILES / "yesno_codes.csv").read_bytes(), "yesno_codes.csv", {})

    counts = tally(survey)["counts"]
    items = {item.key: item for item in parse_instrument(survey.instrument).items}
    owns_land = dict(zip(items["owns_land"].choices, counts["owns_land"], strict=True))
    electric = dict(zip(items["electric"].choices, counts["electric"], strict=True))
    late = counts["late"]
    assert (owns_land["Yes"], owns_land["No"]) == (161, 24)
    assert electric["Yes"] == 120
    assert late[:6] == [30, 40, 50, 25, 20, 20]


def import_form() -> Survey:
    """Create a survey that takes files with the questions of the form, and lock it."""
    content = (FILES / "yesno_form.xlsx").read_bytes()
    survey, _ = any_file.bring(content, surveys.create_researcher("eve"), "yesno_form.xlsx")
    survey.import_only = True
    survey.protection = ""
    survey.save()
    lifecycle.lock_questions(survey, survey.owner)
    return Survey.objects.get(pk=survey.pk)


def test_only_a_code_that_no_answer_has_is_asked_about(send_people: Send) -> None:
    values = ["1", "2", "3", "4", "5"]
    survey = create_one_question_survey(**background_settings(*SCALE, key="stress", values=values))
    data = (FILES / "scale_with_zero.csv").read_bytes()

    with pytest.raises(Refused) as refused:
        send_people(survey, data, "scale.csv", {})
    assert refused.value.asked == {"stress": {"0": 10}}
    assert nothing_is_stored(survey)

    send_people(survey, data, "scale.csv", {"stress": {"0": NO_ANSWER}})
    assert tally(survey)["counts"]["stress"] == [20, 30, 25, 15, 0]


def test_written_values_count_whatever_their_order(send_people: Send) -> None:
    settings = background_settings("Yes", "No", values=["1", "0"])
    survey = create_one_question_survey(**settings)

    send_people(survey, csv("1", "0", "1.0", "Yes", header="q"), "people.csv", {})

    assert tally(survey)["counts"]["q"] == [3, 1]


def test_texts_are_values_too(send_people: Send) -> None:
    survey = create_one_question_survey(
        **background_settings("Bus", "Bicycle", values=["b", "bike"])
    )

    send_people(survey, csv("b", "BIKE", "Bus", "bike", header="q"), "people.csv", {})

    assert tally(survey)["counts"]["q"] == [2, 2]


@pytest.mark.parametrize(
    ("settings", "cells", "asked"),
    [
        # The value of one answer is the label of another one.
        (background_settings("1", "2", "x", values=["2", "1", "3"]), ["1", "2", "3"], {"1", "2"}),
        # Many files have −99 for what is missing.
        (background_settings("A", "B", decline=True, values=["1", "2"]), ["1", "-99"], {"-99"}),
        # Nobody wrote values.
        (background_settings("A", "B"), ["1", "2"], {"1", "2"}),
        # Files of ours have 1 for “0” and 2 for “1”, and other programs write the labels.
        (background_settings("0", "1", "2"), ["1", "2", "1"], {"1", "2"}),
    ],
)
def test_what_could_mean_something_else_is_asked_about(
    settings: dict[str, Any], cells: list[str], asked: set[str], send_people: Send
) -> None:
    survey = create_one_question_survey(**settings)

    with pytest.raises(Refused) as refused:
        send_people(survey, csv(*cells, header="q"), "people.csv", {})

    assert asked <= refused.value.asked["q"].keys()
    assert nothing_is_stored(survey)


def test_a_text_that_is_value_and_label_of_two_answers_is_refused() -> None:
    survey = create_one_question_survey(**background_settings("a", "b", values=["b", "a"]))

    with pytest.raises(Invalid, match="“a” is the value of one answer and the label of another"):
        send_file(survey, csv("a", "b", header="q"))


def test_a_label_in_any_language_of_the_survey_is_known() -> None:
    survey = create_one_question_survey(**background_settings("Bus", "Bicycle"))
    Instrument.objects.filter(survey=survey).delete()
    survey.status = Survey.Status.DRAFT
    survey.further_languages = ["de"]
    survey.save()
    for question in survey.questions.all():
        for choice, label in zip(question.choices.all(), ("Omnibus", "Fahrrad"), strict=True):
            choice.translations = {"de": {"label": label}}
            choice.save()
    lifecycle.lock_questions(survey, survey.owner)
    survey = Survey.objects.get(pk=survey.pk)

    send_file(survey, csv("omnibus", "Fahrrad", "Bus", header="q"))

    assert tally(survey)["counts"]["q"] == [2, 1]


WRITTEN = [
    background_settings("A", "B", "C", values=["-99", "x", "7"], decline=True),
    background_settings("A", "B", "C", values=["-3", "0", "3"]),
    {"kind": "yes-no", "design": "warner", "parameters": {"p": "3/4"}, "values": ["2", "1"]},
    {
        "kind": "any",
        "choices": ["A", "B"],
        "design": "unary-any",
        "parameters": {"epsilon": "2"},
        "values": ["bus", "tram"],
    },
]
TABLES = (
    *("responses.csv", "responses-excel.csv", "responses.xlsx"),
    *("responses.parquet", "responses-packed.parquet", "responses.sav", "responses.dta"),
)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("settings", WRITTEN)
def test_every_file_with_written_values_comes_back(settings: dict[str, Any], name: str) -> None:
    source, again = (
        create_one_question_survey(surveys.create_researcher(reader), **settings)
        for reader in ("ada", "eve")
    )
    add_invented_responses(source.instrument, 200)

    data = export_file(source.instrument, name)
    send_file(again, data, {"version": 3} if name == "responses.csv" else None)

    assert tally(again) == Instrument.objects.get(survey=source).tally


def test_the_columns_of_marks_are_named_after_plain_values() -> None:
    survey = create_one_question_survey(**WRITTEN[3])
    add_invented_responses(survey.instrument, 40)

    rows = csv_files.reader(io.StringIO(export_file(survey.instrument, "responses.csv").decode()))

    assert next(rows) == ["q_bus", "q_tram"]
