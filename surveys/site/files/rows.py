"""A table of texts as it comes from anywhere, row by row. Read in a child process, so this imports no Django."""

import csv
import io

from surveys.site.errors import Unreadable

ROWS = 100_000


def rows(content: bytes) -> list[dict]:
    """[{"row": number, "cells": [...]}], the header first; empty rows are left out. Raises Unreadable."""
    text = decoded(content)
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    lines = []
    for number, cells in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=separator), 1):
        if any(cell.strip() for cell in cells):
            lines.append({"row": number, "cells": cells})
        if len(lines) > ROWS:
            raise Unreadable(f"The file has more than {ROWS:,} rows.")
    if not lines:
        raise Unreadable("The file is empty.")
    return lines


def decoded(content: bytes) -> str:
    """The text of a file. Raises Unreadable."""
    try:
        text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("The file is not in UTF-8. Save it as “CSV UTF-8”.") from None
    if "\0" in text:
        raise Unreadable("This is not a CSV file.")
    return text
