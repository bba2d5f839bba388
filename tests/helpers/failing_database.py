"""A database that refuses one kind of statement, as if its disk had become full."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection


@contextmanager
def failing_statement(statement: str) -> Iterator[None]:
    """Make the first statement that starts with this text fail (a context manager).

    The test fails unless the error reaches the end of the block.
    """

    def refuse_statement(execute, sql, params, many, context):
        if sql.startswith(statement):
            raise OperationalError("disk full")
        return execute(sql, params, many, context)

    with (
        connection.execute_wrapper(refuse_statement),
        pytest.raises(OperationalError, match="disk full"),
    ):
        yield
