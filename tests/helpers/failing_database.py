"""A database that refuses one kind of statement, as if its disk had become full."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection


@contextmanager
def failing_statement(statement: str) -> Iterator[None]:
    """Make every statement that starts with this text fail (a context manager).

    The block ends with the first such error: it must reach the end of the block, or the test fails.

    statement: the start of the SQL, such as "INSERT INTO".
    """

    def refuse_statement(execute, sql, params, many, context):
        """Raise the error in place of executing a statement, as Django's wrappers are called."""
        if sql.startswith(statement):
            raise OperationalError("disk full")
        return execute(sql, params, many, context)

    with (
        connection.execute_wrapper(refuse_statement),
        pytest.raises(OperationalError, match="disk full"),
    ):
        yield
