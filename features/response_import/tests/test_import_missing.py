"""Answers as programs write them, and what stands for no report."""

from dataclasses import replace

import pytest

from features.response_import.mapping import OLDER
from features.response_import.reader import Part
from features.response_import.tests.import_files import ITEMS, PAPER, added_up, csv, part as part_of
from mechanisms import ForcedResponse, SubsetSelection, UnaryEncoding
from surveys.definition.instrument import QuestionDefinition
from surveys.fieldwork.responses.records import MASK, decode, record_dtype, wire_reports
from surveys.site.errors import Invalid
from tests.factories.import_surveys import FRUIT

YES_NO = QuestionDefinition(
    "q", "yes-no", "Which?", "", ("No", "Yes"), ForcedResponse("2/3", "1/6", "1/6")
)
AGE = QuestionDefinition("q", "number", "Age?", "", tuple(map(str, range(18, 100))), None)
REGION = QuestionDefinition("q", "background", "Where?", "", ("North", "South", "NA"), None)
MARKS = QuestionDefinition(
    "q", "any", "Which?", "", tuple(FRUIT), UnaryEncoding(3, "3/4", "1/4", select="any")
)
SUBSET = QuestionDefinition(
    "q", "choice", "Which?", "", (*FRUIT, "d", "e", "f"), SubsetSelection(6, 1)
)
LABELS = {"questions": {"q": {"as": "labels"}}}


def part(data: bytes, mapping: object = None, item: QuestionDefinition = YES_NO) -> Part:
    return part_of(data, mapping, (item,), nonresponse=True)


def read(
    item: QuestionDefinition, *cells: str, mapping: object = None, header: str = "id,q"
) -> list:
    """The reports to one question, None for none, of a file that has these cells below each other."""
    found = part(
        csv(*[f"{number},{cell}" for number, cell in enumerate(cells)], header=header),
        mapping,
        item,
    )
    assert found.problems == []
    frozen = part_frozen(item)
    return wire_reports(frozen, decode(frozen, found.records), item)


def part_frozen(item: QuestionDefinition):
    return replace(PAPER, items=(item,), nonresponse=True)


def wrong(item: QuestionDefinition, *cells: str, mapping: object = None) -> list[tuple]:
    found = part(
        csv(*[f"{number},{cell}" for number, cell in enumerate(cells)], header="id,q"),
        mapping,
        item,
    )
    return [(each.row, each.column, each.message) for each in found.problems]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("1", "0", ""), [1, 0, None]),
        (("1.0", "0.0", "NaN"), [1, 0, None]),  # a pandas column that ever had a NaN
        (('"1,0"', '"0,00"', "."), [1, 0, None]),  # decimal commas; Stata's point
        (("True", "False", "NA"), [1, 0, None]),
        (("TRUE", "FALSE", "#N/A"), [1, 0, None]),
        (("y", "n", "N/A"), [1, 0, None]),
        (("Yes", "no", "null"), [1, 0, None]),
        ((" Y ", "No", " na "), [1, 0, None]),
        (("<NA>", "1", "0"), [None, 1, 0]),
    ],
)
def test_yes_and_no_as_programs_and_people_write_them(
    cells: tuple[str, ...], expected: list
) -> None:
    assert read(YES_NO, *cells) == expected


def test_a_yes_of_another_language_and_an_english_one_are_the_same() -> None:
    german = QuestionDefinition(
        "q", "yes-no", "Was?", "", ("Nein", "Ja"), ForcedResponse("2/3", "1/6", "1/6")
    )
    assert read(german, "ja", "nein", "y", "n", "TRUE") == [1, 0, 1, 0, 1]


def test_numbers_with_a_decimal_part_of_nothing_are_whole_ones() -> None:
    assert read(AGE, "18.0", '"30,0"', "99", "NA", mapping=LABELS) == [0, 12, 81, None]
    assert read(AGE, "18.0", "99.0", "") == [0, 81, None]  # ages beyond the codes say which it is


