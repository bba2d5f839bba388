"""Many files -> what all of them add up to: in this process, in several, or on a cluster."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

from mechanisms.batches.counting import Counted, add, count
from mechanisms.batches.places import size_of
from mechanisms.batches.questions import Unusable

Part = TypeVar("Part")
MANY = 1_000_000_000  # bytes
LACKING = 'Scheduler and workers need this package too, and lack {}: pip install "candor-mechanisms[batches]" there.'
PATIENCE = 15  # seconds until a cluster that does not answer is none


def in_a_tree(parts: Iterable[Part], plus: Callable[[Part, Part], Part]) -> Part:
    """All parts added, each as often as log2 of their number; no more than so many wait at any time."""
    waiting: list[tuple[int, Part]] = []
    for part in parts:
        level, found = 0, part
        while waiting and waiting[-1][0] == level:
            level, found = level + 1, plus(waiting.pop()[1], found)
        waiting.append((level, found))
    _, total = waiting.pop()
    while waiting:
        total = plus(waiting.pop()[1], total)
    return total


def count_here(names: Sequence[str], workers: int | None = None, *, forms: bool = False) -> Counted:
    """The responses in all these files, at least one, counted in so many processes of this machine. By default one:
    starting others pays from MANY bytes on, and then as many as there are processors. At most one for each file.
    Unusable as for `counting.count`.
    """
    work = partial(count, forms=forms)
    if workers is None:
        workers = (os.cpu_count() or 1) if sum(map(size_of, names)) >= MANY else 1
    workers = min(workers, len(names))
    if workers == 1:
        return in_a_tree(map(work, names), add)
    try:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            return in_a_tree(pool.map(work, names), add)
    except BrokenProcessPool as wrong:
        raise Unusable(
            "A process that counted was ended from outside, perhaps for want of memory."
        ) from wrong


def count_on_cluster(names: Sequence[str], scheduler: str, *, forms: bool = False) -> Counted:
    """The same on a running cluster of Dask, whose scheduler and workers must have this package; the workers must reach
    the files by these names.

    scheduler: its address, such as tcp://10.0.0.1:8786. The tallies are added on the workers; one comes back.
    """
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415 (an extra)
        from distributed.comm.core import CommClosedError  # noqa: PLC0415
    except ImportError as wrong:
        raise Unusable(
            'A scheduler takes Dask: pip install "candor-mechanisms[batches]".'
        ) from wrong
    try:
        client = Client(scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as wrong:
        raise Unusable(f"No scheduler of Dask answers at {scheduler}.") from wrong
    with client:
        parts = (client.submit(count, name, forms=forms, pure=False) for name in names)
        total = in_a_tree(parts, partial(client.submit, add, pure=False))
        try:
            found: Counted = total.result()
        except ModuleNotFoundError as wrong:
            raise Unusable(LACKING.format(wrong.name)) from wrong
        except RuntimeError as wrong:  # the scheduler, which reads what is to be done, cannot
            if not isinstance(wrong.__cause__, ModuleNotFoundError):
                raise
            raise Unusable(LACKING.format(wrong.__cause__.name)) from wrong
        except (KilledWorker, CommClosedError) as wrong:
            raise Unusable(
                "Workers of the cluster ended while they counted, perhaps for want of memory."
            ) from wrong
    return found
