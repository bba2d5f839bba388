"""Direct encoding: k-ary randomized response.

The report is one of the answers, and most often the true one.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mechanisms import checks
from mechanisms.chance.integers import Den, Rows, fit_outcome_weight, log_ratio
from mechanisms.chance.simulate import uniforms
from mechanisms.checks import FloatArray, IntArray
from mechanisms.columns import Missing
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Recipe, Seed
from mechanisms.designs.orders import MOST_ANSWERS_AS_BITS
from mechanisms.estimation.constrained import direct_maximum_likelihood
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.tallies import Tally


def probabilities_for(size: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    """
    Return the probabilities of direct encoding at an epsilon, as real numbers.

    With e = exp(epsilon) and k = `size` they are p = e / (e + k - 1) and q = 1 / (e + k - 1).
    Planning compares designs by them.

    Parameters
    ----------
    size : int
        The number of answers.
    epsilon : ndarray of float64
        The epsilons, of any shape.

    Returns
    -------
    p, q : ndarray of float64
        The probabilities that an answer is reported if it is true, and if another one is.
    """
    e = np.exp(epsilon)
    return e / (e + size - 1), 1 / (e + size - 1)


class DirectEncoding(MatrixMechanism):
    """
    k-ary randomized response: the truth, or with a lower probability any other answer.

    The truth is reported with probability e / (e + k - 1), where e = exp(epsilon) and k = `size`,
    and each other answer with probability 1 / (e + k - 1).

    Parameters
    ----------
    size : int
        The number of answers, at least 2.
    epsilon : float
        The declared epsilon, above 0. The realized one is never above it.
    den : int or "survey", default 2**32
        The denominator. "survey" chooses the smallest of 4, 6, 10, 100, ... with 0.99 of the
        declared epsilon.

    Attributes
    ----------
    truthful, other : int
        The weights of the true answer and of each other answer.

    References
    ----------
    Kairouz, P., Oh, S., & Viswanath, P. (2016). Extremal mechanisms for local differential
    privacy. JMLR, 17(17), equation 9.
    Wang, T. et al. (2017). USENIX Security. (The name "direct encoding".)
    """

    name = "direct"
    source = (
        "Kairouz, P., Oh, S., & Viswanath, P. (2016). Extremal mechanisms for local differential"
        " privacy. Journal of Machine Learning Research, 17(17), 1–51."
    )
    title = "Direct encoding"
    description = (
        "The true answer is reported with a known probability, else one of the other answers at"
        " random."
    )
    merit = (
        "The report is one answer, the easiest to explain; best for few answers or a large epsilon."
    )

    def __init__(self, size: int, epsilon: float, den: Den = checks.MAX_DEN) -> None:
        other_count = checks.size(size) - 1
        other, den = fit_outcome_weight(epsilon, den, far=other_count)
        self._set(size, other, den)

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        """Return the recipe by which planning creates direct encoding from an epsilon.

        Planning compares it with the recipes of other designs for the same question.
        """
        # The class itself is `make`, since it takes the arguments of a recipe: a size, an epsilon
        # and a denominator. Above `most` answers direct encoding is not recommended: a geometry
        # needs only a fraction of the respondents.
        recipe = Recipe(
            name="direct",
            select="one",
            make=cls,
            formula=probabilities_for,
            ease=1,
            most=MOST_ANSWERS_AS_BITS,
        )
        return (recipe,)

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]], den: int) -> "DirectEncoding":
        """
        Return the mechanism with exactly this matrix of weights, after checking it.

        `from_spec` restores stored mechanisms with it. The class itself fits the weights to an
        epsilon.

        Parameters
        ----------
        rows : sequence of sequences of int, shape (k, k)
            The weights ``rows[truth][report]``.
        den : int
            The denominator, to which each row sums.

        Returns
        -------
        DirectEncoding
            The mechanism.

        Raises
        ------
        ValueError
            Unless one weight is everywhere on the diagonal, and a smaller one everywhere else.
        """
        size = checks.size(len(rows))
        den = checks.denominator(den)
        # A row of one weight is refused below, because it differs from the expected one.
        other = rows[0][1] if len(rows[0]) > 1 else 0
        # `__init__` would fit the integers to an epsilon, so it is not called.
        self = cls.__new__(cls)
        self._set(size, other, den)

        expected = [list(row) for row in self.rows]
        if other < 0 or [list(row) for row in rows] != expected:
            raise ValueError(
                f"rows is {checks.show(rows)}; allowed are rows with one weight on the diagonal, "
                f"another elsewhere, and the sum den = {den}"
            )
        if self.truthful <= other:
            raise ValueError(
                f"rows has {self.truthful} on the diagonal; allowed is more than the {other}"
                " elsewhere"
            )
        return self

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "DirectEncoding":
        """Return the mechanism of a specification. Raises ValueError if it is not allowed.

        It is the inverse of `spec`. Direct encoding has no parameters besides its rows.
        """
        checks.keys("parameters", spec["parameters"], set())
        return cls.from_rows(checks.rows("rows", spec["rows"]), checks.denominator(spec["den"]))

    def _set(self, size: int, other: int, den: int) -> None:
        """Set the attributes, from the weight of each answer that is not true.

        The weights of a row sum to `den`, so the true answer has what the others leave.
        """
        self.size = size
        self.den = den
        self.parameters = {}
        self.other = other
        self.truthful = den - (size - 1) * other

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss of one report: ln(truthful / other).

        It is inf if only the true answer is ever reported.
        """
        return log_ratio(self.truthful, self.other)

    @cached_property
    def rows(self) -> Rows:  # type: ignore[override]
        """The weights rows[truth][report]: `truthful` on the diagonal, `other` elsewhere.

        The matrix is made when it is first used, because that of a long list is large.
        """
        rows = []
        for truth in range(self.size):
            row = [self.other] * self.size
            row[truth] = self.truthful
            rows.append(tuple(row))
        return tuple(rows)

    def randomize(
        self,
        truths: Any,
        rng: Seed = None,
        *,
        labels: Sequence[str] | None = None,
        missing: Missing = "refuse",
    ) -> IntArray:
        """
        Draw reports for many truths at once, for simulations and teaching.

        Parameters
        ----------
        truths : array_like, shape (n,)
            The codes of the true answers, from 0 to size - 1, or their labels. A series or a
            categorical of pandas or polars is possible too.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out.

        Returns
        -------
        ndarray of int64, shape (n,)
            The reports.
        """
        # Below, numbers are divided by `other`, so it must not be 0.
        if self.other == 0:
            return super().randomize(truths, rng, labels=labels, missing=missing)

        answers = self.true_codes(truths, labels, missing)
        numbers = uniforms(checks.generator(rng), self.den, answers.size)
        # The first (size - 1) * other numbers stand for the other answers, `other` numbers for
        # each; the rest stands for the truth.
        other_answers = (numbers // self.other).astype(np.int64)
        is_other = other_answers < self.size - 1

        # The other answers are counted without the true one, so those after it move up by one.
        other_answers += other_answers >= answers
        return np.where(is_other, other_answers, answers)

    def line(self) -> Line:
        """Return the line offset + slope * true share of the observed shares.

        Both are the same for all answers: the offset is q = other / den, and the slope is
        p - q = (truthful - other) / den.
        """
        offset = self.other / self.den
        slope = (self.truthful - self.other) / self.den
        return Line(offset=np.full(self.size, offset), slope=np.full(self.size, slope))

    def constrain(self, tally: Tally) -> FloatArray:
        """
        Return the maximum likelihood estimate of the shares, in closed form.

        The answers with the smallest counts get the share 0, one after the other, until all other
        shares are above 0. The probabilities of these as reports are proportional to their counts.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of float64, shape (size,)
            Shares from 0 to 1 that sum to 1.
        """
        offset, slope = self.line()
        return direct_maximum_likelihood(tally.counts, tally.n, float(offset[0]), float(slope[0]))

    def __repr__(self) -> str:
        return f"DirectEncoding(size={self.size}, epsilon={self.epsilon!r}, den={self.den})"
