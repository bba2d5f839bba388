"""Texts that a spreadsheet would calculate; every table of ours puts an apostrophe before them, wherever it may cut.

Where numbers have a comma spreadsheets cut a file at semicolons instead, and some cut at tabs and line breaks; so what
follows one of these counts as the beginning of a cell as well.
"""

import re

SIGNS = "=+\\-@\t\r\n＝＋－＠"
RUN = re.compile(f"(^|[;\t\r\n])( *)(?='*[{SIGNS}])")
DEFUSED = re.compile(f"(^|[;\t\r\n])( *)'(?='*[{SIGNS}])")


def escape_formulas(text: str) -> str:
    """Return the text with an apostrophe before every part that a spreadsheet would run.

    It is for texts alone: whoever writes a number does not ask.
    """
    return RUN.sub(r"\1\2'", text)


def unescape_formulas(text: str) -> str:
    """Return the text without the apostrophes of `escape_formulas`."""
    return DEFUSED.sub(r"\1\2", text)
