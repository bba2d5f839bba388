"""Signs that reports were not made as the design says, for which nobody's truth is needed."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtrc, chdtrc
from scipy.stats import binom

from mechanisms import checks
from mechanisms.analysis.comparisons import Significance
from mechanisms.checks import BitArray, BoolArray, FloatArray, IntArray
from mechanisms.designs.bits import BitMechanism, Reports
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.subset import SubsetSelection
from mechanisms.designs.unary import UnaryEncoding
from mechanisms.estimation.mixtures import distinct_rows
from mechanisms.estimation.tallies import Tally

_ENOUGH = 5.0  # expected reports in a cell of a chi-square test


class Feasibility(NamedTuple):
    """All arrays have shape (size,).

    lowest, highest: the observed shares that the design can produce on average. feasible: whether the observed share
    is among them. z: how many standard errors it is outside, below 0 under the lowest, 0 inside.
    """

    lowest: FloatArray
    highest: FloatArray
    feasible: BoolArray
    z: FloatArray


def feasibility(mechanism: Mechanism, tally: Tally) -> Feasibility:
    """Whether the observed shares are within what the design can produce.

    A share is outside by chance when it is within a few standard errors, taken at the nearest end: 3 or more is a sign
    that the design was not followed. ValueError for an empty tally or another mechanism's.
    """
    observed = mechanism.estimate(tally, interval="wald").observed
    lowest, highest = _reach(mechanism)
    nearest = np.clip(observed, lowest, highest)
    error = np.sqrt(nearest * (1 - nearest) / tally.n)
    outside = observed - nearest
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(outside == 0, 0.0, outside / error)
    return Feasibility(lowest, highest, outside == 0, z)


def _reach(mechanism: Mechanism) -> tuple[FloatArray, FloatArray]:
    if isinstance(mechanism, MatrixMechanism):
        return mechanism.floats.min(axis=0), mechanism.floats.max(axis=0)
    p_q = [float(row[1]) for row in mechanism.probabilities()]
    return np.full(mechanism.size, min(p_q)), np.full(mechanism.size, max(p_q))


def number_of_ones(mechanism: UnaryEncoding, reports: Reports) -> Significance:
    """Chi-square test of the number of ones per report against its exact law; unary encoding with one choice only.

    Whatever the truth, one bit is set with probability p and the other size - 1 with probability q, so the law is that
    of Bernoulli(p) + Binomial(size - 1, q). Neighbouring numbers are joined until each cell expects at least 5.
    ValueError when fewer than 2 cells remain: too few reports.
    """
    if not isinstance(mechanism, UnaryEncoding) or mechanism.select != "one":
        raise ValueError(f"mechanism is {mechanism!r}; allowed is unary encoding with one choice")
    rows = checks.bits("reports", reports, mechanism.size)
    ones = np.bincount(rows.sum(axis=1, dtype=np.int64), minlength=mechanism.size + 1)
    observed, expected = join_cells(ones, len(rows) * ones_law(mechanism))
    if len(expected) < 2:
        raise ValueError(
            f"reports has {len(rows)} rows; allowed are enough for two cells that expect {_ENOUGH:.0f} each"
        )
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return Significance(statistic, len(expected) - 1, float(chdtrc(len(expected) - 1, statistic)))


def ones_law(mechanism: UnaryEncoding) -> FloatArray:
    """The chances of 0 to size ones in a report, shape (size + 1,)."""
    p, q = float(mechanism.p), float(mechanism.q)
    others = binom.pmf(np.arange(mechanism.size), mechanism.size - 1, q)
    law: FloatArray = np.append((1 - p) * others, 0.0) + np.append(0.0, p * others)
    return law


def join_cells(observed: IntArray, expected: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Neighbouring cells joined, from the left, until each expects at least 5; the rest joins the last."""
    cells: list[list[float]] = []
    seen = hoped = 0.0
    for count, hope in zip(observed.tolist(), expected.tolist(), strict=True):
        seen, hoped = seen + count, hoped + hope
        if hoped >= _ENOUGH:
            cells.append([seen, hoped])
            seen = hoped = 0.0
    if cells:
        cells[-1] = [cells[-1][0] + seen, cells[-1][1] + hoped]
    joined = np.array(cells, dtype=np.float64).reshape(-1, 2)
    return joined[:, 0], joined[:, 1]


