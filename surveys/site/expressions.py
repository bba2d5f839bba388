"""Match regular expressions against texts of any length that people typed.

The time of an expression may grow with the square of the text, and no other thread of the worker
runs meanwhile. So a text that is longer than any match is not matched at all.
"""

import re


def full_match(expression: str | re.Pattern[str], text: str, longest: int) -> re.Match[str] | None:
    """Return the match of an expression with a whole text, or None if there is none.

    longest: the most characters that the expression can match. A longer text does not match, and is
        not searched.
    """
    if len(text) > longest:
        return None
    return re.fullmatch(expression, text)
