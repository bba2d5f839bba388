"""Variable names made from short names or texts of questions: copied_exam from "Have you ever copied in an exam?".

A negation is never left out, because data named “declared” must not hold the answers to “not declared”.
"""

import keyword
import re
from collections.abc import Sequence, Set
from typing import NamedTuple

from surveys.definition.negations import CONTRACTION, negation_indexes
from surveys.definition.short_names import TEXT_LENGTH
from surveys.definition.words import STOP_WORDS, fold

NEW = "new"  # the address of a question ends in its name, and .../questions/new/ adds one
# Words that programs for statistics keep for themselves (SPSS, R, Stata, Python), and ours.
RESERVED = frozenset(
    f"{NEW} all and by eq ge gt le lt ne not or to with if else in for while repeat next break function true false "
    f"null na nan inf byte int long float double using {' '.join(keyword.kwlist).lower()}".split()
)
LENGTH = 24
# Arabic negations, which can’t be written in a name.
WITHOUT = frozenset(["بدون", "وبدون", "دون", "بلا"])


class Word(NamedTuple):
    spelling: str
    is_negation: bool


def suggest_variable_name(text: str, taken: Set[str]) -> str:
    """Return a name of the words of a text that say something, or q1, q2, ... if none of them can be written a to z.

    text: the short name of a question, or else the question itself.
    taken: names of the other questions. A number makes a name that is taken or reserved one of its own.
    """
    name = _joined(_telling_words(text[:TEXT_LENGTH]))
    if not name:
        return _numbered("q", len(taken) + 1, taken)
    if name in taken or name in RESERVED:
        return _numbered(f"{name}_", 2, taken)
    return name


def _telling_words(text: str) -> list[Word]:
    """Return the words of a text that say something, without those before the first letter, as a name starts with one.

    A word with a letter of another alphabet is left out whole, because its rest would be no word. A negation in
    another alphabet is written in English.
    """
    spellings = re.findall(r"[^\W_]+", CONTRACTION.sub(" not ", fold(text)))
    negations = negation_indexes(spellings)
    words = []
    for index, spelling in enumerate(spellings):
        is_writable = re.fullmatch(r"[a-z0-9]+", spelling)
        if index in negations and not is_writable:
            words.append(Word("without" if spelling in WITHOUT else "not", is_negation=True))
        elif index in negations:
            words.append(Word(spelling, is_negation=True))
        elif (
            is_writable and spelling not in STOP_WORDS and (len(spelling) > 1 or spelling.isdigit())
        ):
            words.append(Word(spelling, is_negation=False))
    if all(word.is_negation for word in words) and not fold(text).isascii():
        return []  # what is negated can't be written
    first = next(
        (index for index, word in enumerate(words) if word.spelling[0].isalpha()), len(words)
    )
    return words[first:]


def _joined(words: Sequence[Word]) -> str:
    """Return as many words as a name has room for, or "" if the negations among them have none.

    Negations and the word after each of them come first, then the others in their order. A single word that is too
    long is cut.
    """
    negations = [index for index, word in enumerate(words) if word.is_negation]
    kept = set(negations)
    kept.update(index + 1 for index in negations if index + 1 < len(words))
    for index in range(len(words)):
        longer = _name(words, {*kept, index})
        if kept and len(longer) > LENGTH:
            break
        kept.add(index)
    up_to_last_negation = {index for index in kept if negations and index <= negations[-1]}
    if len(_name(words, up_to_last_negation)) > LENGTH:
        return ""
    return _name(words, kept)[:LENGTH].rstrip("_")


def _name(words: Sequence[Word], indexes: Set[int]) -> str:
    return "_".join(words[index].spelling for index in sorted(indexes))


def _numbered(start: str, number: int, taken: Set[str]) -> str:
    while f"{start}{number}" in taken:
        number += 1
    return f"{start}{number}"
