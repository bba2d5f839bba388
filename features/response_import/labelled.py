"""Convert files of SPSS, Stata and SAS to CSV, in a child process: see surveys.site.files.untrusted.

Values that have a label become it. What the file itself declares missing is an empty cell, or its label, since “Don't
know” may be an answer of the survey.
"""

import csv
import io
import re
from collections.abc import Callable
from typing import Any

from surveys.site.files.sizes import LARGEST_WHOLE_FILE, TableLimits
from surveys.site.files.untrusted import Limits, WithText
from surveys.site.files.whole_table import Labels, read_table

STARTS = {
    "sav": re.compile(rb"\$FL[23]"),
    "dta": re.compile(rb"<stata_dta>|[\x69-\x73][\x01\x02]\x01\x00"),
    # The file begins with 200 bytes of titles in different character sets, in lines of 80 bytes.
    "por": re.compile(rb".{0,210}ASCII SPSS PORT FILE", re.DOTALL),
    "xpt": re.compile(rb"HEADER RECORD\*{7}LIB(RARY|V8)"),
}
# The formats whose readers can keep the values that a file declares missing. A value that a .por file
# declares missing is an empty cell, because its reader cannot keep it.
KEEP_MISSING = ("sav", "dta")
# The longest start in STARTS, with some bytes to spare.
START_BYTES = 400
LIMITS = Limits(size=LARGEST_WHOLE_FILE, parts=0, memory=800_000_000, seconds=8, result=5_000_000)


def format_of(data: bytes) -> str:
    """Return the usual ending of a file of SPSS, Stata or SAS, or "" for any other file.

    data: the file, or at least its first bytes.
    """
    first_bytes = data[:START_BYTES]
    return next((name for name, start in STARTS.items() if start.match(first_bytes)), "")


def is_format(name: str, start: bytes) -> bool:
    """Return whether a file begins like one with this usual ending."""
    return format_of(start) == name


def as_text(data: bytes, most: TableLimits) -> tuple[bytes, Labels]:
    """Return a file as CSV in UTF-8, and its labels. Raises Broken."""
    (values, missing), text = read_table(table, data, LIMITS, most)
    return text, Labels(values, missing)


def table(data: bytes, most: dict[str, Any]) -> WithText:
    """Return a file as CSV, and its labels. This runs in the child process.

    most: the fields of TableLimits.
    """
    import pyreadstat  # noqa: PLC0415 (large)

    readers = {
        "sav": pyreadstat.read_sav,
        "dta": pyreadstat.read_dta,
        "por": pyreadstat.read_por,
        "xpt": pyreadstat.read_xport,
    }
    ending = format_of(data)
    reader = readers[ending]
    options: Any = {"output_format": "dict", "disable_datetime_conversion": True}
    _, about = reader(io.BytesIO(data), metadataonly=True, **options)
    limits, length = TableLimits(**most), (about.number_rows or 0) + 1
    limits.require(rows=length, cells=length * about.number_columns)
    if ending in KEEP_MISSING:
        options["user_missing"] = True
    columns, about = reader(io.BytesIO(data), **options)
    # Some files do not say ahead how many rows they have.
    length = max(map(len, columns.values()), default=0) + 1
    limits.require(rows=length, cells=length * len(columns))
    values_of, missing, cells = {}, {}, []
    for name, values in columns.items():
        labels, is_missing = about.variable_value_labels.get(name, {}), _declared(about, name)
        values_of[name.strip()] = {label: _plain(value) for value, label in labels.items() if label}
        kept = {labels[value] for value in labels if not is_missing(value)}
        missing[name.strip()] = sorted(
            {labels[value] for value in labels if is_missing(value)} - kept
        )
        cells.append(
            [labels.get(value) or ("" if is_missing(value) else _plain(value)) for value in values]
        )
    out = io.StringIO(newline="")
    csv.writer(out).writerows([columns, *zip(*cells, strict=True)])
    text = out.getvalue().encode()
    limits.require(text=len(text))
    return WithText((values_of, missing), text)


def _declared(about: Any, name: str) -> Callable[[Any], bool]:
    """Whether a value of this column is one that the file declares missing: SPSS has ranges, Stata letters."""
    ranges, letters = (
        about.missing_ranges.get(name, []),
        set(about.missing_user_values.get(name, [])),
    )
    return lambda value: (
        value in letters
        or any(
            type(each["lo"]) is type(value) and each["lo"] <= value <= each["hi"] for each in ranges
        )
    )


def _plain(value: Any) -> str:
    """Both programs keep whole numbers as decimals."""
    if value is None or value != value:  # noqa: PLR0124 (which NaN alone is not)
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
