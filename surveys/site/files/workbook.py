"""A workbook (.xlsx) -> a sheet of it as CSV, read in a child process without Django: see site.files.untrusted."""

import io
from typing import Any

from surveys.site.errors import Invalid
from surveys.site.files.delimited import INCOMPLETE, Broken
from surveys.site.files.sizes import LARGEST_WHOLE_FILE, TableLimits
from surveys.site.files.untrusted import Limits, WithText
from surveys.site.files.whole_table import read_table

WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
START = b"PK\x03\x04"
END = b"PK\x05\x06"  # begins the last part of a packed file, which a comment of up to 64 kB may follow
LIMITS = Limits(
    size=LARGEST_WHOLE_FILE, unpacked=60_000_000, tags=2_500_000, memory=600_000_000, seconds=8
)
OURS = "responses"  # the sheet of responses.xlsx that holds them


def is_workbook(data: bytes) -> bool:
    return data.startswith(START)


def table(data: bytes, most: dict[str, Any], sheet: str) -> WithText:
    """Return a sheet as CSV, its name and the names of all sheets. This runs in the child process.

    Empty rows stay, so that rows keep their numbers.

    most: the fields of TableLimits. sheet: the one to read; "" for the one with responses, or the only one that holds
    something. The name is "" where it must be said which one.
    """
    import pandas as pd  # noqa: PLC0415 (the site itself does without)

    frames = pd.read_excel(
        io.BytesIO(data),
        sheet_name=None,
        header=None,
        dtype=object,
        na_filter=False,
        engine="calamine",
    )
    frames = {name: frame for name, frame in frames.items() if len(frame)}
    names = list(frames)
    if not sheet and OURS in frames:
        sheet = OURS
    elif not sheet and len(names) == 1:
        sheet = names[0]
    if sheet not in frames:
        return WithText({"sheet": "", "names": names}, b"")
    frame, limits = frames[sheet], TableLimits(**most)
    limits.require(rows=len(frame), cells=frame.size)
    text = frame.to_csv(index=False, header=False).encode()
    limits.require(text=len(text))
    return WithText({"sheet": sheet, "names": names}, text)


def as_text(data: bytes, most: TableLimits, sheet: str = "") -> tuple[bytes, str]:
    """Return one sheet as CSV in UTF-8, and its name, or "" for the only one.

    Raises Broken, and Invalid where it must be said which one.
    """
    if END not in data[-65_557:]:
        raise Broken(INCOMPLETE)
    about, text = read_table(table, data, LIMITS, most, sheet=sheet)
    if not about["names"]:
        raise Broken("The file is empty.")
    if not about["sheet"]:
        names = ", ".join(f"“{name[:40]}”" for name in about["names"])
        raise Invalid(
            {"sheet": f"The workbook has the sheets {names}. Choose the one with the responses."}
        )
    is_told = sheet or about["sheet"] == OURS
    return text, about["sheet"] if is_told else ""
