"""Any matrix: for designs that have no name here, such as k-ary forced response."""

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
    """Any k x k matrix of whole numbers: rows[truth][report] / den.

    rows: shape (k, k), not negative, each summing to den. den: at most 2**32.
    ValueError for a singular matrix, from which nothing can be estimated. For k > 2 the estimate offers Wald
    intervals only, from the full covariance, and they are its default. Chaudhuri and Mukerjee (1988,
    Randomized Response, chapter 2).
    """

    name = "matrix"
    title = "General matrix"
    description = "Each answer is reported as each other one with its own known probability."

    def __init__(self, rows: Sequence[Sequence[int]], den: int) -> None:
        self.size, self.den = checks.size(len(rows)), checks.denominator(den)
        self.rows = tuple(tuple(self._row(row)) for row in rows)
        if is_singular(self.rows):
            raise ValueError(
                f"rows is {checks.show(rows)}, a singular matrix; allowed is one that can be inverted"
            )
        self.parameters = {}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Matrix":
        checks.keys("parameters", spec["parameters"], set())
        return cls(checks.rows("rows", spec["rows"]), checks.denominator(spec["den"]))

    @classmethod
    def identity(cls, size: int) -> "Matrix":
        """Answers as they are: a question that was asked directly, beside randomized ones. Its epsilon is infinite."""
        size = checks.size(size)
        return cls([[2 * (truth == report) for report in range(size)] for truth in range(size)], 2)

    def _row(self, row: Sequence[int]) -> list[int]:
        weights = [checks.whole("rows", weight, 0, self.den) for weight in row]
        if len(weights) != self.size or sum(weights) != self.den:
            raise ValueError(
                f"rows holds {checks.show(list(row))}; "
                f"allowed are {self.size} whole numbers that sum to den = {self.den}"
            )
        return weights

    def decode(self, shares: FloatArray) -> FloatArray:
        proportions: FloatArray = np.linalg.solve(self.floats.T, shares).astype(np.float64)
        return proportions

    def decode_covariance(self, share_covariance: FloatArray) -> FloatArray:
        half = np.linalg.solve(self.floats.T, share_covariance)
        covariance: FloatArray = np.linalg.solve(self.floats.T, half.T).astype(np.float64)
        return covariance

    def constrain(self, tally: Tally) -> FloatArray:
        """Maximum likelihood: for two answers the nearer end, for more by expectation-maximization."""
        if self.size == 2:
            return super().constrain(tally)
        return maximum(MatrixMixture(tally.counts, self.floats))

    def __repr__(self) -> str:
        return f"Matrix(rows={[list(row) for row in self.rows]}, den={self.den})"