@pytest.mark.parametrize("cell", ["1.5", "1.000", "1e0", "1.", "yes!", "-1.5"])
def test_what_only_looks_like_an_answer_is_none(cell: str) -> None:
    assert [row for row, _, _ in wrong(YES_NO, "0", cell)] == [3]


def test_an_answer_that_is_called_like_nothing_is_an_answer() -> None:
    assert read(REGION, "NA", "North", "") == [2, 0, None]


def test_codes_that_the_author_names_stand_for_no_report() -> None:
    assert read(YES_NO, "1", "-99", "0", "-98.0", mapping={"missing": ["-99", "-98"]}) == [
        1,
        None,
        0,
        None,
    ]
    assert read(YES_NO, "Yes", "-99", "refused", mapping={"missing": ["-99", "Refused"]}) == [
        1,
        None,
        None,
    ]
    here = {"questions": {"q": {"missing": ["9"]}}}
    assert read(YES_NO, "0", "9", "", mapping=here) == [0, None, None]  # besides those of the file


def test_what_the_author_names_takes_the_place_of_what_programs_write() -> None:
    ((row, column, message),) = wrong(YES_NO, "Yes", "NA", "-99", mapping={"missing": ["-99"]})
    assert (row, column) == (3, "q")
    assert message == "“NA” is not one of No, Yes. If it means “no report”, list it under missing."


@pytest.mark.parametrize("cell", ["-99", "-1", "-9.0"])
def test_a_code_that_nobody_named_is_asked_for(cell: str) -> None:
    with pytest.raises(Invalid) as raised:
        read(YES_NO, "1", "0", cell)
    assert list(raised.value.errors) == ["questions.q.texts"]
    assert f"“{cell.removesuffix('.0')}” (1 row), “0” (1 row), “1” (1 row)." in str(raised.value)
    here = {"questions": {"q": {"missing": [cell]}}}
    assert read(YES_NO, "1", "0", cell, mapping=here) == [1, 0, None]


def test_an_empty_cell_is_wrong_where_the_author_says_so() -> None:
    ((row, _, message),) = wrong(YES_NO, "1", "", mapping={"missing": []})
    assert row == 3
    assert message.endswith("If the person gave none, choose that empty cells mean “no report”.")


def test_a_code_that_is_an_answer_cannot_be_named_for_the_whole_file() -> None:
    with pytest.raises(Invalid) as raised:
        part(csv("30", "99", header="q"), LABELS | {"missing": ["99"]}, AGE)
    assert raised.value.errors == {
        "questions.q.missing": "“99” is an answer here, so it can’t mean “no report” too. Set it only for "
        "questions where it is not an answer."
    }
    here = {"questions": {"q": {"as": "labels", "missing": ["99"]}}}
    assert read(AGE, "30", "99", "98", mapping=here) == [12, None, 80]
    with pytest.raises(Invalid) as raised:
        part(
            csv("x", header="q"),
            {"questions": {"q": {"texts": {"x": 1, "o": 0}, "missing": ["X"]}}},
        )
    assert list(raised.value.errors) == ["questions.q.missing"]


@pytest.mark.parametrize("missing", ["NA", {"NA": 1}, [1], ["a\0"], ["x"] * 101])
def test_a_list_that_is_none_is_refused_at_its_place(missing: object) -> None:
    for mapping, place in (
        ({"missing": missing}, "missing"),
        ({"questions": {"q": {"missing": missing}}}, "questions.q.missing"),
    ):
        with pytest.raises(Invalid) as raised:
            part(csv("1", header="q"), mapping)
        assert list(raised.value.errors) == [place]


def test_a_survey_prepared_before_takes_no_missing_reports_and_says_what_to_do() -> None:
    found = part_of(csv("1,1", "2,NA", "3,-9", "4,", header="id,q"), None, (YES_NO,))
    assert [each.row for each in found.problems] == [3, 5]
    assert all(each.message.endswith(OLDER) for each in found.problems)
    with pytest.raises(Invalid) as raised:
        part_of(csv("1", header="q"), {"missing": ["NA"]}, (YES_NO,))
    assert raised.value.errors == {"missing": OLDER}
    assert part_of(csv("No", "True", header="q"), None, (YES_NO,)).problems == []
    assert record_dtype(PAPER).names == tuple(item.key for item in ITEMS)


