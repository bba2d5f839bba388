"""Convert a sheet of a workbook to CSV, in a child process: see site.files.untrusted.

Workbooks are those of Excel (.xlsx, .xls) and of OpenDocument (.ods).
"""

import io
from typing import Any

from surveys.site.errors import Invalid
from surveys.site.files.delimited import Broken
from surveys.site.files.foreign import QUESTIONS_MESSAGE
from surveys.site.files.sizes import LARGEST_WHOLE_FILE, TableLimits
from surveys.site.files.untrusted import OLE, Limits, WithText
from surveys.site.files.whole_table import Damaged, read_table

WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

# The first bytes of an archive, and those of its last part.
ARCHIVE_START = b"PK\x03\x04"
ARCHIVE_END = b"PK\x05\x06"

# The most bytes of the last part: 22, and a comment of up to 65,535.
LONGEST_ARCHIVE_END = 65_557

# The names with which the first part of a workbook (.xlsx) begins, and the type of .ods files.
FIRST_PARTS = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/")
OPEN_DOCUMENT_TYPE = b"application/vnd.oasis.opendocument.spreadsheet"

LIMITS = Limits(
    size=LARGEST_WHOLE_FILE, unpacked=60_000_000, tags=2_500_000, memory=600_000_000, seconds=8
)

# The sheets of an XLSForm, which holds the questions of a survey.
FORM_SHEETS = {"survey", "choices"}

# The sheet with the responses in the file responses.xlsx that this program writes.
RESPONSES_SHEET = "responses"


def is_workbook(data: bytes) -> bool:
    """Return whether data begins like a workbook.

    Other files can begin in the same way, and `read_workbook` finds out whether it can read them.
    """
    return data.startswith(OLE) or _is_zipped_workbook(data)


def _is_zipped_workbook(data: bytes) -> bool:
    """Return whether data begins like a workbook that is an archive (.xlsx, .ods)."""
    if not data.startswith(ARCHIVE_START):
        return False
    # The name of the first part follows 30 bytes, and that of .ods files is followed by their type.
    first_part = data[30:]
    if first_part.startswith(b"mimetype"):
        return first_part[8:].startswith(OPEN_DOCUMENT_TYPE)
    return first_part.startswith(FIRST_PARTS) or b"xl/workbook." in data


def is_archive(data: bytes) -> bool:
    """Return whether data begins like an archive (.zip), which a workbook may be too."""
    return data.startswith(ARCHIVE_START)


def convert_workbook(data: bytes, most: dict[str, Any], sheet: str) -> WithText:
    """Return a sheet of a workbook as CSV, and its name and those of all filled sheets as `about`.

    `about` is {"sheet": name, "names": names of all filled sheets}. If the sender has to choose a
    sheet, the name of the sheet is "" and the CSV is empty. This runs in the child process, for
    `read_workbook`. Raises Unreadable if the sheet holds more than `most`.

    most: the fields of TableLimits.
    sheet: the name of the sheet to read, or "" to choose the sheet "responses", or the only one
        that holds something.
    """
    # Pandas is large, and only the child process needs it.
    import pandas as pd  # noqa: PLC0415

    # All sheets are read as tables without a header. Cells are not converted, so that "NA" stays a
    # text. Empty rows stay, so that rows keep their numbers.
    all_frames = pd.read_excel(
        io.BytesIO(data),
        sheet_name=None,
        header=None,
        dtype=object,
        na_filter=False,
        engine="calamine",
    )
    frames = {name: frame for name, frame in all_frames.items() if len(frame)}
    names = list(frames)

    if not sheet and RESPONSES_SHEET in frames:
        sheet = RESPONSES_SHEET
    elif not sheet and len(names) == 1:
        sheet = names[0]
    # Either the stated sheet does not exist, or none was stated and there are several or none.
    if sheet not in frames:
        return WithText({"sheet": "", "names": names}, b"")

    frame = frames[sheet]
    limits = TableLimits(**most)
    limits.require(rows=len(frame), cells=frame.size)
    text = frame.to_csv(index=False, header=False).encode()
    limits.require(text=len(text))
    return WithText({"sheet": sheet, "names": names}, text)


def read_workbook(data: bytes, most: TableLimits, sheet: str = "") -> tuple[bytes, str]:
    """Return one sheet of a workbook as CSV in UTF-8, and its name for `Layout.sheet`.

    The name is "" if it need not be stated to read the file again: no sheet was stated, and the
    only filled one was read. The name "responses" is always returned.

    Raises Broken if the file is empty, holds more than `most`, or holds the questions of a survey,
    and Damaged if it cannot be read. Raises Invalid if the stated sheet does not exist, or if none
    was stated and there are several.

    sheet: the name that the sender states, or "" to choose the sheet "responses", or the only one.
    """
    # A file that was cut off has no last part. The reader would only call it damaged.
    if is_archive(data) and ARCHIVE_END not in data[-LONGEST_ARCHIVE_END:]:
        raise Damaged
    about, text = read_table(convert_workbook, data, LIMITS, most, sheet=sheet)
    if not about["names"]:
        raise Broken("The file is empty.")
    if not sheet and FORM_SHEETS.issubset(about["names"]):
        raise Broken(QUESTIONS_MESSAGE)
    if not about["sheet"]:
        names = ", ".join(f"“{name[:40]}”" for name in about["names"])
        message = f"The workbook has the sheets {names}. Choose the one with the responses."
        raise Invalid({"sheet": message})
    if sheet or about["sheet"] == RESPONSES_SHEET:
        return text, about["sheet"]
    return text, ""
