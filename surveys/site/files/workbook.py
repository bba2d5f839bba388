"""Convert a sheet of a workbook (.xlsx) to CSV, in a child process: see site.files.untrusted."""

import io
from typing import Any

from surveys.site.errors import Invalid
from surveys.site.files.delimited import INCOMPLETE, Broken
from surveys.site.files.sizes import LARGEST_WHOLE_FILE, TableLimits
from surveys.site.files.untrusted import Limits, WithText
from surveys.site.files.whole_table import read_table

WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

# The first bytes of an archive, and those of its last part. This part may be followed by a comment
# of up to 64 kB.
START = b"PK\x03\x04"
END = b"PK\x05\x06"

LIMITS = Limits(
    size=LARGEST_WHOLE_FILE, unpacked=60_000_000, tags=2_500_000, memory=600_000_000, seconds=8
)

# The sheet with the responses in the file responses.xlsx that this program writes.
OURS = "responses"


def is_workbook(data: bytes) -> bool:
    """Return whether data begins like a workbook."""
    return data.startswith(START)


def table(data: bytes, most: dict[str, Any], sheet: str) -> WithText:
    """Return a sheet as CSV, its name and the names of all sheets. This runs in the child process.

    Empty rows stay, so that rows keep their numbers. The name is "" if the sender has to choose a
    sheet.

    most: the fields of TableLimits.
    sheet: the name of the sheet to read, or "" to choose the one with the responses, or the only
        one that holds something.
    """
    # Pandas is large, and only the child process needs it.
    import pandas as pd  # noqa: PLC0415

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

    if not sheet and OURS in frames:
        sheet = OURS
    elif not sheet and len(names) == 1:
        sheet = names[0]
    if sheet not in frames:
        return WithText({"sheet": "", "names": names}, b"")

    frame = frames[sheet]
    limits = TableLimits(**most)
    limits.require(rows=len(frame), cells=frame.size)
    text = frame.to_csv(index=False, header=False).encode()
    limits.require(text=len(text))
    return WithText({"sheet": sheet, "names": names}, text)


def read_workbook(data: bytes, most: TableLimits, sheet: str = "") -> tuple[bytes, str]:
    """Return one sheet as CSV in UTF-8, and its name, or "" if the name need not be stated again.

    Raises Broken if the file cannot be read or holds more than `most`, and Invalid if the sender
    has to choose one of several sheets.

    sheet: the name that the sender states, or "".
    """
    if END not in data[-65_557:]:
        raise Broken(INCOMPLETE)
    about, text = read_table(table, data, LIMITS, most, sheet=sheet)
    if not about["names"]:
        raise Broken("The file is empty.")
    if not about["sheet"]:
        names = ", ".join(f"“{name[:40]}”" for name in about["names"])
        message = f"The workbook has the sheets {names}. Choose the one with the responses."
        raise Invalid({"sheet": message})
    if sheet or about["sheet"] == OURS:
        return text, about["sheet"]
    return text, ""
