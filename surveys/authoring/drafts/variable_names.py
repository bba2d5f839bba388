"""Variable names made from the texts of questions: copied_exam from "Have you ever copied in an exam?"."""

import keyword
import re
from collections.abc import Set

from surveys.definition.words import STOP, folded

NEW = "new"  # the address of a question ends in its name, and .../questions/new/ adds one
# Words that programs for statistics keep for themselves (SPSS, R, Stata, Python), and ours.
RESERVED = frozenset(
    f"{NEW} all and by eq ge gt le lt ne not or to with if else in for while repeat next break function true false "
    f"null na nan inf byte int long float double using {' '.join(keyword.kwlist).lower()}".split()
)
LENGTH = 24


def made(text: str, taken: Set[str]) -> str:
    """The first words of the text that say something; q1, q2, ... where nothing of it can be written a to z.

    taken: names of the other questions. A number makes a name that is taken or reserved one of its own.
    """
    words = _words(text)
    if not words:
        return _numbered("q", len(taken) + 1, taken)
    name = words[0][:LENGTH]
    for word in words[1:]:
        if len(name) + 1 + len(word) > LENGTH:
            break
        name += f"_{word}"
    return _numbered(f"{name}_", 2, taken) if name in taken or name in RESERVED else name


def _words(text: str) -> list[str]:
    """Without what stands before the first letter, as a name starts with one."""
    # A word with a letter of another alphabet is left out whole: its rest would be no word.
    found = [word for word in re.findall(r"[^\W_]+", folded(text)) if re.fullmatch(r"[a-z0-9]+", word)]
    telling = [word for word in found if word not in STOP and (len(word) > 1 or word.isdigit())]
    first = next((place for place, word in enumerate(telling) if word[0].isalpha()), len(telling))
    return telling[first:]


def _numbered(start: str, number: int, taken: Set[str]) -> str:
    while f"{start}{number}" in taken:
        number += 1
    return f"{start}{number}"
