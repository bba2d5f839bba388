"""Codes in a column of answers: nobody gets the answer beside their own, and no place becomes a meaning."""

import unicodedata
from importlib import import_module

import pytest
from django.apps import apps

from features.response_import import staging
from features.response_import.coding import EXTRA_CODES, OpenCodes
from features.response_import.tests.import_files import csv, problems, send, tally
from surveys.models import Batch, Import, Instrument, Piece, Survey
from surveys.site.errors import Invalid
from tests.factories.import_surveys import create_import_survey, create_one_question_survey

pytestmark = pytest.mark.django_db
SEX = {"kind": "background", "choices": ["Man", "Woman"], "key": "sex", "decline": True}
REGION = {
    "kind": "background",
    "choices": ["North", "East", "South", "West"],
    "key": "region",
    "decline": True,
}
SURE = {
    "kind": "scale",
    "choices": ["No", "Perhaps", "Yes"],
    "key": "sure",
    "design": "direct",
    "decline": True,
}
AGREES = SURE | {"parameters": {"epsilon": "1"}}
DRUGS = {
    "kind": "choice",
    "choices": ["Never", "Once", "Often"],
    "key": "drugs",
    "design": "direct",
    "decline": True,
}
TAKES = DRUGS | {"parameters": {"epsilon": "1"}}
TAX = {"kind": "yes-no", "key": "tax", "design": "warner", "parameters": {"p": "3/4"}}
NUMBERS = {"kind": "background", "choices": ["1", "2", "3+"], "key": "children", "decline": False}
MAN_OR_WOMAN = (
    "Choose what each of these codes means: “1” (120 rows), “2” (80 rows). The answers are 1 = Man, 2 = Woman, "
    "-99 = Prefer not to say. Under “texts”, give each code its answer, counted from 0 in this order, and under "
    "“missing” the codes that mean no answer."
)


def column(key: str, *cells: object) -> bytes:
    return csv(*[f"{number},{cell}" for number, cell in enumerate(cells)], header=f"id,{key}")


def counts(survey: Survey) -> list[int]:
    return next(iter(tally(survey)["counts"].values()))


def nothing_is_stored(survey: Survey) -> bool:
    return tally(survey) == {} and not Batch.objects.exists()


@pytest.mark.parametrize("size", [30, 10**6])
def test_codes_are_asked_for_with_their_counts_and_nothing_is_stored(size: int) -> None:
    survey, data = create_one_question_survey(**SEX), column("sex", *[1] * 120, *[2] * 80)
    with pytest.raises(OpenCodes) as raised:
        send(survey, data, size=size)
    assert raised.value.errors == {"questions.sex.texts": MAN_OR_WOMAN}
    assert raised.value.codes == {"sex": {"1": 120, "2": 80}}
    assert nothing_is_stored(survey)
    send(survey, data, {"questions": {"sex": {"texts": {"1": 0, "2": 1}}}}, size)
    assert counts(survey) == [120, 80, 0]


@pytest.mark.parametrize(("way", "cells"), [("codes", "0 1 1"), ("codes-from-1", "1 2 2")])
def test_how_codes_count_can_be_said_at_once(way: str, cells: str) -> None:
    survey = create_one_question_survey(**SEX)
    send(survey, column("sex", *cells.split()), {"questions": {"sex": {"as": way}}})
    assert counts(survey) == [1, 2, 0]


def test_a_bare_code_is_never_that_somebody_declined() -> None:
    survey, data = create_one_question_survey(**SEX), column("sex", *[1] * 120, *[2] * 80)
    no_code = [
        (number, "sex", "Choose what “2” means. It is not a code of this question.")
        for number in range(122, 172)
    ]
    as_codes = {"questions": {"sex": {"as": "codes"}}}
    assert problems(survey, data, as_codes) == no_code
    assert problems(survey, column("sex", 0, 1, 2), as_codes) == [(4, "sex", no_code[0][2])]
    from_1 = {"questions": {"sex": {"as": "codes-from-1"}}}
    assert problems(survey, column("sex", 1, 2, 3), from_1) == [
        (4, "sex", no_code[0][2].replace("2", "3"))
    ]
    assert problems(survey, column("sex", 1, 0, 2), from_1) == [
        (3, "sex", no_code[0][2].replace("2", "0"))
    ]
    assert nothing_is_stored(survey)
    send(
        survey, column("sex", 0, 1, 2), {"questions": {"sex": {"texts": {"0": 0, "1": 1, "2": 2}}}}
    )
    assert counts(survey) == [1, 1, 1]


