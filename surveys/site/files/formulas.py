"""Texts that a spreadsheet would calculate; every table of ours puts an apostrophe before them, wherever it may cut.

Where numbers have a comma spreadsheets cut a file at semicolons instead, and some cut at tabs and line breaks; so what
follows one of these counts as the beginning of a cell as well.
"""

import re

SIGNS = "=+\\-@\t\r\n＝＋－＠"
RUN = re.compile(f"(^|[;\t\r\n])( *)(?='*[{SIGNS}])")
DEFUSED = re.compile(f"(^|[;\t\r\n])( *)'(?='*[{SIGNS}])")


def defused(text: str) -> str:
    """The text with an apostrophe before each part that would run; also before +2, which is a number to a spreadsheet.

    It is for texts alone: whoever writes a number does not ask.
    """
    return RUN.sub(r"\1\2'", text)


def armed(text: str) -> str:
    """The way back."""
    return DEFUSED.sub(r"\1\2", text)
