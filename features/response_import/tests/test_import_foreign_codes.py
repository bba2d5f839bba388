"""Codes as other programs write them: each one is asked for before anything is stored, at every door."""

import io
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest
from openpyxl import Workbook

from features.response_import.tests.import_files import csv, tally
from features.response_import.tests.response_uploads import (
    DOORS,
    NO_ANSWER,
    Refused,
    Send,
    door,
    nothing_is_stored,
)
from tests.factories.import_surveys import create_one_question_survey

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
]  # the statements are those of test_import_staging.py
FILES = Path(__file__).parent / "files"


@pytest.fixture(params=DOORS)
def send(request: pytest.FixtureRequest, tmp_path: Path) -> Send:
    return door(request, tmp_path)


@dataclass(frozen=True)
class Habit:
    """How a program codes one question. asked: the codes that have to be asked for; counts: reports by answer."""

    question: dict
    cells: list[object]
    asked: dict[str, int]
    meanings: dict[str, int | None]
    counts: list[int]
    header: str = "q"

    @property
    def data(self) -> bytes:
        return csv(*map(str, self.cells), header=self.header)


def background(*choices: str) -> dict:
    return {"kind": "background", "choices": list(choices), "decline": False}


def scale(*choices: str) -> dict:
    return {
        "kind": "scale",
        "choices": list(choices),
        "design": "direct",
        "parameters": {"epsilon": "2"},
    }


YES_NO_LIST = background("Yes", "No")
SENSITIVE_LIST = {
    "kind": "choice",
    "choices": ["Yes", "No"],
    "design": "direct",
    "parameters": {"epsilon": "1"},
}
YES_NO = {"kind": "yes-no", "design": "warner", "parameters": {"p": "3/4"}}
FIVE = scale("Never", "Rarely", "Sometimes", "Often", "Always")
SEX = background("Man", "Woman", "Other")
WITH_DECLINE = background("Man", "Woman") | {"decline": True}
NUMBERS = background("1", "2", "3 or more")

