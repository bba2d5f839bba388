"""Help lines: a text with one help line on each line, in which https and tel addresses are links.

On the respondent's page the addresses are text to copy, since the page may not lead to other sites.
They are links on a separate page: surveys.web.respondent.pages.help_lines.
"""

import re
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

# The largest number of lines.
MOST_LINES = 20
_ADDRESS = re.compile(r"(?:https://|tel:)\S+", re.IGNORECASE)
# Characters that can follow an address in a sentence, and are not part of the address.
_PUNCTUATION = ".,;:!?)]}»”’\"'،؛؟"
# Characters that can precede an address in a sentence.
_OPENING_PUNCTUATION = "([{<„“«\"'"
# A tel address: up to 20 digits, with hyphens, points and parentheses between them.
_TELEPHONE = re.compile(r"tel:\+?[0-9](?:[-.()]*[0-9]){1,19}", re.IGNORECASE)
# What looks like an address of any scheme, at the start of a word and maybe after punctuation. Only
# those that _ADDRESS matches too may become links.
_UNSUPPORTED_ADDRESS = re.compile(
    r"(?<!\S)[^\w\s]*"
    r"(?:"
    r"[a-z][a-z0-9+.-]*://"
    r"|www\."
    r"|(?:mailto|javascript|data|sms|ftp|file|blob|vbscript|whatsapp):"
    r")\S*",
    re.IGNORECASE,
)
# The end of each message on an address that may not become a link.
ALLOWED_ADDRESSES = (
    "Write https://… for a page and tel:… for a number, such as tel:+49-800-1110111; "
    "only these become links."
)
# The most characters of an address that a message quotes.
_LONGEST_QUOTE = 60
_validate_url = URLValidator(schemes=["https"])


@dataclass(frozen=True)
class LinePart:
    """A part of a line: a link, or the text between two links.

    address: the address to which the link leads; "" for text.
    """

    text: str
    address: str = ""

    @property
    def is_telephone(self) -> bool:
        """True for a link to a telephone number."""
        return self.address.startswith("tel:")


def split_links(text: str) -> list[list[LinePart]]:
    """Return the lines of a text, each as a list of its parts. Empty lines are left out."""
    lines = [line.strip() for line in text.split("\n")]
    return [_split_line(line) for line in lines if line]


def _split_line(line: str) -> list[LinePart]:
    """Return the links of a line, and the text before, between and after them, in their order."""
    parts = []
    previous_end = 0
    for match in _ADDRESS.finditer(line):
        start = match.start()
        if start > previous_end:
            parts.append(LinePart(line[previous_end:start]))
        # Punctuation after an address belongs to the text that follows.
        address = match[0].rstrip(_PUNCTUATION)
        parts.append(_build_link(address))
        previous_end = start + len(address)

    if previous_end < len(line):
        parts.append(LinePart(line[previous_end:]))
    return parts


def _build_link(address: str) -> LinePart:
    """Return the link to an https or tel address.

    The text of a link to a telephone number is the number without “tel:”, as people dial it.
    """
    scheme, _, rest = address.partition(":")
    scheme = scheme.lower()
    text = rest if scheme == "tel" else address
    return LinePart(text, f"{scheme}:{rest}")


def validate_links(text: str) -> str:
    """Return the text with the help lines, unchanged, if every address in it may be a link.

    Raises ValueError, with the number of the line, if one may not, or if there are too many lines.
    A line does not need an address.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        problem = _line_problem(line)
        if problem:
            raise ValueError(f"Line {number}: {problem} {ALLOWED_ADDRESSES}")

    n_lines = len(split_links(text))
    if n_lines > MOST_LINES:
        raise ValueError(
            f"Write at most {MOST_LINES} lines, one for each help line. There are {n_lines}."
        )
    return text


def _line_problem(line: str) -> str:
    """Return why an address in the line cannot be a link, or an empty string."""
    # https addresses match this expression too, maybe after a parenthesis or a quotation mark.
    for match in _UNSUPPORTED_ADDRESS.finditer(line):
        address = match[0].lstrip(_OPENING_PUNCTUATION)
        if not _ADDRESS.match(address):
            return f"“{match[0][:_LONGEST_QUOTE]}” can’t be a link."

    for part in _split_line(line):
        if part.address and not _is_valid_address(part.address):
            return f"“{part.address[:_LONGEST_QUOTE]}” is not an address."
    return ""


def _is_valid_address(address: str) -> bool:
    """Return whether an https or tel address may become a link.

    address: what looks like an address, with its scheme, as `_split_line` found it.
    """
    if address.startswith("tel:"):
        return _TELEPHONE.fullmatch(address) is not None
    try:
        _validate_url(address)
    except ValidationError:
        return False
    # The slashes of https://host/path separate “https:”, an empty text, the host and the path.
    host = address.split("/", 3)[2]
    # A name before the host, as in https://bank.example@other.example, makes one site look like
    # another.
    return "@" not in host
