"""Measure how deep JSON is nested before it is parsed.

Thousands of levels would use up the stack of the parser.
"""

import re

# A token is a whole text in quotation marks, or a bracket that opens or closes a level. Brackets in
# a text are thereby skipped.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


def is_deeper(text: str, levels: int) -> bool:
    """Return whether a text of JSON has more than `levels` objects and lists inside one another.

    The text need not be valid JSON. It is read only once, whatever is in it.
    """
    # With so few brackets no text is deep, so that most texts are not searched.
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
