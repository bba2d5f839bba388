"""Escape texts that a spreadsheet would calculate, by an apostrophe before them.

In countries where numbers have a decimal comma spreadsheets cut a file at semicolons, and some cut
at tabs and line breaks. So a text that follows one of these characters counts as the beginning of a
cell as well.
"""

import re

# The characters with which a formula can begin, the last ones in full width.
FORMULA_SIGNS = "=+\\-@\t\r\n＝＋－＠"

# The beginning of a text that a spreadsheet would run, and of one that was escaped. The first group
# is the character before it, if any, and the second one the spaces after that. A text that has its
# own apostrophes before the sign gets one more, so that unescaping restores it.
FORMULA_START = re.compile(f"(^|[;\t\r\n])( *)(?='*[{FORMULA_SIGNS}])")
ESCAPED_START = re.compile(f"(^|[;\t\r\n])( *)'(?='*[{FORMULA_SIGNS}])")


def escape_formulas(text: str) -> str:
    """Return the text with an apostrophe before every part that a spreadsheet would run.

    For example, "=1+1" becomes "'=1+1". Call this for texts only: negative numbers begin with a
    sign too, and must not be escaped.
    """
    # The character before the cell and the spaces stay, and the apostrophe comes behind them.
    return FORMULA_START.sub(r"\1\2'", text)


def unescape_formulas(text: str) -> str:
    """Return the text without the apostrophes that `escape_formulas` has added."""
    # The character before the cell and the spaces stay, and the apostrophe behind them is left out.
    return ESCAPED_START.sub(r"\1\2", text)
