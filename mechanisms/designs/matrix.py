"""Designs that are a matrix: the report is an answer, drawn from the row of the true answer."""

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import Rows, log_ratio
from mechanisms.chance.simulate import uniforms
from mechanisms.checks import FloatArray, IntArray
from mechanisms.designs.mechanism import Contrast, Mechanism, Seed, in_digits
from mechanisms.designs.wire import Integers
from mechanisms.estimation.constrained import clipped
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.tallies import Tally


class MatrixMechanism(Mechanism):
    """A design given by integer rows[truth][report], each summing to den.

    reports: whole numbers 0 to size - 1, shape (n,).
    parameters: the fractions the design was made from, as strings.
    """

    kind = "matrix"
    wire: Integers
    keys = frozenset({"kind", "design", "parameters", "den", "rows"})
    constrained_by = "maximum likelihood"
    parameters: dict[str, str]
    rows: Rows

    @cached_property
    def epsilon(self) -> float:
        return max(log_ratio(max(column), min(column)) for column in zip(*self.rows, strict=True))

    @property
    def free_shares(self) -> int:
        return 1 if self.size == 2 else self.size

    @property
    def parameter_texts(self) -> dict[str, str]:
        return self.parameters

    def contrast(self, answer: int = 0) -> Contrast:
        rows = self.probabilities()
        if self.size == 2:
            return Contrast("pair", rows[answer][answer], rows[1 - answer][answer])
        if not self._treats_all_alike:
            raise ValueError(
                "There are no words yet for a matrix that treats several answers differently."
            )
        return Contrast("direct", rows[0][0], rows[0][1])

    @property
    def _treats_all_alike(self) -> bool:
        """Whether every answer is reported truly as often as any other, and as each other one as often."""
        kept = {row[truth] for truth, row in enumerate(self.rows)}
        others = {
            weight
            for truth, row in enumerate(self.rows)
            for weight in row[:truth] + row[truth + 1 :]
        }
        return len(kept) == len(others) == 1

    def in_words(self) -> str:
        rows = [[in_digits(chance) for chance in row] for row in self.probabilities()]
        if self.size == 2:
            return f"a true Yes reported as Yes with probability {rows[1][1]}, a true No with {rows[0][1]}"
        if self._treats_all_alike:
            return (
                f"{self.size} answers, the chosen one reported with probability {rows[0][0]}, each other with "
                f"{rows[0][1]}"
            )
        return f"{self.size} answers, rows of chances " + "; ".join(map(" ".join, rows))

    def describe_probabilities(self) -> list[str]:
        rows = [f"| {truth} | {' | '.join(map(str, row))} |" for truth, row in enumerate(self.rows)]
        return [
            f"Chances in {self.den:,}: a row for each truth, a column for each report, by code.",
            "",
            f"| truth | {' | '.join(map(str, range(self.size)))} |",
            "|---" * (self.size + 1) + "|",
            *rows,
        ]

    def spec(self) -> dict[str, Any]:
        return {
            "kind": "matrix",
            "design": self.name,
            "parameters": dict(self.parameters),
            "den": self.den,
            "rows": [list(row) for row in self.rows],
        }

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(tuple(Fraction(weight, self.den) for weight in row) for row in self.rows)

    def randomize_one(self, truth: int, next_uint32: draw.NextUint32) -> int:
        row = self.rows[checks.whole("truth", truth, 0, self.size - 1)]
        return draw.sample_index(row, self.den, next_uint32)

    def randomize(self, truths: ArrayLike, rng: Seed = None) -> IntArray:
        """truths: whole numbers 0 to size - 1, shape (n,). Returns reports of the same shape, int64."""
        answers = checks.indices("truths", truths, self.size)
        drawn = uniforms(checks.generator(rng), self.den, answers.size).astype(np.int64)
        if self.size == 2:
            return (drawn >= self._steps[::2][answers] - answers * self.den).astype(np.int64)
        # One sorted table of all rows, each shifted by truth * den, so that one search walks every row.
        found = np.searchsorted(self._steps, drawn + answers * self.den, side="right")
        return found.astype(np.int64) - answers * self.size

    @cached_property
    def _steps(self) -> IntArray:
        steps = np.cumsum(np.array(self.rows, dtype=np.int64), axis=1)
        return (steps + np.arange(self.size)[:, np.newaxis] * self.den).ravel()

    def tally(self, reports: ArrayLike) -> Tally:
        """reports: whole numbers 0 to size - 1, shape (n,)."""
        answers = checks.indices("reports", reports, self.size)
        return Tally(answers.size, np.bincount(answers, minlength=self.size))

    def check_tally(self, tally: Tally) -> None:
        if tally.counts.shape != (self.size,) or tally.counts.sum() != tally.n:
            raise ValueError(
                f"counts is {checks.show(tally.counts.tolist())} with n = {tally.n}; "
                f"allowed are {self.size} counts that sum to n"
            )

    def least_variance(self, wanted: FloatArray) -> float:
        counted = np.array([self.decode(report) @ wanted for report in np.eye(self.size)])
        return max(float((self.floats @ counted**2 - wanted**2).min()), 0.0)

    def share_covariance(self, tally: Tally) -> FloatArray:
        shares = tally.counts / tally.n
        return np.diag(shares) - np.outer(shares, shares)

    @cached_property
    def floats(self) -> FloatArray:
        """The matrix as floats, for arithmetic on estimates, shape (size, size)."""
        return np.array(self.rows, dtype=np.float64) / self.den

    @cached_property
    def _yes_no_line(self) -> Line:
        (_, no_yes), (yes_no, yes_yes) = self.rows
        slope = yes_yes - no_yes
        return Line(np.array([yes_no, no_yes]) / self.den, np.array([slope, slope]) / self.den)

    def line(self) -> Line | None:
        return self._yes_no_line if self.size == 2 else None

    def constrain(self, tally: Tally) -> FloatArray:
        """Maximum likelihood. For two answers the likelihood has one peak: the nearer end is it."""
        yes = clipped(self.decode(tally.counts / tally.n))[1]
        return np.array([1 - yes, yes])

    def maximum_likelihood(self, reports: ArrayLike) -> FloatArray:
        """From reports of shape (n,). A function of their counts, and so the same as the constrained estimate."""
        tally = self.tally(reports)
        if tally.n == 0:
            raise ValueError("reports is empty; allowed is at least one report")
        return self.constrain(tally)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({inside})"
