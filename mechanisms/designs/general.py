"""A general matrix: for designs without a name here, such as k-ary forced response."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mechanisms import checks
from mechanisms.chance.determinant import is_singular
from mechanisms.checks import FloatArray
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.estimation.mixtures import MatrixMixture, maximum
from mechanisms.estimation.tallies import Tally


class Matrix(MatrixMechanism):
    """
    A matrix of any probabilities, rows[truth][report] / den.

    The report is an answer, drawn from the row of the true one. For the true shares f, the expected
    share of report j is the sum over v of f_v * rows[v][j] / den. Estimation solves these equations
    for f.

    For more than two answers `estimate` offers only Wald intervals, from the full covariance, and
    they are the default.

    Parameters
    ----------
    rows : sequence of sequences of int, shape (k, k)
        The weights, from 0. Each row sums to `den`.
    den : int
        The denominator, at most 2**32.

    Raises
    ------
    ValueError
        If the matrix is not square, if a row does not sum to `den`, or if the matrix is singular,
        so that nothing can be estimated.

    References
    ----------
    Chaudhuri, A., & Mukerjee, R. (1988). Randomized Response: Theory and Techniques. Marcel
    Dekker. Chapter 2.
    """

    name = "matrix"
    title = "General matrix"
    description = "Each answer is reported as each other one with its own known probability."

    def __init__(self, rows: Sequence[Sequence[int]], den: int) -> None:
        self.size = checks.size(len(rows))
        self.den = checks.denominator(den)
        self.rows = tuple(tuple(self._check_row(row)) for row in rows)
        if is_singular(self.rows):
            raise ValueError(
                f"rows is {checks.show(rows)}, a singular matrix; allowed is one that can be"
                " inverted"
            )
        self.parameters = {}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Matrix":
        """Return the mechanism of a specification. Raises ValueError if it is not allowed.

        It is the inverse of `spec`. A general matrix has no parameters besides its rows.
        """
        checks.keys("parameters", spec["parameters"], set())
        return cls(checks.rows("rows", spec["rows"]), checks.denominator(spec["den"]))

    @classmethod
    def identity(cls, size: int) -> "Matrix":
        """
        Return the mechanism that reports answers unchanged.

        It stands for a question that is asked directly, next to randomized ones. Its epsilon is
        infinite.

        Parameters
        ----------
        size : int
            The number of answers.

        Returns
        -------
        Matrix
            The mechanism, with the denominator 2, the smallest that is allowed.
        """
        size = checks.size(size)
        rows = []
        for truth in range(size):
            row = [0] * size
            row[truth] = 2
            rows.append(row)
        return cls(rows, 2)

    def _check_row(self, row: Sequence[int]) -> list[int]:
        """Return the weights of a row as a list of int, after checking them.

        row: the weights that the caller of the class gave.

        Raises ValueError if they are not `size` whole numbers from 0 that sum to `den`.
        """
        weights = [checks.whole("rows", weight, 0, self.den) for weight in row]
        if len(weights) != self.size or sum(weights) != self.den:
            raise ValueError(
                f"rows holds {checks.show(list(row))}; "
                f"allowed are {self.size} whole numbers that sum to den = {self.den}"
            )
        return weights

    def decode(self, shares: FloatArray) -> FloatArray:
        """Return unbiased true shares from observed shares, both of shape (size,).

        With the matrix P of probabilities, the observed shares r are expected to be P' f for the
        true shares f. This solves P' f = r for f, whose elements may lie outside [0, 1].
        """
        proportions: FloatArray = np.linalg.solve(self.floats.T, shares).astype(np.float64)
        return proportions

    def decode_covariance(self, share_covariance: FloatArray) -> FloatArray:
        """Return the covariance of decoded shares from that of observed shares.

        share_covariance: the covariance C of the observed shares, shape (size, size).

        With the matrix P of probabilities, shares are decoded by A r for the inverse A of P'. So
        the result is A C A', of the same shape.
        """
        # The decoded shares are inverse @ shares, so their covariance is
        # inverse @ share_covariance @ inverse.T, for the inverse of `floats.T`. The first step
        # gives inverse @ share_covariance. Transposed, that is share_covariance @ inverse.T, since
        # a covariance is symmetric. The second step multiplies it by the inverse.
        half = np.linalg.solve(self.floats.T, share_covariance)
        covariance: FloatArray = np.linalg.solve(self.floats.T, half.T).astype(np.float64)
        return covariance

    def constrain(self, tally: Tally) -> FloatArray:
        """
        Return the maximum likelihood estimate of the shares.

        For two answers it is the unbiased estimate, or the nearer end of [0, 1]. For more answers
        it is found by expectation-maximization.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of float64, shape (size,)
            Shares from 0 to 1 that sum to 1.

        Raises
        ------
        ConvergenceError
            If the maximum is not reached.
        """
        if self.size == 2:
            return super().constrain(tally)
        return maximum(MatrixMixture(tally.counts, self.floats))

    def __repr__(self) -> str:
        return f"Matrix(rows={[list(row) for row in self.rows]}, den={self.den})"
