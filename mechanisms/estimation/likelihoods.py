"""The likelihood of one true share, given tallies of one or several sets of parameters.

For a yes/no design, the number of reports of Yes is Binomial(n, offset + slope * pi), which is the
whole likelihood. For an answer of another question, Binomial(n, offset + slope * share) is the
likelihood of the count of this answer by itself. Shares are not clipped: a share can be any number
for which every report has a probability between 0 and 1.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import chdtri, xlog1py, xlogy

from mechanisms import checks
from mechanisms.checks import FloatArray
from mechanisms.estimation.decoding import Decoder, Line
from mechanisms.estimation.tallies import Tally

# A mechanism and the tally of its reports.
Group = tuple[Decoder, Tally]
_HALVINGS = 100


class JointLikelihood:
    """
    The likelihood of the shares that several groups have in common, for all answers at once.

    Parameters
    ----------
    groups : sequence of (Decoder, Tally)
        Mechanisms over the same number of answers, with the tallies of their reports.

    Attributes
    ----------
    size : int
        The number of answers.
    counts : ndarray of int64, shape (groups, size)
        How many reports support each answer.
    n : ndarray of int64, shape (groups, size)
        How many reports say anything about each answer.
    offset, slope : ndarray, shape (groups, size)
        The lines of the mechanisms.
    lowest, highest : ndarray, shape (size,)
        The ends of the shares for which every report has a probability between 0 and 1.

    Raises
    ------
    ValueError
        If a tally is empty, if the mechanisms have different sizes, or for a general matrix of more
        than two answers, whose counts do not depend on one share each.
    """

    def __init__(self, groups: Sequence[Group]) -> None:
        if not groups:
            raise ValueError("groups is empty; allowed is at least one (mechanism, tally)")
        lines = [check_group(mechanism, tally) for mechanism, tally in groups]
        sizes = sorted({mechanism.size for mechanism, _ in groups})
        if len(sizes) > 1:
            raise ValueError(f"groups has mechanisms of sizes {sizes}; allowed is one size")

        self.size = sizes[0]
        self.counts = np.stack([mechanism.support_counts(tally) for mechanism, tally in groups])
        self.n = np.stack([mechanism.informative_reports(tally) for mechanism, tally in groups])
        self.offset = np.stack([line.offset for line in lines])
        self.slope = np.stack([line.slope for line in lines])

        share_at_zero = -self.offset / self.slope
        share_at_one = (1 - self.offset) / self.slope
        ends = np.sort(np.stack([share_at_zero, share_at_one]), axis=0)
        self.lowest = ends[0].max(axis=0)
        self.highest = ends[1].min(axis=0)

    def reports(self, shares: FloatArray) -> FloatArray:
        """
        Return the probabilities that a report supports each answer.

        Parameters
        ----------
        shares : ndarray, shape (..., size)
            True shares.

        Returns
        -------
        ndarray, shape (groups, ..., size)
            Probabilities from 0 to 1 by group.
        """
        by_group = [
            offset + slope * shares for offset, slope in zip(self.offset, self.slope, strict=True)
        ]
        # At the very ends, rounding could lead out of the range.
        probabilities: FloatArray = np.clip(np.stack(by_group), 0.0, 1.0)
        return probabilities

    def log(self, shares: FloatArray) -> FloatArray:
        """
        Return the log-likelihood of each share, without the binomial coefficient.

        Parameters
        ----------
        shares : ndarray, shape (..., size)
            True shares.

        Returns
        -------
        ndarray, shape (..., size)
            Log-likelihoods. They are -inf outside of the range from `lowest` to `highest`.
        """
        probabilities = self.reports(shares)
        dimensions_of_shares = [1] * (shares.ndim - 1)
        shape = (len(self.n), *dimensions_of_shares, self.size)
        counts = self.counts.reshape(shape)
        misses = (self.n - self.counts).reshape(shape)
        by_group = xlogy(counts, probabilities) + xlog1py(misses, -probabilities)
        value: FloatArray = by_group.sum(axis=0)
        slack = 1e-12 * (self.highest - self.lowest)
        is_possible = (shares >= self.lowest - slack) & (shares <= self.highest + slack)
        return np.where(is_possible, value, -np.inf)

    def score(self, shares: FloatArray) -> FloatArray:
        """
        Return the derivative of the log-likelihood.

        Parameters
        ----------
        shares : ndarray, shape (size,)
            True shares, strictly inside the range from `lowest` to `highest`.

        Returns
        -------
        ndarray, shape (size,)
            The derivative for each answer.
        """
        probabilities = self.reports(shares)
        misses = self.n - self.counts
        terms = self.counts / probabilities - misses / (1 - probabilities)
        value: FloatArray = (self.slope * terms).sum(axis=0)
        return value

    def maximum(self) -> FloatArray:
        """
        Return the shares of the largest likelihood.

        The log-likelihood is concave, so bisection of its derivative leads to the maximum.

        Returns
        -------
        ndarray, shape (size,)
            The shares.
        """
        low = self.lowest.copy()
        high = self.highest.copy()
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            with np.errstate(divide="ignore", invalid="ignore"):
                is_rising = self.score(middle) > 0
            low = np.where(is_rising, middle, low)
            high = np.where(is_rising, high, middle)
        best: FloatArray = (low + high) / 2
        return best

    def interval(self, confidence: float) -> FloatArray:
        """
        Return the shares that a likelihood-ratio test does not reject.

        Parameters
        ----------
        confidence : float
            The confidence level, between 0 and 1.

        Returns
        -------
        ndarray, shape (size, 2)
            The lower and the upper end of each interval.

        References
        ----------
        Wilks, S. S. (1938). The large-sample distribution of the likelihood ratio for testing
        composite hypotheses. Annals of Mathematical Statistics, 9, 60–62.
        """
        best = self.maximum()
        threshold = self.log(best) - chdtri(1, 1 - confidence) / 2
        low = self._end_towards(self.lowest, best, threshold)
        high = self._end_towards(self.highest, best, threshold)
        return np.stack([low, high], axis=-1)

    def _end_towards(
        self, limits: FloatArray, best: FloatArray, threshold: FloatArray
    ) -> FloatArray:
        """Return the shares between `best` and `limits` that are just not rejected."""
        accepted = best.copy()
        rejected = limits.copy()
        for _ in range(_HALVINGS):
            middle = (accepted + rejected) / 2
            is_accepted = self.log(middle) >= threshold
            accepted = np.where(is_accepted, middle, accepted)
            rejected = np.where(is_accepted, rejected, middle)
        return accepted

    def standard_errors(self) -> FloatArray:
        """
        Return the standard errors of the shares of the largest likelihood.

        They come from the expected information at the maximum.

        Returns
        -------
        ndarray, shape (size,)
            The standard errors. They are 0 if a report is certain at the maximum.
        """
        probabilities = self.reports(self.maximum())
        with np.errstate(divide="ignore"):
            by_group = self.slope**2 * self.n / (probabilities * (1 - probabilities))
            information = by_group.sum(axis=0)
        errors: FloatArray = 1 / np.sqrt(information)
        return errors


def check_group(mechanism: Decoder, tally: Tally) -> Line:
    """
    Return the line of the mechanism of a group, or raise ValueError.

    Parameters
    ----------
    mechanism : Decoder
        The mechanism.
    tally : Tally
        The tally of its reports.

    Returns
    -------
    Line
        How the observed share of each answer depends on its true share.

    Raises
    ------
    ValueError
        If the tally is empty or not one of the mechanism's, or for a general matrix of more than
        two answers.
    """
    if not isinstance(mechanism, Decoder) or not isinstance(tally, Tally):
        raise ValueError(
            f"group is {checks.show((mechanism, tally))}; allowed is a mechanism and its tally"
        )
    mechanism.check_tally(tally)
    if tally.n == 0:
        raise ValueError("tally has n = 0; allowed is at least one report")
    line = mechanism.line()
    if line is None:
        raise ValueError(
            f"mechanism is {mechanism!r}; allowed is any but a general matrix of more than two"
            " answers"
        )
    return line


def log_likelihood(
    mechanism: Decoder, tally: Tally, shares: FloatArray, choice: int = 1
) -> FloatArray:
    """
    Return the log-likelihood curve of the true share of one answer.

    The binomial coefficient, which does not depend on the share, is left out.

    Parameters
    ----------
    mechanism : Decoder
        The mechanism.
    tally : Tally
        The tally of its reports.
    shares : array_like
        True shares, of any shape.
    choice : int, default 1
        The code of the answer. Of a yes/no question, 1 is Yes.

    Returns
    -------
    ndarray
        Log-likelihoods, of the shape of `shares`. They are -inf if a report would need a
        probability outside [0, 1].

    Raises
    ------
    ValueError
        As `check_group` does, and if `shares` are not finite numbers.
    """
    joint = JointLikelihood([(mechanism, tally)])
    column = checks.whole("choice", choice, 0, mechanism.size - 1)
    grid = np.asarray(shares, dtype=np.float64)
    if not np.isfinite(grid).all():
        raise ValueError(f"shares is {checks.show(shares)}; allowed are finite numbers")
    shares_of_all_answers = np.repeat(grid[..., np.newaxis], mechanism.size, axis=-1)
    return joint.log(shares_of_all_answers)[..., column]
