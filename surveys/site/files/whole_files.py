"""Read files that can only be read as a whole: workbooks, Parquet and the formats of features.

Such a file comes in one part, and is converted to CSV in a child process.
"""

import math
from dataclasses import replace
from typing import NamedTuple

from surveys import extensions
from surveys.site.files import parquet, workbook
from surveys.site.files.delimited import Broken
from surveys.site.files.encodings import PARQUET, WORKBOOK
from surveys.site.files.layout import Layout
from surveys.site.files.sizes import LARGEST_WHOLE_FILE, TableLimits
from surveys.site.files.whole_table import Damaged, Labels

# What a file is called in each format of the core, and which files a limit is said of.
NAMES = {WORKBOOK: "a workbook", PARQUET: "a Parquet file"}
FAMILIES = {WORKBOOK: "A workbook", PARQUET: "A Parquet file"}

# So many bytes at the start of a file suffice to recognize its format.
LONGEST_START = 4096

BYTES_OF_MEGABYTE = 1_048_576
CSV_ADVICE = "Save it as CSV, which can be any length."


class WholeFile(NamedTuple):
    """A file that can only be read as a whole, such as a workbook, converted to CSV.

    text: the CSV in UTF-8.
    layout: the requested layout, with what the conversion found out.
    labels: the labels of values, in a format that has them.
    """

    text: bytes
    layout: Layout
    labels: Labels


def whole_names() -> dict[str, str]:
    """Return the name of a file in each format that can only be read as a whole, by its key.

    For example, the key "xlsx" has the name "a workbook".
    """
    feature_formats = {
        table_format.key: table_format.name for table_format in extensions.table_formats
    }
    return NAMES | feature_formats


def whole_format(start: bytes) -> str:
    """Return the key of the format of a file that can only be read as a whole, or "" for a text.

    The format is recognized by the first bytes. For a workbook the key is "xlsx", for example.

    start: the file, or at least its first bytes.
    """
    if workbook.is_workbook(start):
        return WORKBOOK
    if parquet.is_parquet(start):
        return PARQUET
    for table_format in extensions.table_formats:
        if table_format.is_start(start):
            return table_format.key
    return ""


def too_large_whole_message(encoding: str, size: int = 0) -> str:
    """Return the message that a file is too large for a format that can only be read as a whole.

    encoding: the key of the format, such as "xlsx" for a workbook.
    size: the bytes of the file, or 0 if it is only known that they are too many.
    """
    feature_families = {
        table_format.key: table_format.family for table_format in extensions.table_formats
    }
    family = (FAMILIES | feature_families)[encoding]
    message = "The file is larger than 1 MB."
    if size:
        # The size is rounded up, so that a file above the limit is never said to be within it.
        megabytes = math.ceil(10 * size / BYTES_OF_MEGABYTE) / 10
        message = f"The file is {megabytes:,.1f} MB."
    return f"{message} {family} can be at most 1 MB. {CSV_ADVICE}"


def damaged_message(encoding: str) -> str:
    """Return the message about a file that is damaged.

    encoding: the key of its format, such as "xlsx" for a workbook.
    """
    name = whole_names()[encoding]
    return f"This is {name}, but it can’t be read to the end. Save it again, or save it as CSV."


def in_one_part_message(encoding: str) -> str:
    """Return the message that a file in this format must be sent in one part.

    encoding: the key of the format, such as "xlsx" for a workbook.
    """
    name = whole_names()[encoding]
    capitalized = f"{name[0].upper()}{name[1:]}"
    return f"{capitalized} must be sent in one part, of at most 1 MB."


def require_one_part(encoding: str, data: bytes, size: int, *, is_cut: bool) -> None:
    """Raise Broken if a file that can only be read as a whole is too large, or comes in parts.

    encoding: the key of its format, such as "xlsx" for a workbook.
    data: the file, or its first part.
    size: the bytes of the whole file, or 0 if they are not known.
    is_cut: another part is known to follow.
    """
    # The largest part is as long as the largest whole file. So if a full part is cut, the file
    # would be too large in one part as well.
    is_full_part = len(data) == LARGEST_WHOLE_FILE
    is_too_large = max(size, len(data)) > LARGEST_WHOLE_FILE
    if is_too_large or (is_cut and is_full_part):
        raise Broken(too_large_whole_message(encoding, size if is_too_large else 0))
    if is_cut:
        raise Broken(f"{in_one_part_message(encoding)} {CSV_ADVICE}")


def convert_whole_file(
    encoding: str, data: bytes, requested: Layout, limits: TableLimits, *, last: bool
) -> WholeFile:
    """Return a file that can only be read as a whole, converted to CSV in a child process.

    Raises Broken if the file cannot be read, and Invalid if the sender has to choose a sheet of a
    workbook.

    encoding: the key of its format, such as "xlsx" for a workbook.
    requested: the layout as far as the sender states it.
    last: this is known to be the whole file, so that a damaged file is not called incomplete.
    """
    try:
        return _read_whole_file(encoding, data, requested, limits)
    except Damaged:
        message = damaged_message(encoding)
        # A part of this length is the largest one, so more of the file follows.
        if not last and len(data) == LARGEST_WHOLE_FILE:
            message = too_large_whole_message(encoding)
        elif not last:
            # A file without its end looks damaged, and the sender did not say that nothing follows.
            message = f"{message} {in_one_part_message(encoding)}"
        raise Broken(message) from None


def _read_whole_file(
    encoding: str, data: bytes, requested: Layout, limits: TableLimits
) -> WholeFile:
    """Return a file converted to CSV by the reader of its format, which raises Broken or Invalid.

    encoding: the key of its format, such as "xlsx" for a workbook.
    requested: the layout as far as the sender states it.
    """
    layout = replace(requested, encoding=encoding, separator=",")
    if encoding == WORKBOOK:
        text, sheet = workbook.read_workbook(data, limits, requested.sheet)
        return WholeFile(text, replace(layout, sheet=sheet), Labels())
    if encoding == PARQUET:
        text, version = parquet.read_parquet(data, limits)
        if not layout.version:
            layout = replace(layout, version=version)
        return WholeFile(text, layout, Labels())
    formats_by_key = {table_format.key: table_format for table_format in extensions.table_formats}
    text, labels = formats_by_key[encoding].read(data, limits)
    return WholeFile(text, layout, labels)
