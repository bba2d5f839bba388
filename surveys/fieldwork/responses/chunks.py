"""Much to write, in short steps with room between them: nobody who answers a survey may wait long for the database."""

import math
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from django.conf import settings
from django.db import OperationalError, connection

from surveys.site.database_errors import are_rows_locked

Each = TypeVar("Each")
Result = TypeVar("Result")
PAUSE = 0.030  # seconds; who finds SQLite taken looks again after 25 ms at most, unless waiting for long already

FEW = 2  # surveys that others hold at once; where they hold more, they hold a table


def run_for_each(
    work: Callable[[Each], Result], many: Iterable[Each], few: float = FEW
) -> list[Result]:
    """Run a task for each object; errors of locked rows are raised after the rest is done."""
    done, held = [], []
    for each in many:
        try:
            done.append(work(each))
        except OperationalError as error:
            held.append(error)
            if len(held) > few or not are_rows_locked(error):
                raise
    if held:
        raise held[0]
    return done


def in_steps(work: Callable[[int], int], most: float = math.inf, step: int | None = None) -> int:
    """Call work(size) until it does less than asked for, or `most` is reached. Returns what all have done together.

    step: the size of one; unless given it is SEAL_STEP, and never more than fits into a batch.
    """
    step = step or min(settings.SEAL_STEP, settings.SEAL_SLICE)
    total = 0
    while True:
        start = time.monotonic()
        size = int(min(step, most - total))
        done = work(size)
        total += done
        if done < size or total >= most:
            return total
        yield_to_writers(time.monotonic() - start)


def yield_to_writers(held: float = 0) -> None:
    """Sleep briefly, so that waiting writers get the database."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(max(held, PAUSE))
