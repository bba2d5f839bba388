"""Cache values that take long to compute, in memory and up to a number of bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class ByteCache(Generic[Value]):
    """A cache of values in memory that drops the least recently used ones when it is full.

    Threads may share a cache. A value that is above the limit by itself is not cached.

    most: the bytes that all values together may have.
    size: a function that returns the bytes of a value.
    """

    def __init__(self, most: int, size: Callable[[Value], int]) -> None:
        self._most = most
        self._size = size
        # The values in the order of their last use, with the most recent one at the end.
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the cached value of a key, or call `make`, cache its result and return it.

        If the values are then above the limit, the least recently used ones are dropped.
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]

        # The lock is not held meanwhile, so another thread may compute and cache the same value.
        value = make()
        with self._lock:
            if key not in self._values:
                self._values[key] = value
                self._bytes += self._size(value)
            # A value above the limit by itself is the last one that is dropped here.
            while self._bytes > self._most:
                _, oldest = self._values.popitem(last=False)
                self._bytes -= self._size(oldest)
        return value

    def clear(self) -> None:
        """Remove all values, so that each one is made again when it is needed."""
        with self._lock:
            self._values.clear()
            self._bytes = 0


Instance = TypeVar("Instance")


def cache_on_instance(function: Callable[[Instance], Value]) -> Callable[[Instance], Value]:
    """Cache the result of a function of one object on that object (a decorator).

    The result is computed by the first call, and lives as long as the object.
    """
    # This name differs from those of all attributes, because it contains dots.
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def cached_function(instance: Instance) -> Value:
        """Return the result for an object, which only the first call computes."""
        # A frozen dataclass forbids to set attributes, but not to change this dictionary of them.
        cache = vars(instance)
        if name not in cache:
            cache[name] = function(instance)
        return cache[name]

    return cached_function
