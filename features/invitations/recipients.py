"""Recipients as mail programs copy them: Carl <carl@example.org>; "Doe, Dora" <dora@example.org>.

Texts are cut character by character and by no regular expression, because a pasted list can be very long.
"""

from collections.abc import Sequence
from typing import NamedTuple

SEPARATORS = (
    ";",
    "\t",
    ",",
)  # the strongest first: “Doe, Dora <dora@example.org>; …” has two people on a line
LONGEST_QUOTE = 60  # characters of a part that a message quotes


class Recipient(NamedTuple):
    name: str
    address: str


def read_recipients(text: str, separators: Sequence[str] = SEPARATORS) -> list[Recipient]:
    """Return the recipients in one line or cell, which has at least one.

    Raises ValueError with the part that cannot be read.
    """
    parts = _split(text, separators)
    with_address = [index for index, part in enumerate(parts) if "@" in part]
    if not with_address:
        raise ValueError(f"“{_shortened(text)}” has no email address.")
    if len(with_address) == 1:
        return _read_one_address(parts, with_address[0])
    used = next(
        index for index, separator in enumerate(separators) if len(_split(text, [separator])) > 1
    )
    recipients = []
    for part in _split(text, [separators[used]]):
        recipients += read_recipients(part, separators[used + 1 :])
    return recipients


def _split(text: str, separators: Sequence[str]) -> list[str]:
    """Return the parts of a text between separators that are not in quotation marks, without empty parts."""
    parts, start, is_quoted = [], 0, False
    for index, character in enumerate(text):
        if character == '"':
            is_quoted = not is_quoted
        elif character in separators and not is_quoted:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    stripped = [part.strip() for part in parts]
    return [part for part in stripped if part]


def _read_one_address(parts: Sequence[str], place: int) -> list[Recipient]:
    """Return the recipient whose address is in parts[place]; the other parts belong to the name.

    These are several recipients if parts[place] is nothing but addresses with spaces between them.
    """
    recipients = _read_part(parts[place])
    if len(parts) == 1:
        return recipients
    if len(recipients) > 1:
        raise ValueError(_unreadable_message(", ".join(parts)))
    names = [_unquoted(part) for part in parts]
    names[place] = recipients[0].name
    return [Recipient(", ".join(name for name in names if name), recipients[0].address)]


def _read_part(part: str) -> list[Recipient]:
    words = part.split()
    if "<" not in part and ">" not in part:
        if len(words) > 1 and all("@" in word for word in words):
            return [Recipient("", word) for word in words]
        return [Recipient("", _unquoted(part))]
    name, _, address = part.removesuffix(">").rpartition("<")
    name, address = _unquoted(name), address.strip()
    is_readable = part.endswith(">") and "@" in address and not {"<", ">", '"'} & {*name, *address}
    if not is_readable or ("@" in name and " " in name):
        raise ValueError(_unreadable_message(part))
    return [Recipient(name, address)]


def _unquoted(name: str) -> str:
    """Return a name without the quotation marks around it."""
    name = name.strip()
    for mark in ('"', "'"):
        if len(name) > 1 and name.startswith(mark) and name.endswith(mark):
            name = name[1:-1].strip()
    return name


def _unreadable_message(part: str) -> str:
    return f"“{_shortened(part)}” can’t be read. Put a semicolon, a comma or a new line between people."


def _shortened(part: str) -> str:
    """Return a part that is short enough for a message."""
    return part if len(part) <= LONGEST_QUOTE else f"{part[:LONGEST_QUOTE]}…"
