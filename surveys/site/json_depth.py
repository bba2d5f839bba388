"""How deep JSON is nested, found out before it is parsed: thousands of levels would use up the parser's stack."""

import re

_MARKS = re.compile(
    r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL
)  # a text in quotes counts as one mark


def is_deeper(text: str, levels: int) -> bool:
    """Whether more than `levels` objects and lists stand inside one another. Reads the text once, whatever is in it."""
    if text.count("{") + text.count("[") <= levels:
        return False
    depth = 0
    for mark in _MARKS.finditer(text):
        if mark[0] in "[{":
            depth += 1
        elif mark[0] in "]}":
            depth -= 1
        if depth > levels:
            return True
    return False
