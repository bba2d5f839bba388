"""The bytes of a ticket: the token of RFC 9578, type 2, without what the instrument says anyway.

What is signed is type, nonce, SHA-256 of the challenge and SHA-256 of the key, 98 bytes: so a ticket belongs to one
survey and to one key. A ticket is nonce and signature, 288 bytes. Everything is written as base64url without padding.
"""

import base64
import binascii
import hashlib
from functools import lru_cache
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import MGF1, PSS
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey, RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA384

BITS = 2048  # of the key that signs: surveys.definition.ticket_key draws it
EXPONENT = 65_537
TYPE = b"\x00\x02"
ISSUER = b"candor"
NONCE = 32  # bytes
KEY = BITS // 8
TICKET = 384  # letters of a ticket
BLINDED = 342  # letters of what is signed unseen, and of what comes back
# What stands before and after the modulus where a key is written out as SubjectPublicKeyInfo, for RSA-PSS with SHA-384.
BEFORE = bytes.fromhex(
    "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f70d010108300b0609608648"
    "016503040202a2030201300382010f003082010a0282010100"
)
AFTER = bytes.fromhex("0203010001")
_HASH = SHA384()
_PADDING = PSS(MGF1(_HASH), salt_length=48)
_USUAL = str.maketrans("-_", "+/")


def unpacked(text: str, length: int) -> bytes:
    """length: in letters. Raises ValueError for any other, and for what is not written as we write it."""
    wrong = ValueError(f"must be {length} letters of base64url")
    if len(text) != length or not text.isascii() or "+" in text or "/" in text:
        raise wrong
    try:
        data = binascii.a2b_base64(text.translate(_USUAL) + "=" * (-length % 4), strict_mode=True)
    except binascii.Error:
        raise wrong from None
    # Four bits are left over in the last letter where a key's length is written.
    if (
        length % 4
        and _written(data[-1:] if length % 4 == 2 else data[-2:]) != text[-(length % 4) :]
    ):
        raise wrong
    return data


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def challenge(slug: str) -> bytes:
    """45 bytes: type, issuer, SHA-256 of the survey's address, no origin."""
    return (
        TYPE
        + len(ISSUER).to_bytes(2)
        + ISSUER
        + b"\x20"
        + hashlib.sha256(slug.encode()).digest()
        + b"\x00\x00"
    )


def key_id(modulus: bytes) -> bytes:
    """SHA-256 of the key as SubjectPublicKeyInfo."""
    return hashlib.sha256(BEFORE + modulus + AFTER).digest()


def signed_text(nonce: bytes, challenge: bytes, modulus: bytes) -> bytes:
    """What the signature of a ticket is of, 98 bytes."""
    return TYPE + nonce + hashlib.sha256(challenge).digest() + key_id(modulus)


@lru_cache(maxsize=1024)
def _of_a_survey(slug: str, modulus: str) -> tuple[RSAPublicKey, bytes]:
    """The key, and what stands behind the nonce in what is signed."""
    n = unpacked(modulus, BLINDED)
    return RSAPublicNumbers(EXPONENT, int.from_bytes(n)).public_key(), signed_text(
        b"", challenge(slug), n
    )[len(TYPE) :]


def is_signed(ticket: bytes, slug: str, modulus: str) -> bool:
    """Whether a ticket, nonce and signature, was signed for this survey with this key."""
    key, behind = _of_a_survey(slug, modulus)
    try:
        key.verify(ticket[NONCE:], TYPE + ticket[:NONCE] + behind, _PADDING, _HASH)
    except InvalidSignature:
        return False
    return True


def spent_key(ticket: bytes) -> UUID:
    """Under which a response with this ticket lies in the inbox, at every try the same."""
    digest = hashlib.sha256(b"candor spent" + ticket[:NONCE]).digest()
    return UUID(bytes=digest[:16], version=4)
