"""Canaries: recognizable values that tests plant, and the search for them in bytes.

Programs write a value in many ways, so a search looks for all encodings of each canary: the bytes
themselves, hexadecimal digits, base64, the octal escapes of PostgreSQL, UTF-16, percent-encoding,
escapes of JSON, quoted-printable, and a UUID with dashes.
"""

import base64
import json
import urllib.parse
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

# The bytes of each pattern that are compared first, and the bytes of these that are looked up.
RUN = 8
HEAD = 3
# The bytes that are searched at once.
CHUNK = 1 << 22

KINDS = (
    "name",
    "e-mail",
    "access code",
    "code digest",
    "invitee id",
    "ticket",
    "nonce",
    "blinded text",
    "ticket key",
    "response key",
    "key of the inbox",
    "record",
    "reports",
    "cell of an import",
    "survey text",
    "client address",
    "user agent",
    "secret of a link",
    "API token",
    "webhook secret",
)


def encodings(value: bytes) -> dict[str, set[bytes]]:
    """Return the bytes that stand for a value in each encoding, by the name of the encoding.

    UTF-16 and the escapes of JSON exist only for text, and dashes only for 16 bytes.
    """
    patterns = {
        "plain": {value},
        "hexadecimal": {value.hex().encode(), value.hex().upper().encode()},
        "base64": set(_base64_patterns(value)),
        "octal": set(_octal_patterns(value)),
        "percent": {
            urllib.parse.quote(value, safe="").encode(),
            urllib.parse.quote_plus(value).encode(),
        },
        "quoted-printable": {b"".join(map(_quoted_printable_escape, value))},
    }
    text = _printable_text(value)
    if text:
        patterns["utf-16"] = {text.encode("utf-16-le"), text.encode("utf-16-be")}
        patterns["json"] = {json.dumps(text)[1:-1].encode()}
    if len(value) == 16:
        patterns["uuid"] = {str(uuid.UUID(bytes=value)).encode()}
    return patterns


def _base64_patterns(value: bytes) -> Iterator[bytes]:
    """Yield the letters that depend on the value alone, for each place of it in a longer text.

    Three bytes are four letters, so the letters depend on where in its group of three the value
    begins. Letters that depend on the bytes before and after the value are left out.
    """
    for shift in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            letters = encode(bytes(shift) + value).rstrip(b"=")
            depends_on_next = (shift + len(value)) % 3 != 0
            end = len(letters) - 1 if depends_on_next else len(letters)
            start = 0 if shift == 0 else shift + 1
            yield letters[start:end]


def _octal_patterns(value: bytes) -> Iterator[bytes]:
    """Yield how PostgreSQL writes bytes with octal escapes.

    As a value of bytea it escapes all bytes that cannot be printed, and with encode() only zero
    and those above 127.
    """
    printable = range(32, 127)
    for unescaped in (printable, range(1, 128)):
        letters = []
        for byte in value:
            if byte == ord("\\"):
                letters.append(b"\\\\")
            elif byte in unescaped:
                letters.append(bytes([byte]))
            else:
                letters.append(b"\\%03o" % byte)
        yield b"".join(letters)


def _quoted_printable_escape(byte: int) -> bytes:
    """Return how mails write a byte of a text."""
    if 32 <= byte <= 126 and byte != ord("="):
        return bytes([byte])
    return b"=%02X" % byte


def _printable_text(value: bytes) -> str:
    """Return the value as text, or "" if it is not printable text in UTF-8."""
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() else ""


class Canary(NamedTuple):
    """A planted value, its kind, and the survey that it belongs to ("" for the site)."""

    kind: str
    value: bytes
    survey: str


class _Pattern(NamedTuple):
    """One way in which a canary can be written.

    content: all its bytes.
    offset: where in them the run of bytes begins that is compared first.
    """

    content: bytes
    offset: int
    canary: Canary


class Canaries:
    """The planted canaries, and the search for them."""

    def __init__(self) -> None:
        self._canaries: dict[bytes, Canary] = {}
        self._patterns_by_run: dict[bytes, list[_Pattern]] = {}
        # For each three bytes, as a number, whether a run begins with them.
        self._is_head = np.zeros(1 << 8 * HEAD, bool)

    def plant(self, kind: str, value: bytes | str, survey: str = "") -> None:
        """Remember a value, so that searches find it. Raise ValueError if it has fewer than 8 bytes.

        kind: one of KINDS.
        survey: a name of the survey that the value belongs to, or "" for the site.
        """
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is no kind of canary.")
        value = value.encode() if isinstance(value, str) else bytes(value)
        if len(value) < RUN:
            raise ValueError(f"{value!r} is too short to be recognized.")
        if value in self._canaries:
            return
        canary = Canary(kind=kind, value=value, survey=survey)
        self._canaries[value] = canary
        for patterns in encodings(value).values():
            for content in patterns:
                self._add_pattern(content, canary)

    def _add_pattern(self, content: bytes, canary: Canary) -> None:
        """Let searches look for these bytes."""
        # Of all runs, the one with the most different bytes stands in the fewest places. Zeros and
        # words such as “choice” stand everywhere.
        offsets = range(len(content) - RUN + 1)
        offset = max(offsets, key=lambda start: len(set(content[start : start + RUN])))
        run = content[offset : offset + RUN]
        pattern = _Pattern(content=content, offset=offset, canary=canary)
        self._patterns_by_run.setdefault(run, []).append(pattern)
        self._is_head[int.from_bytes(run[:HEAD], "little")] = True

    def counts(self) -> Counter[str]:
        """Return how many canaries of each kind are planted."""
        return Counter(canary.kind for canary in self._canaries.values())

    def pattern_count(self) -> int:
        """Return how many patterns a search looks for."""
        return sum(map(len, self._patterns_by_run.values()))

    def search(self, data: bytes) -> set[Canary]:
        """Return the canaries that stand in these bytes, in any encoding."""
        found = set()
        all_bytes = np.frombuffer(data, np.uint8)
        for start in range(0, max(len(data) - RUN + 1, 0), CHUNK):
            part = all_bytes[start : start + CHUNK + HEAD - 1].astype(np.uint32)
            numbers = part[:-2] | part[1:-1] << 8 | part[2:] << 16
            for index in np.flatnonzero(self._is_head[numbers]).tolist():
                position = start + index
                run = data[position : position + RUN]
                for pattern in self._patterns_by_run.get(run, ()):
                    begin = position - pattern.offset
                    if begin >= 0 and data.startswith(pattern.content, begin):
                        found.add(pattern.canary)
        return found
