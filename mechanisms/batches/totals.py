"""The counts of many files together, from this process, several processes or a cluster."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

from mechanisms.batches.counting import Counted, add, count
from mechanisms.batches.files import size_of
from mechanisms.batches.questions import Unusable

Part = TypeVar("Part")
# Files of so many bytes together are counted by several processes.
LARGE = 1_000_000_000
LACKING = (
    "Scheduler and workers need this package too, and lack {}: "
    'pip install "candor-mechanisms[batches]" there.'
)
# Seconds until a cluster that does not answer counts as none.
PATIENCE = 15


def sum_in_tree(parts: Iterable[Part], add_parts: Callable[[Part, Part], Part]) -> Part:
    """Return the sum of all parts, each of which is added at most log2 of their number times.

    No more than so many sums wait at any time.

    Parameters
    ----------
    parts : iterable
        At least one part.
    add_parts : callable
        Returns the sum of two parts.

    Returns
    -------
    The sum, of the type of the parts.
    """
    # Each waiting sum has a level: it holds 2**level parts.
    waiting: list[tuple[int, Part]] = []
    for part in parts:
        level = 0
        total = part
        while waiting and waiting[-1][0] == level:
            _, earlier = waiting.pop()
            total = add_parts(earlier, total)
            level += 1
        waiting.append((level, total))
    _, total = waiting.pop()
    while waiting:
        _, earlier = waiting.pop()
        total = add_parts(earlier, total)
    return total


def count_here(
    names: Sequence[str], workers: int | None = None, *, count_rows: bool = False
) -> Counted:
    """Return the counts of the responses in files, made by processes of this machine.

    Parameters
    ----------
    names : sequence of str
        The files, at least one.
    workers : int, optional
        The number of processes, at most one for each file. By default one, or as many as there
        are processors if the files have a gigabyte together: below it, to start others takes
        longer than they save.
    count_rows : bool, default False
        As for `counting.count`.

    Returns
    -------
    Counted

    Raises
    ------
    Unusable
        As for `counting.count`, or if a process was ended from outside.
    """
    count_file = partial(count, count_rows=count_rows)
    if workers is None:
        is_large = sum(map(size_of, names)) >= LARGE
        workers = (os.cpu_count() or 1) if is_large else 1
    workers = min(workers, len(names))
    if workers == 1:
        return sum_in_tree(map(count_file, names), add)
    try:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            return sum_in_tree(pool.map(count_file, names), add)
    except BrokenProcessPool as error:
        raise Unusable(
            "A process that counted was ended from outside, perhaps for want of memory."
        ) from error


def count_on_cluster(names: Sequence[str], scheduler: str, *, count_rows: bool = False) -> Counted:
    """Return the counts of the responses in files, made by a running cluster of Dask.

    Scheduler and workers must have this package, and the workers must reach the files by these
    names. The tallies are added on the workers, and one comes back.

    Parameters
    ----------
    names : sequence of str
        The files, at least one.
    scheduler : str
        The address of the scheduler, such as tcp://10.0.0.1:8786.
    count_rows : bool, default False
        As for `counting.count`.

    Returns
    -------
    Counted

    Raises
    ------
    Unusable
        As for `counting.count`, or if the cluster cannot be used.
    """
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415 (an extra)
        from distributed.comm.core import CommClosedError  # noqa: PLC0415
    except ImportError as error:
        raise Unusable(
            'A scheduler takes Dask: pip install "candor-mechanisms[batches]".'
        ) from error
    try:
        client = Client(scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise Unusable(f"No scheduler of Dask answers at {scheduler}.") from error
    with client:
        parts = (client.submit(count, name, count_rows=count_rows, pure=False) for name in names)
        total = sum_in_tree(parts, partial(client.submit, add, pure=False))
        try:
            counted: Counted = total.result()
        except ModuleNotFoundError as error:
            raise Unusable(LACKING.format(error.name)) from error
        except RuntimeError as error:
            # The scheduler reads what is to be done, and cannot if it lacks a package.
            if not isinstance(error.__cause__, ModuleNotFoundError):
                raise
            raise Unusable(LACKING.format(error.__cause__.name)) from error
        except (KilledWorker, CommClosedError) as error:
            raise Unusable(
                "Workers of the cluster ended while they counted, perhaps for want of memory."
            ) from error
    return counted
