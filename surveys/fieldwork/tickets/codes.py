"""Codes: with 16 letters an invited person fetches a ticket. The last letter detects typing errors.

A code is derived from the site's TICKET_KEY and the invitee. So it can be sent again although it
is not stored: only its digest is, to find the invitee. Nobody can find a code of 74 random bits
from its digest.

The letters of a code are those of SLUG_LETTERS, and the number of a letter is its index there.
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
    """Return the code of an invitee, without dashes. The same arguments always give the same code.

    key: one of surveys.definition.ticket_key.code_keys.
    invitee: the primary key of the invitee.
    generation: how often the code of the invitee was replaced, 0 for the first code.
    """
    letter_numbers: list[int] = []
    # Each block is 32 bytes that are random for those who do not know the key. If too few of them
    # are below the limit, another block follows.
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
    """Return the number of the last letter of a code, which detects typing errors.

    The numbers of the other letters have the weights 2, 3, 4 and so on, and the last one has the
    weight 1. The weighted sum of all is a multiple of the number of possible letters. One wrong
    letter or two exchanged neighbours change the sum.

    letter_numbers: the numbers of the other letters, in their order.
    """
    weighted_sum = sum((index + 2) * number for index, number in enumerate(letter_numbers))
    return -weighted_sum % len(SLUG_LETTERS)


def normalize_code(text: str) -> str:
    """Return a typed code in lower case, without spaces and dashes. It need not be a code."""
    # Word processors replace a hyphen with one of the dashes from U+2010 to U+2015.
    return re.sub(r"[\s\u2010-\u2015-]", "", text).lower()


def is_code(text: str) -> bool:
    """Return whether a text has the length and the letters of a code, and no typing error.

    Whether somebody has this code is not checked.

    text: as `normalize_code` returns it.
    """
    if len(text) != CODE_LENGTH or not set(text) <= set(SLUG_LETTERS):
        return False
    letter_numbers = [SLUG_LETTERS.index(letter) for letter in text]
    return _check_number(letter_numbers[:-1]) == letter_numbers[-1]


def format_code(code: str) -> str:
    """Return a code as people read it: abcd-efgh-jkmn-pqrs."""
    starts = range(0, CODE_LENGTH, LETTERS_PER_PART)
    parts = [code[start : start + LETTERS_PER_PART] for start in starts]
    return "-".join(parts)


def digest(code: str) -> str:
    """Return the digest of a code, by which its invitee is found, in hexadecimal digits."""
    # The prefix makes sure that no other hash of the site is equal to a digest of a code.
    return hashlib.sha256(b"candor code" + code.encode()).hexdigest()


def code_of(invitee: Invitee) -> str:
    """Return the current code of an invitee, derived again.

    Raise site.errors.Refused if the site no longer has the key from which it was derived.
    """
    # TICKET_KEY may have been renewed since the code was made. The digest shows which key is right.
    for key in ticket_key.code_keys():
        code = derive_code(key, invitee.pk, invitee.generation)
        if digest(code) == invitee.digest:
            return code
    raise Refused(ticket_key.NO_OLD_KEY)
