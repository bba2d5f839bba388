"""A table of texts as it comes from anywhere, row by row. Read in a child process, so this imports no Django."""

import csv
import io

from surveys.site.errors import Unreadable

ROWS = 100_000
CELLS = 500_000  # as many as a translation has in five languages

LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # where str.splitlines() cuts


def rows(content: bytes) -> list[dict]:
    """[{"row": number, "cells": [...]}], the header first; empty rows are left out. Raises Unreadable."""
    text = decode_text(content)
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    lines, total_cells = [], 0
    for number, cells in enumerate(
        csv.reader(io.StringIO(text, newline=""), delimiter=separator), 1
    ):
        if any(cell.strip() for cell in cells):
            lines.append({"row": number, "cells": cells})
            total_cells += len(cells)
        if number > ROWS:
            raise Unreadable(f"The file has more than {ROWS:,} rows. Split it into several files.")
        if total_cells > CELLS:
            raise Unreadable(
                f"The file has more than {CELLS:,} cells. Remove the columns and rows that are not needed."
            )
    if not lines:
        raise Unreadable("The file is empty.")
    return lines


def too_many_lines(text: str, most: int) -> bool:
    """Return whether a text surely has more than `most` lines. Cutting it to count them takes much memory."""
    breaks = sum(map(text.count, LINE_BREAKS))
    return breaks > 2 * most  # a line of Windows ends with two


def decode_text(content: bytes) -> str:
    """Return the text of a file. Raises Unreadable."""
    try:
        text = content.decode(
            "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        )
    except UnicodeDecodeError:
        raise Unreadable("The file is not in UTF-8. Save it as “CSV UTF-8”.") from None
    if "\0" in text:
        raise Unreadable("This is not a CSV file.")
    return text
