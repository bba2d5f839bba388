"""Changes between versions: by exact enumeration how often one is said that is not there, and how often ranges hold the
true one. From how many responses on this holds, surveys.results.analysis.trend.trend decides.
"""

import numpy as np
import pytest

from mechanisms import Differences
from tests.mechanisms.test_differences import DIRECT, SHARES, Line, chance, clear, side, warner

TWO_COINS = (0.5, 0.25)


def level(sizes: tuple[int, int], lines: tuple[Line, Line], comparisons: int) -> float:
    """k times the largest chance of a false change."""
    is_clear = clear(sizes, lines, comparisons)
    return comparisons * max(chance(is_clear, sizes, lines, (share, share)) for share in SHARES)


def coverage(sizes: tuple[int, int], lines: tuple[Line, Line], shares: tuple[float, float]) -> float:
    """How often the interval of one change holds the true one."""
    counts = np.meshgrid(*(np.arange(n + 1) for n in sizes), indexing="ij")
    both = (side(hits.ravel(), n, line) for hits, n, line in zip(counts, sizes, lines, strict=True))
    low, high = Differences(*both).intervals.T
    true = shares[0] - shares[1]
    holds = ((low <= true + 1e-12) & (true - 1e-12 <= high)).reshape(counts[0].shape)
    return chance(holds, sizes, lines, shares)


long = pytest.mark.long
