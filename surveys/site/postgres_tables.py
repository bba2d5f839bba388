"""What PostgreSQL keeps of rows that were deleted: dead rows until it vacuums, and copies of values in its statistics.

A small table may never be vacuumed by itself, and dead rows lie in the order in which they were written. So the tables
that hold people, tickets and answers have no statistics, and they are rewritten after something in them was deleted for
good. That a table has to be rewritten is noted in the transaction that deletes, so that the next run of “manage.py
seal” does what an interrupted one has left.
"""

import re
from datetime import UTC, datetime

from django.db import (
    OperationalError,
    ProgrammingError,
    connection,
    connections,
    models,
    transaction,
)
from django.db.backends.utils import CursorWrapper
from psycopg.errors import Diagnostic

from surveys.models import Instrument, Run, Survey

LOCK_WAIT = 100  # milliseconds; everybody who wants the table waits behind this
DUE = "rewrite "  # how the rows of Run begin that name a table to be rewritten
NO_TIME = datetime(
    1970, 1, 1, tzinfo=UTC
)  # the row says that a table is due, and must not say since when

_COLUMNS_WITH_STATISTICS = """
    SELECT a.attname FROM pg_attribute a
    WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attstattarget IS DISTINCT FROM 0
"""
_STORED_STATISTICS = """
    SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute JOIN pg_stats USING (attname)
    WHERE attrelid = %s::regclass AND schemaname = current_schema() AND tablename = %s
"""
_PRIMARY_KEY = "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'p'"


def erased_models() -> list[type[models.Model]]:
    """Return Survey, Instrument and every model that refers to them, directly or through other models."""
    erased: list[type[models.Model]] = [Survey, Instrument]
    for model in erased:  # The list grows while it is read.
        for relation in model._meta.related_objects:
            if relation.related_model not in erased:
                erased.append(relation.related_model)
    return erased


def remove_statistics(using: str = "default", **_: object) -> None:
    """Switch statistics off for the tables of erased_models, and remove the ones that exist; after each migration."""
    database = connections[using]
    if database.vendor != "postgresql":
        return
    with database.cursor() as cursor:
        existing = set(database.introspection.table_names(cursor))
        for model in erased_models():
            if model._meta.db_table in existing:
                _remove_statistics_of(cursor, model._meta.db_table)


def _remove_statistics_of(cursor: CursorWrapper, table: str) -> None:
    quote = cursor.db.ops.quote_name
    cursor.execute(_COLUMNS_WITH_STATISTICS, [table])
    columns = [column for (column,) in cursor.fetchall()]
    if not columns:
        return
    changes = [f"ALTER COLUMN {quote(column)} SET STATISTICS 0" for column in columns]
    cursor.execute(f"ALTER TABLE {quote(table)} {', '.join(changes)}")
    # An analysis no longer replaces what is there. Giving a column the type that it has removes its statistics.
    cursor.execute(_STORED_STATISTICS, [table, table])
    changes = [f"ALTER COLUMN {quote(column)} TYPE {kind}" for column, kind in cursor.fetchall()]
    if changes:
        cursor.execute(f"ALTER TABLE {quote(table)} {', '.join(changes)}")


def note_rewriting(*erased: type[models.Model]) -> None:
    """Note that the tables of these models have to be rewritten.

    Call it after the rows were deleted and, where a table stays in use, in the same transaction. A rewriting waits for
    that transaction, and the note that it removes is then of rows that it has left out.
    """
    if connection.vendor != "postgresql":
        return
    runs = [Run(command=f"{DUE}{model._meta.model_name}", finished=NO_TIME) for model in erased]
    try:
        with transaction.atomic():
            Run.objects.bulk_create(runs, ignore_conflicts=True)
    except ProgrammingError:
        # A database of an earlier version, which is backed up before it is migrated, has no room for the note. The
        # next thing that is deleted there notes its table again.
        return


def rewrite_tables(largest: float) -> str:
    """Rewrite the tables that are due. Return in a sentence which are left to the next run, or nothing.

    largest: bytes of a table, with its indexes, above which it is left alone.
    """
    due = set(Run.objects.filter(command__startswith=DUE).values_list("command", flat=True))
    busy, large = [], []
    for model in erased_models():
        if f"{DUE}{model._meta.model_name}" not in due:
            continue
        name = str(model._meta.verbose_name)
        if _size(model) > largest:
            large.append(name)
        elif not _rewrite(model):
            busy.append(name)
    return _remainder_message(busy, large)


def _remainder_message(busy: list[str], large: list[str]) -> str:
    """Return in a sentence which tables still have to be rewritten, or "".

    busy, large: the names of the tables that are left for one of these reasons.
    """
    sentences = []
    if busy:
        sentences.append(
            f"Traces of what was deleted are left in tables that were busy ({', '.join(busy)}); the next run of "
            "“manage.py seal” removes them."
        )
    if large:
        sentences.append(
            f"Traces of what was deleted are left in large tables ({', '.join(large)}). Run “manage.py seal --rewrite” "
            "at a quiet hour: no one can use these tables meanwhile."
        )
    return " ".join(sentences)


def _size(model: type[models.Model]) -> int:
    """Return the bytes of a table with its indexes and its long values."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size(%s::regclass)", [model._meta.db_table])
        return cursor.fetchone()[0]


def _rewrite(model: type[models.Model]) -> bool:
    """Rewrite one table and remove its note. Return False where it is busy, or where somebody still reads old rows.

    CLUSTER writes a new file as VACUUM (FULL) does, in the order of the primary key, which is drawn by chance. Unlike
    VACUUM it can stand in a transaction, so that the limit of waiting holds for it alone, also behind a pooler.
    """
    quote, table = connection.ops.quote_name, model._meta.db_table
    kept_rows = _KeptRows()
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_PRIMARY_KEY, [table])
            (key,) = cursor.fetchone()
            cursor.execute(f"SET LOCAL lock_timeout = {LOCK_WAIT}")
            with kept_rows:
                cursor.execute(f"CLUSTER VERBOSE {quote(table)} USING {quote(key)}")
            cursor.execute(f"ALTER TABLE {quote(table)} SET WITHOUT CLUSTER")
            if not kept_rows.count:
                Run.objects.filter(command=f"{DUE}{model._meta.model_name}").delete()
    except OperationalError:
        return False
    return not kept_rows.count


class _KeptRows:
    """Counts the dead rows that a rewriting had to keep, since a transaction that began earlier may read them."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> None:
        connection.connection.add_notice_handler(self._read)

    def __exit__(self, *_: object) -> None:
        connection.connection.remove_notice_handler(self._read)

    def _read(self, notice: Diagnostic) -> None:
        # The detail begins with their number, in every language that PostgreSQL speaks.
        number = re.match(r"\d+", notice.message_detail or "")
        if number:
            self.count += int(number[0])
