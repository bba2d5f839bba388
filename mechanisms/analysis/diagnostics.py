"""Signs that reports were not made as the design says, for which nobody's truth is needed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from mechanisms import checks
from mechanisms.chance import binomial
from mechanisms.checks import BitArray, BoolArray, FloatArray, IntArray
from mechanisms.designs.bits import BitMechanism, Reports
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.wire import PickedOptions
from mechanisms.estimation.mixtures import distinct_rows
from mechanisms.estimation.tallies import Tally

FEWEST = 100  # expected picks from which on the far tail of a chi-square is to be trusted


class Feasibility(NamedTuple):
    """All arrays have shape (size,), for a window one of its reports.

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
    error = np.sqrt(nearest * (1 - nearest) / np.maximum(mechanism.informative_reports(tally), 1))
    outside = np.nan_to_num(
        observed - nearest
    )  # nothing is odd about a mark that no report speaks of
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(outside == 0, 0.0, outside / error)
    return Feasibility(lowest, highest, outside == 0, z)


class Evenness(NamedTuple):
    """Whether chance picked the marks. odd: the mark picked oddest; came: how often; expected: how often on average.

    p_value: of all marks together.
    """

    odd: int
    came: int
    expected: float
    p_value: float


def evenly_picked(mechanism: Mechanism, tally: Tally) -> Evenness:
    """Whether every mark was picked as often as the design says: whatever the truth, all are equally likely.

    The chi-square of the numbers of picks, size - 1 degrees of freedom; its variances are those of drawing without
    replacement, so with one mark picked it is Pearson's (1900). Where fewer than 100 picks of a mark are expected, and
    its far tail is not to be trusted, the smallest of the exact binomial p-values times their number (Bonferroni).
    Reports that are made up and aimed at one mark show here. ValueError for an empty tally, or another mechanism's.
    """
    if not isinstance(mechanism.wire, PickedOptions):
        raise ValueError(f"mechanism is {mechanism!r}; allowed is one whose reports pick marks")
    picked = mechanism.estimate(tally).informative_reports
    k, m, n = mechanism.size, mechanism.wire.pick, tally.n
    expected = n * m / k
    odd = int(np.abs(picked - expected).argmax())
    if m == k:
        return Evenness(odd, n, float(n), 1.0)
    if expected >= FEWEST:
        statistic = ((picked - expected) ** 2).sum() / (n * m * (k - m) / (k * (k - 1)))
        p_value = float(chdtrc(k - 1, statistic))
    else:
        p_value = min(1.0, k * float(binomial.two_sided(picked, n, m / k).min()))
    return Evenness(odd, int(picked[odd]), float(expected), p_value)


def _reach(mechanism: Mechanism) -> tuple[FloatArray, FloatArray]:
    if not mechanism.in_groups:
        rows = np.array([[float(chance) for chance in row] for row in mechanism.probabilities()])
        return rows.min(axis=0), rows.max(axis=0)
    p_q = [float(row[1]) for row in mechanism.probabilities()]
    return np.full(mechanism.size, min(p_q)), np.full(mechanism.size, max(p_q))


class Ones(NamedTuple):
    """The oddest of all numbers of ones: `came` reports have `first` to `last`. p_value: of all that were looked at."""

    first: int
    last: int
    came: int
    expected: float
    p_value: float


def number_of_ones(mechanism: Mechanism, reports: Reports) -> Ones:
    """Whether reports have as many ones as unary encoding with one choice gives; see `odd_ones`."""
    ones_law(mechanism)
    rows = checks.bits("reports", reports, mechanism.size)
    return odd_ones(
        mechanism, np.bincount(rows.sum(axis=1, dtype=np.int64), minlength=mechanism.size + 1)
    )


def odd_ones(mechanism: Mechanism, ones: IntArray) -> Ones:
    """Exact tests of how many reports have 0, 1, ..., size ones; ones: those numbers, shape (size + 1,).

    Whatever the truth, one bit is set with probability p and the other size - 1 with probability q, so a report has
    Bernoulli(p) + Binomial(size - 1, q) ones. How many of n reports have a certain number of ones, or at most that
    many, is binomial. The p-value is the smallest two-sided one times the number of these tests (Bonferroni): never too
    small, however few reports are expected, where the tail of a chi-square is. ValueError for no reports.
    """
    n, law = int(ones.sum()), ones_law(mechanism)
    if n == 0 or ones.shape != law.shape:
        raise ValueError(
            f"ones is {checks.show(ones)}; allowed are {law.size} counts, not all of them 0"
        )
    single = np.arange(law.size)
    ends = np.arange(
        1, law.size - 2
    )  # up to 0 is 0 alone, and up to the last but one is all but the last alone
    first, last = np.append(single, np.zeros_like(ends)), np.append(single, ends)
    came = np.append(ones, np.cumsum(ones)[ends])
    chances = np.minimum(np.append(law, np.cumsum(law)[ends]), 1.0)
    p_values = binomial.two_sided(came, n, chances)
    oddest = int(p_values.argmin())
    p_value = min(1.0, float(p_values[oddest]) * p_values.size)
    return Ones(
        int(first[oddest]),
        int(last[oddest]),
        int(came[oddest]),
        float(n * chances[oddest]),
        p_value,
    )


