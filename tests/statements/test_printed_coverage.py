"""The printed range of a share contains the true share as often as it promises."""

import numpy as np
import pytest
from scipy.stats import binom

from mechanisms import Tally, Warner
from surveys.statements.shares import share_statement
from surveys.statements.statement import State

# True shares, also rare ones, where rounding inwards did the most harm.
SHARES = np.concatenate([np.linspace(0, 0.1, 101), np.linspace(0.1004, 0.9, 175)])


@pytest.mark.parametrize("n", [300, 4000])
@pytest.mark.parametrize("chance", ["3/4", "19/20"])
def test_printed_range_of_a_share_contains_the_truth(chance: str, n: int) -> None:
    """All counts are enumerated, so the rates are exact. An impossible range counts as a miss."""
    mechanism = Warner(chance)
    counts = np.arange(n + 1)
    ends = np.array([printed_ends(mechanism, n, count) for count in counts.tolist()])
    line = mechanism.line()
    rates = []
    for share in SHARES:
        received = line.offset[1] + line.slope[1] * share
        chances = binom.pmf(counts, n, received)
        is_inside = (ends[:, 0] <= 100 * share + 1e-9) & (100 * share - 1e-9 <= ends[:, 1])
        rates.append(chances[is_inside].sum())
    assert min(rates) >= 0.945


def printed_ends(mechanism: Warner, n: int, yes: int) -> tuple[float, float]:
    """Return the printed ends of the share of Yes in per cent, or NaN without a range."""
    estimate = mechanism.estimate(Tally(n, [n - yes, yes]))
    statement = share_statement(estimate, 1)
    if statement.state == State.IMPOSSIBLE:
        return np.nan, np.nan
    return statement.printed.low, statement.printed.high
