"""Files of answers to a choose-all question whose device picks a mark."""

import pytest

from features.response_import.tests.import_files import added_up, csv as lines, part
from mechanisms import OptionSampling
from surveys.definition.instrument import QuestionDefinition
from tests.definition.test_marks import DRUGS

pytestmark = pytest.mark.django_db
ITEM = QuestionDefinition(
    "drugs", "any", "Which?", "", DRUGS, OptionSampling(4, 1.0987, den="survey")
)
REGION = QuestionDefinition("region", "background", "Where?", "", ("North", "South"), None)
WIDE = "drugs_1,drugs_2,drugs_3,drugs_4,region"


class TestImport:
    def read(self, *rows: str, header: str = WIDE, mapping: object = None) -> object:
        return part(lines(*rows, header=header), mapping or {}, (ITEM, REGION))

    @pytest.mark.parametrize(
        ("header", "rows"),
        [
            (WIDE, ["1,,,,North", ",0,,,South", ",,,1,North", ",1,,,North"]),
            (WIDE, ["1,-,-,-,North", "-,0,-,-,South", "-,-,-,1,North", "-,1,-,-,North"]),
            (
                WIDE,
                ["1,NA,NA,NA,North", "NA,0,NA,NA,South", "NA,NA,NA,1,North", "NA,1,NA,NA,North"],
            ),
            (WIDE, ["yes,,,,North", ",no,,,South", ",,,TRUE,North", ",1.0,,,North"]),
            (
                "drugs: Cannabis,drugs: Cocaine,drugs: Ecstasy,drugs: Heroin,region",
                ["1,,,,North", ",0,,,South", ",,,1,North", ",1,,,North"],
            ),
            ("drugs,region", ["1---,North", "-0--,South", "---1,North", " -1-- ,North"]),
        ],
    )
    def test_columns_and_strings(self, header: str, rows: list[str]) -> None:
        found = self.read(*rows, header=header)
        assert found.problems == []
        assert added_up(found, (ITEM, REGION))["counts"] == {
            "drugs": [1, 1, 0, 1, 1, 2, 0, 1],
            "region": [3, 1],
        }

    def test_texts_of_ones_own(self) -> None:
        names = ["a", "b", "c", "d"]
        mapping = {"questions": {"drugs": {"columns": names, "texts": {"x": 1, "o": 0}}}}
        found = self.read("x,,,,North", ",o,,,South", header="a,b,c,d,region", mapping=mapping)
        assert found.problems == []
        assert added_up(found, (ITEM, REGION))["counts"]["drugs"] == [1, 0, 0, 0, 1, 1, 0, 0]

    @pytest.mark.parametrize(
        ("row", "column", "message"),
        [
            (
                "1,1,,,North",
                "drugs_1",
                "2 choices hold 0 or 1. The design of this question reports exactly 1. All",
            ),
            ("1,0,0,0,North", "drugs_1", "4 choices hold 0 or 1."),
            ("1,,maybe,,North", "drugs_3", "“maybe” is not one of"),
        ],
    )
    def test_a_row_with_a_wrong_number_of_marks_is_named(
        self, row: str, column: str, message: str
    ) -> None:
        (found,) = self.read(",,1,,North", row).problems
        assert (found.row, found.column) == (3, column)
        assert found.message.startswith(message)

    @pytest.mark.parametrize(
        ("cell", "message"),
        [
            ("01--", "2 choices hold 0 or 1."),
            ("----", "0 choices hold 0 or 1."),
            ("1--", "“1--” is not a string of 4 characters, one of them 0 or 1 and all others -"),
            ("1-x-", "“1-x-” is not a string of 4 characters"),
        ],
    )
    def test_a_wrong_string_is_named(self, cell: str, message: str) -> None:
        (found,) = self.read(f"{cell},North", header="drugs,region").problems
        assert found.message.startswith(message)
