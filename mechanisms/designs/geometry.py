"""Geometry: long lists. A report is one whole number, a point that is orthogonal to the true answer's more often."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import Den, exp_capped, fit_epsilon, log_ratio
from mechanisms.chance.simulate import slices, uniforms
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.designs.mechanism import Contrast, Mechanism, Recipe, Seed, in_digits
from mechanisms.designs.orders import LONGEST, MOST_POINTS, ORDERS, best_space, chances
from mechanisms.designs.wire import Integers
from mechanisms.estimation.constrained import norm_sub
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.projective import Space
from mechanisms.estimation.tallies import Tally

MOST_PAIRS = 10**7  # cells of a covariance; above it sums are what can be had


def _chances(size: int, epsilon: float) -> tuple[float, float]:
    return chances(best_space(size, epsilon), exp_capped(epsilon))


formula = np.vectorize(_chances, otypes=[np.float64, np.float64])


class Geometry(Mechanism):
    """Answers and reports are points of one projective space. With probability keep/den the report is one of the points
    orthogonal to the true answer's, else one of the others.

    size: number of answers, at least 2; answer x is point x. epsilon: declared; the realized one is never above it.
    order, dimension: of the space, together; by default those of least total squared error (`best_space`).
    den: the denominator, or "survey" for the smallest of 4, 6, 10, 100, ... with 0.99 of the declared epsilon.
    Feldman, Nelson, Nguyen and Talwar (2022, ICML, arXiv:2203.00194).
    """

    kind = name = "geometry"
    wire: Integers
    keys = frozenset({"kind", "size", "order", "dimension", "den", "keep"})
    source = (
        "Feldman, V., Nelson, J., Nguyen, H. L., & Talwar, K. (2022). Private frequency estimation via projective "
        "geometry. Proceedings of the 39th International Conference on Machine Learning, 6418–6433."
    )
    title = "Geometry"
    description = (
        "A number is reported that stands for a group of answers; the true one is in it "
        "with a known probability."
    )
    constrained_by = "Norm-Sub"
    merit = "The report is one number, however many answers there are, and all are counted by one transform."

    def __init__(
        self, size: int, epsilon: float, space: Space | None = None, *, den: Den = checks.MAX_DEN
    ) -> None:
        size = checks.whole("size", size, 2, MOST_POINTS)
        space = best_space(size, float(epsilon)) if space is None else Space(*space)
        points, own = space.points, space.orthogonal
        drop, den = fit_epsilon(
            epsilon,
            den,
            realized=lambda drop, den: log_ratio(max(den - drop, 0) * (points - own), drop * own),
            guess=lambda e, den: den * (points - own) / (own * e + points - own),
        )
        self._set(size, space, den - drop, den)

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        def make(size: int, epsilon: float, den: Den) -> "Geometry":
            return cls(size, epsilon, den=den)

        return (Recipe("geometry", "one", make, formula, ease=0, least=LONGEST + 1),)

    @classmethod
    def from_integers(
        cls, size: int, order: int, dimension: int, keep: int, den: int
    ) -> "Geometry":
        """The mechanism with these integers. ValueError where the space is too small or a report tells nothing."""
        if order not in ORDERS:
            raise ValueError(f"order is {checks.show(order)}; allowed is a prime number below 200")
        space = Space(int(order), checks.whole("dimension", dimension, 2, 32))
        checks.whole("points", space.points, 2, MOST_POINTS)
        size, den = checks.whole("size", size, 2, space.points), checks.denominator(den)
        keep = checks.whole("keep", keep, 0, den)
        if keep * space.points == space.orthogonal * den:
            raise ValueError(
                f"keep is {keep}; allowed is any but den * {space.orthogonal}/{space.points}"
            )
        self = cls.__new__(cls)
        self._set(size, space, keep, den)
        return self

    def _set(self, size: int, space: Space, keep: int, den: int) -> None:
        self.size, self.space, self.keep, self.den = size, space, keep, den
        self.reports = space.points
        points, own, both = space.points, space.orthogonal, space.both
        self.p = Fraction(keep, den)
        self.q = self.p * Fraction(both, own) + (1 - self.p) * Fraction(own - both, points - own)

    @cached_property
    def epsilon(self) -> float:
        points, own = self.space.points, self.space.orthogonal
        return abs(log_ratio(self.keep * (points - own), (self.den - self.keep) * own))

    @property
    def parameter_texts(self) -> dict[str, str]:
        return {"order": str(self.space.order), "dimension": str(self.space.dimension)}

    @property
    def in_groups(self) -> bool:
        return True

    def contrast(self, answer: int = 0) -> Contrast:
        return Contrast("group", self.p, self.q)

    def in_words(self) -> str:
        return (
            f"a whole number from 0 to {self.reports - 1} is reported that stands for a group of the {self.size} "
            f"answers, the chosen one in it with probability {in_digits(self.p)}, each other with {in_digits(self.q)}"
        )

    def describe_probabilities(self) -> list[str]:
        space = self.space
        return [
            f"Answers and reports are numbered points of the projective space of order {space.order} and dimension "
            f"{space.dimension}, {space.points} in all. With probability {self.keep}/{self.den} the report is one of "
            f"the {space.orthogonal} points orthogonal to that of the true answer, else one of the others, evenly."
        ]

    def spec(self) -> dict[str, Any]:
        space = {"order": self.space.order, "dimension": self.space.dimension}
        return {"kind": "geometry", "size": self.size, **space, "den": self.den, "keep": self.keep}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Geometry":
        return cls.from_integers(
            spec["size"], spec["order"], spec["dimension"], spec["keep"], spec["den"]
        )

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """rows[0 or 1: the true answer][0 or 1: in the group reported], 2 x 2."""
        return ((1 - self.q, self.q), (1 - self.p, self.p))

    def randomize_one(self, truth: int, next_uint32: draw.NextUint32) -> int:
        """One point: coordinates by chance, but for the one that makes the product with the truth as wanted."""
        order, chosen = (
            self.space.order,
            self.space.vector(checks.whole("truth", truth, 0, self.size - 1)),
        )
        pivot = chosen.index(1)
        kept = draw.uniform(self.den, next_uint32) < self.keep
        while True:
            found = [
                0 if place == pivot else draw.uniform(order, next_uint32)
                for place in range(len(chosen))
            ]
            target = 0 if kept else 1 + (draw.uniform(order - 1, next_uint32) if order > 2 else 0)
            product = sum(a * b for a, b in zip(chosen, found, strict=True))
            found[pivot] = (target - product) % order
            if any(found):
                return self.space.point(found)

    def randomize(self, truths: ArrayLike, rng: Seed = None) -> IntArray:
        """truths: whole numbers 0 to size - 1, shape (n,). Returns reports of the same shape, int64."""
        generator, answers = checks.generator(rng), checks.indices("truths", truths, self.size)
        reports = np.empty(answers.size, np.int64)
        for part in slices(answers.size, 4 * self.space.dimension):
            chosen = self.space.vectors(answers[part]).astype(np.int32)
            dropped = uniforms(generator, self.den, len(chosen)) >= self.keep
            targets = dropped * generator.integers(1, self.space.order, len(chosen), dtype=np.int32)
            reports[part] = self._points(chosen, targets, generator)
        return reports

    def _points(
        self, chosen: NDArray[np.int32], targets: NDArray[np.int32], rng: np.random.Generator
    ) -> IntArray:
        """As in `draw`: one point for each chosen vector, whose product with it is the target."""
        order, rows = self.space.order, np.arange(len(chosen))
        pivot = (chosen != 0).argmax(axis=1)
        found = rng.integers(0, order, chosen.shape, dtype=np.uint8).astype(np.int32)
        found[rows, pivot] = 0
        found[rows, pivot] = (targets - (chosen * found).sum(axis=1)) % order
        points, nothing = self.space.points_of(found), ~found.any(axis=1)
        if nothing.any():
            points[nothing] = self._points(chosen[nothing], targets[nothing], rng)
        return points

    def tally(self, reports: ArrayLike) -> Tally:
        """reports: whole numbers 0 to `reports` - 1, shape (n,). The counts are of these, shape (reports,)."""
        came = checks.indices("reports", reports, self.reports)
        return Tally(came.size, np.bincount(came, minlength=self.reports))

    def check_tally(self, tally: Tally) -> None:
        if tally.counts.shape != (self.reports,) or tally.counts.sum() != tally.n:
            raise ValueError(
                f"counts has shape {tally.counts.shape} and sum {tally.counts.sum()} with n = {tally.n}; "
                f"allowed are {self.reports} counts that sum to n"
            )

    def support_counts(self, tally: Tally) -> IntArray:
        return _decoded(self.space, self.size, tally.counts.tobytes())

    def supports(self, reports: IntArray, answer: int) -> BoolArray:
        inside = self.space.vectors(np.arange(self.reports)) @ np.array(
            self.space.vector(answer), np.int64
        )
        held: BoolArray = inside % self.space.order == 0
        return held[reports]

    def line(self) -> Line:
        return Line(np.full(self.size, float(self.q)), np.full(self.size, float(self.p - self.q)))

    def unbiased_weights(self, wanted: FloatArray) -> FloatArray:
        inside = self.space.sums(wanted, self.reports)
        counted: FloatArray = (inside - float(self.q) * wanted.sum()) / float(self.p - self.q)
        return counted

    def share_covariance(self, tally: Tally) -> FloatArray:
        """From how many reports hold both of two answers. ValueError where these are too many to write down."""
        if self.size * max(self.size, self.reports) > MOST_PAIRS:
            raise ValueError(
                f"size is {self.size}; allowed for a covariance are fewer answers: ask for sums of answers"
            )
        held = np.array([self.space.sums(one, self.reports) for one in np.eye(self.size)])
        shares = self.support_counts(tally) / tally.n
        both: FloatArray = (held * (tally.counts / tally.n)) @ held.T - np.outer(shares, shares)
        return both

    def constrain(self, tally: Tally) -> FloatArray:
        return norm_sub(self.decode(self.support_counts(tally) / tally.n))

    def maximum_likelihood(self, reports: ArrayLike) -> FloatArray:
        """ValueError: not built for long lists."""
        raise ValueError(
            "the likeliest shares are not computed for a geometry; allowed is Estimate.constrained"
        )

    def __repr__(self) -> str:
        return f"Geometry(size={self.size}, epsilon={self.epsilon!r}, space={tuple(self.space)}, den={self.den})"


@lru_cache(maxsize=8)
def _decoded(space: Space, size: int, counts: bytes) -> IntArray:
    """Kept, as shares, intervals and checks of one report all start here. Nobody may write to it."""
    found = space.counts(np.frombuffer(counts, np.int64), size)
    found.flags.writeable = False
    return found
