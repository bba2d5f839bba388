"""Remove traces of deleted rows from PostgreSQL: dead rows, and copies of values in its statistics.

Dead rows stay until a table is vacuumed, in the order in which they were written, and PostgreSQL
may never vacuum a small table by itself. So the tables with people, tickets and answers have no
statistics, and they are rewritten after something in them was deleted for good. The transaction
that deletes notes that the table has to be rewritten, so that the next run of “manage.py seal”
completes the work of an interrupted one.

The inbox is no such table. Its rows and statistics hold keys that lead to no record, and records
that are encrypted under a key that is gone: see surveys.fieldwork.responses.inbox_keys.
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

from surveys.models import Instrument, Removal, Run, Survey

# The milliseconds for which a rewriting waits for its lock. All others who need the table wait
# behind it.
LOCK_WAIT_MS = 100

# A row of Run notes that a table has to be rewritten: see `_rewriting_note`. Its time is always the
# same, because it must not reveal when something was deleted.
REWRITE_PREFIX = "rewrite "
NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)

# The inbox, which only the package of responses reads: see tests/web/test_order.py.
INBOX_MODEL = "response"
INBOX_TABLE = "surveys_response"

_COLUMNS_WITH_STATISTICS = """
    SELECT a.attname FROM pg_attribute a
    WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped
    AND a.attstattarget IS DISTINCT FROM 0
"""
_COLUMNS_WITHOUT_STATISTICS = """
    SELECT a.attname FROM pg_attribute a
    WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped
    AND a.attstattarget = 0
"""
_STORED_STATISTICS = """
    SELECT attname, format_type(atttypid, atttypmod)
    FROM pg_attribute JOIN pg_stats USING (attname)
    WHERE attrelid = %s::regclass AND schemaname = current_schema() AND tablename = %s
"""
_PRIMARY_KEY = "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'p'"


def erased_models() -> list[type[models.Model]]:
    """Return the models whose deleted rows must leave no trace in the database.

    These are Survey, Instrument, and all models that refer to them directly or indirectly: those of
    people, tickets and answers. Only Response is left out. Removal has the ids of people.
    """
    erased: list[type[models.Model]] = [Survey, Instrument, Removal]
    # The list grows during the loop, so that models that refer to added ones are added as well.
    for model in erased:
        for relation in model._meta.related_objects:
            model_name = relation.related_model._meta.model_name
            if relation.related_model not in erased and model_name != INBOX_MODEL:
                erased.append(relation.related_model)
    return erased


def remove_statistics(using: str = "default", **_: object) -> None:
    """Switch PostgreSQL's statistics off for tables of people, tickets and answers.

    Statistics have copies of values, also of rows that are deleted later. Those that PostgreSQL has
    already made are removed. An earlier version switched them off for the inbox too, so they are
    switched on there. This runs after each migration, and does nothing on SQLite.

    using: the alias of the database in the settings.
    """
    database = connections[using]
    if database.vendor != "postgresql":
        return
    with database.cursor() as cursor:
        # After a migration to an earlier version, some of the tables do not exist.
        existing = set(database.introspection.table_names(cursor))
        for model in erased_models():
            if model._meta.db_table in existing:
                _remove_statistics_of_table(cursor, model._meta.db_table)
        if INBOX_TABLE in existing:
            _allow_statistics(cursor, INBOX_TABLE)


def _remove_statistics_of_table(cursor: CursorWrapper, table: str) -> None:
    """Switch PostgreSQL's statistics off for all columns of a table, and remove the existing ones.

    Nothing happens if they are switched off already.
    """
    quote = cursor.db.ops.quote_name
    cursor.execute(_COLUMNS_WITH_STATISTICS, [table])
    columns = [column for (column,) in cursor.fetchall()]
    if not columns:
        return
    # With a target of 0, PostgreSQL makes no statistics of a column.
    changes = [f"ALTER COLUMN {quote(column)} SET STATISTICS 0" for column in columns]
    cursor.execute(f"ALTER TABLE {quote(table)} {', '.join(changes)}")

    # The existing statistics stay. PostgreSQL removes those of a column whose type is changed, even
    # if the column has this type already.
    cursor.execute(_STORED_STATISTICS, [table, table])
    changes = [f"ALTER COLUMN {quote(column)} TYPE {kind}" for column, kind in cursor.fetchall()]
    if changes:
        cursor.execute(f"ALTER TABLE {quote(table)} {', '.join(changes)}")


def _allow_statistics(cursor: CursorWrapper, table: str) -> None:
    """Switch statistics on for all columns of a table for which they are switched off."""
    quote = cursor.db.ops.quote_name
    cursor.execute(_COLUMNS_WITHOUT_STATISTICS, [table])
    # The number -1 stands for the default of the server.
    changes = [f"ALTER COLUMN {quote(name)} SET STATISTICS -1" for (name,) in cursor.fetchall()]
    if changes:
        cursor.execute(f"ALTER TABLE {quote(table)} {', '.join(changes)}")


def _rewriting_note(model: type[models.Model]) -> str:
    """Return the primary key of the Run row that notes that a model's table has to be rewritten.

    For the model Batch this is "rewrite batch".
    """
    return f"{REWRITE_PREFIX}{model._meta.model_name}"


def note_rewriting(*erased: type[models.Model]) -> None:
    """Note that tables have to be rewritten, because rows in them were deleted for good.

    Call this after the rows were deleted and, if the table stays in use, in the same transaction. A
    rewriting waits for that transaction, so it removes a note only after it has left the rows out.
    On SQLite nothing is noted, nor for models that are not in `erased_models`.

    erased: the models of the tables.
    """
    if connection.vendor != "postgresql":
        return
    runs = []
    for model in set(erased).intersection(erased_models()):
        runs.append(Run(command=_rewriting_note(model), finished=NO_TIME))
    try:
        with transaction.atomic():
            Run.objects.bulk_create(runs, ignore_conflicts=True)
    except ProgrammingError:
        # A database of an earlier version, which is backed up before it is migrated, cannot store
        # the note. The next deletion there notes its table again.
        return


def rewrite_tables(largest: float) -> str:
    """Rewrite the tables that `note_rewriting` has noted, so that no deleted row is left in them.

    Return a message about the tables that could not be rewritten now, or "" if there are none. Such
    a table is larger than `largest`, others use it, or an earlier transaction may still read its
    deleted rows. On SQLite no table is ever noted.

    largest: the most bytes that a table may have, with its indexes, to be rewritten.
    """
    due = set(
        Run.objects.filter(command__startswith=REWRITE_PREFIX).values_list("command", flat=True)
    )
    busy = []
    large = []
    for model in erased_models():
        if _rewriting_note(model) not in due:
            continue
        name = str(model._meta.verbose_name)
        if _table_bytes(model) > largest:
            large.append(name)
        elif not _rewrite_table(model):
            busy.append(name)
    return _remainder_message(busy, large)


def _remainder_message(busy: list[str], large: list[str]) -> str:
    """Return a message about the tables that still have to be rewritten, or "" if there are none.

    busy: the names of the tables that others used.
    large: the names of the tables that are larger than allowed.
    """
    sentences = []
    if busy:
        sentences.append(
            f"Traces of what was deleted are left in tables that were busy ({', '.join(busy)}); "
            "the next run of “manage.py seal” removes them."
        )
    if large:
        sentences.append(
            f"Traces of what was deleted are left in large tables ({', '.join(large)}). Run "
            "“manage.py seal --rewrite” at a quiet hour: no one can use these tables meanwhile."
        )
    return " ".join(sentences)


def _table_bytes(model: type[models.Model]) -> int:
    """Return the bytes of a table with its indexes and its long values."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size(%s::regclass)", [model._meta.db_table])
        (size,) = cursor.fetchone()
        return size