@pytest.mark.parametrize(
    ("question", "cells", "expected"),
    [
        (SEX, "Man woman MAN", [2, 1, 0]),
        (TAX, "1 0", [1, 1]),
        (TAX, "0 0", [2, 0]),
        (TAX, "1.0 0.0", [1, 1]),
        (TAX, "y TRUE no", [1, 2]),
        (TAX, "y 1 0", [1, 2]),
        (NUMBERS, "1 2 3+", [1, 1, 1]),
        (NUMBERS, "1 2 1", [2, 1, 0]),
    ],
)
@pytest.mark.parametrize("size", [1000, 13])
def test_what_a_column_shows_is_taken_without_a_question(
    question: dict, cells: str, expected: list[int], size: int
) -> None:
    survey = create_one_question_survey(**question)
    send(survey, column(question["key"], *cells.split()), size=size)
    assert counts(survey) == expected


@pytest.mark.parametrize(
    ("question", "cells", "asked"),
    [
        (SEX, "1 2", {"1": 1, "2": 1}),
        (SEX, "2 2.0", {"2": 2}),
        (SEX, "0 1 1", {"0": 1, "1": 2}),
        (SEX, "0 0.0 1.0", {"0": 2, "1": 1}),
        (SEX, "Man Woman 1", {"1": 1}),
        (SEX, "1 2 Man", {"1": 1, "2": 1}),
        (SEX, "9", {"9": 1}),
        (SEX, "0 1 -9", {"-9": 1, "0": 1, "1": 1}),
        (SEX | {"decline": False}, "1 2", {"1": 1, "2": 1}),
        (REGION, "0 3 3 1", {"0": 1, "1": 1, "3": 2}),
        (REGION, "1 2 3", {"1": 1, "2": 1, "3": 1}),
        (AGREES, "0 1 2", {"0": 1, "1": 1, "2": 1}),
        (AGREES, "0 3 3", {"0": 1, "3": 2}),
        (TAKES, "3 1", {"1": 1, "3": 1}),
        (TAX, "1 2", {"1": 1, "2": 1}),
        (TAX, "1 1", {"1": 2}),
        (TAX, "0 1 2", {"0": 1, "1": 1, "2": 1}),
        (NUMBERS, "1 3", {"1": 1, "3": 1}),
        (NUMBERS, "2 0 1 1", {"0": 1, "1": 2, "2": 1}),
    ],
)
@pytest.mark.parametrize("size", [1000, 14])
def test_codes_without_a_meaning_are_asked_for_wherever_the_file_is_cut(
    question: dict, cells: str, asked: dict[str, int], size: int
) -> None:
    survey, key = create_one_question_survey(**question), question["key"]
    with pytest.raises(OpenCodes) as raised:
        send(survey, column(key, *cells.split()), size=size)
    assert list(raised.value.errors) == [f"questions.{key}.texts"]
    assert raised.value.codes == {key: asked}
    assert nothing_is_stored(survey)


@pytest.mark.parametrize(
    ("cells", "mapping", "message"),
    [
        ("0 1 Man", {"as": "codes"}, "“Man” is an answer, but this column is read as codes."),
        (
            "1 2 Man",
            {"as": "codes-from-1"},
            "“Man” is an answer, but this column is read as codes.",
        ),
        ("Man Woman 1", {"as": "labels"}, "“1” is a code, but this column is read as answers."),
        ("0 1 x", {"as": "codes"}, "“x” is not one of 0 (Man), 1 (Woman)."),
        ("1 2 x", {}, "“x” is not one of Man, Woman, Prefer not to say, or a code."),
        (
            "1 2 x",
            {"texts": {"1": 0, "2": 1}},
            "“x” is not one of Man, Woman, Prefer not to say, or a code.",
        ),
        ("a b 1", {"texts": {"a": 0, "b": 1}}, "“1” is not one of a, b."),
        (
            "0 1 -9",
            {"as": "codes"},
            "“-9” is not one of 0 (Man), 1 (Woman). If it means “no report”, list it under missing.",
        ),
    ],
)
@pytest.mark.parametrize("size", [1000, 30])
def test_what_fits_neither_is_a_problem_with_its_row(
    cells: str, mapping: dict, message: str, size: int
) -> None:
    survey = create_one_question_survey(**SEX)
    wrong = problems(
        survey, column("sex", *cells.split()), {"questions": {"sex": mapping}}, size=size
    )
    assert wrong == [(4, "sex", message)]
    assert nothing_is_stored(survey)


