"""The keys of tickets: the site's TICKET_KEY, and the signing key of each survey.

Signing keys are stored encrypted with TICKET_KEY, and codes of invitations are derived from it. So
the database alone is not enough to sign a ticket or to learn a code. TICKET_KEY is a list of
secrets: new keys are encrypted with the first one, and old keys are decrypted with any of them.
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

# The token type of RFC 9578 for publicly verifiable tokens with blind RSA signatures.
TOKEN_TYPE = 2
# The size and the public exponent of RSA keys.
KEY_BITS = 2048
PUBLIC_EXPONENT = 65_537
# The messages if TICKET_KEY is not set, and if it lacks the secret that encrypts a signing key.
NO_KEY = (
    "This site can’t have tickets: TICKET_KEY is not set. Its operator finds the steps in the "
    "documentation (Running Candor, “The environment”)."
)
NO_OLD_KEY = (
    "Put the TICKET_KEY of this survey back into the list. It is no longer set on this site."
)


def to_base64url(data: bytes) -> str:
    """Return bytes as base64url text without padding, the encoding of all parts of tickets."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def code_keys() -> Iterator[bytes]:
    """Return the keys from which codes of invitations are derived, the newest first.

    Raises Refused if TICKET_KEY is not set.
    """
    return (_derive_key(secret, b"candor codes") for secret in _secrets())


def create_issuer() -> Issuer:
    """Return a new unsaved signing key for a survey, encrypted with the first TICKET_KEY.

    This takes about 0.1 seconds. Raises Refused if TICKET_KEY is not set.
    """
    key = generate_private_key(public_exponent=PUBLIC_EXPONENT, key_size=KEY_BITS)
    plain = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    modulus = key.public_key().public_numbers().n.to_bytes(KEY_BITS // 8)
    return Issuer(modulus=to_base64url(modulus), private=_fernet().encrypt(plain))


def load_private_key(issuer: Issuer) -> RSAPrivateKey:
    """Return the private key with which the tickets of a survey are signed.

    Raises Refused if the site no longer has the TICKET_KEY that encrypts it.
    """
    try:
        plain = _fernet().decrypt(bytes(issuer.private or b""))
    except InvalidToken:
        raise Refused(NO_OLD_KEY) from None
    # The key was validated when it was generated, and Fernet detects every change of its bytes.
    # Validating it again would take long.
    key = load_der_private_key(plain, None, unsafe_skip_rsa_key_validation=True)
    assert isinstance(key, RSAPrivateKey)  # noqa: S101 (create_issuer stores no other keys)
    return key


def can_open(issuer: Issuer) -> bool:
    """Return whether the site still has the TICKET_KEY that encrypts this signing key."""
    try:
        load_private_key(issuer)
    except Refused:
        return False
    return True


def _fernet() -> MultiFernet:
    """Return the cipher for signing keys.

    It encrypts with the first secret of TICKET_KEY, and decrypts with any of them. Raises Refused
    if TICKET_KEY is not set.
    """
    keys = [_derive_key(secret, b"candor issuers") for secret in _secrets()]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])


def _secrets() -> list[str]:
    """Return the secrets of TICKET_KEY, the newest first. Raises Refused if there are none."""
    if not settings.TICKET_KEY:
        raise Refused(NO_KEY)
    return list(settings.TICKET_KEY)


def _derive_key(secret: str, use: bytes) -> bytes:
    """Return a key of 32 bytes that is derived from a secret for one use.

    The key reveals neither the secret nor the keys for other uses.

    secret: one of the secrets of TICKET_KEY.
    use: a name of the use, such as b"candor codes".
    """
    return hmac.digest(secret.encode(), use, hashlib.sha256)
