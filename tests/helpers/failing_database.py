"""A database that refuses one kind of statement, as on a disk that has become full in between."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection


@contextmanager
def failing_statement(statement: str) -> Iterator[None]:
    """Make the first statement that starts like this fail (a context manager)."""

    def full(execute, sql, params, many, context):
        if sql.startswith(statement):
            raise OperationalError("disk full")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(full), pytest.raises(OperationalError, match="disk full"):
        yield
