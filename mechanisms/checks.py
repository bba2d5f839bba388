"""Checks of arguments. Every message names the argument, its value and what is allowed."""

import math
import re
from collections.abc import Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BitArray = NDArray[np.uint8]
BoolArray = NDArray[np.bool_]
Probability = str | float | Fraction | Decimal

MAX_DEN = 2**32  # one report is drawn from one unsigned 32-bit integer
_FRACTION = re.compile(r"\s*(\d{1,40}(\s*/\s*\d{1,40})?|\d{0,40}\.\d{1,40})\s*")


def generator(rng: Any) -> np.random.Generator:
    """A NumPy generator, or one made from a seed, or a fresh one for None."""
    if rng is not None and not isinstance(rng, np.random.Generator):
        rng = whole("rng", rng, 0)
    return np.random.default_rng(rng)


def show(value: object) -> str:
    """The value as a message shows it, short enough to read."""
    text = str(value) if isinstance(value, Fraction) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def probability(name: str, value: Probability) -> Fraction:
    """The probability as an exact fraction.

    A float means the decimal number that Python prints for it: 0.7 is 7/10, not the nearest binary fraction.
    """
    allowed = f"{name} is {show(value)}; allowed is a probability from 0 to 1 such as '2/3', Fraction(1, 6) or 0.75"
    try:
        exact = _exact(value)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        raise ValueError(allowed) from None
    if not 0 <= exact <= 1:
        raise ValueError(allowed)
    return exact


def _exact(value: Any) -> Fraction:
    if isinstance(value, bool | np.bool_):
        raise TypeError
    if isinstance(value, str):
        if not _FRACTION.fullmatch(value):
            raise ValueError
        return Fraction(re.sub(r"\s", "", value))
    if isinstance(value, float | np.floating):
        return Fraction(repr(float(value)))
    if isinstance(value, Rational | Decimal):
        return Fraction(value)
    raise TypeError


def epsilon(value: float, name: str = "epsilon") -> float:
    """A declared privacy loss: a finite number above 0."""
    return positive(name, value)


def exact_epsilon(value: Probability) -> Fraction:
    """A declared privacy loss as an exact fraction above 0; a float means the decimal number that Python prints."""
    try:
        exact = _exact(value)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        exact = Fraction(0)
    if exact <= 0:
        raise ValueError(
            f"epsilon is {show(value)}; allowed is a finite number above 0 such as '1/2' or 0.5"
        )
    return exact


def positive(name: str, value: float) -> float:
    number = _number(value)
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{name} is {show(value)}; allowed is a finite number above 0")
    return number


def between(name: str, value: float, low: float, high: float) -> float:
    """A number strictly between two bounds."""
    number = _number(value)
    if not low < number < high:
        raise ValueError(
            f"{name} is {show(value)}; allowed is a number above {low} and below {high}"
        )
    return number


def _number(value: Any) -> float:
    if isinstance(value, bool | np.bool_ | str | bytes):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def whole(name: str, value: int, low: int, high: int | None = None) -> int:
    """A whole number from low to high, both included."""
    good = isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= low
    if not good or (high is not None and int(value) > high):
        limits = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name} is {show(value)}; allowed is a whole number {limits}")
    return int(value)


def counts(values: Any) -> list[int]:
    """At least one count, each a whole number from 0 to 2**53."""
    if not isinstance(values, list | tuple | np.ndarray) or not len(values):
        raise ValueError(f"counts is {show(values)}; allowed is a list of whole numbers from 0")
    return [whole("counts", value, 0, 2**53) for value in values]


def size(value: int) -> int:
    return whole("size", value, 2)


def denominator(value: int) -> int:
    return whole("den", value, 2, MAX_DEN)


def one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(
            f"{name} is {show(value)}; allowed is one of {', '.join(map(repr, allowed))}"
        )
    return value


def indices(name: str, values: ArrayLike, size: int) -> IntArray:
    """Whole numbers 0 to size - 1, shape (n,)."""
    array = _whole_array(name, values)
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; allowed is (n,)")
    if array.size and _is_outside(array, size):
        wrong = array[(array < 0) | (array >= size)][0]
        raise ValueError(f"{name} holds {wrong}; allowed is a whole number from 0 to {size - 1}")
    return array.astype(np.int64, copy=False)