HABITS = {
    "SurveyCTO and REDCap: 1 Yes, 0 No, in a list": Habit(
        YES_NO_LIST, [1] * 161 + [0] * 24, {"0": 24, "1": 161}, {"1": 0, "0": 1}, [161, 24]
    ),
    "the same, in a sensitive list": Habit(
        SENSITIVE_LIST, [1, 1, 0], {"0": 1, "1": 2}, {"1": 0, "0": 1}, [2, 1]
    ),
    "SPSS: from 1": Habit(
        SEX, [1, 2, 3, 1], {"1": 2, "2": 1, "3": 1}, {"1": 0, "2": 1, "3": 2}, [2, 1, 1]
    ),
    "pandas: from 0": Habit(
        SEX, [0, 1, 2, 0], {"0": 2, "1": 1, "2": 1}, {"0": 0, "1": 1, "2": 2}, [2, 1, 1]
    ),
    "from 0, and nobody has the first": Habit(
        SEX, [1, 2], {"1": 1, "2": 1}, {"1": 1, "2": 2}, [0, 1, 1]
    ),
    "Stata: 1 No, 2 Yes": Habit(YES_NO, [1, 2, 2], {"1": 1, "2": 2}, {"1": 0, "2": 1}, [1, 2]),
    "SPSS: 1 Yes, 2 No": Habit(YES_NO, [1, 2, 2], {"1": 1, "2": 2}, {"1": 1, "2": 0}, [2, 1]),
    "a scale of five, and 0 for no answer": Habit(
        FIVE,
        [0, 1, 2, 3, 4, 4],
        {"0": 1, "1": 1, "2": 1, "3": 1, "4": 2},
        {"0": NO_ANSWER, "1": 0, "2": 1, "3": 2, "4": 3},
        [1, 1, 1, 2, 0],
    ),
    "98 and 99 for no answer": Habit(
        SEX,
        [1, 2, 98, 99, 99],
        {"1": 1, "2": 1, "98": 1, "99": 2},
        {"1": 0, "2": 1, "98": NO_ANSWER, "99": NO_ANSWER},
        [1, 1, 0],
    ),
    "-99 for no answer": Habit(
        SEX, [1, -99, 2], {"-99": 1, "1": 1, "2": 1}, {"-99": NO_ANSWER, "1": 0, "2": 1}, [1, 1, 0]
    ),
    "one stray 0 among 1 and 2": Habit(
        SEX, [1] * 5 + [2] * 4 + [0], {"0": 1, "1": 5, "2": 4}, {"0": 2, "1": 0, "2": 1}, [5, 4, 1]
    ),
    "Qualtrics: ids that count from nowhere": Habit(
        SEX, [4, 12, 7, 4], {"4": 2, "7": 1, "12": 1}, {"4": 0, "7": 1, "12": 2}, [2, 1, 1]
    ),
    "two codes for one answer": Habit(
        SEX,
        [1, 2, 3, 4],
        {"1": 1, "2": 1, "3": 1, "4": 1},
        {"1": 0, "2": 1, "3": 2, "4": 2},
        [1, 1, 2],
    ),
    "decimals, as pandas writes codes beside gaps": Habit(
        SEX, ["1.0,1", "2.0,2", ",3"], {"1": 1, "2": 1}, {"1": 0, "2": 1}, [1, 1, 0], header="q,id"
    ),
    "zeros in front": Habit(
        SEX, ["01", "02", "02"], {"01": 1, "02": 2}, {"01": 0, "02": 1}, [1, 2, 0]
    ),
    "yes and no, and 99 for no answer": Habit(
        YES_NO, [1, 0, 0, 99], {"0": 2, "1": 1, "99": 1}, {"1": 1, "0": 0, "99": NO_ANSWER}, [2, 1]
    ),
    "a yes/no question with 1 alone": Habit(YES_NO, [1, 1], {"1": 2}, {"1": 1}, [0, 2]),
    "words, and a code in a few rows": Habit(
        SEX, ["Man", "Woman", 9], {"9": 1}, {"9": NO_ANSWER}, [1, 1, 0]
    ),
    "a code for declining": Habit(
        WITH_DECLINE, [1, 2, 9], {"1": 1, "2": 1, "9": 1}, {"1": 0, "2": 1, "9": 2}, [1, 1, 1]
    ),
    "answers that are numbers, and codes from 0": Habit(
        NUMBERS, [0, 1, 2, 2], {"0": 1, "1": 1, "2": 2}, {"0": 0, "1": 1, "2": 2}, [1, 1, 2]
    ),
}


@pytest.mark.parametrize("name", HABITS)
def test_codes_of_other_programs_are_asked_for_and_count_as_was_said(name: str, send: Send) -> None:
    habit = HABITS[name]
    survey = create_one_question_survey(**habit.question)

    with pytest.raises(Refused) as refused:
        send(survey, habit.data, "people.csv", {})
    assert refused.value.asked == {"q": habit.asked}
    assert nothing_is_stored(survey)

    send(survey, habit.data, "people.csv", {"q": habit.meanings})
    assert tally(survey)["counts"]["q"] == habit.counts
    assert tally(survey)["n"] == len(habit.cells)


@dataclass(frozen=True)
class Clear:
    """A column that says itself what it means."""

    question: dict
    cells: list[object]
    counts: list[int]
    header: str = "q"


FRUIT = {
    "kind": "any",
    "choices": ["Apple", "Pear"],
    "design": "unary-any",
    "parameters": {"epsilon": "2"},
}
CLEAR = {
    "1 and 0 of a yes/no question": Clear(YES_NO, [1, 0, 0], [2, 1]),
    "0 alone of a yes/no question": Clear(YES_NO, [0, 0], [2, 0]),
    "1.0 and 0.0 of a yes/no question": Clear(YES_NO, ["1.0", "0.0"], [1, 1]),
    "yes, true and n": Clear(YES_NO, ["yes", "TRUE", "n"], [1, 2]),
    "the words of the answers": Clear(SEX, ["man", " Woman ", "OTHER"], [1, 1, 1]),
    "answers that are numbers": Clear(NUMBERS, [1, 2, 1, "3 or more"], [2, 1, 1]),
    "a column for each choice, as Kobo has it": Clear(
        FRUIT, ["1,0", "1,1"], [2, 1], header="q/Apple,q/Pear"
    ),
    "a string of marks": Clear(FRUIT, ["m10", "m11"], [2, 1]),
}


