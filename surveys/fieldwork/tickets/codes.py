"""Codes: with 16 letters an invited person fetches a ticket. The last letter detects typing errors.

A code is derived from the site's TICKET_KEY and the invitee. So it can be sent again although it
is not stored: only its digest is, to find the invitee. Nobody can find a code of 74 random bits
from its digest.
"""

import hashlib
import hmac
import re
from uuid import UUID

from surveys.definition import ticket_key
from surveys.models import SLUG_LETTERS, Invitee
from surveys.site.errors import Refused

# Letters of a code, without dashes.
CODE_LENGTH = 16
# Letters of each part of a code that people read.
LETTERS_PER_PART = 4
# Bytes below this limit give every letter with the same probability: it is the largest multiple of
# the number of letters up to 256.
_BYTE_LIMIT = 256 - 256 % len(SLUG_LETTERS)


def derive_code(key: bytes, invitee: UUID, generation: int) -> str:
    """Return the code of an invitee, without dashes.

    key: one of surveys.definition.ticket_key.code_keys.
    generation: how often the code was replaced.
    """
    letter_numbers: list[int] = []
    # A block has 32 random bytes. If too few of them are below the limit, another block follows.
    block = 0
    while len(letter_numbers) < CODE_LENGTH - 1:
        seed = invitee.bytes + generation.to_bytes(2) + block.to_bytes(2)
        random_bytes = hmac.digest(key, seed, hashlib.sha256)
        letter_numbers += [byte % len(SLUG_LETTERS) for byte in random_bytes if byte < _BYTE_LIMIT]
        block += 1
    letter_numbers = letter_numbers[: CODE_LENGTH - 1]
    letter_numbers.append(_check_number(letter_numbers))
    return "".join(SLUG_LETTERS[number] for number in letter_numbers)


def _check_number(letter_numbers: list[int]) -> int:
    """Return the number of the last letter of a code, from the numbers of the others.

    Each letter has a weight of its own, so one wrong letter or two exchanged neighbours are
    detected.
    """
    weighted_sum = sum((index + 2) * number for index, number in enumerate(letter_numbers))
    return -weighted_sum % len(SLUG_LETTERS)


def normalize_code(text: str) -> str:
    """Return a typed code in lower case, without spaces and dashes."""
    return re.sub(r"[\s\u2010-\u2015-]", "", text).lower()


def is_code(text: str) -> bool:
    """Return whether a normalized text can be a code: its length, its letters, and the last one."""
    if len(text) != CODE_LENGTH or not set(text) <= set(SLUG_LETTERS):
        return False
    letter_numbers = [SLUG_LETTERS.index(letter) for letter in text]
    return _check_number(letter_numbers[:-1]) == letter_numbers[-1]


def format_code(code: str) -> str:
    """Return a code as people read it: abcd-efgh-jkmn-pqrs."""
    return "-".join(
        code[start : start + LETTERS_PER_PART] for start in range(0, CODE_LENGTH, LETTERS_PER_PART)
    )


def digest(code: str) -> str:
    """Return the stored digest of a code, in hexadecimal digits."""
    return hashlib.sha256(b"candor code" + code.encode()).hexdigest()


def code_of(invitee: Invitee) -> str:
    """Return the code of an invitee.

    Raise site.errors.Refused if the site no longer has the key from which it was derived.
    """
    for key in ticket_key.code_keys():
        code = derive_code(key, invitee.pk, invitee.generation)
        if digest(code) == invitee.digest:
            return code
    raise Refused(ticket_key.NO_OLD_KEY)
