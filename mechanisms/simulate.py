"""Exact uniform integers for many reports at once, in the narrowest type that holds them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHUNK = 2**20  # draws at a time: enough to be fast, little enough to stay in the cache


def uniforms(rng: np.random.Generator, den: int, shape: int | tuple[int, ...]) -> NDArray[Any]:
    """Uniform integers from 0 to den - 1; NumPy draws them by rejection too."""
    dtype = np.uint8 if den <= 2**8 else np.uint16 if den <= 2**16 else np.uint32
    return rng.integers(0, den, size=shape, dtype=dtype)


def slices(rows: int, width: int) -> Iterator[slice]:
    """Slices of rows with about CHUNK cells each."""
    step = max(1, CHUNK // width)
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))
