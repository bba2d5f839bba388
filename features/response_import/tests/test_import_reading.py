"""Which column holds what, what the cells stand for, and each wrong cell by its row and column."""

import csv as quoting
import io
import re

import pytest
from hypothesis import given, settings, strategies as st

from features.response_import.messages import letters
from features.response_import.tests.import_files import GOOD, HEADER, ITEMS, added_up, csv, part
from mechanisms import SubsetSelection, TwoCoin, UnaryEncoding
from surveys.definition.instrument import QuestionDefinition
from surveys.site.errors import Invalid
from surveys.site.files.delimited import Broken
from tests.factories.import_surveys import FRUIT

NUMBERS = {"questions": {"age": {"as": "labels"}}}
COUNTS = {
    "n": 3,
    "counts": {
        "tax": [2, 1],
        "fruit": [1, 2, 1],
        "region": [1, 2],
        "age": [1 if number in (18, 30, 99) else 0 for number in range(18, 100)],
    },
}
OWN = {
    "questions": {
        "tax": {"column": "Q1", "texts": {"ja": 1, "Nein": 0}},
        "fruit": {"columns": ["B", "A", "C"], "texts": {"x": 1, "": 0}},
        "region": {"column": "Where?", "as": "labels"},
        "age": {"column": "How old", "as": "labels"},
    }
}
OWN_FILE = csv(
    "Ja;x;;;North;30", "nein;x;x;x;north;99", "NEIN;;;;South;18", header="Q1;A;B;C;Where?;How old"
)


def named(
    data: bytes, mapping: object = NUMBERS, items: tuple[QuestionDefinition, ...] = ITEMS
) -> list[tuple[int, str, str]]:
    """(row, column, message) of each problem."""
    return [(each.row, each.column, each.message) for each in part(data, mapping, items).problems]


@pytest.mark.parametrize(
    "data",
    [
        csv(),
        csv(*[row.replace(",", ";") for row in GOOD], header=HEADER.replace(",", ";")),
        csv(*[row.replace(",", "\t") for row in GOOD], header=HEADER.replace(",", "\t")),
        b"\xef\xbb\xbf" + csv(),
        csv().replace(b"\r\n", b"\n"),
        csv().replace(b"\r\n", b"\r"),
        csv().removesuffix(b"\r\n"),
        csv() + b"\r\n\r\n",
        csv() + b",,,\r\n,,,\r\n",
        csv(*[f'"{row}"'.replace(",", '","') for row in GOOD]),
        csv(*[row.replace(",", " , ") for row in GOOD]),
        csv(*[f"x,{row},y" for row in GOOD], header=f"id,{HEADER},more"),
        csv(*[",".join(reversed(row.split(","))) for row in GOOD], header="AGE, Region ,Fruit,TAX"),
        csv(
            *[re.sub(",(.)(.)(.),", r",\1,\2,\3,", row) for row in GOOD],
            header="tax,fruit/Apple,fruit/Pear,fruit/Plum,region,age",
        ),
        csv(
            *[re.sub(",(.)(.)(.),", r",\1,\2,\3,", row) for row in GOOD],
            header="tax,fruit: Apple,fruit: Pear,fruit: Plum,region,age",
        ),
        csv("Yes,010,North,30", "no,111,SOUTH,99", "NO,000,south,18"),
    ],
)
def test_files_as_programs_and_people_write_them(data: bytes) -> None:
    found = part(data)
    assert found.problems == []
    assert added_up(found) == COUNTS


