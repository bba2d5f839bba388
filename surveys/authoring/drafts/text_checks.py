"""What texts, lists of choices and variable names have to be. What is wrong is a ValueError with its message."""

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal

from mechanisms.designs.widths import MOST_VALUES
from surveys.authoring.drafts import variable_names
from surveys.definition.freezing import LARGEST_TEXT
from surveys.definition.kinds import MAXIMUM_CHOICES
from surveys.site.errors import Invalid
from surveys.site.expressions import full_match

VARIABLE_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
LABEL_LENGTH = 200
NUMBERS = 1_000  # values that a background number may have
FARTHEST = 1_000_000_000
MOST_RESPONSES = 10_000_000  # that a survey may hope for
# Control characters (PostgreSQL refuses NUL) and halves of characters.
UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def one_line(text: str, *, name: str, limit: int, required: bool = False) -> str:
    """The text with every run of spaces and line breaks as one space."""
    text = " ".join(_storable(text, name).split())
    return _measured(text, name, limit, required)


def paragraphs(text: str, *, name: str, limit: int, required: bool = False) -> str:
    """The text with its line breaks, which browsers send as CR LF, as LF."""
    text = _storable(text, name).replace("\r\n", "\n").replace("\r", "\n").strip()
    return _measured(text, name, limit, required)


def variable_name(typed: str, taken: Iterable[str], text: str = "") -> str:
    """Return the name as typed, or one made from `text` if nothing is typed: the short name, or else the question."""
    taken = set(taken)
    name = typed.strip()
    if not name:
        return variable_names.suggest_variable_name(text, taken)
    if len(name) > 32:
        raise ValueError(f"The variable name has {len(name)} characters. At most 32 are allowed.")
    if not VARIABLE_NAME.fullmatch(name):
        raise ValueError(
            "Start the variable name with a letter, and use only a to z, 0 to 9 and _."
        )
    if name == variable_names.NEW:
        raise ValueError("“new” is reserved. Choose another variable name.")
    if name in taken:
        raise ValueError(f"Choose another variable name. Another question has “{name}”.")
    return name


def choice_labels(
    lines: Iterable[str], *, decline: str = "", most: int = MAXIMUM_CHOICES
) -> tuple[str, ...]:
    """The choices from lines as typed, without empty lines. Messages count lines, as the author sees them.

    decline: the answer that is added by itself and so may not be typed as well.
    """
    lines_by_label: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, 1):
        label = one_line(line, name=f"Choice on line {number}", limit=LABEL_LENGTH)
        if not label:
            continue
        same = unicodedata.normalize("NFKC", label).casefold()
        if same in lines_by_label:
            raise ValueError(
                f"“{label}” appears twice, on lines {lines_by_label[same][0]} and {number}. Remove one of them."
            )
        lines_by_label[same] = number, label
    if decline and decline.casefold() in lines_by_label:
        raise ValueError(f"“{decline}” is added automatically. Remove it from the list.")
    if len(lines_by_label) < 2:
        raise ValueError("Write at least two choices, each on its own line.")
    if len(lines_by_label) > most:
        raise ValueError(
            f"These are {len(lines_by_label):,} choices. At most {most:,} are allowed."
        )
    if (size := sum(len(label.encode()) for _, label in lines_by_label.values())) > LARGEST_TEXT:
        raise ValueError(
            f"These choices are {size:,} bytes of text. At most {LARGEST_TEXT:,} are allowed."
        )
    return tuple(label for _, label in lines_by_label.values())


def bounds(minimum: str, maximum: str) -> tuple[int, int]:
    """The smallest and the largest value of a background number, from what was typed."""
    low, high = _whole(minimum, "The smallest number"), _whole(maximum, "The largest number")
    if high <= low:
        raise ValueError(f"The largest number must be above the smallest, {low}.")
    if high - low >= NUMBERS:
        raise ValueError(
            f"From {low} to {high} there are {high - low + 1:,} values. At most {NUMBERS:,} are allowed. Ask for "
            "groups instead, for example ages in years or income in steps."
        )
    return low, high


def steps(minimum: str, maximum: str, step: str) -> tuple[int, int, int]:
    """The smallest and the largest value of a sensitive number and what lies between two, from what was typed."""
    low, high = _whole(minimum, "The smallest number"), _whole(maximum, "The largest number")
    apart = _whole(step or "1", "The step")
    if high <= low:
        raise ValueError(f"The largest number must be above the smallest, {low}.")
    if not 1 <= apart <= high - low:
        raise Invalid({"step": f"The step must be a whole number from 1 to {high - low}."})
    if (high - low) % apart:
        fitting = high - (high - low) % apart
        message = f"From {low} in steps of {apart} you can’t reach {high}. Write {fitting} or {fitting + apart}."
        raise Invalid({"maximum": message})
    if (high - low) // apart >= MOST_VALUES:
        needed = -(-(high - low) // (MOST_VALUES - 1))
        message = (
            f"These are {(high - low) // apart + 1:,} values. At most {MOST_VALUES:,} are allowed. "
        )
        raise Invalid({"step": f"{message}Use larger steps, of {needed:,} or more."})
    return low, high, apart


def _whole(text: str, name: str) -> int:
    text = str(text).strip().replace("−", "-")
    if not full_match(r"-?[0-9]{1,10}", text, longest=11) or abs(int(text)) > FARTHEST:
        raise ValueError(f"{name} must be a whole number, for example 18.")
    return int(text)


def known_share(text: str) -> float | None:
    """A share from per cent as typed; None where nothing is."""
    text = str(text).strip().removesuffix("%").strip()
    if not text:
        return None
    if not full_match(r"[0-9]{1,3}(\.[0-9]{1,6})?", text, longest=10) or not 0 < float(text) < 100:
        raise ValueError("Enter a known share between 0 and 100, for example 24.6.")
    return float(Decimal(text) / 100)  # 24.6 is 0.246, which a division of floats would miss


def _storable(text: str, name: str) -> str:
    if control := UNSTORABLE.search(text):
        raise ValueError(
            f"{name}: character {control.start() + 1} is an invisible control character. Delete it."
        )
    return text


def _measured(text: str, name: str, limit: int, required: bool) -> str:
    if not any(character.isprintable() and not character.isspace() for character in text):
        if required:
            raise ValueError(f"{name} is empty. Write something here.")
        return ""
    if len(text) > limit:
        raise ValueError(f"{name} has {len(text):,} characters. At most {limit:,} are allowed.")
    return text


def percent_expected(text: str) -> int | None:
    """Of the people, those who are expected to be asked a question, in whole percent; None for none. ValueError."""
    text = text.strip().removesuffix("%").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= 100):
        raise ValueError(
            "Write a whole number from 1 to 100: how many of 100 people will get this question."
        )
    return int(text)


def target(text: str) -> int | None:
    """The number of responses wanted, from text; None for none. Raises ValueError."""
    text = text.strip().replace(",", "")
    if not text:
        return None
    if not (
        text.isascii() and text.isdigit() and len(text) < 12 and 1 <= int(text) <= MOST_RESPONSES
    ):
        raise ValueError(f"Enter a target from 1 to {MOST_RESPONSES:,}.")
    return int(text)
