"""Tests of whether the answers to two questions are unrelated.

The statistic is Pearson's chi-square. Where few reports of a kind are expected, its distribution is
not the one that carries the name. The p-value then comes from a permutation test: if the answers
are unrelated, each pairing of the reports to the two questions is equally likely, whatever the
designs are.
"""

import hashlib
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from mechanisms.analysis import moments
from mechanisms.analysis.basis import generalized_inverse
from mechanisms.analysis.pairs import PairTally
from mechanisms.checks import FloatArray, IntArray
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.tallies import Tally

# With so many expected reports of each kind, the chi-square distribution is used.
ENOUGH_EXPECTED = 20
DRAWS = 1_999
DRAWS_OF_LARGE_TABLES = 499
# A table with more cells is large.
LARGE_TABLE = 400
# Bits of more respondents are not permuted.
MOST_PERMUTED = 5_000
# Parts of a statistic or variance that are smaller come from rounding.
_ROUNDING = 1e-9
# A table with more columns is wide.
_NARROW = 16
# So many numbers of permuted rows are held at a time.
_BLOCK = 2**18

# The reports to two questions: codes of shape (n,), or bits of shape (n, size).
ReportRows = tuple[NDArray[Any], NDArray[Any]]


class Independence(NamedTuple):
    """The test of whether the answers to two questions are unrelated.

    Attributes
    ----------
    statistic : float
        Pearson's chi-square.
    degrees : int
        Its degrees of freedom.
    p_value : float
        From 0 to 1.
    method : "chi-square" or "permutation"
        What the p-value comes from.
    draws : int
        The number of permutations; 0 for chi-square.
    """

    statistic: float
    degrees: int
    p_value: float
    method: Literal["chi-square", "permutation"]
    draws: int


def independence(
    first: Mechanism, second: Mechanism, tally: PairTally, reports: ReportRows | None = None
) -> Independence:
    """Return the test of whether the answers to two questions are unrelated.

    The statistic is n tr(S1^-1 C S2^-1 C'), with the covariances S1, S2 and C of the decoded
    reports. For two matrices it is Pearson's chi-square of the reports (Chaudhuri and Mukerjee
    1988, Randomized Response, chapter 2). Its p-value comes from the chi-square distribution if at
    least ENOUGH_EXPECTED reports of each kind are expected, else from a permutation test (Agresti,
    Wackerly and Boyett 1979, Psychometrika 44, 75-83). Bits can be permuted only as rows, so they
    keep chi-square where there are no `reports`, and where there are more than MOST_PERMUTED.

    Parameters
    ----------
    first, second : Mechanism
        The mechanisms of the two questions.
    tally : PairTally
        The counts of the reports to both questions.
    reports : tuple of ndarray, optional
        The reports that the tally counts, as for `pair_tally`: codes of shape (n,), or bits of
        shape (n, size). Their order does not matter.

    Returns
    -------
    Independence

    Raises
    ------
    ValueError
        If a multiple selection has a tally without pairs.
    """
    chi_square = _chi_square(first, second, tally)
    if chi_square.degrees == 0:
        return chi_square
    if smallest_expected_count(first, second, tally) >= ENOUGH_EXPECTED:
        return chi_square

    draws = DRAWS if tally.counts.size <= LARGE_TABLE else DRAWS_OF_LARGE_TABLES
    if isinstance(first, MatrixMechanism) and isinstance(second, MatrixMechanism):
        p_value = p_value_of_counts(tally.counts, draws)
    elif reports is not None and tally.n <= MOST_PERMUTED:
        p_value = p_value_of_rows(first, second, tally, reports, draws=draws)
    else:
        return chi_square
    return chi_square._replace(p_value=p_value, method="permutation", draws=draws)


def needs_reports(first: Mechanism, second: Mechanism, tally: PairTally) -> bool:
    """Return whether `independence` needs the reports beside their tally, to permute them.

    Parameters
    ----------
    first, second : Mechanism
        The mechanisms of the two questions.
    tally : PairTally
        The counts of the reports to both questions, of at least one respondent.

    Returns
    -------
    bool
    """
    if isinstance(first, MatrixMechanism) and isinstance(second, MatrixMechanism):
        return False
    return (
        tally.n <= MOST_PERMUTED and smallest_expected_count(first, second, tally) < ENOUGH_EXPECTED
    )


