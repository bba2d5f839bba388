"""Files that are no tables of responses are refused with a sentence that says what to do."""

import bz2
import gzip
import json
import zipfile
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from features.response_import.tests.import_files import ITEMS, part
from surveys.definition.instrument import QuestionDefinition
from surveys.site.errors import Invalid
from surveys.site.files.delimited import Broken
from surveys.site.files.whole_files import too_large_whole_message
from tests.factories.malicious_workbooks import build_zip
from tests.factories.xls import build_xls
from tests.factories.xlsx import build_xlsx

TAX = ITEMS[:1]
NAME = (QuestionDefinition("q", "background", "Q?", "", ("Yes", "No"), None),)

R = (
    'This is an R data file, which Candor can’t read. Write it with write.csv(x, "responses.csv", '
    "row.names = FALSE)."
)
QUESTIONS = (
    "This file holds the questions of a survey, not the answers. Export the responses as CSV."
)
JSON = (
    "This is JSON, not a table. Candor reads CSV, workbooks, Parquet, and files of SPSS, Stata and "
    "SAS."
)
COMPRESSED = "This is a compressed file. Unpack it and choose the table inside."
HTML = "This is a web page, not a table. Download the file again."
SPACES = "Spaces seem to separate the cells. In R, write the file with write.csv."
SAS = (
    "This is a SAS data set (.sas7bdat), which Candor can’t read. Write a transport file (.xpt), or "
    "save it as CSV."
)

RDS = b"X\n\x00\x00\x00\x03\x00\x04\x03\x02\x00\x03\x05\x00" + bytes(40)
SAS7BDAT = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011") + bytes(2000)
LSS = b'<?xml version="1.0"?>\n<document>\n<LimeSurveyDocType>Survey</LimeSurveyDocType></document>'
QSF = json.dumps({"SurveyEntry": {"SurveyID": "SV_1"}, "SurveyElements": []}).encode()
SURVEYJS = json.dumps(
    {"title": "A", "pages": [{"elements": [{"type": "text"}]}]}, indent=1
).encode()
REDCAP = b'"Variable / Field Name","Form Name","Section Header","Field Type"\ntax,a,,yesno\n'
FORM = build_xlsx({"survey": [["type", "name"], ["text", "a"]], "choices": [["list_name", "name"]]})
# What R 4 writes by write.table(x, "responses.txt").
WRITE_TABLE = b'"tax" "region"\n"1" 1 "North"\n"2" 0 "South"\n"3" 1 "North"\n'


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (RDS, R),
        (gzip.compress(RDS, mtime=0), R),
        (b"RDX3\n" + RDS, R),
        (gzip.compress(b"RDX3\n" + RDS, mtime=0), R),
        (QSF, QUESTIONS),
        (LSS, QUESTIONS),
        (b"\xef\xbb\xbf" + LSS, QUESTIONS),
        (SURVEYJS, QUESTIONS),
        (REDCAP, QUESTIONS),
        (FORM, QUESTIONS),
        (b'[{"tax": 1}, {"tax": 0}]', JSON),
        (b'{"tax": 1}\n{"tax": 0}\n', JSON),
        (build_zip({"responses.csv": "tax\n1\n"}), COMPRESSED),
        (gzip.compress(b"tax\n1\n", mtime=0), COMPRESSED),
        (bz2.compress(b"tax\n1\n"), COMPRESSED),
        (b"<!DOCTYPE html>\n<html><body>Log in</body></html>", HTML),
        (b"\r\n<table><tr><td>tax</td></tr></table>", HTML),
        (WRITE_TABLE, SPACES),
        (SAS7BDAT, SAS),
    ],
)
def test_a_file_that_is_no_table_of_responses_is_refused_by_name(
    data: bytes, sentence: str
) -> None:
    with pytest.raises(Broken) as raised:
        part(data, items=TAX)

    assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("encoding", "size", "sentence"),
    [
        (
            "sav",
            1_258_291,
            "The file is 1.2 MB. An SPSS, Stata or SAS file can be at most 1 MB. Save it as CSV, which "
            "can be any length.",
        ),
        (
            "xlsx",
            1_048_577,
            "The file is 1.1 MB. A workbook can be at most 1 MB. Save it as CSV, which can be any length.",
        ),
        (
            "parquet",
            0,
            "The file is larger than 1 MB. A Parquet file can be at most 1 MB. Save it as CSV, which "
            "can be any length.",
        ),
    ],
)
def test_a_file_above_the_limit_is_told_its_size_and_the_limit(
    encoding: str, size: int, sentence: str
) -> None:
    assert too_large_whole_message(encoding, size) == sentence


