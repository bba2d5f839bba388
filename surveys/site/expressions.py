"""Regular expressions on what somebody typed.

An expression may take time that grows with the square of the text, and no other thread of the worker runs meanwhile. So
a text that is longer than all that an expression can match does not reach the expression.
"""

import re


def full_match(expression: str | re.Pattern[str], text: str, longest: int) -> re.Match[str] | None:
    """Return the match of an expression with a whole text, or None where none fits or the text is too long."""
    if len(text) > longest:
        return None
    return re.fullmatch(expression, text)