def _rewrite_table(model: type[models.Model]) -> bool:
    """Rewrite one table, so that PostgreSQL keeps no deleted rows, and return whether none is left.

    Some are left if the table is busy, or if an earlier transaction may still read them. The note
    that the table has to be rewritten is removed only if none is left.
    """
    # Like VACUUM (FULL), CLUSTER writes a new file. The rows are then in the order of the primary
    # key, which is random. Unlike VACUUM, CLUSTER can be part of a transaction, so that the limit
    # of waiting holds for it alone, also if a pooler shares the connection.
    quote = connection.ops.quote_name
    table = model._meta.db_table
    kept_rows = _KeptRows()
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_PRIMARY_KEY, [table])
            (primary_key,) = cursor.fetchone()
            cursor.execute(f"SET LOCAL lock_timeout = {LOCK_WAIT_MS}")
            with kept_rows:
                cursor.execute(f"CLUSTER VERBOSE {quote(table)} USING {quote(primary_key)}")
            # CLUSTER has marked the table to be sorted by this key again, which no one needs.
            cursor.execute(f"ALTER TABLE {quote(table)} SET WITHOUT CLUSTER")
            if not kept_rows.count:
                Run.objects.filter(command=_rewriting_note(model)).delete()
    except OperationalError:
        return False
    return not kept_rows.count


class _KeptRows:
    """A context manager that counts the deleted rows that a rewriting has to keep.

    PostgreSQL keeps those that an earlier transaction may still read, and reports their number in a
    notice, because CLUSTER is run as VERBOSE. `count` is the number after the rewriting.
    """

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> None:
        connection.connection.add_notice_handler(self._read)

    def __exit__(self, *_: object) -> None:
        connection.connection.remove_notice_handler(self._read)

    def _read(self, notice: Diagnostic) -> None:
        """Add the number of deleted rows in a notice of PostgreSQL, if it has one, to the count."""
        # The detail of the notice begins with this number, in every language of PostgreSQL.
        number = re.match(r"\d+", notice.message_detail or "")
        if number:
            self.count += int(number[0])