def test_a_code_that_comes_late_is_asked_for_and_shifts_no_other() -> None:
    survey, texts = create_one_question_survey(**REGION), {"1": 0, "2": 1, "3": 2}
    data = column("region", 1, 2, 3, "", 3, 0)
    for size in range(11, 40):
        with pytest.raises(OpenCodes) as raised:
            send(survey, data, {"questions": {"region": {"texts": texts}}}, size=size)
        assert "codes means: “0” (1 row). The" in raised.value.errors["questions.region.texts"]
        assert raised.value.codes == {"region": {"0": 1, "1": 1, "2": 1, "3": 2}}
        Import.objects.all().delete()
        send(survey, data, {"questions": {"region": {"texts": texts, "missing": ["0"]}}}, size=size)
        assert counts(survey) == [1, 1, 2, 0, 0]
        Batch.objects.all().delete()
        Instrument.objects.update(tally={})


def test_a_2_far_behind_the_1_and_0_of_a_yes_no_question_is_asked_for() -> None:
    survey, data = create_one_question_survey(**TAX), column("tax", *[0, 1] * 50, 2)
    with pytest.raises(OpenCodes) as raised:
        send(survey, data, size=100)
    assert raised.value.codes == {"tax": {"0": 50, "1": 50, "2": 1}}
    assert nothing_is_stored(survey)


def test_what_is_open_is_said_while_the_file_comes() -> None:
    survey = create_one_question_survey(**TAX)
    file = staging.begin(survey, survey.owner)
    file = staging.add(file, 1, column("tax", 1, 1))
    assert staging.codes_without_meaning(file) == {"tax": {"1": 2}}
    with pytest.raises(OpenCodes):
        staging.finish(file, 1, survey.owner)
    file = staging.add(file, 2, b"3,0\r\n")
    assert staging.codes_without_meaning(file) == {}
    assert file.mapping["questions"] == {"tax": {"column": "tax"}}
    assert staging.finish(file, 2, survey.owner).rows == 3
    assert counts(survey) == [1, 2]
    assert not Piece.objects.exists()


def test_words_keep_their_meaning_beside_codes_that_were_given_one() -> None:
    survey = create_one_question_survey(**SEX)
    data = column("sex", "Man", "woman", 7, 8)
    send(survey, data, {"questions": {"sex": {"texts": {"7.0": 1}, "missing": ["8"]}}})
    assert (counts(survey), tally(survey)["answered"]) == ([1, 2, 0], {"sex": 3})


def test_texts_that_are_words_stand_alone() -> None:
    """Whoever writes down the words of a file does not want a word of the survey to slip through."""
    survey = create_one_question_survey(**SEX)
    mapping = {"questions": {"sex": {"texts": {"m": 0, "f": 1, "9": 2}}}}
    assert problems(survey, column("sex", "m", "f", "Man"), mapping) == [
        (4, "sex", "“Man” is not one of m, f, 9.")
    ]
    send(survey, column("sex", "m", "f", 9), mapping)
    assert counts(survey) == [1, 1, 1]


def test_numbers_of_people_are_not_taken_for_codes() -> None:
    survey, numbers = create_one_question_survey(**SEX), range(3 + EXTRA_CODES + 1)
    for size in (50, 10**6):
        with pytest.raises(Invalid, match="“sex” has more than 103 different numbers") as raised:
            send(survey, column("sex", *numbers), size=size)
        assert list(raised.value.errors) == ["questions.sex.column"]
    with pytest.raises(OpenCodes, match=r"“7” \(1 row\), …\. The answers"):
        send(survey, column("sex", *numbers[:-1]))
    assert nothing_is_stored(survey)