def ones_law(mechanism: Mechanism) -> FloatArray:
    """The chances of 0 to size ones in a report, shape (size + 1,). ValueError where the truth changes them."""
    law = mechanism.ones_law()
    if law is None:
        raise ValueError(f"mechanism is {mechanism!r}; allowed is unary encoding with one choice")
    return law


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
    if mechanism.select != "one" or not isinstance(mechanism, BitMechanism):
        raise ValueError(
            f"mechanism is {mechanism!r}; allowed is unary encoding with one choice or subset selection"
        )
    packed = np.packbits(checks.bits("reports", reports, mechanism.size), axis=1)
    mechanism.check_rows(packed)
    if len(packed) == 0:
        raise ValueError("reports is empty; allowed is at least one report")
    distinct, multiplicities = distinct_rows(packed)
    most = int(multiplicities.argmax())
    times, n = int(multiplicities[most]), len(packed)
    return Repeats(
        _text(distinct[most], mechanism.size), times, chance_of_repeats(mechanism, n, times)
    )


def chance_of_repeats(mechanism: BitMechanism, n: int, times: int) -> float:
    """A bound on the chance that some report comes that often among n."""
    if times < 2:
        return 1.0
    return min(
        1.0, n * float(binomial.upper_tail(times - 2, n - 1, likeliest_report(mechanism))) / times
    )


def likeliest_report(mechanism: BitMechanism) -> float:
    """The largest chance of any single report under any truth."""
    return mechanism.max_report_probability


def _text(packed: BitArray, size: int) -> str:
    return "".join(map(str, np.unpackbits(packed, count=size).tolist()))


def sensitivity(mechanism: Mechanism, tally: Tally, fraction: ArrayLike) -> FloatArray:
    """The lowest and highest estimates if a fraction of the reports, whichever they are, were replaced by other ones.

    fraction: any shape, from 0 to 1. Returns shape (*fraction.shape, size, 2). One report decodes to a row of M^-1, and
    the estimate is the mean of those. The worst that a replacement can do is to take a report that decodes to the least
    and put one that decodes to the greatest: of yes/no each moves the estimate by 1/(n slope). The same holds the other
    way round: if such a fraction of the reports is fake, the estimate of all honest ones lies between these ends. That
    is the price of local privacy: a report weighs 1/slope times as much as an answer (Cheu, Smith and Ullman 2021).
    Where reports pick what they speak of, all fakes may be aimed at one mark, of which few reports speak.
    """
    part = np.asarray(fraction, dtype=np.float64)
    if not ((part >= 0) & (part <= 1)).all():
        raise ValueError(f"fraction is {checks.show(fraction)}; allowed is a number from 0 to 1")
    estimate = mechanism.estimate(tally, interval="wald").proportions
    if mechanism.in_groups:
        moves = _moves_of_groups(mechanism, tally, part[..., np.newaxis])
    else:
        values = np.stack([mechanism.decode(row) for row in np.eye(mechanism.wire.size)])
        came = tally.counts / tally.n
        each = [
            np.stack([-_farthest(-column, came, part), _farthest(column, came, part)], axis=-1)
            for column in values.T
        ]
        moves = np.stack(each, axis=-2)
    moved: FloatArray = estimate[:, np.newaxis] + moves
    return moved


def _moves_of_groups(mechanism: Mechanism, tally: Tally, part: FloatArray) -> FloatArray:
    """How far down and up the estimates move where a report speaks for a choice or does not; shape (..., size, 2)."""
    without, with_ = (mechanism.decode(np.full(mechanism.size, bit)) for bit in (0.0, 1.0))
    asked = mechanism.informative_reports(tally)[: mechanism.size]
    with np.errstate(divide="ignore", invalid="ignore"):
        replaced = np.minimum(part * (tally.n / asked), 1.0)
        marked = mechanism.support_counts(tally) / asked
    lower = np.where(without < with_, 1 - marked, marked)  # the part of them that can be moved up
    ends = [-np.minimum(replaced, 1 - lower), np.minimum(replaced, lower)]
    return np.stack(ends, axis=-1) * np.abs(with_ - without)[:, np.newaxis]


def _farthest(values: FloatArray, came: FloatArray, part: FloatArray) -> FloatArray:
    """How far up replacing a part of the reports moves their mean: those of the least value go first. Shape as part."""
    order = np.argsort(values)
    gains = values.max() - values[order]
    until = np.concatenate([[0.0], np.cumsum(came[order])])
    moved: FloatArray = np.interp(
        part, until, np.concatenate([[0.0], np.cumsum(came[order] * gains)])
    )
    return moved
