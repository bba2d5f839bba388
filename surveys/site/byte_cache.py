"""What is kept in memory because making it takes long, bounded by its bytes. The least used goes first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class ByteCache(Generic[Value]):
    """most: bytes of all values together. size: of one value, in bytes; one above the limit is not kept."""

    def __init__(self, most: int, size: Callable[[Value], int]) -> None:
        self._most, self._size = most, size
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._bytes, self._lock = 0, Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            if key not in self._values:
                self._values[key] = value
                self._bytes += self._size(value)
            while self._bytes > self._most:
                self._bytes -= self._size(self._values.popitem(last=False)[1])
        return value

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self._bytes = 0


Of = TypeVar("Of")


def cache_on_instance(make: Callable[[Of], Value]) -> Callable[[Of], Value]:
    """Cache the result of a function of one object on that object."""
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def kept(of: Of) -> Value:
        own = vars(of)
        if name not in own:
            own[name] = make(of)
        return own[name]

    return kept
