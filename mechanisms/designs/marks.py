"""Marks: of several answers that may all be true, chance picks a few, and only their marks are scrambled and sent."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import Den, fit_epsilon, log_ratio
from mechanisms.chance.simulate import slices, uniforms
from mechanisms.checks import BitArray, FloatArray, IntArray
from mechanisms.designs.mechanism import Contrast, Mechanism, Recipe, Seed, in_digits
from mechanisms.designs.picking import (
    allowed_pick,
    allowed_reach,
    best_pick,
    patterns,
    turned_chance,
)
from mechanisms.designs.wire import NOT_PICKED, Picked
from mechanisms.estimation.constrained import clipped
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.tallies import Tally

Reports = ArrayLike | Sequence[str]


def formula(size: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """With the best number of marks picked."""
    e = np.exp(epsilon)
    picks, reaches = _best_picks(size, np.log(e))
    turned = _turned_chances(picks, reaches, e)
    return 1 - turned, turned, picks / size


_best_picks = np.vectorize(best_pick, otypes=[np.int64, np.int64])
_turned_chances = np.vectorize(turned_chance, otypes=[np.float64])


class OptionSampling(Mechanism):
    """Report `pick` of `size` options of a multiple selection with the whole epsilon.

    A pattern of the picked marks that differs from the truth in at most `reach` of them has weight `high`, any other
    weight `low`; den is the sum of these weights over all patterns. What is picked does not depend on the truth, so the
    whole report, with what was picked, has epsilon = ln(high/low).

    size: number of answers, at least 2; any number of them may be true. epsilon: declared, above 0; the realized one is
    never above it.
    pick, reach: by default those with the least error of a share of 0.2 (`best_pick`). ValueError for more than 12
    picked, a reach above (pick - 1)/2, or weights that turn every second mark.
    den: the denominator, with a reach above 0 the largest; "survey" for the smallest of 4, 6, 10, 100, ... with 0.99 of
    the declared epsilon.

    One mark says nothing of two together: there is no error of a sum. Reports: an array of shape (n, size) of 0, 1 and,
    where a mark was not picked, -1; or n strings of '0', '1' and '-'.
    Wang, N. et al. (2019, ICDE, section 4), who pick attributes alike.
    """

    kind = name = "marks"
    wire: Picked
    keys = frozenset({"kind", "size", "pick", "reach", "high", "low", "den"})
    select = "any"
    constrained_by = "clipping to [0, 1]"
    source = (
        "Wang, N., Xiao, X., Yang, Y., Zhao, J., Hui, S. C., Shin, H., Shin, J., & Yu, G. (2019). Collecting and "
        "analyzing multidimensional data with local differential privacy. IEEE International Conference on Data "
        "Engineering, 638–649."
    )

    def __init__(
        self,
        size: int,
        epsilon: float,
        pick: int | None = None,
        reach: int | None = None,
        den: Den = checks.MAX_DEN,
    ) -> None:
        size = checks.size(size)
        pick, reach = best_pick(size, epsilon, pick, reach)
        near, far = patterns(pick, reach)

        def high(low: int, den: int) -> int:
            return max(den - far * low, 0) // near

        low, den = fit_epsilon(
            epsilon,
            den,
            realized=lambda low, den: log_ratio(high(low, den), low),
            guess=lambda e, den: den / (near * e + far),
        )
        self._set(size, pick, reach, high(low, den), low)

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        return (
            Recipe(
                "marks",
                "any",
                lambda size, epsilon, den: cls(size, epsilon, den=den),
                formula,
                ease=0,
            ),
        )

    @property
    def merit(self) -> str:  # type: ignore[override]
        picked = "one is picked and has" if self.pick == 1 else f"{self.pick} are picked and share"
        return f"Of {self.size} marks {picked} all of epsilon. That tells each share, and nothing of two together."

    @classmethod
    def from_integers(
        cls, size: int, pick: int, reach: int, high: int, low: int
    ) -> "OptionSampling":
        """The mechanism with these integers. ValueError where every second mark is turned, or more."""
        size = checks.size(size)
        pick, reach = allowed_pick(size, pick), allowed_reach(pick, reach)
        low = checks.whole("low", low, 1, checks.MAX_DEN)
        high = checks.whole("high", high, 1, checks.MAX_DEN)
        if high <= low:
            raise ValueError(
                f"high is {high}; allowed is above low = {low}, else nothing can be estimated"
            )
        self = cls.__new__(cls)
        self._set(size, pick, reach, high, low)
        return self

    def _set(self, size: int, pick: int, reach: int, high: int, low: int) -> None:
        self.size, self.pick, self.reach, self.high, self.low = size, pick, reach, high, low
        self.den = checks.denominator(sum(self.weights))

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """weights[h]/den is the chance that h of the picked marks are turned."""
        return tuple(
            comb(self.pick, turned) * (self.high if turned <= self.reach else self.low)
            for turned in range(self.pick + 1)
        )

    @cached_property
    def flip_probability(self) -> Fraction:
        """The probability that a picked option is flipped."""
        return Fraction(
            sum(turned * weight for turned, weight in enumerate(self.weights)), self.pick * self.den
        )

    @cached_property
    def epsilon(self) -> float:
        return log_ratio(self.high, self.low)

    @property
    def title(self) -> str:  # type: ignore[override]
        return (
            "Marks, one picked by chance"
            if self.pick == 1
            else f"Marks, {self.pick} picked by chance"
        )

    @property
    def description(self) -> str:  # type: ignore[override]
        picked = "One mark is" if self.pick == 1 else f"{self.pick} marks are"
        return f"{picked} picked by chance; only what was picked is reported, scrambled with known probabilities."

    @property
    def reported_fraction(self) -> float:
        return self.pick / self.size

    @property
    def parameter_texts(self) -> dict[str, str]:
        return {"marks picked": str(self.pick)}

    def contrast(self, answer: int = 0) -> Contrast:
        return Contrast("picked", 1 - self.flip_probability, self.flip_probability)

    def in_words(self) -> str:
        one = self.pick == 1
        picked = "one is" if one else f"{self.pick} are"
        return (
            f"of {self.size} marks {picked} picked at random and reported, {'' if one else 'each '}turned over with "
            f"probability {in_digits(self.flip_probability)}; a share has the reports in which its mark was picked"
        )

    def describe_probabilities(self) -> list[str]:
        if self.pick == 1:
            return [
                f"A report holds one of {self.size} marks, picked evenly. It is true with probability "
                f"{self.high}/{self.den} and turned over with {self.low}/{self.den}."
            ]
        return [
            f"A report holds {self.pick} of {self.size} marks, picked evenly. Each pattern of them that differs from "
            f"the truth in at most {self.reach} has probability {self.high}/{self.den}, each other "
            f"{self.low}/{self.den}. So a mark is turned over with probability {self.flip_probability}."
        ]

    def spec(self) -> dict[str, Any]:
        return {
            name: getattr(self, name)
            for name in ("kind", "size", "pick", "reach", "high", "low", "den")
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "OptionSampling":
        found = cls.from_integers(
            spec["size"], spec["pick"], spec["reach"], spec["high"], spec["low"]
        )
        if checks.denominator(spec["den"]) != found.den:
            raise ValueError(
                f"den is {spec['den']}; allowed is {found.den}, to which these weights sum"
            )
        return found

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """rows[bit][reported bit] of a mark that was picked."""
        return (
            (1 - self.flip_probability, self.flip_probability),
            (self.flip_probability, 1 - self.flip_probability),
        )

    def randomize_one(self, truth: Sequence[int], next_uint32: draw.NextUint32) -> str:
        """One string of '0', '1' and '-': what is picked, how many of it are turned, and which.

        truth: a list of different indices.
        """
        chosen = checks.index_set("truth", truth, self.size)
        picked = sorted(draw.sample(range(self.size), self.pick, next_uint32))
        number = draw.sample_index(self.weights, self.den, next_uint32)
        turned = set(draw.sample(range(self.pick), number, next_uint32))
        report = [NOT_PICKED] * self.size
        for place, answer in enumerate(picked):
            report[answer] = str(int((answer in chosen) != (place in turned)))
        return "".join(report)

    def randomize(self, truths: ArrayLike, rng: Seed = None) -> NDArray[np.int8]:
        """truths: an array of 0 and 1 of shape (n, size). Returns 0, 1 and -1 for not picked, the same shape, int8."""
        return self.wire.spread(self.randomize_stored(truths, rng))

    def randomize_stored(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        """The same packed: what was picked, then what is set; shape (n, 2 ceil(size / 8)), uint8."""
        generator = checks.generator(rng)
        chosen = checks.bits("truths", truths, self.size)
        packed = np.empty((len(chosen), *self.wire.field.shape), dtype=np.uint8)
        for part in slices(len(chosen), self.size):
            packed[part] = self._drawn(chosen[part], generator)
        return packed

    def _drawn(self, chosen: BitArray, rng: np.random.Generator) -> BitArray:
        rows = np.arange(len(chosen))[:, np.newaxis]
        places = _samples(rng, len(chosen), self.size, self.pick)
        steps = np.cumsum(self.weights, dtype=np.int64)
        number = np.searchsorted(steps, uniforms(rng, self.den, len(chosen)), side="right")
        # The first of the picked ones are turned; they are drawn in a random order.
        turned = np.arange(self.pick) < number[:, np.newaxis]
        picked, marked = np.zeros_like(chosen), np.zeros_like(chosen)
        picked[rows, places] = 1
        marked[rows, places] = chosen[rows, places] ^ turned
        return np.concatenate([np.packbits(picked, axis=1), np.packbits(marked, axis=1)], axis=1)

    def tally(self, reports: Reports) -> Tally:
        """How often each mark is set, then how often it was picked; shape (2 size,)."""
        picked, marked = self._rows(reports)
        return self.tally_packed(
            np.concatenate([np.packbits(picked, axis=1), np.packbits(marked, axis=1)], axis=1)
        )

    def tally_packed(self, packed: ArrayLike) -> Tally:
        """The tally of reports as `randomize_stored` has them."""
        rows = np.asarray(packed)
        width = self.wire.width
        if rows.ndim != 2 or rows.shape[1] != 2 * width:
            raise ValueError(f"packed has shape {rows.shape}; allowed is (n, {2 * width})")
        picked, marked = (
            checks.packed_bits("packed", half, self.size) for half in np.split(rows, 2, axis=1)
        )
        if (marked & ~picked).any():
            raise ValueError(
                "packed holds a mark that was not picked; allowed are marks of what was picked"
            )
        number = np.bitwise_count(picked).sum(axis=1, dtype=np.int64)
        if (number != self.pick).any():
            wrong = number[number != self.pick][0]
            raise ValueError(
                f"packed holds a row with {wrong} marks picked; allowed is pick = {self.pick}"
            )
        return Tally(len(rows), self.wire.counts(rows))

    def _rows(self, reports: Reports) -> tuple[BitArray, BitArray]:
        """What was picked and what is set, each of 0 and 1, shape (n, size)."""
        if isinstance(reports, list | tuple) and len(reports) and isinstance(reports[0], str):
            reports = self._of_strings(reports)
        rows = np.asarray(reports)
        if rows.size == 0 and rows.ndim <= 1:
            rows = np.zeros((0, self.size), np.int8)
        if rows.ndim != 2 or rows.shape[1] != self.size or rows.dtype.kind not in "iu":
            raise ValueError(
                f"reports has shape {rows.shape} and dtype {rows.dtype}; allowed is (n, {self.size}), whole"
            )
        if rows.size and not -1 <= rows.min() <= rows.max() <= 1:
            wrong = rows[(rows < -1) | (rows > 1)][0]
            raise ValueError(f"reports holds {wrong}; allowed is 0, 1, or -1 for not picked")
        return (rows >= 0).astype(np.uint8), (rows == 1).astype(np.uint8)

    def _of_strings(self, texts: Sequence[Any]) -> NDArray[np.int8]:
        try:
            return self.wire.reports_of(texts)
        except ValueError as wrong:
            raise ValueError(
                f"reports holds a string that must {wrong}; nothing else is allowed"
            ) from None

    def check_tally(self, tally: Tally) -> None:
        if tally.counts.shape == (2 * self.size,):
            picked, marked = self.informative_reports(tally), self.support_counts(tally)
            if (marked <= picked).all() and picked.sum() == tally.n * self.pick:
                return
        raise ValueError(
            f"counts is {checks.show(tally.counts.tolist())} with n = {tally.n}; allowed are {self.size} counts of "
            f"marks that are set, then {self.size} of marks that were picked, which sum to {self.pick} n"
        )

    def informative_reports(self, tally: Tally) -> IntArray:
        return tally.counts[self.size :]

    def support_counts(self, tally: Tally) -> IntArray:
        return tally.counts[: self.size]

    def line(self) -> Line:
        return Line(
            np.full(self.size, float(self.flip_probability)),
            np.full(self.size, float(1 - 2 * self.flip_probability)),
        )

    def share_covariance(self, tally: Tally) -> FloatArray | None:
        raise ValueError(
            "marks that are picked by chance tell each share by itself; allowed for sums and pairs of marks is "
            "UnaryEncoding with select='any'"
        )

    def constrain(self, tally: Tally) -> FloatArray:
        with np.errstate(invalid="ignore"):
            return clipped(
                self.decode(self.support_counts(tally) / self.informative_reports(tally))
            )

    def maximum_likelihood(self, reports: Reports) -> FloatArray:
        """Each share maximizes the likelihood of its own mark; NaN for a mark that was never picked."""
        tally = self.tally(reports)
        if tally.n == 0:
            raise ValueError("reports is empty; allowed is at least one report")
        return self.constrain(tally)

    def __repr__(self) -> str:
        return (
            f"OptionSampling(size={self.size}, epsilon={self.epsilon!r}, pick={self.pick}, "
            f"reach={self.reach}, den={self.den})"
        )


def _samples(rng: np.random.Generator, rows: int, size: int, count: int) -> IntArray:
    """In each row `count` different numbers below size in a random order, by a Fisher-Yates shuffle; (rows, count)."""
    if count == 1:
        return rng.integers(0, size, (rows, 1))
    members = np.tile(np.arange(size), (rows, 1))
    at = np.arange(rows)
    for index in range(count):
        other = rng.integers(index, size, rows)
        members[at, index], members[at, other] = members[at, other], members[at, index]
    return members[:, :count]
