"""Direct encoding: k-ary randomized response. The report is one of the answers, most often the true one."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance.integers import Den, Rows, fit_epsilon, log_ratio
from mechanisms.chance.simulate import uniforms
from mechanisms.checks import FloatArray, IntArray
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Recipe, Seed
from mechanisms.designs.orders import LONGEST
from mechanisms.estimation.constrained import direct_maximum_likelihood
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.tallies import Tally


def formula(size: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    e = np.exp(epsilon)
    return e / (e + size - 1), 1 / (e + size - 1)


class DirectEncoding(MatrixMechanism):
    """k-ary randomized response: the truth with probability e/(e + k - 1), else any other answer.

    size: number of answers, at least 2. epsilon: declared, above 0; the realized one is never above it.
    den: the denominator, or "survey" for the smallest of 4, 6, 10, 100, ... with 0.99 of the declared
    epsilon. Kairouz, Oh and Viswanath (2016, JMLR 17, equation 9); Wang et al. (2017, USENIX Security) call
    it direct encoding.
    """

    name = "direct"
    source = (
        "Kairouz, P., Oh, S., & Viswanath, P. (2016). Extremal mechanisms for local differential privacy. Journal of "
        "Machine Learning Research, 17(17), 1–51."
    )
    title = "Direct encoding"
    description = "The true answer is reported with a known probability, else one of the other answers at random."
    merit = (
        "The report is one answer, the easiest to explain; best for few answers or a large epsilon."
    )

    def __init__(self, size: int, epsilon: float, den: Den = checks.MAX_DEN) -> None:
        others = checks.size(size) - 1
        other, den = fit_epsilon(
            epsilon,
            den,
            realized=lambda other, den: log_ratio(max(den - others * other, 0), other),
            guess=lambda e, den: den / (e + others),
        )
        self._set(size, other, den)

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        return (
            Recipe("direct", "one", cls, formula, ease=1, most=LONGEST),
        )  # beyond it needs many times the people

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]], den: int) -> "DirectEncoding":
        """The mechanism with these integers. ValueError unless they are direct encoding's."""
        size, den = checks.size(len(rows)), checks.denominator(den)
        other = rows[0][1] if len(rows[0]) > 1 else 0
        self = cls.__new__(cls)
        self._set(size, other, den)
        if other < 0 or [list(row) for row in rows] != [list(row) for row in self.rows]:
            raise ValueError(
                f"rows is {checks.show(rows)}; allowed are rows with one weight on the diagonal, "
                f"another elsewhere, and the sum den = {den}"
            )
        if self.truthful <= other:
            raise ValueError(
                f"rows has {self.truthful} on the diagonal; allowed is more than the {other} elsewhere"
            )
        return self

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "DirectEncoding":
        checks.keys("parameters", spec["parameters"], set())
        return cls.from_rows(checks.rows("rows", spec["rows"]), checks.denominator(spec["den"]))

    def _set(self, size: int, other: int, den: int) -> None:
        self.size, self.den, self.parameters = size, den, {}
        self.other, self.truthful = other, den - (size - 1) * other

    @cached_property
    def epsilon(self) -> float:
        return log_ratio(self.truthful, self.other)

    @cached_property
    def rows(self) -> Rows:  # type: ignore[override]
        def row(truth: int) -> tuple[int, ...]:
            return (
                (self.other,) * truth + (self.truthful,) + (self.other,) * (self.size - 1 - truth)
            )

        return tuple(row(truth) for truth in range(self.size))

    def randomize(self, truths: ArrayLike, rng: Seed = None) -> IntArray:
        """truths: whole numbers 0 to size - 1, shape (n,). Returns reports of the same shape, int64."""
        if self.other == 0:
            return super().randomize(truths, rng)
        answers = checks.indices("truths", truths, self.size)
        # The first (size - 1) * other numbers fall on the other answers, `other` numbers each; the rest on the truth.
        other = (uniforms(checks.generator(rng), self.den, answers.size) // self.other).astype(
            np.int64
        )
        lies = other < self.size - 1
        other += other >= answers
        return np.where(lies, other, answers)

    def line(self) -> Line:
        offset, slope = self.other / self.den, (self.truthful - self.other) / self.den
        return Line(np.full(self.size, offset), np.full(self.size, slope))

    def constrain(self, tally: Tally) -> FloatArray:
        """Maximum likelihood on the simplex, in closed form."""
        offset, slope = self.line()
        return direct_maximum_likelihood(tally.counts, tally.n, float(offset[0]), float(slope[0]))

    def __repr__(self) -> str:
        return f"DirectEncoding(size={self.size}, epsilon={self.epsilon!r}, den={self.den})"
