"""Codes that count from 0 or from 1: nobody gets the answer beside their own, and no number becomes a code."""

import unicodedata
from importlib import import_module

import pytest
from django.apps import apps

from surveys.exchange.importing import staging
from surveys.models import Batch, Import, Instrument, Piece, Survey
from surveys.site.errors import Invalid
from tests.filed import csv, filling, only, problems, send, tally

pytestmark = pytest.mark.django_db
SEX = {"kind": "background", "choices": ["Man", "Woman"], "key": "sex", "decline": True}
REGION = {"kind": "background", "choices": ["North", "East", "South", "West"], "key": "region", "decline": True}
SURE = {"kind": "scale", "choices": ["No", "Perhaps", "Yes"], "key": "sure", "design": "direct", "decline": True}
AGREES = SURE | {"parameters": {"epsilon": "1"}}
DRUGS = {"kind": "choice", "choices": ["Never", "Once", "Often"], "key": "drugs", "design": "direct", "decline": True}
TAKES = DRUGS | {"parameters": {"epsilon": "1"}}
TAX = {"kind": "yes-no", "key": "tax", "design": "warner", "parameters": {"p": "3/4"}}
NUMBERS = {"kind": "background", "choices": ["1", "2", "3+"], "key": "children", "decline": False}
MAN_OR_WOMAN = (
    "Do these codes count from 0 (0 = Man, 1 = Woman) or from 1 (1 = Man, 2 = Woman)? "
    "The column has 1 (120 times), 2 (80 times)."
)


def column(key: str, *cells: object) -> bytes:
    return csv(*[f"{number},{cell}" for number, cell in enumerate(cells)], header=f"id,{key}")


def counts(survey: Survey) -> list[int]:
    return next(iter(tally(survey)["counts"].values()))


def nothing_is_stored(survey: Survey) -> bool:
    return tally(survey) == {} and not Batch.objects.exists()


@pytest.mark.parametrize("size", [30, 10**6])
def test_codes_without_a_0_are_asked_for_with_their_counts_and_nothing_is_stored(size: int) -> None:
    survey, data = only(**SEX), column("sex", *[1] * 120, *[2] * 80)
    with pytest.raises(Invalid) as raised:
        send(survey, data, size=size)
    assert raised.value.errors == {"questions.sex.as": MAN_OR_WOMAN}
    assert nothing_is_stored(survey)
    send(survey, data, {"questions": {"sex": {"as": "codes-from-1"}}}, size)
    assert counts(survey) == [120, 80, 0]


def test_a_bare_code_is_never_that_somebody_declined() -> None:
    survey, data = only(**SEX), column("sex", *[1] * 120, *[2] * 80)
    no_code = [
        (number, "sex", "Choose what “2” means. It is not a code of this question.") for number in range(122, 172)
    ]
    assert problems(survey, data, {"questions": {"sex": {"as": "codes"}}}) == no_code
    assert problems(survey, column("sex", 0, 1, 2)) == [(4, "sex", no_code[0][2])]
    from_1 = {"questions": {"sex": {"as": "codes-from-1"}}}
    assert problems(survey, column("sex", 1, 2, 3), from_1) == [(4, "sex", no_code[0][2].replace("2", "3"))]
    assert problems(survey, column("sex", 1, 0, 2), from_1) == [(3, "sex", no_code[0][2].replace("2", "0"))]
    assert nothing_is_stored(survey)
    send(survey, column("sex", 0, 1, 2), {"questions": {"sex": {"texts": {"0": 0, "1": 1, "2": 2}}}})
    assert counts(survey) == [1, 1, 1]


