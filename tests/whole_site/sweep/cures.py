"""Cures: what the site does so that nothing stays behind, and how to remove each for a test."""

from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection

from surveys.fieldwork.responses import erasure, inbox
from surveys.fieldwork.responses.inbox_encryption import PublicKey
from surveys.management.commands import seal as seal_command
from surveys.site.postgres_tables import erased_models


class Cure(NamedTuple):
    """A cure that can be removed.

    database: the database with which it is needed.
    last_stage: the stage at which a sweep without it has found something.
    remove: a function that removes it from this process and the database.
    """

    database: str
    last_stage: str
    remove: Callable[[], None]


def _leave_everything(*_: object) -> str:
    """Do nothing, and return that nothing remains to be done."""
    return ""


def _return_record(public_key: PublicKey, key: UUID, record: bytes) -> bytes:
    """Return the record in place of the encrypted one."""
    return record


def _collect_statistics() -> None:
    """Let PostgreSQL have statistics of the tables with people and answers."""
    with connection.cursor() as cursor:
        for model in erased_models():
            table = model._meta.db_table
            for field in model._meta.local_fields:
                change = f'ALTER COLUMN "{field.column}" SET STATISTICS -1'
                cursor.execute(f'ALTER TABLE "{table}" {change}')


def _keep_dead_rows() -> None:
    """Rewrite no table of PostgreSQL."""
    erasure.rewrite_tables = _leave_everything


def _keep_deleted_bytes() -> None:
    """Let SQLite leave what is deleted where it is."""
    options = settings.DATABASES["default"]["OPTIONS"]
    before = options["init_command"]
    options["init_command"] = before.replace("secure_delete=ON", "secure_delete=OFF")
    assert options["init_command"] != before


def _keep_log() -> None:
    """Never empty the write-ahead log of SQLite."""
    erasure._empty_log = _leave_everything


def _store_plain_records() -> None:
    """Encrypt nothing in the inbox."""
    inbox.encrypt = _return_record


def _keep_inbox_keys() -> None:
    """Never replace the key of the inbox."""
    seal_command.inbox_keys.replace_due_key = _leave_everything


CURES = {
    "encrypted inbox": Cure("postgresql", "answering", _store_plain_records),
    "replaced keys": Cure("sqlite", "destroyed", _keep_inbox_keys),
    "no statistics": Cure("postgresql", "destroyed", _collect_statistics),
    "rewritten tables": Cure("postgresql", "tickets finished", _keep_dead_rows),
    "overwritten rows": Cure("sqlite", "import finished", _keep_deleted_bytes),
    "emptied log": Cure("sqlite", "destroyed", _keep_log),
}
