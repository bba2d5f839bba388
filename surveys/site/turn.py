"""Let heavy requests take turns: in each process only one at a time reads very many responses.

Another one is asked to come back later. Otherwise a few clicks would occupy every thread of a small
server, and respondents would wait.

Code that reads responses calls `count_work` for each slice. Outside of a request, as in commands,
this does nothing.
"""

import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# A request that reads more responses than this is heavy, and needs the turn.
HEAVY_RESPONSES = 100_000

# The seconds that a turn may take. A download may take as long as its reader needs.
LONGEST_TURN = 60.0

# The seconds after which a request that got no turn may be sent again.
RETRY_AFTER = 60

BUSY_MESSAGE = "Another large download or analysis is running. Try again in a minute."
OVERDUE_MESSAGE = (
    "This took longer than a minute and was stopped. Request less at once, or download the "
    "responses."
)

# The lock that the request with the turn holds.
_turn_lock = threading.Lock()


class Busy(Exception):
    """Another request has the turn."""


class Overdue(Exception):
    """The turn has taken too long. Its work is discarded."""


class _WorkBudget:
    """The work of one request.

    responses_read: the number of responses that the request has read so far.
    deadline: the end of its turn, on the monotonic clock; 0 while it has no turn.
    """

    def __init__(self) -> None:
        self.responses_read = 0
        self.deadline = 0.0

    def begin(self) -> None:
        """Take the turn for this request, or keep it if the request has it already.

        Nothing waits: Busy is raised at once if another request of this process has the turn.
        """
        if self.deadline:
            return
        if not _turn_lock.acquire(blocking=False):
            raise Busy
        self.deadline = time.monotonic() + LONGEST_TURN

    def step(self, responses: int) -> None:
        """Count responses, and take the turn once the request has read many.

        Raises Busy if another request has the turn, and Overdue if this turn has taken too long.
        """
        self.responses_read += responses
        if self.responses_read > HEAVY_RESPONSES:
            self.begin()
        if self.deadline and time.monotonic() > self.deadline:
            raise Overdue

    def end(self) -> None:
        """Give back the turn, if this request has it."""
        if self.deadline:
            self.deadline = 0.0
            _turn_lock.release()


_current_budget: ContextVar[_WorkBudget | None] = ContextVar("_current_budget", default=None)


@contextmanager
def request_budget() -> Generator[None]:
    """Count the work of a request from here on, and give back its turn at the end."""
    budget = _WorkBudget()
    token = _current_budget.set(budget)
    try:
        yield
    finally:
        _current_budget.reset(token)
        budget.end()


def count_work(responses: int = 0) -> None:
    """Count responses that were read in the present request.

    Raises Busy if they are many and another request has the turn, and Overdue if the turn has taken
    too long. With 0 responses it only checks the time.
    """
    budget = _current_budget.get()
    # Commands have no budget: nobody waits for them.
    if budget:
        budget.step(responses)


class Download:
    """The pieces of a file, during which the request has the turn if the file is large.

    The turn lasts until the last piece is sent, or the reader of the file is gone. Raises Busy if
    another request has the turn.

    pieces: the file, piece by piece.
    responses: the number of responses in the file.
    """

    def __init__(self, pieces: Generator[bytes], responses: int) -> None:
        self._pieces = pieces
        self._budget = _WorkBudget()
        if _current_budget.get() and responses > HEAVY_RESPONSES:
            self._budget.begin()

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._pieces
        finally:
            self._budget.end()

    def close(self) -> None:
        """Stop the pieces, and what they read from the database, and give back the turn.

        Django calls this when the response ends, also if the reader has gone before.
        """
        # The turn may be taken although no piece was requested. Then the `finally` of `__iter__`
        # does not run, so the turn is given back here. The second time this does nothing.
        self._pieces.close()
        self._budget.end()
