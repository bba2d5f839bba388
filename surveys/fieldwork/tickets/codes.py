"""The code with which an invitee fetches a ticket: 16 letters, of which the last catches what was mistyped.

It is derived from the site's TICKET_KEY and the invitee, so it can be sent again and is stored nowhere: only a digest,
by which it is found, and from which nobody gets back to 74 bits.
"""

import hashlib
import hmac
import re
from uuid import UUID

from surveys.definition import ticket_key
from surveys.models import SLUG_LETTERS, Invitee
from surveys.site.errors import Refused

LENGTH = 16
GROUP = 4  # letters, as it is shown
_FAIR = 256 - 256 % len(SLUG_LETTERS)  # bytes below it give every letter alike


def derive_code(key: bytes, invitee: UUID, generation: int) -> str:
    """Return the access code of an invitee, as it is stored and sent."""
    letters: list[int] = []
    block = 0
    while len(letters) < LENGTH - 1:
        seed = invitee.bytes + generation.to_bytes(2) + block.to_bytes(2)
        drawn = hmac.digest(key, seed, hashlib.sha256)
        letters += [byte % len(SLUG_LETTERS) for byte in drawn if byte < _FAIR]
        block += 1
    letters = letters[: LENGTH - 1]
    return "".join(SLUG_LETTERS[letter] for letter in [*letters, _check(letters)])


def _check(letters: list[int]) -> int:
    """Each letter counts with a factor of its own, so that one wrong letter and two swapped neighbours show."""
    return -sum((place + 2) * letter for place, letter in enumerate(letters)) % len(SLUG_LETTERS)


def normalize_code(text: str) -> str:
    """Return a typed code without spaces and dashes, in lower case."""
    return re.sub(r"[\s\u2010-\u2015-]", "", text).lower()


def is_code(text: str) -> bool:
    """Whether a typed code can be one: its letters, their number, and the last of them."""
    if len(text) != LENGTH or not set(text) <= set(SLUG_LETTERS):
        return False
    *letters, last = (SLUG_LETTERS.index(letter) for letter in text)
    return _check(letters) == last


def format_code(code: str) -> str:
    """Return a code for people: abcd-efgh-jkmn-pqrs."""
    return "-".join(code[start : start + GROUP] for start in range(0, LENGTH, GROUP))


def digest(code: str) -> str:
    """By which the invitee is found; in hexadecimal digits."""
    return hashlib.sha256(b"candor code" + code.encode()).hexdigest()


def code_of(invitee: Invitee) -> str:
    """The invitee's code. Raises site.errors.Refused where the site no longer has the key it was derived from."""
    for key in ticket_key.code_keys():
        code = derive_code(key, invitee.pk, invitee.generation)
        if digest(code) == invitee.digest:
            return code
    raise Refused(ticket_key.NO_OLD_KEY)