def _is_outside(array: NDArray[Any], size: int) -> bool:
    """Whether some number is negative or not below size; a negative one read as unsigned is a very large one."""
    half = 2 ** (8 * array.itemsize - 1)
    if size <= half:
        return bool(array.view(array.dtype.str.replace("i", "u").replace("b", "u")).max() >= size)
    return bool(array.min() < 0 or array.max() >= size)


def bits(name: str, values: ArrayLike | Sequence[str], size: int) -> BitArray:
    """Rows of 0 and 1, shape (n, size), from such an array or from n strings of size characters."""
    if isinstance(values, list | tuple) and len(values) and isinstance(values[0], str):
        return _bits_of_strings(name, values, size)
    array = _whole_array(name, values)
    if array.size == 0 and array.ndim <= 1:
        return np.zeros((0, size), dtype=np.uint8)
    if array.ndim != 2 or array.shape[1] != size:
        raise ValueError(f"{name} has shape {array.shape}; allowed is (n, {size})")
    if array.size and (array.min() < 0 or array.max() > 1):
        raise ValueError(f"{name} holds {array[(array != 0) & (array != 1)][0]}; allowed is 0 or 1")
    return array.astype(np.uint8, copy=False)


def _bits_of_strings(name: str, rows: Sequence[Any], size: int) -> BitArray:
    for row in rows:
        if not isinstance(row, str) or len(row) != size or row.strip("01"):
            raise ValueError(
                f"{name} holds {show(row)}; allowed is a string of {size} characters 0 or 1"
            )
    flat = np.frombuffer("".join(rows).encode("ascii"), dtype=np.uint8)
    return (flat - np.uint8(ord("0"))).reshape(len(rows), size)


def packed_bits(name: str, values: ArrayLike, size: int) -> BitArray:
    """Rows packed by numpy.packbits (big-endian, zero padding), shape (n, ceil(size / 8)), dtype uint8."""
    array = np.asarray(values)
    width = -(-size // 8)
    if array.dtype != np.uint8 or array.ndim != 2 or array.shape[1] != width:
        got = f"shape {array.shape} and dtype {array.dtype}"
        raise ValueError(f"{name} has {got}; allowed is shape (n, {width}) and dtype uint8")
    padding = np.uint8((1 << (8 * width - size)) - 1)
    if padding and (array[:, -1] & padding).any():
        raise ValueError(
            f"{name} has ones after its {size} bits; allowed is zero padding, as numpy.packbits writes"
        )
    return array


def _whole_array(name: str, values: Any) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name} has rows of different lengths; allowed is a regular array"
        ) from None
    if array.size and array.dtype.kind not in "iub":
        raise ValueError(
            f"{name} has dtype {array.dtype} ({show(values)}); allowed are whole numbers"
        )
    if array.dtype.kind == "u" and array.size and int(array.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"{name} holds {array.max()}; allowed are whole numbers below 2**63")
    return array if array.size else array.astype(np.int64)


def index_set(name: str, values: Any, size: int) -> set[int]:
    """Different whole numbers 0 to size - 1."""
    if not isinstance(values, list | tuple | set | frozenset | np.ndarray):
        raise ValueError(
            f"{name} is {show(values)}; allowed is a list of whole numbers from 0 to {size - 1}"
        )
    chosen = {whole(name, value, 0, size - 1) for value in values}
    if len(chosen) != len(values):
        raise ValueError(f"{name} is {show(values)}; allowed is each number once")
    return chosen


def keys(name: str, given: Mapping[str, Any], allowed: Set[str]) -> None:
    """Exactly these keys."""
    if set(given) != allowed:
        raise ValueError(
            f"{name} has the keys {sorted(map(str, given))}; allowed are exactly {sorted(allowed)}"
        )


def rows(name: str, values: Any) -> list[list[int]]:
    """A list of rows of whole numbers, as a spec has it."""
    if (
        not isinstance(values, list | tuple)
        or not values
        or not all(isinstance(row, list | tuple) for row in values)
    ):
        raise ValueError(f"{name} is {show(values)}; allowed is a list of rows")
    return [[whole(name, weight, 0, MAX_DEN) for weight in row] for row in values]