@pytest.mark.parametrize("name", CLEAR)
def test_what_needs_no_question_is_taken_at_once(name: str, send: Send) -> None:
    column = CLEAR[name]
    survey = create_one_question_survey(**column.question)
    send(survey, csv(*map(str, column.cells), header=column.header), "people.csv", {})
    assert tally(survey)["counts"]["q"] == column.counts


def test_a_code_that_was_left_out_stops_the_import_and_shifts_no_other(send: Send) -> None:
    habit = HABITS["one stray 0 among 1 and 2"]
    survey = create_one_question_survey(**habit.question)
    known = {code: habit.meanings[code] for code in ("1", "2")}

    with pytest.raises(Refused) as refused:
        send(survey, habit.data, "people.csv", {"q": known})
    assert "0" in refused.value.asked["q"]
    assert nothing_is_stored(survey)

    send(survey, habit.data, "people.csv", {"q": known | {"0": NO_ANSWER}})
    assert (tally(survey)["counts"]["q"], tally(survey)["answered"]["q"]) == ([5, 4, 0], 9)


def test_a_scale_with_0_for_no_answer_keeps_its_points(send: Send) -> None:
    survey = create_one_question_survey(**FIVE | {"key": "stress"})
    data = (FILES / "scale_with_zero.csv").read_bytes()
    with pytest.raises(Refused) as refused:
        send(survey, data, "scale.csv", {})
    assert refused.value.asked == {"stress": {"0": 10, "1": 20, "2": 30, "3": 25, "4": 15}}

    send(survey, data, "scale.csv", {"stress": {"0": NO_ANSWER, "1": 0, "2": 1, "3": 2, "4": 3}})
    assert (tally(survey)["counts"]["stress"], tally(survey)["answered"]["stress"]) == (
        [20, 30, 25, 15, 0],
        90,
    )


def test_one_stray_0_leaves_fifty_men_men(send: Send) -> None:
    survey = create_one_question_survey(**SEX | {"key": "gender"})
    data = (FILES / "stray_zero.csv").read_bytes()
    with pytest.raises(Refused) as refused:
        send(survey, data, "gender.csv", {})
    assert refused.value.asked == {"gender": {"0": 1, "1": 50, "2": 49}}

    send(survey, data, "gender.csv", {"gender": {"0": NO_ANSWER, "1": 0, "2": 1}})
    assert (tally(survey)["counts"]["gender"], tally(survey)["answered"]["gender"]) == (
        [50, 49, 0],
        99,
    )


def workbook(cells: list[int]) -> bytes:
    book = Workbook()
    for row in ("q", *cells):
        book.active.append([row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def parquet(cells: list[int]) -> bytes:
    out = io.BytesIO()
    pd.DataFrame({"q": cells}).to_parquet(out)
    return out.getvalue()


def without_labels(cells: list[int], folder: Path, ending: str) -> bytes:
    path = folder / f"people.{ending}"
    write = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}[ending]
    write(pd.DataFrame({"q": cells}), path)
    return path.read_bytes()


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "sav", "dta"])
def test_codes_without_labels_are_asked_for_in_files_of_every_format(
    ending: str, send: Send, tmp_path: Path
) -> None:
    cells = [1, 2, 2, 0]
    if ending == "xlsx":
        data = workbook(cells)
    elif ending == "parquet":
        data = parquet(cells)
    else:
        data = without_labels(cells, tmp_path, ending)
    survey = create_one_question_survey(**SEX)
    with pytest.raises(Refused) as refused:
        send(survey, data, f"people.{ending}", {})
    assert refused.value.asked == {"q": {"0": 1, "1": 1, "2": 2}}
    assert nothing_is_stored(survey)

    send(survey, data, f"people.{ending}", {"q": {"0": NO_ANSWER, "1": 0, "2": 1}})
    assert tally(survey)["counts"]["q"] == [1, 2, 0]
