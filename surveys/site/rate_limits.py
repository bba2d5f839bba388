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
    """Allows each name a number of attempts within some seconds, in this process.

    The counts of all names start anew at the same time.

    times: the number of attempts.
    seconds: the time after which the counts start anew.
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
        """Return the keyed hash under which a name is counted.

        Starts a new period if the last one is over, or if too many names were counted.
        """
        if time.monotonic() >= self._ends or len(self._counts) >= MOST_NAMES:
            self._start_period()
        return hashlib.blake2b(name.encode(), key=self._key, digest_size=16).digest()

    def count(self, name: str) -> None:
        """Count an attempt of this name."""
        with self._lock:
            self._counts[self._count_key(name)] += 1

    def reached(self, name: str) -> bool:
        """Return whether this name has no attempt left in the present period."""
        with self._lock:
            return self._counts[self._count_key(name)] >= self.times
