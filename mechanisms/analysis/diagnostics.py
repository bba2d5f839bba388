"""Tests of whether reports were made as the design says, for which no truth is needed."""

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

# From so many expected picks on, the far tail of a chi-square is to be trusted.
FEWEST = 100


class Feasibility(NamedTuple):
    """Observed shares of reports, and the range of shares that the design can produce on average.

    Attributes
    ----------
    lowest, highest : ndarray of shape (size,)
        The range for each answer, or for each report of a window.
    feasible : ndarray of bool, shape (size,)
        True where the observed share is in the range.
    z : ndarray of shape (size,)
        How many standard errors the observed share is outside: below 0 under the lowest share,
        above 0 over the highest, and 0 inside.
    """

    lowest: FloatArray
    highest: FloatArray
    feasible: BoolArray
    z: FloatArray


def feasibility(mechanism: Mechanism, tally: Tally) -> Feasibility:
    """Return which observed shares of reports are in the range that the design can produce.

    A share is outside by chance if it is within a few standard errors of the range. These are taken
    at the nearest end of the range. With 3 or more, the design was probably not followed.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism of the question.
    tally : Tally
        The counts of the reports, at least one.

    Returns
    -------
    Feasibility

    Raises
    ------
    ValueError
        If the tally is empty, or if its counts are not those of the mechanism.
    """
    observed = mechanism.estimate(tally, interval="wald").observed
    lowest, highest = _report_probability_range(mechanism)
    nearest = np.clip(observed, lowest, highest)
    reports = np.maximum(mechanism.informative_reports(tally), 1)
    standard_error = np.sqrt(nearest * (1 - nearest) / reports)
    # An option that no report is informative about has nan, and nothing is odd about it.
    deviation = np.nan_to_num(observed - nearest)
    is_inside = deviation == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(is_inside, 0.0, deviation / standard_error)
    return Feasibility(lowest=lowest, highest=highest, feasible=is_inside, z=z)


