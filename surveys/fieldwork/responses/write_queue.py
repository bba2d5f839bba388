"""The write queue: short writes to SQLite wait in a queue instead of sleeping and trying again.

SQLite allows one writer at a time. The others sleep for longer and longer before they try again
(its busy handler), so most wait briefly, and one in a hundred waits forty times as long as the
median. A lock of the operating system wakes the next writer at once. The lock is on an empty file
next to the database. It is held while the one statement runs that stores a response, and it works
for threads and processes. The system releases it when a process is killed. PostgreSQL has its own
queue.
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
    """Hold the write lock of the site while one statement runs in this context.

    Take no lock with PostgreSQL, with a database in memory, in a transaction, or if the file of the
    lock cannot be opened. Raise OperationalError if taking the lock lasts longer than
    settings.DATABASE_PATIENCE.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block or connection.is_in_memory_db():
        yield
        return
    path = f"{connection.settings_dict['NAME']}-queue"
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        # The disk is full, read-only or missing. The statement will raise a clearer error.
        yield
        return
    try:
        _take_lock(file)
        yield
    finally:
        # Closing the file also releases the lock, since only this call has opened it.
        os.close(file)


def _take_lock(file: int) -> None:
    """Lock the file of the queue, waiting for those who came before.

    Raise OperationalError if this lasts longer than settings.DATABASE_PATIENCE seconds. Then the
    writers before this one have waited for someone who has locked the whole database, and this
    writer would wait for as long again.

    file: the descriptor of the open file.
    """
    # Usually nobody else has the lock. Then it is taken at once, and the time does not matter.
    with suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return

    start = time.monotonic()
    fcntl.flock(file, fcntl.LOCK_EX)
    if time.monotonic() - start > settings.DATABASE_PATIENCE:
        raise OperationalError("database is locked")