@pytest.mark.parametrize(
    ("question", "cells", "expected"),
    [
        (SEX, "Man woman MAN", [2, 1, 0]),
        (SEX, "0 1 1", [1, 2, 0]),
        (SEX, "0 0.0 1.0", [2, 1, 0]),
        (SEX, "0 0 0", [3, 0, 0]),
        (REGION, "0 3 3 1", [1, 1, 0, 2, 0]),
        (AGREES, "0 1 2", [1, 1, 1, 0]),
        (AGREES, "0 3 3", [1, 0, 0, 2]),  # declining is scrambled like an answer
        (TAKES, "0 3", [1, 0, 0, 1]),
        (TAX, "1 0", [1, 1]),
        (TAX, "y TRUE no", [1, 2]),
        (NUMBERS, "1 2 3+", [1, 1, 1]),
        (NUMBERS, "1 2 1", [2, 1, 0]),
    ],
)
@pytest.mark.parametrize("size", [1000, 13])
def test_what_a_column_shows_is_taken_without_a_question(
    question: dict, cells: str, expected: list[int], size: int
) -> None:
    survey = only(**question)
    send(survey, column(question["key"], *cells.split()), size=size)
    assert counts(survey) == expected


@pytest.mark.parametrize(
    ("question", "cells"),
    [
        (SEX, "1 2"),
        (SEX, "2 2.0"),
        (SEX, "1 1"),
        (SEX | {"decline": False}, "1 2"),
        (REGION, "1 2 3"),
        (REGION, "4 1"),
        (AGREES, "1 2 3"),
        (AGREES, "2 1"),
        (TAKES, "3 1"),
        (TAX, "1 2"),
        (TAX, "1 1"),
        (NUMBERS, "1 3"),
    ],
)
def test_what_could_count_from_either_is_asked(question: dict, cells: str) -> None:
    survey = only(**question)
    with pytest.raises(Invalid, match="Do these codes count from 0") as raised:
        send(survey, column(question["key"], *cells.split()))
    assert list(raised.value.errors) == [f"questions.{question['key']}.as"]
    assert nothing_is_stored(survey)


@pytest.mark.parametrize(
    ("question", "cells", "row", "message"),
    [
        (SEX, "1 2 9", 4, "Choose what “9” means. It is not a code of this question."),
        (SEX, "0 1 9", 4, "Choose what “9” means. It is not a code of this question."),
        (SEX, "9", 2, "Choose what “9” means. It is not a code of this question."),
        (AGREES, "0 1 4", 4, "Choose what “4” means. It is not a code of this question."),
        (SEX, "0 1 Man", 4, "“Man” is an answer, but this column is read as codes."),
        (SEX, "1 2 Man", 4, "“Man” is an answer, but this column is read as codes."),
        (SEX, "Man Woman 1", 4, "“1” is a code, but this column is read as answers."),
        (SEX, "0 1 x", 4, "“x” is not one of 0 (Man), 1 (Woman)."),
        (SEX, "1 2 x", 4, "“x” is not one of Man, Woman, Prefer not to say, or a code."),
        (SEX, "0 1 -9", 4, "“-9” is not one of 0 (Man), 1 (Woman). If it means “no report”, list it under missing."),
    ],
)
@pytest.mark.parametrize("size", [1000, 10])
def test_what_fits_neither_is_a_problem_with_its_row(
    question: dict, cells: str, row: int, message: str, size: int
) -> None:
    survey = only(**question)
    found = problems(survey, column(question["key"], *cells.split()), size=size)
    assert found == [(row, question["key"], message)]
    assert nothing_is_stored(survey)


def test_a_0_in_a_later_part_decides_and_what_was_no_code_then_is_named_by_its_row() -> None:
    survey = only(**REGION)
    for size in range(11, 40):
        Batch.objects.all().delete()
        Instrument.objects.update(tally={})
        send(survey, column("region", 1, 2, 3, "", 3, 0), size=size)
        assert counts(survey) == [1, 1, 1, 2, 0]
        found = problems(survey, column("region", 1, "", 4, 4, 2, 4, 0, 5), size=size)
        assert {found[0], found[-1]} == {
            (row, "region", f"Choose what “{code}” means. It is not a code of this question.")
            for row, code in ((4, 4), (9, 5))
        }
        assert Import.objects.latest("rows").found == 4
        Import.objects.all().delete()


def test_nothing_of_open_codes_is_left_once_they_are_settled() -> None:
    survey = only(**REGION)
    file = staging.begin(survey, survey.owner)
    file = staging.add(file, 1, column("region", 1, 2, 2))
    assert (file.codes, file.mapping["questions"]) == (
        {"region": {"1": [1, 2], "2": [2, 3]}},
        {"region": {"column": "region"}},
    )
    with pytest.raises(Invalid, match="Do these codes count from 0"):
        staging.finish(file, 1, survey.owner)
    file = staging.add(file, 2, b"3,0\r\n")
    assert (file.codes, file.mapping["questions"]["region"]["as"]) == ({}, "codes")
    assert staging.finish(file, 2, survey.owner).rows == 4
    assert not Piece.objects.exists()