def write_statistics_files(folder: Path) -> dict[str, bytes]:
    people = pd.DataFrame({"TAX": [1.0, 0, 1]})
    pyreadstat.write_sav(people, folder / "sav")
    pyreadstat.write_dta(people, folder / "dta")
    pyreadstat.write_por(people, folder / "por")
    pyreadstat.write_xport(people, folder / "xpt")
    return {name: (folder / name).read_bytes() for name in ("sav", "dta", "por", "xpt")}


def write_workbooks() -> dict[str, bytes]:
    rows = [["tax", "note"], ["Yes", "a"], ["No", "b"], ["Yes", "c"]]
    return {"xlsx": build_xlsx({"Data": rows}), "xls": build_xls({"Data": rows})}


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("sav", "an SPSS file"),
        ("dta", "a Stata file"),
        ("por", "an SPSS file"),
        ("xpt", "a SAS file"),
        ("xlsx", "a workbook"),
        ("xls", "a workbook"),
    ],
)
def test_a_file_without_its_end_is_called_damaged(tmp_path: Path, name: str, called: str) -> None:
    content = (write_statistics_files(tmp_path) | write_workbooks())[name]

    with pytest.raises(Broken) as raised:
        part(content[: len(content) // 2], items=TAX)

    sentence = (
        f"This is {called}, but it can’t be read to the end. Save it again, or save it as CSV."
    )
    assert str(raised.value) == sentence


@pytest.mark.parametrize("name", ["sav", "dta", "por", "xpt"])
def test_each_format_of_statistics_programs_is_read(tmp_path: Path, name: str) -> None:
    content = write_statistics_files(tmp_path)[name]

    taken = part(content, {"questions": {"tax": {"texts": {"0": 0, "1": 1}}}}, TAX)

    assert (taken.n, taken.problems) == (3, [])


@pytest.mark.parametrize("name", ["xlsx", "xls", "ods"])
def test_each_format_of_workbooks_is_read(name: str) -> None:
    content = (write_workbooks() | {"ods": OPEN_DOCUMENT})[name]

    taken = part(content, None, TAX)

    assert (taken.n, taken.problems) == (3, [])


def test_rows_without_names_are_asked_for_them() -> None:
    data = b"1,30\n0,99\n1,18\n1,30\n"
    with pytest.raises(Invalid) as raised:
        part(data, items=TAX)

    sentence = (
        "None of the first 20 rows has the names of the columns. Choose the row with the names."
    )
    assert raised.value.errors == {"header": sentence}


def test_answers_without_names_are_asked_for_them() -> None:
    with pytest.raises(Invalid) as raised:
        part(b"Yes,North\nNo,South\nYes,South\nNo,North\n", items=TAX)

    assert list(raised.value.errors) == ["header"]


@pytest.mark.parametrize("text", [b"q\nYes\nNo\n", b"What is it?\nYes\nNo\n", b"Q\nYes\n"])
def test_a_single_column_of_words_is_not_taken_for_cells_between_spaces(text: bytes) -> None:
    taken = part(text, {"questions": {"q": {"column": text.splitlines()[0].decode()}}}, NAME)

    assert taken.problems == []


def _open_document() -> bytes:
    """Return a spreadsheet of OpenDocument with a column “tax”."""
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = "".join(
        f"<table:table-row>{cell.format(text)}</table:table-row>"
        for text in ("tax", "Yes", "No", "Yes")
    )
    names = (
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {names} office:version="1.2">'
        f'<office:body><office:spreadsheet><table:table table:name="Data">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = (
        '<?xml version="1.0"?><manifest:manifest '
        'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    )
    return build_zip(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": content,
            "META-INF/manifest.xml": manifest,
        },
        zipfile.ZIP_STORED,
    )


OPEN_DOCUMENT = _open_document()
