"""Multiple choice in files: a column for each answer, one cell for all answers, and what is asked or refused."""

import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from features.response_import.multiple import Answers
from features.response_import.preview import look
from features.response_import.tests.import_files import PAPER, added_up, csv, part
from features.response_import.tests.import_questions import multiple, yes_no
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.values import AnswerValues
from surveys.fieldwork.responses.records import decode, wire_reports
from surveys.site.errors import Invalid

FILES = Path(__file__).parent / "files"
FRUIT = multiple("fruit", "Which fruit?", "Apple", "Pear", "Plum")
USED = multiple("Q2", "Which did you use?", "Bus", "Bicycle")
READ = multiple(
    "read", "Which of these did you read this week?", "Newspaper", "Novel", "None of the above"
)


def marks_of(data: bytes, item: QuestionDefinition, mapping: object = None) -> list[int]:
    taken = part(data, mapping, (item,), nonresponse=True)
    assert taken.problems == []
    return added_up(taken, (item,), nonresponse=True)["counts"][item.key][: item.size]


def open_questions(data: bytes, item: QuestionDefinition) -> dict[str, str]:
    with pytest.raises(Invalid) as raised:
        part(data, items=(item,), nonresponse=True)
    return raised.value.errors


def csv_table(names: list[str], *rows: str) -> bytes:
    header = ",".join(f'"{name}"' for name in names)
    return csv(*rows, header=header)


@pytest.mark.parametrize("question", ["fruit", "Which fruit?"])
@pytest.mark.parametrize(
    "spelling",
    [
        "{}/{}",
        "{}.{}",
        "{}: {}",
        "{}[{}]",
        "{} [{}]",
        "{}___{}",
        "{}_{}",
        "{} {}",
        "{} (choice={})",
    ],
)
def test_columns_are_found_in_each_spelling(question: str, spelling: str) -> None:
    names = [spelling.format(question, choice) for choice in FRUIT.choices]

    assert marks_of(csv_table(names, "1,0,0", "0,1,1", "1,0,0"), FRUIT) == [2, 1, 1]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["1,0,0", "1,1,0"], [2, 1, 0]),
        (["TRUE,FALSE,FALSE", "true,true,false"], [2, 1, 0]),
        (["yes,no,no", "Yes,Yes,No"], [2, 1, 0]),
        (["x,,", "X,X,"], [2, 1, 0]),
        (["✓,,", "✓,✓,"], [2, 1, 0]),
        (["Apple,,", "apple,Pear,"], [2, 1, 0]),
        (["Checked,Unchecked,Unchecked", "Checked,Checked,Unchecked"], [2, 1, 0]),
    ],
)
def test_marks_are_read_as_programs_write_them(rows: list[str], expected: list[int]) -> None:
    assert marks_of(csv(*rows, header="fruit/Apple,fruit/Pear,fruit/Plum"), FRUIT) == expected


def test_a_spelling_that_lacks_an_answer_does_not_count() -> None:
    errors = open_questions(csv("1,0", header="fruit/Apple,fruit/Pear"), FRUIT)

    assert list(errors) == ["questions.fruit.columns"]


def test_numbered_columns_are_asked() -> None:
    errors = open_questions(csv("1,0,0", header="fruit_1,fruit_2,fruit_3"), FRUIT)

    message = "“fruit_1”, “fruit_2”, “fruit_3”: choose which column is which answer."
    assert errors == {"questions.fruit.columns": message}


def test_numbered_columns_that_the_mapping_names_are_taken() -> None:
    mapping = {"questions": {"fruit": {"columns": ["fruit_3", "fruit_1", "fruit_2"]}}}

    assert marks_of(csv("1,0,0", header="fruit_1,fruit_2,fruit_3"), FRUIT, mapping) == [0, 1, 0]


def test_answers_in_the_cells_prove_the_match_of_numbered_columns() -> None:
    data = (FILES / "qualtrics_three_rows.csv").read_bytes()

    assert marks_of(data, USED) == [30, 12]


def test_answers_of_another_column_prove_nothing() -> None:
    errors = open_questions(csv("Bicycle,", ",Bus", header="Q2_1,Q2_2"), USED)

    assert list(errors) == ["questions.Q2.columns"]


def test_surveymonkey_comes_in_as_it_is() -> None:
    data = (FILES / "surveymonkey_two_rows.csv").read_bytes()
    coffee = yes_no("coffee", "Do you drink coffee?")

    taken = part(data, items=(coffee, READ), nonresponse=True)

    assert (taken.n, taken.problems) == (50, [])
    tally = added_up(taken, (coffee, READ), nonresponse=True)["counts"]
    assert tally["coffee"][1] == 37
    assert tally["read"][:3] == [25, 8, 21]


@pytest.mark.parametrize("separator", [",", ", ", ";", "; ", "|", " | "])
def test_one_cell_for_all_answers_is_split(separator: str) -> None:
    cells = [separator.join(answers) for answers in (["Apple", "Plum"], ["Pear"], ["plum", "Pear"])]
    data = "\n".join(["id\tfruit", *(f"1\t{cell}" for cell in cells)]).encode()

    assert marks_of(data, FRUIT) == [1, 2, 2]


