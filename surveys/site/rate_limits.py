"""Counting attempts in memory only, under keyed hashes forgotten with their key: no name or address is kept."""

import hashlib
import secrets
import threading
import time
from collections import Counter

MOST = 100_000  # entries; a flood of made-up names must not fill the memory


class Limit:
    """At most `times` within `seconds`, for each name, in this process. The window starts anew for all at once."""

    def __init__(self, times: int, seconds: float) -> None:
        self.times, self.seconds = times, seconds
        self._lock = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self._key = secrets.token_bytes(32)
        self._ends = time.monotonic() + self.seconds
        self._counts: Counter[bytes] = Counter()

    def _entry(self, name: str) -> bytes:
        if time.monotonic() >= self._ends or len(self._counts) >= MOST:
            self._begin()
        return hashlib.blake2b(name.encode(), key=self._key, digest_size=16).digest()

    def count(self, name: str) -> None:
        with self._lock:
            self._counts[self._entry(name)] += 1

    def reached(self, name: str) -> bool:
        with self._lock:
            return self._counts[self._entry(name)] >= self.times
