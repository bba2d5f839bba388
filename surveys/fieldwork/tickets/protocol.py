"""The bytes of a ticket: the token of RFC 9578, type 2, without what the instrument says anyway.

The signed text has 98 bytes: the type of the token, a nonce (random bytes that the device draws),
the SHA-256 of the challenge (bytes that name the survey) and the SHA-256 of the key. So a ticket is
valid for one survey and one key. A ticket has 288 bytes: the nonce and the signature. Everything is
written as base64url without padding.
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

# Bits of the key that signs: surveys.definition.ticket_key draws it.
KEY_BITS = 2048
# The public exponent of the key.
EXPONENT = 65_537
# The type of the token in RFC 9578.
TOKEN_TYPE = b"\x00\x02"
# The name of the issuer in each challenge.
ISSUER_NAME = b"candor"
# Bytes of a nonce and of the modulus of a key.
NONCE_BYTES = 32
KEY_BYTES = KEY_BITS // 8
# Letters of a ticket in base64url.
TICKET_LETTERS = 384
# Letters of a blinded text, of its signature and of a modulus in base64url.
BLINDED_LETTERS = 342
# The bytes before and after the modulus if a key is written as SubjectPublicKeyInfo, for RSA-PSS
# with SHA-384.
KEY_PREFIX = bytes.fromhex(
    "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886"
    "f70d010108300b0609608648016503040202a2030201300382010f003082010a0282010100"
)
KEY_SUFFIX = bytes.fromhex("0203010001")
_HASH = SHA384()
_PADDING = PSS(MGF1(_HASH), salt_length=48)
_TO_USUAL_LETTERS = str.maketrans("-_", "+/")


def decode_base64url(text: str, length: int) -> bytes:
    """Return the bytes of a text in base64url without padding.

    Raise ValueError if the text has another length, or is not written exactly as this site writes
    these bytes.

    length: the number of letters that the text must have.
    """
    error = ValueError(f"must be {length} letters of base64url")
    has_foreign_letters = not text.isascii() or any(letter in text for letter in "+/=")
    if len(text) != length or has_foreign_letters:
        raise error

    # The decoder demands the usual letters, and groups of four.
    padding = "=" * (-length % 4)
    usual_text = text.translate(_TO_USUAL_LETTERS) + padding
    try:
        data = binascii.a2b_base64(usual_text, strict_mode=True)
    except binascii.Error:
        raise error from None

    # Four letters are three bytes. If the last group has only two or three letters, its last letter
    # has spare bits. They must be 0, as this site writes them: otherwise several texts would stand
    # for the same bytes.
    is_last_group_short = length % 4 != 0
    if is_last_group_short:
        text_of_site = base64.urlsafe_b64encode(data).rstrip(b"=").decode()
        if text != text_of_site:
            raise error
    return data


def challenge(slug: str) -> bytes:
    """Return the challenge of RFC 9578 for a survey: 45 bytes with the SHA-256 of its `slug`.

    A ticket is signed together with a hash of these bytes, so it is valid for this survey only.
    """
    # Each part after the type begins with its length.
    issuer = len(ISSUER_NAME).to_bytes(2) + ISSUER_NAME
    context = b"\x20" + hashlib.sha256(slug.encode()).digest()
    empty_origin = b"\x00\x00"
    return TOKEN_TYPE + issuer + context + empty_origin


def key_id(modulus: bytes) -> bytes:
    """Return the identifier of a public key in RFC 9578: the SHA-256 of its standard encoding.

    The encoding is a SubjectPublicKeyInfo. Only the modulus in it differs between keys.

    modulus: the modulus of the key, 256 bytes.
    """
    return hashlib.sha256(KEY_PREFIX + modulus + KEY_SUFFIX).digest()


def signed_text(nonce: bytes, challenge: bytes, modulus: bytes) -> bytes:
    """Return the text of a ticket that the site signs, without seeing it: 98 bytes.

    nonce: the 32 random bytes that the device has drawn for the ticket, or b"" for the text
        without them.
    challenge: the challenge of the survey, as the function of this name returns it.
    modulus: the modulus of the key that signs, 256 bytes.
    """
    return TOKEN_TYPE + nonce + hashlib.sha256(challenge).digest() + key_id(modulus)


@lru_cache(maxsize=1024)
def _key_and_ending(slug: str, modulus: str) -> tuple[RSAPublicKey, bytes]:
    """Return the public key of a survey, and the part of each signed text after the nonce.

    Both are the same for all tickets of the survey, so they are cached.

    slug: the slug of the survey.
    modulus: the modulus of the key in base64url, as the instrument has it.
    """
    modulus_bytes = decode_base64url(modulus, BLINDED_LETTERS)
    numbers = RSAPublicNumbers(EXPONENT, int.from_bytes(modulus_bytes))
    # With an empty nonce, the text is the type and then the part that is wanted.
    text_without_nonce = signed_text(b"", challenge(slug), modulus_bytes)
    return numbers.public_key(), text_without_nonce[len(TOKEN_TYPE) :]


def is_signed(ticket: bytes, slug: str, modulus: str) -> bool:
    """Return whether a ticket was signed for this survey with this key.

    ticket: the bytes of the ticket: nonce and signature.
    slug: the slug of the survey.
    modulus: the modulus of the key in base64url, as the instrument has it.
    """
    key, ending = _key_and_ending(slug, modulus)
    nonce = ticket[:NONCE_BYTES]
    signature = ticket[NONCE_BYTES:]
    text = TOKEN_TYPE + nonce + ending
    try:
        key.verify(signature, text, _PADDING, _HASH)
    except InvalidSignature:
        return False
    return True


def spent_key(ticket: bytes) -> UUID:
    """Return the key under which the inbox stores the response with this ticket.

    The key is a hash of the nonce, so it is the same however often the response is sent.

    ticket: the bytes of the ticket: nonce and signature. The signature is not checked here.
    """
    digest = hashlib.sha256(b"candor spent" + ticket[:NONCE_BYTES]).digest()
    return UUID(bytes=digest[:16], version=4)
