"""Where the data of a file begin: below the names, and below what survey programs write under them."""

from dataclasses import replace
from pathlib import Path

import pytest

from features.response_import.preview import look
from features.response_import.tests.import_files import PAPER, added_up, csv, part
from features.response_import.tests.import_questions import background_question, number, yes_no
from surveys.site.errors import Invalid
from surveys.site.files.delimited import Broken
from surveys.site.files.layout import Layout
from surveys.site.files.sizes import TableLimits
from surveys.site.files.table import Table, read_first_part

FILES = Path(__file__).parent / "files"
LIMITS = TableLimits(rows=1000, cells=10**6, text=10**6, rows_remedy="", remedy="")
QUALTRICS = (yes_no("Q1"), number("Q3", 0, 90))


def read_table(data: bytes, **layout: int) -> Table:
    return read_first_part(
        data, Layout(**layout), lambda names: 0, LIMITS, last=True, holds_responses=True
    )


class TestQualtrics:
    data = (FILES / "qualtrics_three_rows.csv").read_bytes()

    def test_data_start_after_the_identifiers(self) -> None:
        taken = part(self.data, items=QUALTRICS)

        assert (taken.n, taken.problems) == (60, [])
        assert added_up(taken, QUALTRICS)["counts"]["Q1"] == [40, 20]

    def test_the_table_names_the_program_and_keeps_the_texts(self) -> None:
        table = read_table(self.data)

        assert (table.program, table.layout.first) == ("Qualtrics", 4)
        assert table.hints["Q1"] == "Did you skip a class this month?"

    def test_wrong_cells_are_named_by_the_row_of_the_file(self) -> None:
        data = self.data + b"2026-05-01 10:00:00,R_000060,maybe,,Bus,0\n"

        taken = part(data, items=QUALTRICS)

        assert [(each.row, each.column) for each in taken.problems] == [(64, "Q1")]

    def test_a_mapping_can_say_that_data_start_elsewhere(self) -> None:
        mapping = {"header": 1, "first": 5}

        assert part(self.data, mapping, QUALTRICS).n == 59

    def test_identifiers_further_down_are_data(self) -> None:
        rows = ["1"] * 6 + ['"{""ImportId"":""a""}"']

        assert read_table(csv(*rows, header="Q1")).program == ""


class TestSurveyMonkey:
    data = (FILES / "surveymonkey_two_rows.csv").read_bytes()

    def test_columns_are_named_after_question_and_answer(self) -> None:
        table = read_table(self.data)

        assert (table.program, table.layout.first, len(table.cells)) == ("SurveyMonkey", 3, 50)
        assert table.names == [
            "Respondent ID",
            "Do you drink coffee?",
            "Which of these did you read this week?: Newspaper",
            "Which of these did you read this week?: Novel",
            "Which of these did you read this week?: None of the above",
        ]

    def test_a_question_with_one_column_keeps_its_text(self) -> None:
        coffee = (yes_no("coffee", "Do you drink coffee?"),)

        taken = part(self.data, items=coffee)

        assert added_up(taken, coffee)["counts"]["coffee"] == [13, 37]

    @pytest.mark.parametrize(
        "data",
        [
            b"id,a,\n1,x,y\n",  # The second row begins with a text, so it is data.
            b"id,a,\n,Response,\n",  # A column has neither a name nor an answer.
            b",a,b\n,x,y\n",  # The first column has no name, as the index of pandas.
        ],
    )
    def test_other_columns_without_names_are_no_answers(self, data: bytes) -> None:
        assert read_table(data).program == ""


@pytest.mark.parametrize("first", [1, "2", 0, 5000])
def test_a_first_row_that_is_no_number_below_the_names_is_refused(first: object) -> None:
    with pytest.raises(Invalid) as raised:
        part(csv("1", "0", header="q"), {"header": 1, "first": first}, (yes_no("q"),))

    assert list(raised.value.errors) == ["first"]


def test_titles_between_the_names_and_the_data_are_left_out() -> None:
    data = csv("(choose one)", "", "1", "0", header="q")

    assert part(data, {"first": 4}, (yes_no("q"),)).n == 2


