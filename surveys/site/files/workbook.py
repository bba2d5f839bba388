"""A workbook (.xlsx) -> a sheet of it as CSV, read in a child process without Django: see site.files.untrusted."""

import io

from surveys.site.errors import Invalid, Unreadable
from surveys.site.files.delimited import INCOMPLETE, SAVE_AS, Broken
from surveys.site.files.sizes import LARGEST_WHOLE_FILE
from surveys.site.files.untrusted import Limits, read

START = b"PK\x03\x04"
END = b"PK\x05\x06"  # begins the last part of a packed file, which a comment of up to 64 kB may follow
LIMITS = Limits(
    size=LARGEST_WHOLE_FILE, unpacked=60_000_000, tags=2_500_000, memory=600_000_000, seconds=8, result=20_000_000
)
OURS = "responses"  # the sheet of responses.xlsx that holds them


def is_workbook(data: bytes) -> bool:
    return data.startswith(START)


def sheets(data: bytes) -> dict[str, str]:
    """In the child: every sheet that holds something as CSV, with its empty rows, so that rows keep their numbers."""
    import pandas as pd  # noqa: PLC0415 (the site itself does without)

    frames = pd.read_excel(
        io.BytesIO(data), sheet_name=None, header=None, dtype=object, na_filter=False, engine="calamine"
    )
    return {name: frame.to_csv(index=False, header=False) for name, frame in frames.items() if len(frame)}


def as_text(data: bytes, sheet: str = "") -> tuple[bytes, str]:
    """One sheet as CSV in UTF-8, and its name. Raises Broken, and Invalid where it must be said which one."""
    if END not in data[-65_557:]:
        raise Broken(INCOMPLETE)
    try:
        texts = read(sheets, data, LIMITS)
    except Unreadable as error:
        raise Broken(f"{error} {SAVE_AS}") from error
    if not texts:
        raise Broken("The file is empty.")
    sheet = sheet or (OURS if OURS in texts else "")
    if not sheet and len(texts) == 1:
        return next(iter(texts.values())).encode(), ""
    if sheet not in texts:
        names = ", ".join(f"“{name[:40]}”" for name in texts)
        raise Invalid({"sheet": f"The workbook has the sheets {names}. Choose the one with the responses."})
    return texts[sheet].encode(), sheet
