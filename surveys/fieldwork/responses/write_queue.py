"""Whoever writes to SQLite in a moment stands in a queue for it, instead of sleeping and trying again.

SQLite lets one write at a time, and has the others sleep for ever longer before they look again (its busy handler), so
that most wait little and one in a hundred forty times as long as the median. A lock of the operating system wakes the
next one at once. It is held on an empty file beside the database, around the one statement that stores a response, for
threads and processes alike, and the system itself lets go of it when a process is killed. PostgreSQL queues by itself.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.db import OperationalError, connection


@contextmanager
def write_lock() -> Iterator[None]:
    """Hold the site's write lock while one statement runs (SQLite only)."""
    if connection.vendor != "sqlite" or connection.in_atomic_block or connection.is_in_memory_db():
        yield
        return
    try:
        file = os.open(
            f"{connection.settings_dict['NAME']}-queue",
            os.O_RDWR | os.O_CREAT | os.O_CLOEXEC,
            0o600,
        )
    except OSError:  # a disk that is full, read-only or gone: the database will say so itself
        yield
        return
    try:
        _wait(file)
        yield
    finally:
        os.close(file)  # and with it the lock: the file was opened for this turn alone


def _wait(file: int) -> None:
    with suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    arrived = time.monotonic()
    fcntl.flock(file, fcntl.LOCK_EX)
    # Those before us have waited for somebody who holds the whole database, and we with them.
    if time.monotonic() - arrived > settings.DATABASE_PATIENCE:
        raise OperationalError("database is locked")
