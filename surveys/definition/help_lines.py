"""Help lines: a text with one of them on each line, in which https and tel addresses become links.

On the respondent's page they are text to copy, since nobody can go to another site from there; as links they stand on a
page of their own (surveys.web.respondent.pages.help_lines).
"""

import re
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

MOST = 20  # lines
ADDRESS = re.compile(r"(?:https://|tel:)\S+", re.IGNORECASE)
AFTER = ".,;:!?)]}»”’\"'،؛؟"  # what stands behind an address in a sentence, and is no part of it
TELEPHONE = re.compile(r"tel:\+?[0-9](?:[-.()]*[0-9]){1,19}", re.IGNORECASE)
OTHER = re.compile(
    r"(?<!\S)[^\w\s]*(?:[a-z][a-z0-9+.-]*://|www\.|(?:mailto|javascript|data|sms|ftp|file|blob|vbscript|whatsapp):)\S*",
    re.IGNORECASE,
)
ALLOWED = "Write https://… for a page and tel:… for a number, such as tel:+49-800-1110111; only these become links."
_check = URLValidator(schemes=["https"])


@dataclass(frozen=True)
class Piece:
    """Of a line. address: where a link leads; empty for text."""

    text: str
    address: str = ""

    @property
    def is_telephone(self) -> bool:
        return self.address.startswith("tel:")


def split_links(text: str) -> list[list[Piece]]:
    """Return the lines of a text, each split into text and links."""
    return [_cut(line) for line in map(str.strip, text.split("\n")) if line]


def _cut(line: str) -> list[Piece]:
    parts, at = [], 0
    for match in ADDRESS.finditer(line):
        address = match[0].rstrip(AFTER)
        if match.start() > at:
            parts.append(Piece(line[at : match.start()]))
        parts.append(_link(address))
        at = match.start() + len(address)
    return [*parts, *([Piece(line[at:])] if at < len(line) else [])]


def _link(address: str) -> Piece:
    """A number is shown without its scheme, as people dial it."""
    scheme, _, rest = address.partition(":")
    text = rest if scheme.lower() == "tel" else address
    return Piece(text, f"{scheme.lower()}:{rest}")


def validate_links(text: str) -> str:
    """Return the text if every address in it may be a link. Raises ValueError with the line."""
    for number, line in enumerate(text.split("\n"), 1):
        if wrong := _wrong(line):
            raise ValueError(f"Line {number}: {wrong} {ALLOWED}")
    if (lines := len(split_links(text))) > MOST:
        raise ValueError(f"Write at most {MOST} lines, one for each help line. There are {lines}.")
    return text


def _wrong(line: str) -> str:
    other = next(
        (
            each[0]
            for each in OTHER.finditer(line)
            if not ADDRESS.match(each[0].lstrip("([{<„“«\"'"))
        ),
        "",
    )
    if other:
        return f"“{other[:60]}” can’t be a link."
    addresses = [piece.address for piece in _cut(line) if piece.address]
    return next(
        (f"“{each[:60]}” is not an address." for each in addresses if not _is_good(each)), ""
    )


def _is_good(address: str) -> bool:
    if address.startswith("tel:"):
        return TELEPHONE.fullmatch(address) is not None
    try:
        _check(address)
    except ValidationError:
        return False
    return (
        "@" not in address.split("/", 3)[2]
    )  # a name before the host makes one site look like another
