"""The inbox: a response is stored here until it is sealed, under the random key of its device.

Its record is encrypted: see inbox_encryption.
"""

import json
from datetime import date
from enum import Enum
from uuid import UUID

from django.db import IntegrityError, connection

from surveys.fieldwork.responses.inbox_encryption import (
    PrivateKeys,
    current_public_key,
    encrypt,
    forget_public_key,
)
from surveys.fieldwork.responses.write_queue import write_lock
from surveys.models import Instrument, Response, Survey, database_now, database_uuid


class Outcome(Enum):
    """What `store_response` did with a response.

    RECORDED: it is stored now.
    REPEATED: a response to the same survey was stored under its key before.
    CONFLICT: a response to another survey is stored under its key.
    EARLY: the survey opens later.
    NOT_OPEN: the survey is paused or closed.
    GONE: the survey was destroyed.
    """

    RECORDED = "recorded"
    REPEATED = "known"
    CONFLICT = "conflict"
    EARLY = "early"
    NOT_OPEN = "not open"
    GONE = "gone"


# The response is inserted only if the survey is open, and only if its key is new. This takes no
# lock on the survey. A response that is stored while the survey closes is sealed by the next run.
_INSERT = f"""
    INSERT INTO surveys_response (key, instrument_id, record, inbox_key_id)
    SELECT %(key)s, %(instrument)s, %(record)s, %(inbox_key)s FROM surveys_survey
    WHERE id = %(survey)s AND status = '{Survey.Status.OPEN}'
        AND (opens IS NULL OR opens <= %(now)s) AND (closes IS NULL OR closes > %(now)s)
    ON CONFLICT (key) DO NOTHING
"""  # noqa: S608 (no value of anybody's is part of it)


# How often a response is encrypted again because its public key has just been deleted.
MOST_REPEATS = 5


def store_response(instrument: Instrument, key: UUID, record: bytes) -> Outcome:
    """Store a response in the inbox if the survey is open, and return the outcome.

    A response that is sent again under its key is stored once. Raise Unavailable if the inbox can
    take no response, because its private key is missing.

    key: the random key of the device, or that of the ticket.
    record: the reports, as records.encode returns them.
    """
    for repeat in range(MOST_REPEATS + 1):
        try:
            if _insert_response(instrument, key, record):
                return Outcome.RECORDED
            break
        except IntegrityError:
            # A run of “manage.py seal” has replaced the public key since this process read it.
            if repeat == MOST_REPEATS:
                raise
            forget_public_key()
    return _outcome_if_not_stored(instrument, key)


def _insert_response(instrument: Instrument, key: UUID, record: bytes) -> bool:
    """Encrypt and insert a response, and return whether it was inserted.

    One statement checks that the survey is open and inserts the response. Raise IntegrityError if
    the public key, which may be a minute old, is not in the database any more.

    key, record: as in `store_response`.
    """
    public_key = current_public_key()
    values = {
        "key": database_uuid(key),
        "instrument": database_uuid(instrument.pk),
        "record": encrypt(public_key, key, record),
        "inbox_key": database_uuid(public_key.id),
        "survey": database_uuid(instrument.survey_id),
        "now": database_now(),
    }
    with connection.cursor() as cursor, write_lock():
        cursor.execute(_INSERT, values)
        return cursor.rowcount == 1


def _outcome_if_not_stored(instrument: Instrument, key: UUID) -> Outcome:
    """Return why a response was not stored: any outcome other than RECORDED.

    Whatever is sent under a known key counts as the same response: the stored record is encrypted
    or deleted, so there is nothing to compare with.

    key: as in `store_response`.
    """
    stored = Response.objects.filter(key=key).only("instrument").first()
    if stored is not None:
        if stored.instrument_id == instrument.pk:
            return Outcome.REPEATED
        return Outcome.CONFLICT

    survey = Survey.objects.filter(pk=instrument.survey_id).first()
    if survey is None:
        return Outcome.GONE
    if survey.state == "scheduled":
        return Outcome.EARLY
    return Outcome.NOT_OPEN


def count_inbox(instrument: Instrument, most: int | None = None) -> int:
    """Return how many responses are in the inbox of an instrument, counting at most `most`.

    Keys of sealed responses, which stay in the table without a record, are not counted.

    most: the number at which counting stops, to save time; None for no limit.
    """
    return Response.objects.filter(instrument=instrument, record__isnull=False)[:most].count()


# The statements of sealing: responses are read, and then lose their records or are deleted.
_TAKE = """
    SELECT key, inbox_key_id, record FROM surveys_response
    WHERE instrument_id = %s AND record IS NOT NULL LIMIT %s
"""
# Nobody may encrypt the rows under a new key while they are sealed. SQLite has no lock of rows: its
# transactions lock the whole file.
_LOCK_ROWS = {"postgresql": "FOR UPDATE", "sqlite": ""}
_CLEAR = """
    UPDATE surveys_response SET record = NULL, inbox_key_id = NULL, sealed_on = %s WHERE key
"""
_DELETE = "DELETE FROM surveys_response WHERE key "
# The condition on a key, by the kind of database. Its one parameter holds all keys, however many:
# the number of parameters of a statement is limited.
_IN_KEYS = {
    "postgresql": "= ANY(%s)",
    "sqlite": "IN (SELECT value FROM json_each(%s))",
}


def take_from_inbox(instrument: Instrument, most: int) -> tuple[list, bytes]:
    """Return the keys and the joined records of at most `most` responses in the inbox.

    The rows are locked, and nothing is deleted: the caller stores the records elsewhere, and then
    calls `clear_records` or `delete_keys` with the keys, in the same transaction. Raise
    inbox_encryption.Unreadable if any record cannot be decrypted.

    The keys are as the database returns them: UUIDs with PostgreSQL, their digits with SQLite.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TAKE + _LOCK_ROWS[connection.vendor], [database_uuid(instrument.pk), most])
        rows = cursor.fetchall()
    private_keys = PrivateKeys()
    keys = []
    records = []
    for key, inbox_key, encrypted in rows:
        keys.append(key)
        records.append(private_keys.decrypt(_as_uuid(inbox_key), _as_uuid(key), bytes(encrypted)))
    return keys, b"".join(records)


def _as_uuid(value: UUID | str | None) -> UUID | None:
    """Return a primary key as the database returned it, digits with SQLite, as a UUID or None."""
    return UUID(value) if isinstance(value, str) else value


def clear_records(keys: list, today: date) -> None:
    """Delete the records of sealed responses. Their keys stay, to recognize repeated responses.

    keys: as `take_from_inbox` returns them.
    today: the day of the sealing, which is stored with each key.
    """
    # Django's own update would have a parameter for each key, and a statement can only have so many.
    sealed_on = connection.ops.adapt_datefield_value(today)
    with connection.cursor() as cursor:
        cursor.execute(_CLEAR + _IN_KEYS[connection.vendor], [sealed_on, _key_parameter(keys)])


def delete_keys(keys: list) -> None:
    """Delete the rows of sealed responses of a survey with tickets.

    The caller must insert the keys again in the same transaction, as shuffling.renew_keys does:
    they show which tickets are spent.

    keys: as `take_from_inbox` returns them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_DELETE + _IN_KEYS[connection.vendor], [_key_parameter(keys)])


def _key_parameter(keys: list) -> list | str:
    """Return the keys as the one parameter of `_IN_KEYS`: a list, or JSON text with SQLite.

    keys: keys as the database returned them.
    """
    if connection.vendor == "postgresql":
        return keys
    return json.dumps(keys)