def test_a_mapping_says_where_everything_stands_and_what_it_means() -> None:
    found = added_up(part(OWN_FILE, OWN))
    assert found["counts"] | {"age": 0} == {
        "tax": [2, 1],
        "fruit": [1, 2, 1],
        "region": [2, 1],
        "age": 0,
    }


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [
        ("maybe,010,North,30", "tax", "“maybe” is not one of No, Yes, or a code."),
        (
            ",010,North,30",
            "tax",
            "The cell is empty. Make a new version of this survey and prepare that.",
        ),
        (
            "1,10,North,30",
            "fruit",
            "“10” has 2 marks; there must be 3. Spreadsheets drop zeros at the start",
        ),
        ("1,0101,North,30", "fruit", "“0101” has 4 marks; there must be 3."),
        ("1,01x,North,30", "fruit", "“01x” is not a string of 3 marks 0 or 1."),
        ("1,,North,30", "fruit", "The cell is empty."),
        ("1,010,East,30", "region", "“East” is not one of North, South."),
        ("1,010,North,17", "age", "“17” is not a whole number from 18 to 99."),
        ("1,010,North,1e9", "age", "“1e9” is not a whole number"),
        ("1,010,North,30.5", "age", "“30.5” is not a whole number"),
        ("1,010,North,30.000", "age", "“30.000” is not a whole number"),
        (
            "NA,010,North,30",
            "tax",
            "“NA” is not one of No, Yes, or a code. Make a new version of this survey",
        ),
        ("1,010,North," + "9" * 100_000, "age", "9…” is not a whole number"),
        ("1,010,North", "", "The row has 3 cells; the first row of the file has 4."),
        ("1,010,North,30,5", "", "The row has 5 cells"),
        ("1", "", "The row has 1 cell;"),
        ("", "", "The row is empty. Delete it, or fill it in."),
        (",,,", "", "The row is empty."),
    ],
)
def test_a_wrong_cell_is_named_by_its_row_and_column(row: str, column: str, words: str) -> None:
    (found,) = named(csv(*GOOD, row, *GOOD))
    assert found[:2] == (5, column)
    assert words in found[2]


def test_a_cell_with_a_line_break_is_one_row_as_in_a_spreadsheet() -> None:
    data = csv('No,010,"No\r\nrth",30', "x,010,South,30", "Yes,010,South,30")
    assert [(row, column) for row, column, _ in named(data)] == [(2, "region"), (3, "tax")]


def test_fifty_problems_are_listed_in_the_order_of_the_file_and_all_are_counted() -> None:
    found = part(csv(*[f"x{number},0101,North,30" for number in range(7, 107)]), NUMBERS)
    assert [each.row for each in found.problems] == [row for row in range(2, 27) for _ in range(2)]
    assert [each.column for each in found.problems[:2]] == ["tax", "fruit"]
    assert found.found == 200


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (
            csv("Yes,South,99", header="tax,region,age"),
            "fruit.column",
            "Choose the column with the answers to",
        ),
        (
            csv("Yes,No,010,South,99", header="tax,tax,fruit,region,age"),
            "tax.column",
            "Two columns are named “tax”, A",
        ),
        (
            csv("1,010,North,30", "1,010,North,40"),
            "tax.texts",
            "Choose what each of these codes means: “1” (2 rows).",
        ),
    ],
)
def test_what_the_file_leaves_open_is_asked(data: bytes, place: str, words: str) -> None:
    with pytest.raises(Invalid) as raised:
        part(data)
    assert list(raised.value.errors) == [f"questions.{place}"]
    assert words in raised.value.errors[f"questions.{place}"]