def smallest_expected_count(first: Mechanism, second: Mechanism, tally: PairTally) -> float:
    """Return the smallest number of reports of a kind that is expected of unrelated answers.

    Bits count as set and as not set. Kinds of which no report came are left out.

    Parameters
    ----------
    first, second : Mechanism
        The mechanisms of the two questions.
    tally : PairTally
        The counts of the reports to both questions, of at least one respondent.

    Returns
    -------
    float
        In reports.
    """
    rarest_of_first = _rarest_count(first, tally.first)
    rarest_of_second = _rarest_count(second, tally.second)
    return rarest_of_first * rarest_of_second / tally.n


def _rarest_count(mechanism: Mechanism, tally: Tally) -> int:
    counts = tally.counts
    if not isinstance(mechanism, MatrixMechanism):
        counts = np.concatenate([counts, tally.n - counts])
    return int(counts[counts > 0].min())


def _chi_square(first: Mechanism, second: Mechanism, tally: PairTally) -> Independence:
    """Return the test by the chi-square distribution of n tr(S1^-1 C S2^-1 C')."""
    line, other_line = moments.decoding(first), moments.decoding(second)
    mean = moments.mean(tally.first, line)
    other_mean = moments.mean(tally.second, other_line)
    between = moments.mean_product(tally, line, other_line) - np.outer(mean, other_mean)

    contrasts = _contrasts(first)
    other_contrasts = _contrasts(second)
    spread = contrasts @ _spread(first, tally.first) @ contrasts.T
    other_spread = other_contrasts @ _spread(second, tally.second) @ other_contrasts.T
    covariance = contrasts @ between @ other_contrasts.T

    inverse, rank = generalized_inverse(spread)
    other_inverse, other_rank = generalized_inverse(other_spread)
    trace = float(np.trace(inverse @ covariance @ other_inverse @ covariance.T))
    statistic = tally.n * trace
    degrees = rank * other_rank
    # No degree of freedom is left where all reports to a question are alike.
    p_value = 1.0
    if degrees:
        p_value = float(chdtrc(degrees, statistic))
    return Independence(
        statistic=statistic, degrees=degrees, p_value=p_value, method="chi-square", draws=0
    )


def _contrasts(mechanism: Mechanism) -> FloatArray:
    """Return each answer against the first, or for a multiple selection every answer by itself."""
    k = mechanism.size
    if mechanism.select == "any":
        return np.eye(k)
    return np.hstack([np.full((k - 1, 1), -1.0), np.eye(k - 1)])


def _spread(mechanism: Mechanism, tally: Tally) -> FloatArray:
    """Return the covariance of decoded reports as they came, shape (size, size)."""
    shares = tally.counts / tally.n
    if isinstance(mechanism, MatrixMechanism):
        return mechanism.decode_covariance(np.diag(shares) - np.outer(shares, shares))
    if tally.pairs is None:
        expected = mechanism.share_covariance(tally)
        if expected is None:
            raise ValueError(
                "tally has only counts; allowed for independence are choose-all bits with pairs"
            )
        return mechanism.decode_covariance(expected)
    return mechanism.decode_covariance(tally.pairs / tally.n - np.outer(shares, shares))


def p_value_of_counts(counts: IntArray, draws: int) -> float:
    """Return the p-value of Pearson's chi-square among random tables with the observed margins.

    Parameters
    ----------
    counts : ndarray of int, shape (k1, k2)
        How often each pair of reports came. The table and its transpose have the same p-value.
    draws : int
        The number of random tables.

    Returns
    -------
    float
        Above 0 and at most 1.

    References
    ----------
    Agresti, A., Wackerly, D. and Boyett, J. M. (1979). Exact conditional tests for
    cross-classifications. Psychometrika 44, 75-83.
    """
    # This takes as long to import as all the rest of the library, and few tables need it.
    from scipy.stats import random_table  # noqa: PLC0415

    table = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    table = _canonical(table)
    rows = table.sum(axis=1)
    columns = table.sum(axis=0)
    expected = np.outer(rows, columns) / table.sum()

    rng = np.random.default_rng(_seed(table))
    random_tables = random_table(rows, columns).rvs(draws, random_state=rng)
    statistics = ((random_tables - expected) ** 2 / expected).sum(axis=(1, 2))
    observed = float(((table - expected) ** 2 / expected).sum())
    return _p_value(statistics, observed)


