"""Written answers by geometry: a text's hash is a point, and a report is a point orthogonal to it more often."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from mechanisms import checks
from mechanisms.chance.draw import NextUint32
from mechanisms.chance.integers import Den, exp_capped
from mechanisms.checks import IntArray
from mechanisms.designs.geometry import Geometry
from mechanisms.designs.mechanism import Contrast, Seed, in_digits
from mechanisms.designs.orders import ORDERS, largest_space, variance
from mechanisms.designs.texts import TextMechanism, digest, normalize_answer
from mechanisms.designs.wire import Uncounted
from mechanisms.estimation import intervals
from mechanisms.estimation.candidates import Candidates, Counted
from mechanisms.estimation.estimates import Total
from mechanisms.estimation.orthogonal import Orthogonal
from mechanisms.estimation.projective import Space

DOMAIN = "candor-text-1"
RARE = 0.0  # the share for which the order is chosen: that of a text that nobody wrote


class Written(TextMechanism):
    """A text becomes one of the points of a projective space by its hash, which `Geometry` then randomizes.

    epsilon: declared; the realized one is never above it.
    order: of the space; by default the prime with the least error for rare texts. It has as many points as a report of
    32 bits can tell apart, so that two candidates hardly ever share one.
    den: the denominator, or "survey" for the smallest of 4, 6, 10, 100, ... with 0.99 of the declared epsilon.
    """

    kind = name = "written"
    wire: Uncounted
    keys = frozenset({"kind", "order", "dimension", "den", "keep"})
    source = Geometry.source
    title = "Written answers"
    description = "A text is hashed, and a number is sent that speaks for it more often than for any other text."

    def __init__(
        self, epsilon: float, order: int | None = None, *, den: Den = checks.MAX_DEN
    ) -> None:
        space = best_order(float(epsilon)) if order is None else largest_space(order)
        self._set(Geometry(space.points, epsilon, space, den=den))

    @classmethod
    def from_integers(cls, order: int, dimension: int, keep: int, den: int) -> "Written":
        """The mechanism with these integers. ValueError as for `Geometry`."""
        space = Space(checks.whole("order", order, 2), checks.whole("dimension", dimension, 2, 32))
        self = cls.__new__(cls)
        self._set(Geometry.from_integers(space.points, order, dimension, keep, den))
        return self

    def _set(self, points: Geometry) -> None:
        self.points, self.den = points, points.den
        self.p, self.q = points.p, points.q

    @property
    def space(self) -> Space:
        return self.points.space

    @property
    def epsilon(self) -> float:
        return self.points.epsilon

    @property
    def parameter_texts(self) -> dict[str, str]:
        return self.points.parameter_texts

    def contrast(self, answer: int = 0) -> Contrast:
        return Contrast("text", self.p, self.q)

    def in_words(self) -> str:
        return (
            "the text is hashed and a whole number is reported, which speaks for it with probability "
            f"{in_digits(self.p)} and for any other text with {in_digits(self.q)}"
        )

    def describe_probabilities(self) -> list[str]:
        space = self.space
        return [
            "The text, in small letters and with one space between words, is hashed with SHA-256; the first 8 bytes of "
            f"“{DOMAIN}”, a zero byte and the text, modulo {space.points}, are the number of its point of the "
            f"projective space of order {space.order} and dimension {space.dimension}.",
            f"With probability {self.points.keep}/{self.den} the report is one of the {space.orthogonal} points "
            "orthogonal to it, which speak for the text, else one of the others, evenly.",
        ]

    def spec(self) -> dict[str, Any]:
        space = {"order": self.space.order, "dimension": self.space.dimension}
        return {"kind": self.kind, **space, "den": self.den, "keep": self.points.keep}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Written":
        return cls.from_integers(spec["order"], spec["dimension"], spec["keep"], spec["den"])

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """rows[0 or 1: the text is the true one][0 or 1: the report speaks for it], 2 x 2."""
        return self.points.probabilities()

    @classmethod
    def of_one_report(cls, epsilon: float) -> Sequence[TextMechanism]:
        return (cls(epsilon),)

    def comparison_note(self, more: float) -> str:
        return "Tells the smallest shares of rare texts. A report is one number; answering again reveals as much again."

    def numbers(self, texts: Sequence[str]) -> tuple[int, ...]:
        return tuple(map(self.point, texts))

    def point(self, text: str) -> int:
        """The point of a normalised text."""
        return int.from_bytes(digest(DOMAIN, text)[:8], "big") % self.space.points

    def randomize_one(self, truth: str, next_uint32: NextUint32) -> int:
        return self.points.randomize_one(self.point(normalize_answer(truth)), next_uint32)

    def randomize(self, truths: Sequence[str], rng: Seed = None) -> IntArray:  # type: ignore[override]
        """truths: texts, shape (n,). Returns numbers of points, int64."""
        known = {text: self.point(normalize_answer(text)) for text in set(truths)}
        return self.points.randomize(np.array([known[text] for text in truths], np.int64), rng)

    def counted(self, column: Any, texts: Sequence[str]) -> Counted:
        """sums: how many reports speak for each, then over the reports the sum, and the sum of the squares, of how many
        candidates each speaks for: shape (k + 2,). Candidates with one point count once in the last two."""
        reports = checks.indices("reports", np.asarray(column), self.space.points)
        own = np.array([self.point(text) for text in texts], np.int64)
        different, places = np.unique(own, return_inverse=True)
        found = Orthogonal(self.space, different).counted(reports)
        return Counted(
            len(reports),
            np.concatenate([found.counts[places], [found.counts.sum(), found.squares]]),
        )

    def decoded(self, counted: Counted, texts: Sequence[str], level: float) -> Candidates:
        n, counts = counted.n, counted.sums[: len(texts)]
        if n == 0:
            raise ValueError("there are no reports; allowed is at least one")
        slope, r = float(self.p - self.q), counts / n
        ends = intervals.exact(counts, n, 1 - level / len(texts))
        collisions = self._collisions(texts)
        return Candidates(
            n=n,
            level=level,
            texts=tuple(texts),
            counts=counts,
            shares=(r - float(self.q)) / slope,
            standard_errors=np.sqrt(r * (1 - r) / n) / abs(slope),
            intervals=np.sort((ends - float(self.q)) / slope, axis=1),
            none=self._none(counted, len(texts) - sum(len(group) - 1 for group in collisions)),
            collisions=collisions,
        )

    def _none(self, counted: Counted, different: int) -> Total:
        """1 less the sum of the shares; its error from how many candidates each report speaks for."""
        mean, square = (float(each) / counted.n for each in counted.sums[-2:])
        slope = float(self.p - self.q)
        error = np.sqrt(max(square - mean**2, 0.0) / counted.n) / abs(slope)
        return Total(1 - (mean - different * float(self.q)) / slope, float(error))

    def _collisions(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        groups: dict[int, list[int]] = {}
        for place, text in enumerate(texts):
            groups.setdefault(self.point(text), []).append(place)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    def smallest_detectable_share(self, n: int, candidates: int, level: float = 0.05) -> float:
        checks.whole("n", n, 1)
        outside = level / checks.whole("candidates", candidates, 1)
        return float(
            intervals.smallest_estimate_above_zero(
                float(self.q), float(self.p - self.q), n, outside
            )
        )

    @property
    def noise(self) -> float:
        return float(self.q * (1 - self.q) / (self.p - self.q) ** 2)

    def __repr__(self) -> str:
        return f"Written(epsilon={self.epsilon!r}, order={self.space.order}, den={self.den})"


def best_order(epsilon: float) -> Space:
    """Of the largest spaces the one with the least error for a text that nobody wrote."""
    e = exp_capped(checks.epsilon(epsilon))
    return min(
        (largest_space(order) for order in ORDERS), key=lambda space: variance(space, e, RARE)
    )
