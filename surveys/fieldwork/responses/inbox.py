"""The inbox: where a response waits, under the random key its device drew, until it is sealed into a batch."""

import json
from datetime import date
from enum import Enum
from uuid import UUID

from django.db import connection
from django.utils import timezone

from surveys.fieldwork.responses.write_queue import write_lock
from surveys.models import Instrument, Response, Survey


class Outcome(Enum):
    RECORDED = "recorded"  # stored now
    KNOWN = "known"  # stored before: a retry
    CONFLICT = "conflict"  # another body under the same key
    EARLY = "early"  # the survey opens later
    NOT_OPEN = "not open"
    GONE = "gone"  # the survey was destroyed


# No lock on the survey: an answer that slips in while the survey closes is sealed when the report is read next.
_INSERT = f"""
    INSERT INTO surveys_response (key, instrument_id, record)
    SELECT %(key)s, %(instrument)s, %(record)s FROM surveys_survey
    WHERE id = %(survey)s AND status = '{Survey.Status.OPEN}'
        AND (opens IS NULL OR opens <= %(now)s) AND (closes IS NULL OR closes > %(now)s)
    ON CONFLICT (key) DO NOTHING
"""  # noqa: S608 (no value of anybody's is part of it)


def store_response(instrument: Instrument, key: UUID, record: bytes) -> Outcome:
    """Store one response; the same statement decides whether the survey is open."""
    values = {
        "key": database_uuid(key),
        "instrument": database_uuid(instrument.pk),
        "record": record,
        "survey": database_uuid(instrument.survey_id),
        "now": connection.ops.adapt_datetimefield_value(timezone.now()),
    }
    with connection.cursor() as cursor, write_lock():
        cursor.execute(_INSERT, values)
        stored = cursor.rowcount == 1
    return Outcome.RECORDED if stored else _why_not(instrument, key, record)


def database_uuid(value: UUID) -> UUID | str:
    """As the database holds it: PostgreSQL has a type for it, SQLite the 32 hexadecimal digits."""
    return value if connection.features.has_native_uuid_field else value.hex


def _why_not(instrument: Instrument, key: UUID, record: bytes) -> Outcome:
    row = Response.objects.filter(key=key).first()
    if row is None:
        survey = Survey.objects.filter(pk=instrument.survey_id).first()
        if survey is None:
            return Outcome.GONE
        return Outcome.EARLY if survey.state == "scheduled" else Outcome.NOT_OPEN
    same = row.instrument_id == instrument.pk and (
        row.record is None or bytes(row.record) == record
    )
    return Outcome.KNOWN if same else Outcome.CONFLICT


def count_inbox(instrument: Instrument, most: int | None = None) -> int:
    """Return how many responses are in the inbox, counting at most `most`."""
    return Response.objects.filter(instrument=instrument, record__isnull=False)[:most].count()


_TAKE = "SELECT key, record FROM surveys_response WHERE instrument_id = %s AND record IS NOT NULL LIMIT %s"
_EMPTY = "UPDATE surveys_response SET record = NULL, sealed_on = %s WHERE key "
_REMOVE = "DELETE FROM surveys_response WHERE key "
_ANY_OF = {
    "postgresql": "= ANY(%s)",
    "sqlite": "IN (SELECT value FROM json_each(%s))",
}  # one parameter, however many


def take_from_inbox(instrument: Instrument, most: int) -> tuple[list, bytes]:
    """Return some keys and records of the inbox."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [database_uuid(instrument.pk), most])
        rows = cursor.fetchall()
    return [key for key, _ in rows], b"".join(record for _, record in rows)


def clear_records(keys: list, today: date) -> None:
    """Delete the records that are in a batch now; the keys stay, to answer retries."""
    sealed_on = connection.ops.adapt_datefield_value(today)
    with connection.cursor() as cursor:
        cursor.execute(_EMPTY + _ANY_OF[connection.vendor], [sealed_on, _many(keys)])


def remove(keys: list) -> None:
    """Rows that are about to be written anew: surveys.fieldwork.responses.shuffling."""
    with connection.cursor() as cursor:
        cursor.execute(_REMOVE + _ANY_OF[connection.vendor], [_many(keys)])


def _many(keys: list) -> list | str:
    return keys if connection.vendor == "postgresql" else json.dumps(keys)