def test_marks_are_all_there_or_none_is() -> None:
    spread = "id,q.1,q.2,q.3"
    mapping = {"questions": {"q": {"columns": ["q.1", "q.2", "q.3"]}}}
    rows = csv("1,1,0,1", "2,NA,NA,NA", "3,,,", "4,True,n,0.0", header=spread)
    found = part(rows, mapping, item=MARKS)
    assert found.problems == []
    assert added_up(found, (MARKS,), nonresponse=True) == {
        "n": 4,
        "counts": {"q": [2, 0, 1]},
        "answered": {"q": 2},
    }
    half = part(csv("1,1,0,1", "2,1,,1", header=spread), mapping, item=MARKS)
    assert [(each.row, each.column) for each in half.problems] == [(3, "q.2")]
    assert "A report has all of them, or none." in half.problems[0].message


def test_empty_cells_are_no_mark_where_the_author_says_so() -> None:
    mapping = {"questions": {"q": {"columns": ["a", "b", "c"], "texts": {"x": 1, "": 0}}}}
    found = part(csv("x,,", ",,", "NA,NA,NA", header="a,b,c"), mapping, MARKS)
    assert added_up(found, (MARKS,), nonresponse=True) == {
        "n": 3,
        "counts": {"q": [1, 0, 0]},
        "answered": {"q": 2},
    }


def test_a_missing_string_is_no_string_of_zeros() -> None:
    right = "1" * SUBSET.mechanism.width + "0" * (6 - SUBSET.mechanism.width)
    assert read(SUBSET, right, "NA", "", "-99", mapping={"missing": ["NA", "", "-99"]}) == [
        right,
        None,
        None,
        None,
    ]
    assert read(MARKS, "010", ".", "000") == ["010", None, "000"]


def test_what_is_missing_is_stored_as_zeros_under_a_mask_in_the_order_of_the_questions() -> None:
    rows = ["1,010,North,18", "NA,010,South,NA", "0,NA,NA,99", "NA,NA,NA,NA"]
    found = part_of(
        csv(*[f"{row},x" for row in rows], header="tax,fruit,region,age,id"), nonresponse=True
    )
    frozen = replace(PAPER, nonresponse=True)
    stored = decode(frozen, found.records)
    assert stored[MASK].tolist() == [[0b0000 << 4], [0b1001 << 4], [0b0110 << 4], [0b1111 << 4]]
    assert stored[3].tobytes() == bytes([0, 0, 0, 0, 0xF0])
    assert found.missing == {"tax": 2, "fruit": 2, "region": 2, "age": 2}
    assert added_up(found, nonresponse=True)["answered"] == dict.fromkeys(
        ("tax", "fruit", "region", "age"), 2
    )


@pytest.mark.parametrize("rows", [['""'], ["NA"]])
def test_in_a_file_of_one_column_an_empty_line_is_no_respondent(rows: list[str]) -> None:
    found = part(csv("1", *rows, "0", "", "", header="q"))
    assert (found.n, found.problems, found.missing) == (3, [], {"q": 1})
    assert [each.row for each in part(csv("1", "", "0", header="q")).problems] == [3]


def test_a_row_of_empty_cells_is_somebody_without_a_report_if_such_rows_count() -> None:
    found = part(csv("1,1", ",", "2,0", ",", ",", header="id,q"))
    assert (found.n, found.problems, found.missing) == (5, [], {"q": 3})
    assert [each.row for each in part(csv("1,1", "", "2,0", header="id,q")).problems] == [3]
    assert part_of(csv("1,1", ",", "2,0", header="id,q"), None, (YES_NO,)).problems[0].row == 3


def test_rows_that_a_spreadsheet_left_empty_below_are_left_out() -> None:
    found = part_of(
        csv("1,0", "2,1", ",", ",", header="id,q"), {}, (YES_NO,), nonresponse=True, leaves_out=True
    )
    assert (found.n, found.problems, found.missing, found.left_out) == (2, [], {}, 2)
