"""Heavy work takes turns: in each process one request at a time reads very many responses, the next is told to come
again. Otherwise a few clicks would hold every thread of a small server, and respondents would wait.

Whoever reads responses calls `step` for each slice. Outside of a request, as in commands, it does nothing.
"""

import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

MANY = 100_000  # responses, from which on reading them is heavy
LONGEST = 60.0  # seconds from then on; a download has as long as its reader takes
AGAIN = 60  # seconds, after which whoever was told to come again may
BUSY = "Another large download or analysis is running. Try again in a minute."
OVERDUE = "This took longer than a minute and was stopped. Request less at once, or download the responses."

_running = threading.Lock()


class Busy(Exception):
    """Somebody else has the turn."""


class Overdue(Exception):
    """The turn has taken too long; nothing of it is kept."""


class _WorkBudget:
    """The work of one request: responses read, and the deadline of its turn (0 if it has none)."""

    def __init__(self) -> None:
        self.read, self.ends = 0, 0.0

    def begin(self) -> None:
        if not self.ends:
            if not _running.acquire(blocking=False):
                raise Busy
            self.ends = time.monotonic() + LONGEST

    def step(self, responses: int) -> None:
        self.read += responses
        if self.read > MANY:
            self.begin()
        if self.ends and time.monotonic() > self.ends:
            raise Overdue

    def end(self) -> None:
        if self.ends:
            self.ends = 0.0
            _running.release()


_request: ContextVar[_WorkBudget | None] = ContextVar("_request", default=None)


@contextmanager
def request_budget() -> Generator[None]:
    """Give back the turn of a request when it ends."""
    work = _WorkBudget()
    token = _request.set(work)
    try:
        yield
    finally:
        _request.reset(token)
        work.end()


def count_work(responses: int = 0) -> None:
    """Count responses that were read. Raises Busy or Overdue."""
    if work := _request.get():
        work.step(responses)


class Download:
    """The pieces of a file of so many responses, with the turn of its request until the last piece is sent, or its
    reader has gone. Raises Busy.
    """

    def __init__(self, pieces: Generator[bytes], responses: int) -> None:
        self._pieces, self._work = pieces, _WorkBudget()
        if _request.get() and responses > MANY:
            self._work.begin()

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._pieces
        finally:
            self._work.end()

    def close(self) -> None:
        self._pieces.close()  # and with it what it reads from the database
        self._work.end()
