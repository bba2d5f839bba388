"""Subset selection: the report is a set of `width` answers, in which the true one is likelier than the
others.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import Den, exp_capped, fit_epsilon, log_ratio
from mechanisms.chance.simulate import random_bits, slices, uniforms
from mechanisms.checks import BitArray, FloatArray, IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.mechanism import Recipe, Seed, in_digits
from mechanisms.designs.wire import Bits
from mechanisms.estimation.constrained import norm_sub
from mechanisms.estimation.tallies import Tally


class SubsetSelection(BitMechanism):
    """The true answer is in the reported set with probability keep/den; the other members are drawn
    uniformly.

    size: number of answers, at least 2. epsilon: declared, above 0; the realized one is never above it.
    width: members of the set, 1 to size - 1; by default the one with the least total squared error
    (`best_width`).
    den: the denominator, or "survey" for the smallest of 4, 6, 10, 100, ... with 0.99 of the declared
    epsilon. Ye and Barg (2018, IEEE Trans. Inf. Theory 64); Wang et al. (2016, arXiv:1607.08025).
    """

    kind = name = "subset"
    wire: Bits
    keys = frozenset({"kind", "size", "width", "den", "keep"})
    source = (
        "Ye, M., & Barg, A. (2018). Optimal schemes for discrete distribution estimation under locally differential "
        "privacy. IEEE Transactions on Information Theory, 64(8), 5662–5676."
    )
    title = "Subset selection"
    description = "A set of answers is reported; the true one is in it with a known probability, the others by chance."
    constrained_by = "Norm-Sub"

    def __init__(
        self, size: int, epsilon: float, width: int | None = None, *, den: Den = checks.MAX_DEN
    ) -> None:
        size = checks.size(size)
        w = (
            best_width(size, epsilon)
            if width is None
            else checks.whole("width", width, 1, size - 1)
        )
        drop, den = fit_epsilon(
            epsilon,
            den,
            realized=lambda drop, den: log_ratio(max(den - drop, 0) * (size - w), drop * w),
            guess=lambda e, den: den * (size - w) / (w * e + size - w),
        )
        self._set(size, w, den - drop, den)

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        return (
            Recipe(
                "subset",
                "one",
                lambda size, epsilon, den: cls(size, epsilon, den=den),
                probabilities_for,
                ease=2,
            ),
        )

    @property
    def merit(self) -> str:  # type: ignore[override]
        if self.width == 1:
            return "With sets of one answer it is the same as direct encoding."
        return f"The report is a set of {self.width} answers; never worse than the others, up to rounding."

    @classmethod
    def from_integers(cls, size: int, width: int, keep: int, den: int) -> "SubsetSelection":
        """The mechanism with these integers. ValueError where keep/den = width/size, which tells nothing."""
        size, den = checks.size(size), checks.denominator(den)
        width = checks.whole("width", width, 1, size - 1)
        keep = checks.whole("keep", keep, 0, den)
        if keep * size == width * den:
            raise ValueError(
                f"keep is {keep}; allowed is any but den * width / size, else nothing can be estimated"
            )
        self = cls.__new__(cls)
        self._set(size, width, keep, den)
        return self

    def _set(self, size: int, width: int, keep: int, den: int) -> None:
        self.size, self.width, self.keep, self.den = size, width, keep, den
        self.p = Fraction(keep, den)
        self.q = (width - self.p) / (
            size - 1
        )  # the set has `width` members; the others share what is left

    @cached_property
    def epsilon(self) -> float:
        return abs(
            log_ratio(self.keep * (self.size - self.width), (self.den - self.keep) * self.width)
        )

    @property
    def parameter_texts(self) -> dict[str, str]:
        return {"size of the group": str(self.width)}

    def in_words(self) -> str:
        return (
            f"{self.width} of {self.size} answers are reported together, the chosen one among them with "
            f"probability {in_digits(self.p)}, each other with {in_digits(self.q)}"
        )

    def describe_probabilities(self) -> list[str]:
        return [
            f"A report marks {self.width} of {self.size} choices. The true one is among them with probability "
            f"{self.keep}/{self.den}; the others are drawn evenly."
        ]

    def spec(self) -> dict[str, Any]:
        return {
            "kind": "subset",
            "size": self.size,
            "width": self.width,
            "den": self.den,
            "keep": self.keep,
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "SubsetSelection":
        return cls.from_integers(spec["size"], spec["width"], spec["keep"], spec["den"])

    def randomize_one(self, truth: int, next_uint32: draw.NextUint32) -> str:
        """One string of '0' and '1' with `width` ones: whether the truth stays, then the others."""
        truth = checks.whole("truth", truth, 0, self.size - 1)
        kept = draw.uniform(self.den, next_uint32) < self.keep
        others = [answer for answer in range(self.size) if answer != truth]
        members = set(draw.sample(others, self.width - kept, next_uint32))
        if kept:
            members.add(truth)
        return "".join("1" if answer in members else "0" for answer in range(self.size))

    def randomize_packed(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        """truths: whole numbers of shape (n,). Each report has `width` ones; shape (n, ceil(size / 8)), uint8."""
        generator = checks.generator(rng)
        answers = checks.indices("truths", truths, self.size)
        packed = np.empty((answers.size, -(-self.size // 8)), dtype=np.uint8)
        for part in slices(answers.size, self.size):
            packed[part] = np.packbits(self._random_sets(answers[part], generator), axis=1)
        return packed

    def _random_sets(self, truths: IntArray, rng: np.random.Generator) -> BitArray:
        """Draw the reported sets, as bits of shape (n, size).

        Given their number, the members of a set of independent bits are uniform, and adding or removing one uniformly
        keeps them so. That takes far fewer draws than a shuffle.
        """
        rows = np.arange(len(truths))
        share = max(1, min(15, round(16 * (self.width - float(self.p)) / (self.size - 1))))
        packed = random_bits(rng, share, 16, len(truths), -(-self.size // 8))
        sets = np.unpackbits(packed, axis=1, count=self.size)
        kept = uniforms(rng, self.den, len(truths)) < self.keep
        sets[rows, truths] = 0
        _toggle_others(sets, truths, self.width - kept - sets.sum(axis=1, dtype=np.int64), rng)
        sets[rows, truths] = kept
        return sets

    def check_rows(self, packed: BitArray) -> None:
        ones = np.bitwise_count(packed).sum(axis=1, dtype=np.int64)
        if (ones != self.width).any():
            wrong = ones[ones != self.width][0]
            raise ValueError(
                f"reports holds a row with {wrong} ones; allowed is width = {self.width}"
            )

    @property
    def max_report_probability(self) -> float:
        """The largest probability of any report under any truth."""
        k, w, p = self.size, self.width, float(self.p)
        return max(p / comb(k - 1, w - 1), (1 - p) / comb(k - 1, w))

    def bit_likelihoods(self) -> tuple[float, float]:
        """p / C(k-1, w-1) and (1 - p) / C(k-1, w), times C(k-1, w) w / den."""
        return float(self.keep * (self.size - self.width)), float(
            (self.den - self.keep) * self.width
        )

    def log_scale(self, marks: FloatArray) -> FloatArray:
        """(1 - p) / C(k - 1, w), of p = keep/den."""
        if self.keep == self.den:
            return np.zeros_like(marks)
        return np.full_like(
            marks, np.log((self.den - self.keep) / self.den / comb(self.size - 1, self.width))
        )

    def _possible(self, tally: Tally) -> bool:
        return bool(tally.counts.sum() == tally.n * self.width)

    def least_variance(self, wanted: FloatArray) -> float:
        p, q, (one_true, none_true) = float(self.p), float(self.q), self._pair_chances()
        rest, squares = (
            wanted.sum() - wanted,
            (wanted**2).sum() - wanted**2,
        )  # of the answers that are not true
        square = (
            p * wanted**2
            + 2 * one_true * wanted * rest
            + q * squares
            + none_true * (rest**2 - squares)
        )
        spread: FloatArray = (square - (p * wanted + q * rest) ** 2) / (p - q) ** 2
        return max(float(spread.min()), 0.0)

    def share_covariance(self, tally: Tally) -> FloatArray:
        """s_uv - r_u r_v, with s_uv the chance that both bits are set."""
        shares = tally.counts / tally.n
        true = self.decode(shares)
        one_true, none_true = self._pair_chances()
        sums = true[:, np.newaxis] + true
        covariance = sums * one_true + (1 - sums) * none_true - np.outer(shares, shares)
        np.fill_diagonal(covariance, shares * (1 - shares))
        return covariance

    def _pair_chances(self) -> tuple[float, float]:
        """P(two given bits are both set) when one of the two answers is true, and when neither is."""
        k, w, p = self.size, self.width, float(self.p)
        one_true = p * (w - 1) / (k - 1)
        if k == 2:
            return one_true, 0.0
        none_true = (p * (w - 1) * (w - 2) + (1 - p) * w * (w - 1)) / ((k - 1) * (k - 2))
        return one_true, none_true

    def constrain(self, tally: Tally) -> FloatArray:
        return norm_sub(self.decode(tally.counts / tally.n))

    def __repr__(self) -> str:
        return f"SubsetSelection(size={self.size}, epsilon={self.epsilon!r}, width={self.width}, den={self.den})"


def best_width(size: int, epsilon: float) -> int:
    """The set size of least total squared error, near k/(e + 1): least (w e + k - w)^2 / (w (k - w))."""
    k, e = checks.size(size), exp_capped(checks.epsilon(epsilon))
    width = np.arange(1, k)
    error = 2 * np.log(width * e + (k - width)) - np.log(width * (k - width))
    return int(width[np.argmin(error)])


_best_widths = np.vectorize(best_width, otypes=[np.float64])


def probabilities_for(size: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return p and q at the best width."""
    w, e, k = _best_widths(size, epsilon), np.exp(epsilon), checks.size(size)
    p = w * e / (w * e + k - w)
    return p, (w - p) / (k - 1)


def _toggle_others(
    reports: BitArray, truths: IntArray, missing: IntArray, rng: np.random.Generator
) -> None:
    """Add as many random members as are missing, or remove them where negative; never the true answer."""
    rows = np.flatnonzero(missing)
    old = (missing[rows] < 0).astype(
        np.uint8
    )  # the bit to look for: 0 to add a member, 1 to remove one
    times = np.abs(missing[rows])
    while len(rows):
        answers = rng.integers(0, reports.shape[1], len(rows))
        hit = (reports[rows, answers] == old) & (answers != truths[rows])
        reports[rows[hit], answers[hit]] = 1 - old[hit]
        times -= hit
        on = times > 0
        rows, old, times = rows[on], old[on], times[on]