def _report_probability_range(mechanism: Mechanism) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and highest probability of each report, or of support for each answer."""
    rows = []
    for row in mechanism.probabilities():
        rows.append([float(probability) for probability in row])
    if not mechanism.in_groups:
        probabilities = np.array(rows)
        return probabilities.min(axis=0), probabilities.max(axis=0)
    # The rows are those of a bit that is not true and of one that is; [1] is that it is set.
    if_set = [row[1] for row in rows]
    lowest = np.full(mechanism.size, min(if_set))
    highest = np.full(mechanism.size, max(if_set))
    return lowest, highest


class Evenness(NamedTuple):
    """The test of whether chance picked the options that reports are about.

    Attributes
    ----------
    odd : int
        The option whose number of picks is the farthest from the expected one, counted from 0.
    came : int
        How often it was picked.
    expected : float
        How often each option is picked on average.
    p_value : float
        From 0 to 1, of all options together.
    """

    odd: int
    came: int
    expected: float
    p_value: float


def evenly_picked(mechanism: Mechanism, tally: Tally) -> Evenness:
    """Return the test of whether every option was picked as often as the design says.

    Whatever the truth, all options are equally likely. Reports that are made up and aimed at one
    option show here. The statistic is the chi-square of the numbers of picks with size - 1 degrees
    of freedom. Its variances are those of drawing without replacement, so it is Pearson's if one
    option is picked. If fewer than 100 picks of each option are expected, its far tail is not to be
    trusted. The p-value is then the smallest of the exact binomial ones times their number
    (Bonferroni).

    Parameters
    ----------
    mechanism : Mechanism
        A mechanism whose reports pick options.
    tally : Tally
        The counts of the reports, at least one.

    Returns
    -------
    Evenness

    Raises
    ------
    ValueError
        If the reports of the mechanism do not pick options, if the tally is empty, or if its counts
        are not those of the mechanism.

    References
    ----------
    Pearson, K. (1900). On the criterion that a given system of deviations from the probable ...
    can be reasonably supposed to have arisen from random sampling. Philosophical Magazine 50,
    157-175.
    """
    if not isinstance(mechanism.wire, PickedOptions):
        raise ValueError(f"mechanism is {mechanism!r}; allowed is one whose reports pick marks")
    picks = mechanism.estimate(tally).informative_reports
    k = mechanism.size
    m = mechanism.wire.pick
    n = tally.n
    expected = n * m / k
    deviations = picks - expected
    odd = int(np.abs(deviations).argmax())
    if m == k:
        # Every report is about every option, so there is nothing to test.
        return Evenness(odd=odd, came=n, expected=float(n), p_value=1.0)

    if expected >= FEWEST:
        variance = n * m * (k - m) / (k * (k - 1))
        statistic = (deviations**2).sum() / variance
        p_value = float(chdtrc(k - 1, statistic))
    else:
        smallest = float(binomial.two_sided(picks, n, m / k).min())
        p_value = min(1.0, k * smallest)
    return Evenness(odd=odd, came=int(picks[odd]), expected=float(expected), p_value=p_value)


class Ones(NamedTuple):
    """The number of ones in a report that deviates most from the design.

    Attributes
    ----------
    first, last : int
        The reports that are counted have at least `first` and at most `last` ones.
    came : int
        How many reports have so many ones.
    expected : float
        How many are expected.
    p_value : float
        From 0 to 1, of all numbers of ones together.
    """

    first: int
    last: int
    came: int
    expected: float
    p_value: float


def number_of_ones(mechanism: Mechanism, reports: Reports) -> Ones:
    """Return the test of whether reports have as many ones as unary encoding gives them.

    Parameters
    ----------
    mechanism : Mechanism
        Unary encoding with one choice.
    reports : array_like or sequence of str
        The reports, of shape (n, size) or as texts of 0 and 1, at least one.

    Returns
    -------
    Ones
        As for `odd_ones`, which takes how many reports have each number of ones.

    Raises
    ------
    ValueError
        If the mechanism is another one, if the reports are not its reports, or if there is none.
    """
    ones_law(mechanism)
    rows = checks.bits("reports", reports, mechanism.size)
    ones_of_reports = rows.sum(axis=1, dtype=np.int64)
    return odd_ones(mechanism, np.bincount(ones_of_reports, minlength=mechanism.size + 1))


def odd_ones(mechanism: Mechanism, ones: IntArray) -> Ones:
    """Return the exact tests of how many reports have 0, 1, ..., size ones.

    Whatever the truth, one bit is set with probability p and the other size - 1 with probability q,
    so a report has Bernoulli(p) + Binomial(size - 1, q) ones. How many of n reports have a certain
    number of ones, or at most that many, is binomial. The p-value is the smallest two-sided one
    times the number of these tests (Bonferroni). It is never too small, however few reports are
    expected, where the tail of a chi-square would be.

    Parameters
    ----------
    mechanism : Mechanism
        Unary encoding with one choice.
    ones : ndarray of int, shape (size + 1,)
        How many reports have 0, 1, ..., size ones.

    Returns
    -------
    Ones

    Raises
    ------
    ValueError
        If the mechanism is another one, or if `ones` has another shape or is 0 everywhere.
    """
    n = int(ones.sum())
    law = ones_law(mechanism)
    if n == 0 or ones.shape != law.shape:
        raise ValueError(
            f"ones is {checks.show(ones)}; allowed are {law.size} counts, not all of them 0"
        )
    # Each number of ones is tested by itself, and then "at most this number". At most 0 is 0 alone,
    # and at most size - 1 is all but size alone, so both are tested already.
    numbers = np.arange(law.size)
    highest_numbers = np.arange(1, law.size - 2)
    first = np.append(numbers, np.zeros_like(highest_numbers))
    last = np.append(numbers, highest_numbers)
    came = np.append(ones, np.cumsum(ones)[highest_numbers])
    probabilities = np.append(law, np.cumsum(law)[highest_numbers])
    # A sum of probabilities may come out above 1 by rounding.
    probabilities = np.minimum(probabilities, 1.0)

    p_values = binomial.two_sided(came, n, probabilities)
    oddest = int(p_values.argmin())
    return Ones(
        first=int(first[oddest]),
        last=int(last[oddest]),
        came=int(came[oddest]),
        expected=float(n * probabilities[oddest]),
        p_value=min(1.0, float(p_values[oddest]) * p_values.size),
    )


def ones_law(mechanism: Mechanism) -> FloatArray:
    """Return the probabilities of 0, 1, ..., size ones in a report.

    Parameters
    ----------
    mechanism : Mechanism
        Unary encoding with one choice.

    Returns
    -------
    ndarray of shape (size + 1,)

    Raises
    ------
    ValueError
        If the mechanism is another one, whose probabilities depend on the truth.
    """
    law = mechanism.ones_law()
    if law is None:
        raise ValueError(f"mechanism is {mechanism!r}; allowed is unary encoding with one choice")
    return law


class Repeats(NamedTuple):
    """The most frequent report.

    Attributes
    ----------
    report : str
        The report, as a text of 0 and 1.
    times : int
        How often it came.
    p_value : float
        A bound on the probability that some report comes so often by chance.
    """

    report: str
    times: int
    p_value: float


def repeated_reports(mechanism: BitMechanism, reports: Reports) -> Repeats:
    """Return the most frequent report, and a bound on the probability that one comes so often.

    A program that sends one report again and again shows here. The p-value is never too small, and
    far too large for reports with few bits. See `chance_of_repeats`.

    Parameters
    ----------
    mechanism : BitMechanism
        Unary encoding with one choice, or subset selection.
    reports : array_like or sequence of str
        The reports, of shape (n, size) or as texts of 0 and 1, at least one.

    Returns
    -------
    Repeats

    Raises
    ------
    ValueError
        If the mechanism is another one, if the reports are not its reports, or if there is none.
    """
    if mechanism.select != "one" or not isinstance(mechanism, BitMechanism):
        raise ValueError(
            f"mechanism is {mechanism!r}; allowed is unary encoding with one choice or subset"
            " selection"
        )
    packed = np.packbits(checks.bits("reports", reports, mechanism.size), axis=1)
    mechanism.check_rows(packed)
    n = len(packed)
    if n == 0:
        raise ValueError("reports is empty; allowed is at least one report")
    distinct, multiplicities = distinct_rows(packed)
    most_frequent = int(multiplicities.argmax())
    times = int(multiplicities[most_frequent])
    return Repeats(
        report=_report_text(distinct[most_frequent], mechanism.size),
        times=times,
        p_value=chance_of_repeats(mechanism, n, times),
    )


def chance_of_repeats(mechanism: BitMechanism, n: int, times: int) -> float:
    """Return a bound on the probability that some report comes so often.

    No report is likelier than m, the largest probability of any report under any truth, so the
    others equal to a given one are at most Binomial(n - 1, m). If a report came t times, t
    respondents have t - 1 others like them. By Markov's inequality the probability of this is at
    most n P(Binomial(n - 1, m) >= t - 1) / t.

    Parameters
    ----------
    mechanism : BitMechanism
        Unary encoding with one choice, or subset selection.
    n : int
        The number of reports.
    times : int
        How often a report came.

    Returns
    -------
    float
        From 0 to 1.
    """
    if times < 2:
        return 1.0
    most_likely = likeliest_report(mechanism)
    tail = float(binomial.upper_tail(times - 2, n - 1, most_likely))
    return min(1.0, n * tail / times)


def likeliest_report(mechanism: BitMechanism) -> float:
    """Return the largest probability of any single report under any truth.

    Parameters
    ----------
    mechanism : BitMechanism
        Unary encoding or subset selection.

    Returns
    -------
    float
    """
    return mechanism.max_report_probability


def _report_text(packed: BitArray, size: int) -> str:
    bits = np.unpackbits(packed, count=size)
    return "".join(str(bit) for bit in bits)


def sensitivity(mechanism: Mechanism, tally: Tally, fraction: ArrayLike) -> FloatArray:
    """Return the lowest and highest estimates if a fraction of the reports were replaced.

    An estimate is the mean of what each report decodes to. The worst that a replacement can do is
    to take a report that decodes to the least and put one that decodes to the greatest: of yes/no,
    each moves the estimate by 1 / (n slope). The same holds the other way round: if such a fraction
    of the reports is fake, the estimate of all honest ones lies between these ends. It is the price
    of local privacy that a report weighs 1 / slope times as much as an answer. If reports pick what
    they are about, all fakes may be aimed at one option, of which few reports speak.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism of the question.
    tally : Tally
        The counts of the reports, at least one.
    fraction : array_like
        The part of the reports that is replaced, from 0 to 1, of any shape.

    Returns
    -------
    ndarray of shape (*fraction.shape, size, 2)
        The lowest and the highest estimate of each answer.

    Raises
    ------
    ValueError
        If a fraction is not from 0 to 1, if the tally is empty, or if its counts are not those of
        the mechanism.

    References
    ----------
    Cheu, A., Smith, A. and Ullman, J. (2021). Manipulation attacks in local differential privacy.
    IEEE Symposium on Security and Privacy, 883-900.
    """
    replaced_part = np.asarray(fraction, dtype=np.float64)
    if not ((replaced_part >= 0) & (replaced_part <= 1)).all():
        raise ValueError(f"fraction is {checks.show(fraction)}; allowed is a number from 0 to 1")
    estimate = mechanism.estimate(tally, interval="wald").proportions
    if mechanism.in_groups:
        moves = _moves_of_support(mechanism, tally, replaced_part[..., np.newaxis])
    else:
        moves = _moves_of_reports(mechanism, tally, replaced_part)
    ends: FloatArray = estimate[:, np.newaxis] + moves
    return ends


def _moves_of_reports(mechanism: Mechanism, tally: Tally, replaced_part: FloatArray) -> FloatArray:
    """Return how far down and up estimates move if reports are replaced, shape (..., size, 2)."""
    decoded = np.stack([mechanism.decode(row) for row in np.eye(mechanism.wire.size)])
    shares = tally.counts / tally.n
    moves = []
    for values in decoded.T:
        down = -_largest_rise(-values, shares, replaced_part)
        up = _largest_rise(values, shares, replaced_part)
        moves.append(np.stack([down, up], axis=-1))
    return np.stack(moves, axis=-2)


def _moves_of_support(mechanism: Mechanism, tally: Tally, replaced_part: FloatArray) -> FloatArray:
    """Return how far down and up estimates move if a report supports an answer or does not.

    replaced_part: shape (..., 1). Returns shape (..., size, 2).
    """
    without_support = mechanism.decode(np.zeros(mechanism.size))
    with_support = mechanism.decode(np.ones(mechanism.size))
    reports = mechanism.informative_reports(tally)[: mechanism.size]
    with np.errstate(divide="ignore", invalid="ignore"):
        replaced = np.minimum(replaced_part * (tally.n / reports), 1.0)
        supporting = mechanism.support_counts(tally) / reports
    # The part of the reports that decode to the lower value, and could be moved up.
    lower = np.where(without_support < with_support, 1 - supporting, supporting)
    down = -np.minimum(replaced, 1 - lower)
    up = np.minimum(replaced, lower)
    distance = np.abs(with_support - without_support)
    return np.stack([down, up], axis=-1) * distance[:, np.newaxis]


def _largest_rise(values: FloatArray, shares: FloatArray, replaced_part: FloatArray) -> FloatArray:
    """Return how far the mean of reports rises if a part of them is replaced by the best one.

    Reports of the least value are replaced first. values, shares: what each report decodes to, and
    its share. Returns the shape of replaced_part.
    """
    order = np.argsort(values)
    gains = values.max() - values[order]
    ordered_shares = shares[order]
    replaced = np.concatenate([[0.0], np.cumsum(ordered_shares)])
    rises = np.concatenate([[0.0], np.cumsum(ordered_shares * gains)])
    rise: FloatArray = np.interp(replaced_part, replaced, rises)
    return rise
