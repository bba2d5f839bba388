"""The keys under which responses are encrypted while they wait in the inbox.

A public key is a row of the database, and its private key is a file beside the database, which only
the machine of the timers has. Whatever was sealed or deleted may still be found in dead rows, logs
and backups, encrypted. So each run of “manage.py seal” replaces the key if anything was sealed or
deleted since it was drawn:

1. The private key is written to a new file and synced to the disk.
2. The row of its public key is committed, and is the current one from now on.
3. The responses that still wait are encrypted again, under the new key.
4. The rows of old keys are deleted, except for those that still have responses.
5. The files without a row are overwritten and deleted.

If this is stopped between any two steps, every response can still be read, and the next run does
the rest. The order matters: no row is committed before its file is on the disk, and no file is
deleted before its row. Other processes may use an old key for a minute, but the foreign key of a
response makes step 4 exact: either the response is stored and its key stays, or the key is gone and
the response is encrypted again (see inbox.store_response).

Only one process at a time may do this. Otherwise step 5 of one process would delete the file that
another one has written in step 1, whose row it is about to commit.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from surveys.fieldwork.responses.chunks import yield_to_writers
from surveys.fieldwork.responses.inbox import clear_records
from surveys.fieldwork.responses.inbox_encryption import (
    MISSING_KEY_MESSAGE,
    NO_KEY_MESSAGE,
    PrivateKeys,
    PublicKey,
    Unreadable,
    current_public_key,
    encrypt,
    forget_public_key,
    private_key_file,
)
from surveys.fieldwork.responses.shuffling import renew_keys
from surveys.models import InboxKey, Instrument, Response, Run, database_uuid
from surveys.site import clock
from surveys.site.errors import Refused
from surveys.site.postgres_tables import NO_TIME

# The row of Run that notes that the key has to be replaced.
REPLACEMENT_NOTE = "replace inbox key"
# The most responses that one run encrypts again. After a run fewer than 20 of each survey wait.
MOST_RENEWED = 20_000
# The responses of one transaction. With SQLite nobody can write meanwhile.
RENEWED_PER_STEP = 500

LOCK_NAME = "lock"
KEY_FILE_NAME = re.compile(r"[0-9a-f]{32}")
PRIVATE_KEY_LENGTH = 32

ELSEWHERE_MESSAGE = "The inbox is left to the machine that has its private keys."


def can_open_inbox() -> bool:
    """Return whether this process can read the folder of private keys, and so seal responses."""
    return settings.INBOX_KEYS is not None and os.access(settings.INBOX_KEYS, os.R_OK | os.X_OK)


def note_replacement() -> None:
    """Note that the key has to be replaced.

    Call this in the transaction in which records of the inbox are sealed or deleted.
    """
    note = Run(command=REPLACEMENT_NOTE, finished=NO_TIME)
    Run.objects.bulk_create([note], ignore_conflicts=True)


def draw_first_key() -> None:
    """Draw a key if there is none. Do nothing on a node without the folder of private keys."""
    if settings.INBOX_KEYS is None or _has_current_key():
        return
    with _key_lock(wait=True):
        # Another process may have drawn a key while this one waited for the lock.
        if not _has_current_key():
            _draw_key()


def replace_due_key() -> None:
    """Replace the key if this is noted, and complete what an earlier run has left.

    Responses that wait under an old key are encrypted again, and keys that no response needs are
    deleted. Draw a key if there is none. If the current private key is missing, or if another
    process is replacing the key, do nothing. Do nothing on a node without the folder of private
    keys.
    """
    if settings.INBOX_KEYS is None:
        return
    draw_first_key()
    with _key_lock(wait=False) as is_held:
        if not is_held or not _has_current_file():
            return
        if Run.objects.filter(command=REPLACEMENT_NOTE).exists():
            # This deletes the note, too.
            _draw_key()
        _renew_waiting()
        _delete_unused_keys()


def replace_inbox_key() -> None:
    """Draw a new key, even if the old private key is missing, and encrypt what waits under it.

    Wait for another process that is replacing the key. Responses that cannot be read keep their old
    key: see `drop_unreadable`. Raise Refused on a node without the folder of private keys.
    """
    _require_folder()
    with _key_lock(wait=True):
        _draw_key()
        _renew_waiting()
        _delete_unused_keys()


def drop_unreadable() -> int:
    """Delete the records of responses that cannot be read, and return how many there were.

    Their keys stay, so that no ticket counts twice. Raise Refused on a node without the folder of
    private keys.
    """
    _require_folder()
    total = 0
    # Without the lock, another process could encrypt a response under a new key and delete the file
    # of the old one just before it is looked for here.
    with _key_lock(wait=True):
        for instrument in _instruments_with_inbox():
            keys = list(_unreadable_keys(instrument))
            for start in range(0, len(keys), RENEWED_PER_STEP):
                _drop_records(instrument, keys[start : start + RENEWED_PER_STEP])
                yield_to_writers()
            total += len(keys)
        _delete_unused_keys()
    return total


def count_unreadable() -> int:
    """Return how many responses in the inbox cannot be read. To find out, all are decrypted."""
    total = 0
    for instrument in _instruments_with_inbox():
        total += len(list(_unreadable_keys(instrument)))
    return total


def inbox_problem() -> str:
    """Return a sentence if a private key of the inbox is missing, or "".

    Nothing is decrypted. On a node without the folder, only the row of the current key is needed.
    """
    if not _has_current_key():
        return NO_KEY_MESSAGE
    if settings.INBOX_KEYS is None:
        return ""
    if not _has_current_file():
        return MISSING_KEY_MESSAGE
    missing = _keys_by_file(has_file=False)
    return unreadable_message(Response.objects.filter(inbox_key__in=missing).count())


def unreadable_message(n: int) -> str:
    """Return a sentence about n responses that cannot be read, or "" if n is 0.

    The number is rounded up. With the time of the message, which is logged, the exact one could
    show when somebody answered.
    """
    if not n:
        return ""
    rounded = n + (-n) % 20
    return (
        f"About {rounded:,} responses in the inbox can’t be read: their private key is missing, or "
        "they were changed. Put the key back. If it is lost for good, run candor seal "
        "--drop-unreadable."
    )


def _require_folder() -> None:
    if settings.INBOX_KEYS is None:
        raise Refused(f"{ELSEWHERE_MESSAGE} Run this command there.")


def _has_current_key() -> bool:
    return InboxKey.objects.filter(is_current=True).exists()


def _has_current_file() -> bool:
    """Return whether there is a current key whose private key is on this machine."""
    current = InboxKey.objects.filter(is_current=True).first()
    return current is not None and private_key_file(current.pk).exists()


def _keys_by_file(*, has_file: bool) -> list[UUID]:
    """Return the primary keys of all keys whose private key is on this machine, or is not."""
    keys = InboxKey.objects.values_list("pk", flat=True)
    return [key for key in keys if private_key_file(key).exists() == has_file]


@contextmanager
def _key_lock(*, wait: bool) -> Iterator[bool]:
    """Hold the lock of the folder of private keys, and yield whether it is held.

    The folder is created if it is missing. The system releases the lock when a process is killed.

    wait: wait for another process that holds the lock. Otherwise yield False.
    """
    settings.INBOX_KEYS.mkdir(mode=0o700, parents=True, exist_ok=True)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
    file = os.open(settings.INBOX_KEYS / LOCK_NAME, flags, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(file)


def _draw_key() -> None:
    """Draw a key, and let it be the current one. The caller holds the lock.

    Delete the note that a replacement is due.
    """
    private_key = X25519PrivateKey.generate()
    inbox_key = InboxKey(public=private_key.public_key().public_bytes_raw())
    # A power failure must not leave a public key whose private key never reached the disk.
    _write_private_key(private_key_file(inbox_key.pk), private_key)
    with transaction.atomic():
        # The note says that responses were sealed or deleted since the last replacement. All that
        # was sealed so far was encrypted under an older key. A later sealing makes a new note.
        Run.objects.filter(command=REPLACEMENT_NOTE).delete()
        InboxKey.objects.filter(is_current=True).update(is_current=False)
        inbox_key.save(force_insert=True)
    forget_public_key()


def _write_private_key(file: Path, private_key: X25519PrivateKey) -> None:
    """Write a private key to a new file that only this account can read, and sync it."""
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(opened, private_key.private_bytes_raw())
        os.fsync(opened)
    finally:
        os.close(opened)
    _sync_folder()


def _sync_folder() -> None:
    """Sync the folder, so that the disk has the names of new files, and no longer deleted ones."""
    folder = os.open(settings.INBOX_KEYS, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _renew_waiting() -> None:
    """Encrypt responses that wait under an old key again, under the current one.

    Responses that an earlier version stored without encryption are encrypted too. At most
    MOST_RENEWED are renewed, in random order.
    """
    public_key = current_public_key()
    readable = _keys_by_file(has_file=True)
    is_old = Q(inbox_key=None) | Q(inbox_key__in=readable)
    waiting = Response.objects.filter(is_old, record__isnull=False).exclude(inbox_key=public_key.id)
    keys = list(waiting.values_list("pk", flat=True)[:MOST_RENEWED])
    SystemRandom().shuffle(keys)
    for start in range(0, len(keys), RENEWED_PER_STEP):
        _renew_some(waiting.filter(pk__in=keys[start : start + RENEWED_PER_STEP]), public_key)
        yield_to_writers()


@transaction.atomic
def _renew_some(waiting: QuerySet[Response], public_key: PublicKey) -> None:
    """Encrypt these responses again, and store them in random order.

    Responses that are just being sealed, or that cannot be read, are left out.
    """
    private_keys = PrivateKeys()
    renewed = []
    for response in waiting.select_for_update(skip_locked=True):
        try:
            record = private_keys.decrypt(
                response.inbox_key_id, response.pk, bytes(response.record)
            )
        except Unreadable:
            continue
        response.record = encrypt(public_key, response.pk, record)
        response.inbox_key_id = public_key.id
        renewed.append(response)
    # PostgreSQL writes the rows anew in this order. Otherwise it could be that of arrival.
    SystemRandom().shuffle(renewed)
    # All of these rows exist and are locked, so each insert becomes an update. This is twice as
    # fast as `bulk_update`.
    Response.objects.bulk_create(
        renewed,
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["record", "inbox_key"],
    )


def _delete_unused_keys() -> None:
    """Delete old keys that no response needs, first their rows and then their files.

    The caller holds the lock, so no file is being written whose row is not committed yet. Do
    nothing in a transaction: if it is rolled back, the rows come back, but no file does.
    """
    if connection.in_atomic_block:
        return
    in_use = Response.objects.filter(inbox_key=OuterRef("pk"), record__isnull=False)
    for old in InboxKey.objects.filter(~Exists(in_use), is_current=False):
        # Django's own deletion would first search all responses for this key, as the database does.
        # On a busy day these are many, and nobody can write to SQLite meanwhile.
        try:
            with connection.cursor() as cursor:
                cursor.execute(
                    "DELETE FROM surveys_inboxkey WHERE id = %s", [database_uuid(old.pk)]
                )
        except IntegrityError:
            # Another process has just stored a response under this key. The next run encrypts that
            # response again, and deletes the key.
            continue
    known_names = {key.hex for key in InboxKey.objects.values_list("pk", flat=True)}
    for file in settings.INBOX_KEYS.iterdir():
        if KEY_FILE_NAME.fullmatch(file.name) and file.name not in known_names:
            _erase_file(file)


def _erase_file(file: Path) -> None:
    """Overwrite and delete a private key, and sync both to the disk."""
    with file.open("r+b") as opened:
        opened.write(bytes(PRIVATE_KEY_LENGTH))
        opened.flush()
        os.fsync(opened.fileno())
    file.unlink()
    _sync_folder()


def _instruments_with_inbox() -> QuerySet[Instrument]:
    """Return the instruments with at least one response in the inbox, with their surveys."""
    waiting = Response.objects.filter(record__isnull=False)
    return Instrument.objects.filter(pk__in=waiting.values("instrument")).select_related("survey")


def _unreadable_keys(instrument: Instrument) -> Iterator[UUID]:
    """Yield the keys of the responses in the inbox of an instrument that cannot be read."""
    private_keys = PrivateKeys()
    waiting = Response.objects.filter(instrument=instrument, record__isnull=False)
    for response in waiting.iterator():
        try:
            private_keys.decrypt(response.inbox_key_id, response.pk, bytes(response.record))
        except Unreadable:
            yield response.pk


@transaction.atomic
def _drop_records(instrument: Instrument, keys: list[UUID]) -> None:
    """Delete the records of these responses. The instrument is locked, as for sealing."""
    Instrument.objects.select_for_update(no_key=True, of=("self",)).get(pk=instrument.pk)
    database_keys = [database_uuid(key) for key in keys]
    if instrument.survey.tickets:
        renew_keys(instrument, database_keys)
    else:
        clear_records(database_keys, clock.now().date())
