"""Let heavy requests take turns: in each process only one at a time reads very many responses.

A request needs the turn as soon as it has read many responses. While another request has it, the
sender is asked to come back later. Otherwise a few clicks would occupy every thread of a small
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
    """A request needs to read many responses, and another request of the process already does."""


class Overdue(Exception):
    """A request has read responses for longer than LONGEST_TURN. Its work is discarded."""


class _WorkBudget:
    """The responses that one request has read, and whether it has the turn to read many.

    responses_read: the number of responses that the request has read so far.
    deadline: the time at which its turn ends, on the monotonic clock; 0 while it has no turn.
    """

    def __init__(self) -> None:
        self.responses_read = 0
        self.deadline = 0.0

    def begin(self) -> None:
        """Take the turn to read many responses, or keep it if this request has it already.

        Raises Busy at once, without waiting, if another request of this process has the turn.
        """
        if self.deadline:
            return
        if not _turn_lock.acquire(blocking=False):
            raise Busy
        self.deadline = time.monotonic() + LONGEST_TURN

    def step(self, responses: int) -> None:
        """Count responses that the request has read, and take the turn once they are many.

        Only one request of a process has the turn. Raises Busy if another request has it, and
        Overdue if this request has had it for too long.
        """
        self.responses_read += responses
        if self.responses_read > HEAVY_RESPONSES:
            self.begin()
        if self.deadline and time.monotonic() > self.deadline:
            raise Overdue

    def end(self) -> None:
        """Give back the turn to read many responses, if this request has it."""
        if self.deadline:
            self.deadline = 0.0
            _turn_lock.release()


# The budget of the request that the present thread handles; None outside of a request.
_current_budget: ContextVar[_WorkBudget | None] = ContextVar("_current_budget", default=None)


@contextmanager
def request_budget() -> Generator[None]:
    """Count the responses that a request reads while this context manager is active.

    At the end the turn is given back, if the request has taken it. A middleware calls this.
    """
    budget = _WorkBudget()
    token = _current_budget.set(budget)
    try:
        yield
    finally:
        _current_budget.reset(token)
        budget.end()


def count_work(responses: int = 0) -> None:
    """Count responses that the present request has read, and make it stop if it has to.

    Raises Busy if the request has read many while another one has the turn, and Overdue if its own
    turn has taken too long. With 0 responses only the time is checked.
    """
    budget = _current_budget.get()
    # Commands have no budget: nobody waits for them.
    if budget:
        budget.step(responses)


class Download:
    """The pieces of a file that is sent to its reader. If it has many responses, it has the turn.

    The turn lasts until the last piece is sent, or the reader has gone. Creating a download raises
    Busy if another request has the turn.

    pieces: the file, piece by piece.
    responses: the number of responses in the file.
    """

    def __init__(self, pieces: Generator[bytes], responses: int) -> None:
        self._pieces = pieces
        # The pieces are sent after the request was handled and its budget has ended, so a download
        # has its own. Outside of a request, as in commands, nobody waits for it.
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
        self._pieces.close()
        # If no piece was requested, `__iter__` has not begun, and so its `finally` does not run. A
        # turn that was given back already is not given back again.
        self._budget.end()