def test_an_empty_cell_among_lists_is_no_report() -> None:
    taken = part(csv('1,"Apple, Pear"', "2,", header="id,fruit"), None, (FRUIT,), nonresponse=True)

    assert (taken.n, taken.missing) == (2, {"fruit": 1})


def test_a_separator_in_an_answer_does_no_harm_if_cells_have_one_reading() -> None:
    item = multiple("food", "Which?", "Bread, butter", "Soup", "Salt")
    rows = ['1,"Bread, butter, Soup"', "2,Salt", '3,"Soup, Bread, butter"']

    assert marks_of(csv(*rows, header="id,food"), item) == [2, 2, 1]


def test_a_cell_with_two_readings_is_refused_by_name() -> None:
    item = multiple("food", "Which?", "Bread", "butter", "Bread, butter")

    errors = open_questions(csv('1,"Bread, butter"', header="id,food"), item)

    message = "“Bread, butter” can be one answer or two. Export one column for each answer."
    assert errors == {"questions.food.column": message}


def test_if_the_file_has_both_forms_the_columns_are_used() -> None:
    header = "fruit,fruit/Apple,fruit/Pear,fruit/Plum"

    assert marks_of(csv('"Plum",1,0,0', header=header), FRUIT) == [1, 0, 0]


def test_the_mapping_keeps_the_separator_and_the_crosses_for_later_parts() -> None:
    frozen = replace(PAPER, items=(FRUIT,), nonresponse=True)
    lists, _, _ = look(frozen, None, b"id;fruit\n1;Apple,Pear\n")
    crosses, _, _ = look(frozen, None, b"fruit/Apple,fruit/Pear,fruit/Plum\nx,,\n")

    assert lists.asked()["questions"]["fruit"] == {"column": "fruit", "split": ","}
    assert crosses.asked()["questions"]["fruit"]["as"] == "crosses"
    assert look(frozen, lists.asked(), b"id;fruit\n1;Plum\n")[0].columns[0].split == ","
    later = look(frozen, crosses.asked(), b"fruit/Apple,fruit/Pear,fruit/Plum\n1,,\n")[0]
    assert later.columns[0].way == "crosses"


def test_a_thousand_lists_are_read_as_written_or_refused() -> None:
    """Answers hold the separators themselves, so that some cells can be read in several ways."""
    chance = random.Random(3)
    words = ["bread", "butter", "salt", "oil"]
    n_read = 0
    refusals = []
    for _ in range(1000):
        separator = chance.choice([",", ";", "|"])
        joined = [separator.join(pair) for pair in combinations(words, 2)]
        choices = chance.sample(words + joined, k=chance.randint(2, 6))
        item = multiple("food", "Which?", *choices)
        rows = [
            chance.sample(range(len(choices)), k=chance.randint(1, len(choices))) for _ in range(4)
        ]
        cells = [_joined(choices, row, separator) for row in rows]
        data = "\n".join(["id\tfood", *(f"1\t{cell}" for cell in cells)]).encode()

        try:
            taken = part(data, {"separator": "\t"}, (item,), nonresponse=True)
        except Invalid as refused:
            refusals.append((item, separator, cells, str(refused)))
            continue

        assert taken.problems == []
        expected = [_mark_string(row, len(choices)) for row in rows]
        assert _reports(taken.records, item) == expected
        n_read += 1
    assert n_read > 300
    assert len(refusals) > 100
    for item, separator, cells, message in refusals:
        assert "can be one answer or two" in message
        assert any(len(Answers(item).readings(cell, separator)) > 1 for cell in cells)


def _joined(choices: list[str], codes: list[int], separator: str) -> str:
    return separator.join(choices[code] for code in codes)


def _mark_string(codes: list[int], size: int) -> str:
    return "".join("01"[code in codes] for code in range(size))


def _reports(records: bytes, item: QuestionDefinition) -> list[str]:
    frozen = replace(PAPER, items=(item,), nonresponse=True)
    return [str(report) for report in wire_reports(frozen, decode(frozen, records), item)]


def with_values(*values: str) -> QuestionDefinition:
    return replace(FRUIT, values=AnswerValues(values, are_written=True))


def test_written_values_name_columns_and_separate_by_spaces() -> None:
    item = with_values("a", "p", "77")
    columns = csv("1,0,0", "0,1,1", header="fruit___a,fruit___p,fruit___77")
    cells = csv("1,a 77", "2,p", header="id,fruit")

    assert marks_of(columns, item) == [1, 1, 1]
    assert marks_of(cells, item) == [1, 1, 1]


def test_a_value_that_is_a_string_of_marks_too_is_refused() -> None:
    item = replace(USED, values=AnswerValues(("10", "11"), are_written=True))

    message = open_questions(csv("1,10", "2,11", header="id,Q2"), item)["questions.Q2.column"]

    assert message == (
        "“10” can be an answer or a string of marks. Export one column for each answer."
    )


def test_a_value_that_is_the_label_of_another_answer_is_no_answer_in_a_list() -> None:
    item = with_values("Pear", "Apple", "Plum")

    taken = part(csv("1,Pear;Plum", "2,Plum", header="id,fruit"), items=(item,), nonresponse=True)

    assert [each.row for each in taken.problems] == [2, 3]
