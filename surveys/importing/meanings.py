"""What the text of a cell may stand for: an answer's code, a mark, or that there is no report."""

import re

from surveys.formulas import defused
from surveys.models import Question
from surveys.publishing.instruments import Item

# What programs write where there is nothing; it can mean nothing else unless an answer is called so.
NOTHING = ("", "NA", "N/A", "#N/A", "<NA>", "NaN", ".", "NULL")
WORDS = {"true": 1, "false": 0, "yes": 1, "no": 0, "y": 1, "n": 0}
# A whole number as programs write it that keep numbers as decimals. Three zeros could be thousands.
WHOLE = re.compile(r"(-?[0-9]+)[.,]0{1,2}")


def folded(text: str) -> str:
    """How texts are compared: without capital letters, and with single spaces."""
    return " ".join(text.split()).casefold()


def plain(text: str) -> str:
    """A folded text; of 1.0 and 1,00 the 1."""
    whole = WHOLE.fullmatch(text)
    return whole[1] if whole else text


def stands_for(texts: dict[str, int], text: str) -> int | None:
    """What a folded text means; None where it is none of the texts."""
    return texts.get(text, texts.get(plain(text)))


def codes(item: Item) -> dict[str, int]:
    return {str(code): code for code in range(len(item.reported))}


def labels(item: Item) -> dict[str, int]:
    """The answers as they are written; of a yes/no question also as programs and people write Yes and No."""
    own = {folded(label): code for code, label in enumerate(item.reported)}
    harmless = {folded(defused(label)): code for code, label in enumerate(item.reported)}
    return (WORDS if item.kind == Question.Kind.YES_NO else {}) | harmless | own


def marks() -> dict[str, int]:
    return WORDS | {"0": 0, "1": 1}