class Repeats(NamedTuple):
    """report: the most frequent report, '0' and '1'. times: how often it came. p_value: at most this by chance."""

    report: str
    times: int
    p_value: float


def repeated_reports(mechanism: BitMechanism, reports: Reports) -> Repeats:
    """Whether some long report came more often than chance allows, as from a program that sends one again and again.

    No report has a chance above m, the largest of any report under any truth, so the others equal to a given one are
    at most Binomial(n - 1, m). If a report came t times, t respondents have t - 1 others like them; by Markov's
    inequality that has a chance of at most n P(Binomial(n - 1, m) >= t - 1) / t, which is the p-value given: never too
    small, and far too large where reports are short. One choice only.
    """
    if getattr(mechanism, "select", "one") != "one" or not isinstance(mechanism, BitMechanism):
        raise ValueError(f"mechanism is {mechanism!r}; allowed is unary encoding with one choice or subset selection")
    packed = np.packbits(checks.bits("reports", reports, mechanism.size), axis=1)
    mechanism.check_rows(packed)
    if len(packed) == 0:
        raise ValueError("reports is empty; allowed is at least one report")
    distinct, multiplicities = distinct_rows(packed)
    most = int(multiplicities.argmax())
    times, n = int(multiplicities[most]), len(packed)
    bound = n * float(bdtrc(times - 2, n - 1, likeliest_report(mechanism))) / times if times > 1 else 1.0
    return Repeats(_text(distinct[most], mechanism.size), times, min(1.0, bound))


def likeliest_report(mechanism: BitMechanism) -> float:
    """The largest chance of any single report under any truth."""
    if isinstance(mechanism, SubsetSelection):
        k, w, p = mechanism.size, mechanism.width, float(mechanism.p)
        return max(p / math.comb(k - 1, w - 1), (1 - p) / math.comb(k - 1, w))
    p, q = float(mechanism.p), float(mechanism.q)
    return max(p, 1 - p) * max(q, 1 - q) ** (mechanism.size - 1)


def _text(packed: BitArray, size: int) -> str:
    return "".join(map(str, np.unpackbits(packed, count=size).tolist()))


def sensitivity(mechanism: Mechanism, tally: Tally, fraction: ArrayLike) -> FloatArray:
    """The lowest and highest estimates if a fraction of the reports were replaced by the worst possible ones.

    fraction: any shape, from 0 to 1. Returns shape (*fraction.shape, size, 2). One report decodes to a row of M^-1; the
    estimate is the mean of those, so a fraction f moves it by f times (the extreme decoded value - the estimate). That
    is the price of local privacy: a report weighs 1/slope times as much as an answer (Cheu, Smith and Ullman 2021).
    """
    part = np.asarray(fraction, dtype=np.float64)
    if not ((part >= 0) & (part <= 1)).all():
        raise ValueError(f"fraction is {checks.show(fraction)}; allowed is a number from 0 to 1")
    estimate = mechanism.estimate(tally, interval="wald").proportions
    extremes = np.stack(_decoded_extremes(mechanism), axis=-1)
    part = part[..., np.newaxis, np.newaxis]
    moved: FloatArray = estimate[:, np.newaxis] + part * (extremes - estimate[:, np.newaxis])
    return moved


def _decoded_extremes(mechanism: Mechanism) -> tuple[FloatArray, FloatArray]:
    """The least and greatest that one report can decode to, shapes (size,)."""
    if isinstance(mechanism, MatrixMechanism):
        decoded = np.stack([mechanism.decode(row) for row in np.eye(mechanism.size)])
    else:
        decoded = np.stack([mechanism.decode(np.full(mechanism.size, bit)) for bit in (0.0, 1.0)])
    return decoded.min(axis=0), decoded.max(axis=0)
