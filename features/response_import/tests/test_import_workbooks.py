"""Workbooks of answers: what spreadsheets and pandas write, what is no table, and what means harm."""

import io

import pandas as pd
import pytest

from features.response_import import staging
from features.response_import.tests.import_files import ITEMS, part, problems, send, tally
from surveys.models import Batch, Import
from surveys.site.errors import Invalid
from surveys.site.files.delimited import Broken
from tests.factories import malicious_workbooks
from tests.factories.import_surveys import create_import_survey
from tests.factories.xlsx import build_xlsx

FAR = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576" s="0">{inside}</c></row>'
ROWS = [
    ["id", "tax", "fruit", "region", "age"],
    [1, True, "010", "South", 30],
    [2, False, "000", None, 99.0],
    [3, "NA", "111", "North", 18],
    [4, None, None, None, None],
]


def workbook(**sheets: list[list]) -> bytes:
    return build_xlsx(sheets)


@pytest.mark.django_db
def test_a_workbook_is_imported_and_empty_cells_are_no_report() -> None:
    survey = create_import_survey()
    file = send(survey, workbook(Data=ROWS, Notes=[]))
    assert (file.rows, file.mapping["encoding"]) == (4, "xlsx")
    assert tally(survey) == {
        "n": 4,
        "counts": tally(survey)["counts"] | {"tax": [1, 1], "fruit": [1, 2, 1], "region": [1, 1]},
        "answered": {"tax": 2, "fruit": 3, "region": 2, "age": 3},
    }


@pytest.mark.django_db
def test_what_pandas_writes_is_imported() -> None:
    survey, file = create_import_survey(), io.BytesIO()
    frame = pd.DataFrame(ROWS[1:], columns=ROWS[0]).drop(columns="id")
    frame.to_excel(file, index=False)
    assert send(survey, file.getvalue()).rows == 3  # the fourth says nothing at all
    assert tally(survey)["answered"] == {"tax": 2, "fruit": 3, "region": 2, "age": 3}


@pytest.mark.django_db
def test_wrong_cells_are_named_by_the_row_of_the_sheet_and_nothing_is_stored() -> None:
    survey = create_import_survey()
    rows = [["Survey 2024"], [None], ROWS[0], *ROWS[1:], [5, "maybe", "010", "South", 17]]
    found = problems(survey, workbook(Data=rows), {"questions": {"age": {"as": "labels"}}})
    assert [(row, column) for row, column, _ in found] == [(8, "tax"), (8, "age")]
    assert not Batch.objects.exists()


def test_which_of_several_sheets_is_asked() -> None:
    data = workbook(Codes=[["a"]], Data=ROWS)
    with pytest.raises(Invalid) as raised:
        part(data, nonresponse=True)
    message = "The workbook has the sheets “Codes”, “Data”. Choose the one with the responses."
    assert raised.value.errors == {"sheet": message}
    found = part(data, {"sheet": "Data"}, nonresponse=True)
    assert (found.n, found.problems) == (4, [])


def test_blank_cells_of_a_single_column_count_as_rows() -> None:
    found = part(
        workbook(Data=[["tax"], [1], [None], ["NA"], [0]]), None, ITEMS[:1], nonresponse=True
    )
    assert (found.n, found.missing) == (4, {"tax": 2})


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml", "it can’t be read to the end"),
        (workbook(Data=ROWS)[:-1000], "it can’t be read to the end"),
        (
            malicious_workbooks.build_zip({"word/document.xml": "<x/>"}),
            "This is a compressed file",
        ),
        (workbook(Data=[]), "The file is empty."),
        (
            malicious_workbooks.build_workbook(texts=malicious_workbooks.quadratic_entities_xml()),
            "defines its own entities",
        ),
        (malicious_workbooks.build_workbook("<row><c/></row>" * 900_000), "is too large"),
        (
            malicious_workbooks.build_workbook(FAR.format(inside="<v>1</v>")),
            "takes too much memory or time",
        ),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, words: str) -> None:
    with pytest.raises(Broken, match=words):
        part(data)


def test_a_cell_far_down_that_is_only_formatted_is_nothing() -> None:
    rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>tax</t></is></c></row><row r="2"><c r="A2"><v>0</v></c></row>'
    far = '<row r="1048576"><c r="XFD1048576" s="0"/></row>'
    assert part(malicious_workbooks.build_workbook(rows + far), None, ITEMS[:1]).n == 1


def test_a_text_that_is_said_to_be_a_workbook_is_none() -> None:
    with pytest.raises(Broken, match="This file is not in the format “Workbook"):
        part(b"tax\n1\n", {"encoding": "xlsx"})


@pytest.mark.django_db
def test_a_workbook_of_more_than_a_part_is_refused_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    survey = create_import_survey()
    data = workbook(Data=ROWS)
    assert "can’t be read to the end" in problems(survey, data, size=len(data) - 500)[0][2]
    whole = staging.begin(survey, survey.owner)
    staging.add(whole, 1, data)
    assert "must be sent in one part" in staging.add(whole, 2, b"x").problems[0]["message"]
    assert not Batch.objects.exists()
    assert Import.objects.filter(state="wrong").count() == 2
