"""Long writes in short steps with pauses, so that no respondent waits long for the database."""

import math
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from django.conf import settings
from django.db import OperationalError, connection

from surveys.site.database_errors import are_rows_locked

Item = TypeVar("Item")
Result = TypeVar("Result")
# Seconds of the shortest pause. A writer that waits for SQLite tries again within 25 ms, unless it
# has waited for long already.
SHORTEST_PAUSE = 0.030
# The number of items that others may have locked. If there are more, others have locked a table.
MOST_LOCKED = 2


def run_for_each(
    work: Callable[[Item], Result], items: Iterable[Item], most_locked: float = MOST_LOCKED
) -> list[Result]:
    """Call `work` with each item, and return the results.

    “manage.py seal” works through all surveys with this. If others have locked the rows of an item,
    go on with the next item, and raise the first such error at the end. Raise any other error at
    once.

    most_locked: the largest number of items that may be locked. If one more is, raise its error at
        once, since probably somebody has locked a whole table.
    """
    results = []
    errors = []
    for item in items:
        try:
            results.append(work(item))
        except OperationalError as error:
            errors.append(error)
            if len(errors) > most_locked or not are_rows_locked(error):
                raise
    if errors:
        raise errors[0]
    return results


def run_in_steps(
    work: Callable[[int], int], most: float = math.inf, step: int | None = None
) -> int:
    """Call `work` until nothing is left or `most` is reached; return how much was done in total.

    Between two steps there is a pause, in which others can write to the database.

    work: does at most as much as its argument says, and returns how much it has done. Less than
        its argument means that nothing is left.
    most: the largest total; by default there is no limit.
    step: the largest argument of `work`; by default settings.SEAL_STEP, but no more than fits into
        a batch (settings.SEAL_SLICE).
    """
    if not step:
        step = min(settings.SEAL_STEP, settings.SEAL_SLICE)
    total = 0
    while True:
        start = time.monotonic()
        # The last step may be smaller, since `most` is not exceeded.
        size = int(min(step, most - total))
        n_done = work(size)
        total += n_done
        # A step that was not filled found nothing more to do.
        if n_done < size or total >= most:
            return total
        yield_to_writers(time.monotonic() - start)


def yield_to_writers(seconds_held: float = 0) -> None:
    """Sleep briefly, so that waiting writers get the database of SQLite.

    Do nothing with PostgreSQL, where only writers of the same row wait for each other, or in a
    transaction, which would keep the database locked during the pause.

    seconds_held: how long the caller has just used the database; the pause is at least as long.
    """
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(max(seconds_held, SHORTEST_PAUSE))
