"""The inbox: a response is stored here until it is sealed, under the random key of its device."""

import json
from datetime import date
from enum import Enum
from uuid import UUID

from django.db import connection
from django.utils import timezone

from surveys.fieldwork.responses.write_queue import write_lock
from surveys.models import Instrument, Response, Survey, database_uuid


class Outcome(Enum):
    """What `store_response` did with a response.

    RECORDED: it is stored now.
    REPEATED: it was stored before, and is sent again.
    CONFLICT: a different response is stored under the same key.
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
    INSERT INTO surveys_response (key, instrument_id, record)
    SELECT %(key)s, %(instrument)s, %(record)s FROM surveys_survey
    WHERE id = %(survey)s AND status = '{Survey.Status.OPEN}'
        AND (opens IS NULL OR opens <= %(now)s) AND (closes IS NULL OR closes > %(now)s)
    ON CONFLICT (key) DO NOTHING
"""  # noqa: S608 (no value of anybody's is part of it)


def store_response(instrument: Instrument, key: UUID, record: bytes) -> Outcome:
    """Store a response in the inbox if the survey is open, and return the outcome.

    One statement checks that the survey is open and stores the response. A response that is sent
    again under its key is stored once.

    key: the random key of the device, or that of the ticket.
    record: the reports, as records.encode returns them.
    """
    values = {
        "key": database_uuid(key),
        "instrument": database_uuid(instrument.pk),
        "record": record,
        "survey": database_uuid(instrument.survey_id),
        "now": connection.ops.adapt_datetimefield_value(timezone.now()),
    }
    with connection.cursor() as cursor, write_lock():
        cursor.execute(_INSERT, values)
        is_stored = cursor.rowcount == 1
    if is_stored:
        return Outcome.RECORDED
    return _outcome_if_not_stored(instrument, key, record)


def _outcome_if_not_stored(instrument: Instrument, key: UUID, record: bytes) -> Outcome:
    """Return why a response was not stored: any outcome other than RECORDED.

    Sealing deletes a stored record, but not its key. Then there is nothing left to compare, and
    the response counts as one that is sent again.

    key, record: as in `store_response`.
    """
    stored = Response.objects.filter(key=key).first()
    if stored is not None:
        is_same_instrument = stored.instrument_id == instrument.pk
        is_sealed = stored.record is None
        if is_same_instrument and (is_sealed or bytes(stored.record) == record):
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
    SELECT key, record FROM surveys_response
    WHERE instrument_id = %s AND record IS NOT NULL LIMIT %s
"""
_CLEAR = "UPDATE surveys_response SET record = NULL, sealed_on = %s WHERE key "
_DELETE = "DELETE FROM surveys_response WHERE key "
# The condition on a key, by the kind of database. Its one parameter holds all keys, however many:
# the number of parameters of a statement is limited.
_IN_KEYS = {
    "postgresql": "= ANY(%s)",
    "sqlite": "IN (SELECT value FROM json_each(%s))",
}


def take_from_inbox(instrument: Instrument, most: int) -> tuple[list, bytes]:
    """Return the keys and the joined records of at most `most` responses in the inbox.

    Nothing is deleted: the caller stores the records elsewhere, and then calls `clear_records` or
    `delete_keys` with the keys.

    The keys are as the database returns them: UUIDs with PostgreSQL, their digits with SQLite.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [database_uuid(instrument.pk), most])
        rows = cursor.fetchall()
    keys = [key for key, _ in rows]
    records = [record for _, record in rows]
    return keys, b"".join(records)


def clear_records(keys: list, today: date) -> None:
    """Delete the records of sealed responses. Their keys stay, to recognize repeated responses.

    keys: as `take_from_inbox` returns them.
    today: the day of the sealing, which is stored with each key.
    """
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