class TestNames:
    pie = background_question("pie", "What did you eat last?", "Bread", "Soup", "pie")
    like = yes_no("like", "Do you like it?")
    data = (FILES / "cell_like_a_name.csv").read_bytes()

    def test_a_cell_that_equals_a_variable_name_is_no_header(self) -> None:
        mapping = {"questions": {"pie": {"column": "What did you eat last?"}}}
        items = (self.pie, self.like)

        taken = part(self.data, mapping, items)

        assert (taken.n, taken.problems) == (30, [])
        assert added_up(taken, items)["counts"]["pie"] == [15, 14, 1]

    def test_it_is_none_either_where_no_name_is_known(self) -> None:
        frozen_items = (background_question("pie", "Another question?", "Bread", "Soup", "pie"),)

        with pytest.raises(Invalid) as raised:
            part(self.data, items=frozen_items)

        assert list(raised.value.errors) == ["questions.pie.column"]

    def test_the_header_is_the_first_row_that_has_all_names_of_the_mapping(self) -> None:
        data = csv("One,x", "One,Two", "1,0", "One,Two", header="A study,")
        mapping = {"questions": {"a": {"column": "One"}, "b": {"column": "Two"}}}

        plan, cells, _ = look(
            replace(PAPER, items=(yes_no("a"), yes_no("b"))), mapping, data, last=True
        )

        assert (plan.layout.header, len(cells)) == (3, 2)


class TestUnquotedText:
    data = (FILES / "unquoted.tsv").read_bytes()
    items = (
        yes_no("voted", "Did you vote?"),
        background_question("size", "Which size is your screen?", 'more than 13"', '13" or less'),
    )

    def test_quotation_marks_are_letters_where_tabs_separate_the_cells(self) -> None:
        taken = part(self.data, items=self.items)

        assert (taken.n, taken.problems) == (40, [])
        counts = added_up(taken, self.items)["counts"]
        assert counts["voted"] == [14, 26]
        assert sum(counts["size"]) == 40

    def test_later_parts_are_read_in_the_same_way(self) -> None:
        middle = self.data.index(b"\n", 600) + 1
        frozen = replace(PAPER, items=self.items)

        plan, _, _ = look(frozen, None, self.data[:middle])

        assert plan.asked()["quoting"] == "none"

    def test_a_row_with_another_number_of_cells_is_refused(self) -> None:
        with pytest.raises(Broken, match="quotation mark in the middle of a cell"):
            part(self.data + b"a\tYes\n", items=self.items)

    def test_a_file_with_one_wrong_quotation_mark_is_not_read_without_quoting(self) -> None:
        data = b'voted\tnote\n"Yes"\t"a"\n"No"\t"b"c"\n'

        with pytest.raises(Broken, match="quotation mark"):
            part(data, items=self.items[:1])


class TestNamesOfRows:
    items = (yes_no("q"),)

    @pytest.mark.parametrize("separator", [",", "\t"])
    def test_a_first_column_without_a_name_is_called_row(self, separator: str) -> None:
        rows = ["q,note", '"1",Yes,a', '"2",No,b']
        data = "\n".join(rows).replace(",", separator).encode()

        taken = part(data, items=self.items)

        assert (taken.n, taken.problems) == (2, [])
        assert added_up(taken, self.items)["counts"]["q"] == [1, 1]

    @pytest.mark.parametrize(
        "rows", [["Yes,a,", "No,b,"], ["Yes,Yes,a", "Yes,No,b"], ["1,Yes,a", "b"]]
    )
    def test_a_cell_more_that_names_no_row_is_a_mistake(self, rows: list[str]) -> None:
        taken = part(csv(*rows, header="q,note"), items=self.items)

        assert "the first row of the file has 2." in taken.problems[0].message


def test_a_file_with_semicolons_and_decimal_commas_is_read() -> None:
    data = (FILES / "decimal_comma_windows1252.csv").read_bytes()
    items = (background_question("smokes", "Raucht?", "Ja", "Nein"),)

    taken = part(data, items=items)

    assert (taken.n, taken.problems) == (40, [])
    assert added_up(taken, items)["counts"]["smokes"] == [10, 30]