@pytest.mark.parametrize(
    ("mapping", "place"),
    [
        ([], "mapping"),
        ({"seperator": ","}, "mapping"),
        ({"separator": "x"}, "separator"),
        ({"separator": [","]}, "separator"),
        ({"questions": {"tax": {"column": "a\0"}}}, "questions.tax.column"),
        ({"questions": {"tax": {"column": "\ud800"}}}, "questions.tax.column"),
        ({"questions": {"tax": {"texts": {"\0": 1}}}}, "questions.tax.texts"),
        ({"questions": []}, "questions"),
        ({"questions": {"nothing": {}}}, "questions.nothing"),
        ({"questions": {"tax": "Q1"}}, "questions.tax"),
        ({"questions": {"tax": {"columm": "Q1"}}}, "questions.tax"),
        ({"questions": {"tax": {"column": 1}}}, "questions.tax.column"),
        ({"questions": {"tax": {"columns": ["a", "b"]}}}, "questions.tax.columns"),
        ({"questions": {"fruit": {"columns": ["a", "b"]}}}, "questions.fruit.columns"),
        ({"questions": {"fruit": {"column": "a", "texts": {"x": 1}}}}, "questions.fruit.texts"),
        (
            {"questions": {"fruit": {"columns": ["a", "b", "c"], "texts": {"x": 2}}}},
            "questions.fruit.texts.x",
        ),
        ({"questions": {"tax": {"texts": {"x": 2}}}}, "questions.tax.texts.x"),
        ({"questions": {"tax": {"texts": {"x": True}}}}, "questions.tax.texts.x"),
        ({"questions": {"tax": {"texts": {"x": 1, "X ": 0}}}}, "questions.tax.texts"),
        ({"questions": {"tax": {"texts": {}}}}, "questions.tax.texts"),
        ({"questions": {"tax": {"as": "words"}}}, "questions.tax.as"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused_at_its_place(mapping: object, place: str) -> None:
    with pytest.raises(Invalid) as raised:
        part(csv(), mapping)
    assert list(raised.value.errors) == [place]


@pytest.mark.parametrize(
    ("questions", "place", "words"),
    [
        (
            {"tax": {"column": "Q1"}},
            "questions.tax.column",
            "The file has no column “Q1”. It has “tax”, “fruit”",
        ),
        (
            {"tax": {"column": "region"}},
            "questions.region.column",
            "“region” is already used for tax",
        ),
        (
            {"fruit": {"columns": ["tax", "tax", "age"]}},
            "questions.fruit.columns",
            "a different column for each choice",
        ),
    ],
)
def test_a_mapping_that_does_not_fit_the_file_is_refused_at_its_place(
    questions: dict, place: str, words: str
) -> None:
    with pytest.raises(Invalid, match=words) as raised:
        part(csv(), {"questions": questions})
    assert list(raised.value.errors) == [place]


def one(kind: str, choices: tuple[str, ...], mechanism: object = None) -> tuple[QuestionDefinition]:
    return (QuestionDefinition("q", kind, "Which?", "", choices, mechanism),)


def test_answers_that_are_called_by_numbers_are_answers_unless_a_codebook_could_mean_codes() -> (
    None
):
    items = one("background", ("1", "2", "3"))
    assert added_up(part(csv("1", "3", header="Q"), items=items), items)["counts"] == {
        "q": [1, 0, 1]
    }
    with pytest.raises(
        Invalid, match=r"Choose what each of these codes means: “0” \(1 row\), “1” \(1 row\)\."
    ):
        part(csv("1", "0", header="Q"), items=items)
    with pytest.raises(Invalid, match="what the cells contain") as raised:
        part(csv("1", "2", header="Q"), {"version": 2}, items)
    assert list(raised.value.errors) == ["questions.q.as"]
    as_codes = {"questions": {"q": {"as": "codes"}}}
    assert added_up(part(csv("1", "2", header="Q"), as_codes, items), items)["counts"] == {
        "q": [0, 1, 1]
    }


def test_a_subset_of_the_wrong_size_is_no_report() -> None:
    mechanism = SubsetSelection(6, 1)
    items, ones = one("choice", (*FRUIT, "d", "e", "f"), mechanism), mechanism.width
    right = "1" * ones + "0" * (6 - ones)
    message = f"6 choices are marked. The design of this question reports exactly {ones}."
    assert named(csv(right, "111111", header="q"), None, items) == [(3, "q", message)]
    spread = csv(",".join(right), "1,1,1,1,1,1", header="q.1,q.2,q.3,q.4,q.5,q.6")
    mapping = {"questions": {"q": {"columns": [f"q.{place}" for place in range(1, 7)]}}}
    assert named(spread, mapping, items) == [(3, "q.1", message)]


@pytest.mark.parametrize(
    ("p", "q", "right", "wrong"),
    [
        ("1/2", "0", ["010", "000"], ["011", "111"]),
        ("1", "1/4", ["010", "111"], ["000"]),
        ("1", "0", ["100"], ["110"]),
    ],
)
def test_a_report_that_the_design_never_gives_is_refused(
    p: str, q: str, right: list[str], wrong: list[str]
) -> None:
    items = one("choice", tuple(FRUIT), UnaryEncoding(3, p, q))
    found = named(csv(*right, *wrong, header="q"), None, items)
    assert [row for row, _, _ in found] == [len(right) + 2 + number for number in range(len(wrong))]


def test_rows_of_empty_cells_are_responses_where_empty_means_no_mark() -> None:
    items = one("any", tuple(FRUIT), UnaryEncoding(3, "3/4", "1/4", select="any"))
    mapping = {"questions": {"q": {"columns": ["a", "b", "c"], "texts": {"x": 1, "": 0}}}}
    found = part(csv("x,,", ",,", "x,x,x", ",,", header="a,b,c"), mapping, items)
    assert added_up(found, items) == {"n": 4, "counts": {"q": [2, 1, 1]}}


def test_three_hundred_columns_of_which_one_counts() -> None:
    items = one("yes-no", ("No", "Yes"), TwoCoin())
    header = ",".join(f"c{number}" for number in range(299)) + ",q"
    found = part(
        csv(*["x," * 299 + str(row % 2) for row in range(100)], header=header), None, items
    )
    assert added_up(found, items) == {"n": 100, "counts": {"q": [50, 50]}}


def test_what_our_own_file_for_spreadsheets_defuses_is_read_again() -> None:
    items = one("background", ("=1+1", "+ more", "-3"))
    found = part(csv("'=1+1", "'+ more", "-3", header="q"), None, items)
    assert added_up(found, items)["counts"] == {"q": [1, 1, 1]}


@pytest.mark.parametrize(
    ("data", "row", "words"),
    [
        (b"", None, "The file is empty."),
        (b"\r\n", 1, "The first row must have the names"),
        (b",,\r\n1,2,3\r\n", 1, "The first row must have the names of the columns. It is empty."),
        (b"x," * 6000 + b"\r\n1\r\n", 1, "The file has 6,001 columns."),
        (
            b"\xd0\xcf\x11\xe0 and so on",
            None,
            "This is a workbook, but it can’t be read to the end.",
        ),
        (b"$FL2@(#) SPSS", None, "This is an SPSS file, but it can’t be read to the end."),
    ],
)
def test_a_file_that_cannot_be_read_says_why(data: bytes, row: int | None, words: str) -> None:
    with pytest.raises(Broken) as raised:
        part(data)
    assert words in str(raised.value)
    assert raised.value.row == row


CELLS = [
    "0",
    "1",
    "2",
    "",
    " 1 ",
    "No",
    "YES",
    "010",
    "111",
    "0101",
    "01x",
    "18",
    "99",
    "100",
    "n\no",
    'a"b',
    "a,b",
    "é",
    "30",
]
ROWS = st.lists(st.lists(st.sampled_from(CELLS), min_size=1, max_size=5), min_size=1, max_size=8)


def is_good(row: list[str]) -> bool:
    """The rules once more, cell by cell."""
    if len(row) != 4:
        return False
    tax, fruit, region, age = map(str.strip, row)
    marks = len(fruit) == 3 and set(fruit) <= {"0", "1"}
    return tax in ("0", "1") and marks and region in ("0", "1") and age in map(str, range(18, 100))


@given(ROWS, st.sampled_from([quoting.QUOTE_ALL, quoting.QUOTE_MINIMAL]))
@settings(max_examples=300, deadline=None)
def test_exactly_the_wrong_rows_are_found_wherever_they_stand(
    rows: list[list[str]], how: int
) -> None:
    out = io.StringIO()
    quoting.writer(out, quoting=how).writerows([HEADER.split(","), *rows, ["1", "010", "0", "30"]])
    found = part(
        out.getvalue().encode(), {"questions": {key: {"as": "codes"} for key in ("tax", "region")}}
    )
    expected = [number for number, row in enumerate(rows, 2) if not is_good(row)]
    assert sorted({each.row for each in found.problems}) == expected
    assert found.n == sum(len(row) == 4 and any(map(str.strip, row)) for row in rows) + 1


@pytest.mark.parametrize(
    ("place", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")]
)
def test_columns_are_named_as_in_a_spreadsheet(place: int, name: str) -> None:
    assert letters(place) == name


PIE = {"questions": {"tax": {"column": "Did you eat pie?"}, "age": {"column": "How old are you?"}}}


@pytest.mark.parametrize(
    "header",
    [
        "Did you eat pie?,fruit,region,How old are you?",
        "did you eat  PIE?,fruit,region,HOW OLD ARE YOU?",
    ],
)
@pytest.mark.parametrize("titles", [[], ["A study of pies,,,", "tax,,,"]])
def test_a_cell_that_equals_a_variable_name_is_no_header_where_the_mapping_names_the_columns(
    header: str, titles: list[str]
) -> None:
    """A respondent wrote “tax”, which is the key of a question, and one wrote the name of one column."""
    items = tuple(item for item in ITEMS if item.key in ("tax", "age"))
    data = csv(
        header,
        "Yes,tax,0,30",
        "No,region,1,18",
        "No,Did you eat pie?,1,18",
        header="\r\n".join(titles),
    )
    data = data.removeprefix(b"\r\n")
    taken = part(data, PIE, items)
    assert (taken.problems, taken.n) == ([], 3)
    assert added_up(taken, items)["counts"]["tax"] == [2, 1]


def test_a_mapping_with_one_wrong_name_is_told_the_names_of_the_row_that_has_the_others() -> None:
    mapping = {"questions": PIE["questions"] | {"fruit": {"column": "Froot"}}}
    with pytest.raises(Invalid) as raised:
        part(
            csv(
                "Did you eat pie?,Fruit,How old are you?", "Yes,tax,30", header="A study of pies,,"
            ),
            mapping,
        )
    message = raised.value.errors["questions.fruit.column"]
    assert message.startswith("The file has no column “Froot”. It has “Did you eat pie?”")
