"""What the text of a cell may stand for: an answer's code, a mark, or that there is no report."""

import re
import unicodedata
from collections.abc import Collection
from functools import cache
from typing import Any

from django.utils.translation import override

from surveys.definition.designs.modes import is_statement
from surveys.definition.designs.wording import statement_answers
from surveys.definition.instrument import QuestionDefinition
from surveys.models import Survey
from surveys.site.expressions import full_match
from surveys.site.files.formulas import escape_formulas

# What programs write where there is nothing; it can mean nothing else unless an answer is called so.
NOTHING = ("", "NA", "N/A", "#N/A", "<NA>", "NaN", ".", "NULL")
WORDS = {"true": 1, "false": 0, "yes": 1, "no": 0, "y": 1, "n": 0}
# As REDCap, Qualtrics and files of ours with labels have the columns of single choices.
MARK_WORDS = {
    **{"checked": 1, "unchecked": 0},
    **{"selected": 1, "not selected": 0},
    **{"marked": 1, "not marked": 0},
}
# A whole number as programs write it that keep numbers as decimals. Three zeros could be thousands.
LONGEST_NUMBER = 40  # characters
WHOLE = re.compile(r"(-?[0-9]+)[.,]0{1,2}")


def folded(text: str) -> str:
    """How texts are compared: without capital letters, with single spaces, an ü as one letter or as u with its dots."""
    return unicodedata.normalize(
        "NFC", " ".join(unicodedata.normalize("NFC", text).split()).casefold()
    )


def clipped(text: str, longest: int = 40) -> str:
    """Return a text for a message, cut where it is long."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def plain(text: str) -> str:
    """A folded text; of 1.0 and 1,00 the 1."""
    whole = full_match(WHOLE, text, LONGEST_NUMBER)
    return whole[1] if whole else text


def whole(text: str) -> int | None:
    """The number from 0 on that a folded text is."""
    digits = plain(text)
    is_one = (
        digits.isascii() and digits.isdigit() and len(digits) < 11 and digits == str(int(digits))
    )
    return int(digits) if is_one else None


def stands_for(texts: dict[str, int], text: str) -> int | None:
    """What a folded text means; None where it is none of the texts."""
    return texts.get(text, texts.get(plain(text)))


class WholeNumbers(dict):
    """As codes() of so many reports that nobody writes them all down. without: texts that stand for none."""

    def __init__(self, size: int, without: Collection[str] = ()) -> None:
        super().__init__()
        self.size, self.without = size, without

    def __len__(self) -> int:
        return self.size

    def get(self, text: str, default: Any = None) -> Any:
        number = whole(text)
        return (
            number
            if number is not None and text not in self.without and number < self.size
            else default
        )


def is_coded(item: QuestionDefinition) -> bool:
    """Whether a cell holds one of the answers that the author wrote, or a code of it."""
    return not (item.is_string or item.has_own_numbers or item.traits.is_number)


def codes(item: QuestionDefinition) -> dict[str, int]:
    if item.is_written:
        return WholeNumbers(item.report_format.size)
    return {str(code): code for code in range(len(item.report_labels))}


def codes_by_value(item: QuestionDefinition) -> dict[str, int]:
    """Return the code of each answer by its value, as the files of the survey have it.

    A code that means a group of answers stands for itself.
    """
    if item.mechanism is not None and item.mechanism.in_groups:
        return codes(item)
    by_value = item.values.code_by_value.items()
    harmless = {folded(escape_formulas(value)): code for value, code in by_value}
    return harmless | {folded(value): code for value, code in by_value}


def labels(item: QuestionDefinition) -> dict[str, int]:
    """The answers as they are written, in any language of the survey.

    Those of a yes/no question also as programs and people write Yes and No. Where two languages have one text for
    different answers, the first language counts.
    """
    translated: dict[str, int] = {}
    ambiguous = set()
    for code, label in enumerate(item.report_labels):
        for text in getattr(label, "others", {}).values():
            if translated.setdefault(folded(text), code) != code:
                ambiguous.add(folded(text))
    translated = {text: code for text, code in translated.items() if text not in ambiguous}
    own = {folded(label): code for code, label in enumerate(item.report_labels)}
    harmless = {
        folded(escape_formulas(label)): code for code, label in enumerate(item.report_labels)
    }
    spoken = _of_statements() if is_statement(item.mode, item.mechanism) else {}
    return (WORDS if item.traits.has_yes else {}) | spoken | translated | harmless | own


@cache
def _of_statements() -> dict[str, int]:
    """True and False as the sheets of all languages have them."""
    words: dict[str, int] = {}
    for language in Survey.Language.values:
        with override(language):
            words |= {folded(word): code for code, word in statement_answers()}
    return words


def marks() -> dict[str, int]:
    """Return what stands for a mark, 1, and for none, 0, in the column of one choice."""
    return WORDS | MARK_WORDS | {"0": 0, "1": 1}
