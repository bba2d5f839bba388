"""Limit how often something is attempted, without storing a name or an address.

Attempts are counted in memory, under keyed hashes. When their key is replaced, nobody can assign
the counts to names any more.
"""

import hashlib
import secrets
import threading
import time
from collections import Counter

# The most names that are counted at a time, so that a flood of invented names does not fill the
# memory.
MOST_NAMES = 100_000


class Limit:
    """A limit on the attempts that each name has within a period, in this process.

    Call `reached` before an attempt, and `count` for each one. The periods of all names begin at
    the same time. Threads may share a limit.

    times: the number of attempts in a period.
    seconds: the length of a period.
    """

    def __init__(self, times: int, seconds: float) -> None:
        self.times = times
        self.seconds = seconds
        self._lock = threading.Lock()
        self._start_period()

    def _start_period(self) -> None:
        """Forget all counts and start a new period, with a new key."""
        self._key = secrets.token_bytes(32)
        self._ends = time.monotonic() + self.seconds
        self._counts: Counter[bytes] = Counter()

    def _count_key(self, name: str) -> bytes:
        """Return the keyed hash under which a name is counted in the present period.

        If the last period is over, or if too many names were counted in it, a new period is started
        first. The caller holds the lock.

        The names are addresses and user names, which must not stand in memory that may be written
        to a disk. Without the key, a hash says nothing about them.
        """
        if time.monotonic() >= self._ends or len(self._counts) >= MOST_NAMES:
            self._start_period()
        return hashlib.blake2b(name.encode(), key=self._key, digest_size=16).digest()

    def count(self, name: str) -> None:
        """Count an attempt of this name, whether or not it has any left."""
        with self._lock:
            # This may start a new period and replace the counts, so it comes first.
            key = self._count_key(name)
            self._counts[key] += 1

    def reached(self, name: str) -> bool:
        """Return whether this name has no attempt left in the present period."""
        with self._lock:
            key = self._count_key(name)
            return self._counts[key] >= self.times
