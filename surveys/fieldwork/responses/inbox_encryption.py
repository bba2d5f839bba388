"""The encryption of responses that wait in the inbox, by HPKE (RFC 9180).

Every process encrypts with the current public key, which is a row of the database. Only a process
that seals reads private keys, which are files outside the database. Once a private key is deleted,
no copy of what was encrypted under it can be read, wherever the copy is: see inbox_keys.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from django.conf import settings

from surveys.models import InboxKey
from surveys.site.outages import Unavailable

SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.AES_128_GCM)
# An encrypted record is longer than the record by an encapsulated key and a tag, in bytes.
ENCRYPTION_LENGTH = 48
# The seconds for which a process uses a public key without reading it again.
READ_INTERVAL = 60

NO_KEY_MESSAGE = "The inbox has no key yet. Run candor seal on the machine of the timers."
MISSING_KEY_MESSAGE = (
    "The private key of the inbox is missing. After a restore, run candor restored."
)


class Unreadable(Exception):
    """A record cannot be decrypted: its private key is missing, or its bytes have been changed."""


@dataclass(frozen=True)
class PublicKey:
    """The public key for new responses.

    id: the primary key of its row.
    """

    id: UUID
    key: X25519PublicKey


@dataclass
class _PublicKeyCache:
    """The current public key, as this process has read it.

    public_key: None if it was not read yet.
    read_at: when it was read, on the monotonic clock.
    """

    public_key: PublicKey | None = None
    read_at: float = 0.0


_cache = _PublicKeyCache()


def current_public_key() -> PublicKey:
    """Return the public key for new responses, which is read again after READ_INTERVAL.

    Raise Unavailable if there is no key, or if its private key is missing: no response may be
    accepted that nobody can ever read.
    """
    if _cache.public_key is not None and time.monotonic() - _cache.read_at <= READ_INTERVAL:
        return _cache.public_key
    read_at = time.monotonic()
    row = InboxKey.objects.filter(is_current=True).first()
    if row is None:
        raise Unavailable(NO_KEY_MESSAGE)
    # A node without the folder cannot check this. Its key is that of the machine of the timers.
    if settings.INBOX_KEYS is not None and not private_key_file(row.pk).exists():
        raise Unavailable(MISSING_KEY_MESSAGE)
    public_key = PublicKey(row.pk, X25519PublicKey.from_public_bytes(bytes(row.public)))
    _cache.public_key = public_key
    _cache.read_at = read_at
    return public_key


def forget_public_key() -> None:
    """Forget the public key, so that this process reads it again."""
    _cache.public_key = None


def private_key_file(inbox_key: UUID) -> Path:
    """Return the path of the file with a private key, on a node that has the folder.

    inbox_key: the primary key of the row with the public key.
    """
    return settings.INBOX_KEYS / inbox_key.hex


def encrypt(public_key: PublicKey, key: UUID, record: bytes) -> bytes:
    """Return the encrypted record of a response.

    Only the response with the same key can be decrypted from it, so no row of the inbox can take
    the place of another one.

    key: the key of the response.
    """
    return SUITE.encrypt(record, public_key.key, info=_info(key))


class PrivateKeys:
    """Decrypts records with private keys. Each key is read once, and lives as long as the object.

    An object is used for one step of sealing only, because a key in the memory of a process would
    outlive its file.
    """

    def __init__(self) -> None:
        self._keys: dict[UUID, X25519PrivateKey] = {}

    def decrypt(self, inbox_key: UUID | None, key: UUID, record: bytes) -> bytes:
        """Return the decrypted record of a response, or raise Unreadable.

        inbox_key: the primary key of the public key; None if the record is not encrypted.
        key: the key of the response.
        """
        if inbox_key is None:
            return record
        if inbox_key not in self._keys:
            try:
                private_bytes = private_key_file(inbox_key).read_bytes()
            except FileNotFoundError:
                raise Unreadable from None
            self._keys[inbox_key] = X25519PrivateKey.from_private_bytes(private_bytes)
        try:
            return SUITE.decrypt(record, self._keys[inbox_key], info=_info(key))
        except InvalidTag:
            raise Unreadable from None


def _info(key: UUID) -> bytes:
    """Return the context of the encryption, which binds a record to the key of its response."""
    return b"candor inbox" + key.bytes
