"""Measure how deep JSON is nested before it is parsed.

Thousands of levels would use up the stack of the parser.
"""

import re

# A token is a whole text in quotation marks, or a bracket that opens or closes a level. Brackets in
# a text are thereby skipped.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


def is_deeper(text: str, levels: int) -> bool:
    """Return whether more than `levels` objects and lists are nested in one another.

    Any text is read only once, whatever is in it.
    """
    if text.count("{") + text.count("[") <= levels:
        return False
    depth = 0
    for token in _TOKENS.finditer(text):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        if depth > levels:
            return True
    return False