def test_answers_that_are_called_by_numbers_are_never_taken_for_codes_halfway() -> None:
    """Where the first part shows the 0, it is seen; else whoever has such a file says what it holds."""
    survey, data = only(**NUMBERS), column("children", 1, 2, 1, 0)
    assert problems(survey, data, size=len(data) - 4) == [
        (5, "children", "“0” is a code, but this column is read as answers.")
    ]
    send(survey, data, {"questions": {"children": {"as": "codes"}}}, len(data) - 4)
    send(survey, data)
    assert counts(survey) == [2, 4, 2]


@pytest.mark.parametrize("missing", [{"missing": ["", "0"]}, {"questions": {"sex": {"missing": ["0"]}}}])
def test_a_0_that_stands_for_no_report_is_no_code(missing: dict) -> None:
    with pytest.raises(Invalid, match="Do these codes count from 0"):
        send(only(**SEX), column("sex", 0, 1, 2), missing)


@pytest.mark.parametrize("wrong", [17, 0, 100])
@pytest.mark.parametrize("size", [100, 10**6])
def test_one_number_out_of_bounds_is_an_error_with_its_row_and_makes_no_codes(wrong: int, size: int) -> None:
    survey = filling()
    lines = [f"{number % 2},010,{number % 2},{18 + number % 58}" for number in range(199)]
    data = csv(*lines, f"1,010,0,{wrong}")
    assert problems(survey, data, size=size) == [(201, "age", f"“{wrong}” is not a whole number from 18 to 99.")]
    assert nothing_is_stored(survey)
    send(survey, csv(*lines), size=size)
    ages = tally(survey)["counts"]["age"]
    assert sum((18 + code) * n for code, n in enumerate(ages)) == sum(18 + number % 58 for number in range(199))


def test_numbers_are_codes_only_where_that_is_said() -> None:
    survey, data = filling(), csv("Yes,010,South,20", "No,010,South,40")
    for number, (mapping, codes) in enumerate(
        [(None, (2, 22)), ({"questions": {"age": {"as": "codes"}}}, (20, 40)), ({"version": 1}, (20, 40))]
    ):
        send(survey, data, mapping)
        ages = tally(survey)["counts"]["age"]
        assert sum(ages) == 2 * number + 2
        assert all(ages[code] for code in codes)
    with pytest.raises(Invalid) as raised:
        staging.begin(survey, survey.owner, {"questions": {"age": {"as": "codes-from-1"}}})
    assert raised.value.errors == {"questions.age.as": "This must be one of codes, labels."}


def test_what_an_earlier_program_began_to_read_is_begun_again() -> None:
    survey = only(**SEX)
    done = send(survey, column("sex", 0, 1))
    staging.add(staging.begin(survey, survey.owner), 1, column("sex", 1, 2))
    import_module("surveys.migrations.0031_import_codes").begin_again(apps, None)
    assert list(Import.objects.all()) == [done]
    assert counts(survey) == [1, 1, 0]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_cells_labels_and_headers_compare_however_their_letters_are_composed(form: str) -> None:
    other = {"NFC": "NFD", "NFD": "NFC"}[form]
    choices = [unicodedata.normalize(form, each) for each in ("Größer", "Kleiner", "Über  dem Strich")]
    survey = only(key="q", text=unicodedata.normalize(form, "Wie groß? Ähnlich"), kind="background", choices=choices)
    text = "wie groß?  ähnlich\r\nGRÖßER\r\nkleiner\r\nüber dem strich\r\n"
    send(survey, unicodedata.normalize(other, text).encode())
    named = {"questions": {"q": {"column": unicodedata.normalize(form, "Wie groß? Ähnlich")}}}
    send(survey, unicodedata.normalize(other, text).encode(), named)
    assert counts(survey) == [2, 2, 2, 0]
