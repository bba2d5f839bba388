"""A form says on a sheet of its own that other tools would collect the true answers."""

import io

import openpyxl
import pytest

from features.xlsform.reader import bring
from features.xlsform.writer import as_xlsx
from tests.factories import surveys

pytestmark = pytest.mark.django_db
SENTENCES = (
    "Candor scrambles the answers to questions with rr:: columns. Other tools don’t read these "
    "columns. If you use this form elsewhere, it collects the true answers."
)


def sheet_names(content: bytes) -> list[str]:
    return openpyxl.load_workbook(io.BytesIO(content)).sheetnames


def test_a_form_with_scrambled_questions_says_it_and_import_skips_the_sheet() -> None:
    survey = surveys.create_draft()
    surveys.add_yes_no(survey, "tax")

    content = as_xlsx(survey)
    _, notes = bring(content, survey.owner)

    book = openpyxl.load_workbook(io.BytesIO(content))
    assert book.sheetnames[0] == "Read me"
    assert book["Read me"]["A1"].value == SENTENCES
    assert not [note for note in notes if "Read me" in note]


def test_a_form_without_scrambled_questions_has_no_such_sheet() -> None:
    survey = surveys.create_draft()
    surveys.add_background(survey, "region", ("North", "South"))

    assert sheet_names(as_xlsx(survey)) == ["survey", "choices", "settings"]
