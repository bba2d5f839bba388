"""The site's TICKET_KEY, and the key of each survey that signs its tickets, encrypted under it.

The database alone can neither sign a ticket nor tell a code. TICKET_KEY is a list: what is new is made with the first
of it, what is old is opened with any.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterator

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
)
from django.conf import settings

from surveys.models import Issuer
from surveys.site.errors import Refused

TYPE = 2  # of RFC 9578: publicly verifiable, blind RSA
BITS = 2048
EXPONENT = 65_537
NO_KEY = (
    "This site can’t have tickets: TICKET_KEY is not set. Its operator finds the steps in the documentation (Running "
    "Candor, “The environment”)."
)
NO_OLD_KEY = (
    "Put the TICKET_KEY of this survey back into the list. It is no longer set on this site."
)


def text(data: bytes) -> str:
    """base64url without padding, as everything of tickets is written."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def code_keys() -> Iterator[bytes]:
    """From which codes are derived, the newest first. Raises surveys.site.errors.Refused where the site has no key."""
    return (_derived(secret, b"candor codes") for secret in _secrets())


def create_issuer() -> Issuer:
    """Return a new unsaved signing key for a survey. Takes about 0.1 seconds."""
    key = generate_private_key(public_exponent=EXPONENT, key_size=BITS)
    plain = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    modulus = text(key.public_key().public_numbers().n.to_bytes(BITS // 8))
    return Issuer(modulus=modulus, private=_fernet().encrypt(plain))


def load_private_key(issuer: Issuer) -> RSAPrivateKey:
    """Return the private key of a survey.

    Raises Refused if the site no longer has the TICKET_KEY that encrypts it.
    """
    try:
        plain = _fernet().decrypt(bytes(issuer.private or b""))
    except InvalidToken:
        raise Refused(NO_OLD_KEY) from None
    # It was checked when it was drawn, and Fernet tells whether it is the same.
    key = load_der_private_key(plain, None, unsafe_skip_rsa_key_validation=True)
    assert isinstance(key, RSAPrivateKey)  # noqa: S101 (we wrote it)
    return key


def can_open(issuer: Issuer) -> bool:
    """Whether the site has the TICKET_KEY under which it lies."""
    try:
        load_private_key(issuer)
    except Refused:
        return False
    return True


def _fernet() -> MultiFernet:
    keys = (_derived(secret, b"candor issuers") for secret in _secrets())
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])


def _secrets() -> list[str]:
    if not settings.TICKET_KEY:
        raise Refused(NO_KEY)
    return list(settings.TICKET_KEY)


def _derived(secret: str, use: bytes) -> bytes:
    """32 bytes for one use: whoever learned those of another use knows nothing of these."""
    return hmac.digest(secret.encode(), use, hashlib.sha256)