def _canonical(table: IntArray) -> IntArray:
    """Return the table or its transpose, whichever comes first, so that both are drawn alike."""
    turned = table.T
    if (table.shape, _bytes(table)) <= (turned.shape, _bytes(turned)):
        return table
    return turned


def p_value_of_rows(
    first: Mechanism, second: Mechanism, tally: PairTally, reports: ReportRows, draws: int
) -> float:
    """Return the p-value of the statistic among permutations of the rows of one question.

    The statistic of whitened reports is the sum of the squares of their covariances, times n.

    Parameters
    ----------
    first, second : Mechanism
        The mechanisms of the two questions.
    tally : PairTally
        The counts of the reports to both questions.
    reports : tuple of ndarray
        The reports that the tally counts. Their order does not matter.
    draws : int
        The number of permutations.

    Returns
    -------
    float
        Above 0 and at most 1.

    References
    ----------
    Agresti, A., Wackerly, D. and Boyett, J. M. (1979). Exact conditional tests for
    cross-classifications. Psychometrika 44, 75-83.
    """
    one = np.asarray(reports[0])
    other = np.asarray(reports[1])
    table = _canonical(tally.counts)
    if table is not tally.counts:
        # The side with fewer answers is permuted, so that a table and its transpose have the same
        # p-value.
        first, second, one, other = second, first, other, one
    # The rows are put in order, so that the result does not depend on how they are stored.
    order = np.lexsort(np.column_stack([one, other]).T)
    scores = _whitened_scores(first, one[order])
    other_scores = _whitened_scores(second, other[order])

    rng = np.random.default_rng(_seed(table))
    statistics = _permuted_statistics(scores, other_scores, draws, rng)
    observed = float(((scores.T @ other_scores) ** 2).sum() / len(scores))
    return _p_value(statistics, observed)


def _permuted_statistics(
    scores: FloatArray, other_scores: FloatArray, draws: int, rng: np.random.Generator
) -> FloatArray:
    """Return the statistic of random permutations of the rows of `scores`, shape (draws,)."""
    n, width = scores.shape
    most_at_once = max(1, _BLOCK // (n * width))
    parts = []
    for start in range(0, draws, most_at_once):
        permutations = min(most_at_once, draws - start)
        row_numbers = np.tile(np.arange(n), (permutations, 1))
        permuted = scores.take(rng.permuted(row_numbers, axis=1), axis=0)
        # For wide tables one product at a time is faster than many together.
        if width > _NARROW:
            products = np.stack([rows.T @ other_scores for rows in permuted])
        else:
            products = permuted.transpose(0, 2, 1) @ other_scores
        parts.append((products**2).sum(axis=(1, 2)) / n)
    return np.concatenate(parts)


def _whitened_scores(mechanism: Mechanism, reports: NDArray[Any]) -> FloatArray:
    """Return the contrasts of decoded reports, with covariance I and shape (n, rank)."""
    if isinstance(mechanism, MatrixMechanism):
        indicators = np.eye(mechanism.size)[reports]
    else:
        indicators = reports.astype(np.float64)
    slopes = _contrasts(mechanism) @ moments.decoding(mechanism).slopes
    scores = (indicators - indicators.mean(axis=0)) @ slopes.T
    spread, axes = np.linalg.eigh(scores.T @ scores / len(scores))
    # An axis along which the reports do not vary but for rounding is left out.
    varies = spread > _ROUNDING * spread.max()
    whitened: FloatArray = scores @ (axes[:, varies] / np.sqrt(spread[varies]))
    return whitened


def _p_value(statistics: FloatArray, observed: float) -> float:
    """Return (1 + b) / (1 + m), for b of m random statistics that are at least the observed one.

    So it is never 0, and a valid p-value for any m (Phipson and Smyth 2010, Statistical
    Applications in Genetics and Molecular Biology 9, article 39).
    """
    least = observed - _ROUNDING * max(1.0, observed)
    at_least = int(np.count_nonzero(statistics >= least))
    return (1 + at_least) / (1 + statistics.size)


def _seed(counts: IntArray) -> int:
    """Return a seed made from counts, so that the same reports have the same p-value everywhere."""
    return int.from_bytes(hashlib.sha256(_bytes(counts)).digest())


def _bytes(counts: IntArray) -> bytes:
    return np.ascontiguousarray(counts, dtype="<i8").tobytes()
