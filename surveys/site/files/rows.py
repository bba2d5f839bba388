"""Read a small table of texts from an untrusted file, row by row.

Child processes import this module, so it loads no Django: see surveys.site.files.untrusted.
"""

import codecs
import csv
import io

from surveys.site.errors import Unreadable

# The most rows of a table, and the most cells: a translation to five languages has as many.
MOST_ROWS = 100_000
MOST_CELLS = 500_000

# The characters at which str.splitlines() cuts.
LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


def rows(content: bytes) -> list[dict]:
    """Return the rows of a CSV file that are not empty, as {"row": number, "cells": [...]}.

    The header comes first. Rows are numbered from 1, also the empty ones. The separator is the
    comma, semicolon or tab that is most frequent in the first line. Raises Unreadable if the file
    is not text in UTF-8 or UTF-16, is empty or has too many rows or cells.

    This runs in a child process, from which the rows are sent as JSON.
    """
    text = decode_text(content)
    first_line, _, _ = text.partition("\n")
    separator = max(",;\t", key=first_line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)

    lines = []
    total_cells = 0
    for number, cells in enumerate(reader, start=1):
        if any(cell.strip() for cell in cells):
            lines.append({"row": number, "cells": cells})
            total_cells += len(cells)
        if number > MOST_ROWS:
            raise Unreadable(
                f"The file has more than {MOST_ROWS:,} rows. Split it into several files."
            )
        if total_cells > MOST_CELLS:
            raise Unreadable(
                f"The file has more than {MOST_CELLS:,} cells. Remove the columns and rows that "
                "are not needed."
            )
    if not lines:
        raise Unreadable("The file is empty.")
    return lines


def too_many_lines(text: str, most: int) -> bool:
    """Return whether a text certainly has more than `most` lines, without splitting it.

    Splitting a text into lines takes much memory. A text with up to twice as many lines may pass.
    """
    breaks = sum(map(text.count, LINE_BREAKS))
    # A line may end with two of these characters, as in files of Windows.
    return breaks > 2 * most


def decode_text(content: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark.

    Raises Unreadable for any other file.
    """
    is_utf_16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encoding = "utf-16" if is_utf_16 else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise Unreadable("The file is not in UTF-8. Save it as “CSV UTF-8”.") from None
    if "\0" in text:
        raise Unreadable("This is not a CSV file.")
    return text