@pytest.mark.parametrize(
    "missing", [{"missing": ["", "0"]}, {"questions": {"sex": {"missing": ["0"]}}}]
)
def test_a_0_that_stands_for_no_report_is_not_asked_for(missing: dict) -> None:
    with pytest.raises(OpenCodes) as raised:
        send(create_one_question_survey(**SEX), column("sex", 0, 1, 2), missing)
    assert raised.value.codes == {"sex": {"1": 1, "2": 1}}


@pytest.mark.parametrize("texts", [{"1": 0, "1.0": 1}, {"a": 0, "A": 1}])
def test_texts_that_are_the_same_are_refused(texts: dict[str, int]) -> None:
    survey = create_one_question_survey(**SEX)
    with pytest.raises(
        Invalid, match="Two texts differ only in capital letters, spaces or zeros after a point"
    ):
        staging.begin(survey, survey.owner, {"questions": {"sex": {"texts": texts}}})


@pytest.mark.parametrize("wrong", [17, 0, 100])
@pytest.mark.parametrize("size", [100, 10**6])
def test_one_number_out_of_bounds_is_an_error_with_its_row_and_makes_no_codes(
    wrong: int, size: int
) -> None:
    survey = create_import_survey()
    lines = [f"{number % 2},010,South,{18 + number % 58}" for number in range(199)]
    data = csv(*lines, f"1,010,North,{wrong}")
    assert problems(survey, data, size=size) == [
        (201, "age", f"“{wrong}” is not a whole number from 18 to 99.")
    ]
    assert nothing_is_stored(survey)
    send(survey, csv(*lines), size=size)
    ages = tally(survey)["counts"]["age"]
    assert sum((18 + code) * n for code, n in enumerate(ages)) == sum(
        18 + number % 58 for number in range(199)
    )


def test_numbers_are_codes_only_where_that_is_said() -> None:
    survey, data = create_import_survey(), csv("Yes,010,South,20", "No,010,South,40")
    for number, (mapping, codes) in enumerate(
        [
            (None, (2, 22)),
            ({"questions": {"age": {"as": "codes"}}}, (20, 40)),
            ({"version": 1}, (20, 40)),
        ]
    ):
        send(survey, data, mapping)
        ages = tally(survey)["counts"]["age"]
        assert sum(ages) == 2 * number + 2
        assert all(ages[code] for code in codes)
    with pytest.raises(Invalid) as raised:
        staging.begin(survey, survey.owner, {"questions": {"age": {"as": "codes-from-1"}}})
    assert raised.value.errors == {"questions.age.as": "This must be one of codes, labels."}


@pytest.mark.parametrize(
    ("migration", "delete"),
    [
        ("0031_import_codes", "begin_again"),
        ("0045_codes_are_asked_for", "delete_unfinished_imports"),
    ],
)
def test_what_an_earlier_program_began_to_read_is_begun_again(migration: str, delete: str) -> None:
    survey = create_one_question_survey(**TAX)
    done = send(survey, column("tax", 0, 1))
    staging.add(staging.begin(survey, survey.owner), 1, column("tax", 1, 2))
    getattr(import_module(f"surveys.migrations.{migration}"), delete)(apps, None)
    assert list(Import.objects.all()) == [done]
    assert counts(survey) == [1, 1]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_cells_labels_and_headers_compare_however_their_letters_are_composed(form: str) -> None:
    other = {"NFC": "NFD", "NFD": "NFC"}[form]
    choices = [
        unicodedata.normalize(form, each) for each in ("Größer", "Kleiner", "Über  dem Strich")
    ]
    survey = create_one_question_survey(
        key="q",
        text=unicodedata.normalize(form, "Wie groß? Ähnlich"),
        kind="background",
        choices=choices,
    )
    text = "wie groß?  ähnlich\r\nGRÖßER\r\nkleiner\r\nüber dem strich\r\n"
    send(survey, unicodedata.normalize(other, text).encode())
    named = {"questions": {"q": {"column": unicodedata.normalize(form, "Wie groß? Ähnlich")}}}
    send(survey, unicodedata.normalize(other, text).encode(), named)
    assert counts(survey) == [2, 2, 2, 0]
