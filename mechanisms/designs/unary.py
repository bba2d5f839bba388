"""Unary encoding: every answer is one bit, and every bit is randomized by itself."""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance import binomial, draw
from mechanisms.chance.integers import Den, fit_epsilon, integer_rows, log_ratio
from mechanisms.chance.simulate import random_bits, uniforms
from mechanisms.checks import BitArray, BoolArray, FloatArray, IntArray, Probability
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.mechanism import Recipe, Seed, in_digits
from mechanisms.designs.wire import Bits
from mechanisms.estimation.constrained import clipped, norm_sub
from mechanisms.estimation.decoding import Select
from mechanisms.estimation.tallies import Tally

RAPPOR = (
    "Erlingsson, Ú., Pihur, V., & Korolova, A. (2014). RAPPOR: Randomized aggregatable privacy-preserving ordinal "
    "response. ACM Conference on Computer and Communications Security, 1054–1067."
)
OPTIMIZED = (
    "Wang, T., Blocki, J., Li, N., & Jha, S. (2017). Locally differentially private protocols for frequency "
    "estimation. USENIX Security Symposium, 729–745."
)


def symmetric_formula(bits: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    """bits: 2 for one choice, the number of answers for choose-all-that-apply."""
    e = np.exp(epsilon / bits)
    return e / (e + 1), 1 / (e + 1)


def optimized_formula(size: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    e = np.exp(epsilon)
    return np.full_like(e, 0.5), 1 / (e + 1)


class UnaryEncoding(BitMechanism):
    """One bit per answer; a set bit is reported as set with probability p, an unset one with probability q.

    size: number of answers, at least 2.
    p, q: any two different probabilities.
    select: "one" for a single choice, whose epsilon counts the two bits by which two truths differ:
    ln(p (1 - q) / ((1 - p) q)); "any" for choose-all-that-apply, where every bit may differ:
    size * max(|ln(p/q)|, |ln((1 - q)/(1 - p))|).
    Erlingsson, Pihur and Korolova (2014, CCS, RAPPOR); Wang et al. (2017, USENIX Security, section 4).
    """

    kind = name = "unary"
    wire: Bits
    keys = frozenset({"kind", "select", "size", "den", "rows"})

    def __init__(
        self,
        size: int,
        p: Probability,
        q: Probability,
        select: Select = "one",
        *,
        den: int | None = None,
    ) -> None:
        self.size = checks.size(size)
        self.p, self.q = checks.probability("p", p), checks.probability("q", q)
        if self.p == self.q:
            raise ValueError(
                f"p is {self.p} and q is {self.q}; allowed are different ones, else nothing can be estimated"
            )
        checks.one_of("select", select, ("one", "any"))
        self.select = select
        self.rows, self.den = integer_rows(self.probabilities(), den)

    @classmethod
    def symmetric(
        cls, size: int, epsilon: float, select: Select = "one", *, den: Den = checks.MAX_DEN
    ) -> "UnaryEncoding":
        """p = 1 - q (basic RAPPOR), rounded so that the realized epsilon is at most the declared one.

        One choice: p = e^(epsilon/2) / (e^(epsilon/2) + 1). Any: epsilon is shared out equally over the bits.
        den: the denominator, or "survey" for the smallest of 4, 6, 10, 100, ... with 0.99 of the declared
        epsilon.
        """
        bits = checks.size(size) if checks.one_of("select", select, ("one", "any")) == "any" else 2

        def realized(flip: int, den: int) -> float:
            stay = max(den - flip, 0)
            return (
                bits * log_ratio(stay, flip)
                if select == "any"
                else log_ratio(stay * stay, flip * flip)
            )

        flip, den = fit_epsilon(
            epsilon, den, realized=realized, guess=lambda e, den: den / (1 + e ** (1 / bits))
        )
        return cls(size, f"{den - flip}/{den}", f"{flip}/{den}", select, den=den)

    @classmethod
    def optimized(cls, size: int, epsilon: float, *, den: Den = checks.MAX_DEN) -> "UnaryEncoding":
        """p = 1/2 and q = 1/(e + 1), one choice only (Wang et al. 2017, OUE); den as in `symmetric`."""
        flip, den = fit_epsilon(
            epsilon,
            den,
            realized=lambda flip, den: log_ratio(max(den - flip, 0), flip),
            guess=lambda e, den: den / (1 + e),
        )
        return cls(size, "1/2", f"{flip}/{den}", den=den)

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        def optimized(size: int, epsilon: float, den: Den) -> "UnaryEncoding":
            return cls.optimized(size, epsilon, den=den)

        def symmetric(size: int, epsilon: float, den: Den) -> "UnaryEncoding":
            return cls.symmetric(size, epsilon, den=den)

        def of_any(size: int, epsilon: float, den: Den) -> "UnaryEncoding":
            return cls.symmetric(size, epsilon, "any", den=den)

        return (
            Recipe(
                "unary symmetric",
                "one",
                symmetric,
                lambda _, epsilon: symmetric_formula(2, epsilon),
                ease=4,
            ),
            Recipe("unary optimized", "one", optimized, optimized_formula, ease=3),
            Recipe("unary symmetric", "any", of_any, symmetric_formula, ease=4),
        )

    @property
    def merit(self) -> str:  # type: ignore[override]
        if self.select == "any":
            return "Every mark is scrambled with an equal part of epsilon; pairs of marks can be estimated too."
        return (
            "The report is one bit per answer; its error hardly depends on the number of answers."
        )

    @property
    def title(self) -> str:  # type: ignore[override]
        if self.p + self.q == 1:
            return "Unary encoding, symmetric"
        return "Unary encoding, optimized" if 2 * self.p == 1 else "Unary encoding"

    @property
    def source(self) -> str:  # type: ignore[override]
        return RAPPOR if self.p + self.q == 1 else OPTIMIZED

    @property
    def parameter_texts(self) -> dict[str, str]:
        return {"p": str(self.p), "q": str(self.q)}

    def in_words(self) -> str:
        return (
            f"{self.size} bits, the bit of a chosen answer set with probability {in_digits(self.p)}, that of "
            f"any other with {in_digits(self.q)}"
        )

    def describe_probabilities(self) -> list[str]:
        (_, unmarked), (_, marked) = self.rows
        return [
            f"The mark of a choice that is true is sent as 1 with probability {marked}/{self.den}, any other mark "
            f"with probability {unmarked}/{self.den}."
        ]

    @property
    def description(self) -> str:  # type: ignore[override]
        asked = "the chosen answer" if self.select == "one" else "the chosen answers"
        return f"Every answer is one bit, set for {asked}; each bit is turned over with a known probability."

    @property
    def constrained_by(self) -> str:  # type: ignore[override]
        return "Norm-Sub" if self.select == "one" else "clipping to [0, 1]"

    @cached_property
    def epsilon(self) -> float:
        (stay_0, set_0), (stay_1, set_1) = self.rows
        if self.select == "one":
            return abs(log_ratio(set_1 * stay_0, stay_1 * set_0))
        return self.size * max(abs(log_ratio(set_1, set_0)), abs(log_ratio(stay_0, stay_1)))

    def spec(self) -> dict[str, Any]:
        rows = [list(row) for row in self.rows]
        return {
            "kind": "unary",
            "select": self.select,
            "size": self.size,
            "den": self.den,
            "rows": rows,
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "UnaryEncoding":
        rows, den = checks.rows("rows", spec["rows"]), checks.denominator(spec["den"])
        if [len(row) for row in rows] != [2, 2] or [sum(row) for row in rows] != [den, den]:
            raise ValueError(
                f"rows is {rows}; allowed are two rows of two whole numbers that sum to den = {den}"
            )
        return cls(
            spec["size"], f"{rows[1][1]}/{den}", f"{rows[0][1]}/{den}", spec["select"], den=den
        )

    def randomize_one(self, truth: int | Sequence[int], next_uint32: draw.NextUint32) -> str:
        """One string of '0' and '1'. truth: an index; for select="any" a list of different indices."""
        if self.select == "any":
            chosen = checks.index_set("truth", truth, self.size)
        else:
            chosen = {checks.whole("truth", truth, 0, self.size - 1)}  # type: ignore[arg-type]
        return "".join(
            str(draw.sample_index(self.rows[answer in chosen], self.den, next_uint32))
            for answer in range(self.size)
        )

    def randomize_packed(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        """Reports of shape (n, ceil(size / 8)), uint8.

        truths: for one choice whole numbers of shape (n,); for any an array of 0 and 1 of shape (n, size).
        """
        generator = checks.generator(rng)
        if self.select == "any":
            chosen = np.packbits(checks.bits("truths", truths, self.size), axis=1)
            reports = (chosen & self._bits(generator, 1, len(chosen))) | (
                ~chosen & self._bits(generator, 0, len(chosen))
            )
            return self._without_padding(reports)
        answers = checks.indices("truths", truths, self.size)
        reports = self._bits(generator, 0, answers.size)
        self._put_truths(
            reports, answers, uniforms(generator, self.den, answers.size) >= self.rows[1][0]
        )
        return self._without_padding(reports)

    def _bits(self, generator: np.random.Generator, bit: int, rows: int) -> BitArray:
        """Packed rows in which every answer has its bit randomized from the same true bit."""
        return random_bits(generator, self.rows[bit][1], self.den, rows, -(-self.size // 8))

    def _put_truths(self, reports: BitArray, answers: IntArray, bits: BoolArray) -> None:
        """Write each row's bit of its true answer; numpy.packbits puts the first answer into the highest bit."""
        cells = np.arange(len(reports)) * reports.shape[1] + (answers >> 3)
        masks = np.uint8(128) >> (answers & 7).astype(np.uint8)
        flat = reports.reshape(-1)
        flat[cells] = (flat[cells] & ~masks) | np.where(bits, masks, np.uint8(0))

    def _without_padding(self, reports: BitArray) -> BitArray:
        reports[:, -1] &= np.uint8((0xFF << (-self.size % 8)) & 0xFF)
        return reports

    def ones_law(self) -> FloatArray | None:
        """Of one choice: its mark is set with probability p, each other one with q."""
        if self.select == "any":
            return None
        p, q = float(self.p), float(self.q)
        others = binomial.pmf(self.size - 1, q)
        law: FloatArray = np.append((1 - p) * others, 0.0) + np.append(0.0, p * others)
        return law

    @property
    def max_report_probability(self) -> float:
        p, q = float(self.p), float(self.q)
        return max(p, 1 - p) * max(q, 1 - q) ** (self.size - 1)

    def bit_likelihoods(self) -> tuple[float, float]:
        """p/q and (1 - p)/(1 - q), times q (1 - q)."""
        return float(self.p * (1 - self.q)), float((1 - self.p) * self.q)

    def log_scale(self, marks: FloatArray) -> FloatArray:
        """q^s (1 - q)^(k - s) (1 - p)/(1 - q), of s bits set of k."""
        p, q = float(self.p), float(self.q)
        if not (0 < q < 1 and p < 1):
            return np.zeros_like(marks)
        scale: FloatArray = (
            marks * np.log(q) + (self.size - 1 - marks) * np.log1p(-q) + np.log1p(-p)
        )
        return scale

    def _maximum(self, packed: BitArray, work: float, times: IntArray | None) -> FloatArray:
        if self.select == "any":
            return self.constrain(
                self.tally_packed(packed if times is None else np.repeat(packed, times, axis=0))
            )
        return (
            super()._maximum(packed, work, times)
            if 0 < self.q < 1
            else self._maximum_of_telling_bits(packed, times)
        )

    def _maximum_of_telling_bits(self, packed: BitArray, times: IntArray | None) -> FloatArray:
        """With q = 0 or 1 a bit that is not q gives its answer away, and a report without one tells nothing."""
        telling = np.unpackbits(packed, axis=1, count=self.size) != int(self.q)
        found = telling.sum(axis=0) if times is None else times @ telling
        if (telling.sum(axis=1) > 1).any() or not found.any():
            raise ValueError(
                f"reports has rows with {np.unique(telling.sum(axis=1))} bits other than q = {self.q}; "
                "allowed is at most one in each row, and one in some row"
            )
        shares: FloatArray = found / found.sum()
        return shares

    def _possible(self, tally: Tally) -> bool:
        return True

    def least_variance(self, wanted: FloatArray) -> float:
        p, q = float(self.p), float(self.q)
        true, other = p * (1 - p) / (p - q) ** 2, q * (1 - q) / (p - q) ** 2
        if self.select == "any":
            return float((wanted**2).sum() * min(true, other))
        return float((wanted**2 * (true - other)).min() + (wanted**2).sum() * other)

    def share_covariance(self, tally: Tally) -> FloatArray | None:
        """One choice: r_v (1 - r_v), and -(p - q)^2 f_u f_v. Any: from the pairs, else None."""
        shares = tally.counts / tally.n
        if self.select == "any":
            return None if tally.pairs is None else tally.pairs / tally.n - np.outer(shares, shares)
        covariance = -np.outer(*[shares - float(self.q)] * 2)
        np.fill_diagonal(covariance, shares * (1 - shares))
        return covariance

    def constrain(self, tally: Tally) -> FloatArray:
        proportions = self.decode(tally.counts / tally.n)
        return norm_sub(proportions) if self.select == "one" else clipped(proportions)

    def __repr__(self) -> str:
        return (
            f"UnaryEncoding(size={self.size}, p='{self.p}', q='{self.q}', select={self.select!r})"
        )


@lru_cache(maxsize=64)
def identity_mechanism(size: int) -> UnaryEncoding:
    """Return the mechanism that sends answers unchanged."""
    return UnaryEncoding(size, 1, 0)
