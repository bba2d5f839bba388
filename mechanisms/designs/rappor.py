"""RAPPOR: a text becomes bits of a Bloom filter, scrambled once for ever and then once more for each report."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import Rows, fit_epsilon, integer_rows, log_ratio
from mechanisms.chance.simulate import slices, uniforms
from mechanisms.checks import BitArray
from mechanisms.designs.bloom import filters, positions
from mechanisms.designs.mechanism import Contrast, Seed, in_digits
from mechanisms.designs.texts import TextMechanism, normalize_answer
from mechanisms.designs.wire import Cohorts
from mechanisms.estimation.candidates import Candidates, Counted
from mechanisms.estimation.estimates import Total
from mechanisms.estimation.intervals import normal_quantile, wald

Size = tuple[int, int, int]
MOST_BITS = MOST_COHORTS = 256
MOST_HASHES = 4


class Rappor(TextMechanism):
    """A text sets `hashes` of `bits` bits, in one of `cohorts` ways; both steps scramble every bit by itself.

    f: the permanent step turns a bit over with probability f/2. p, q: the instantaneous step sets a bit that is then 1
    with probability p, and one that is 0 with probability q.
    bits: a power of 2 up to 256. hashes: up to 4. cohorts: up to 256; which one is drawn by chance and says nothing.

    What comes out of the permanent step may be kept on the device. Later reports of the same text are drawn from it by
    the instantaneous step alone, and all of them together say no more than what is kept. That is `epsilon`; of one
    report alone it is `epsilon_once`. A text that changes is not covered: it costs another epsilon.
    Erlingsson, Pihur and Korolova (2014), CCS, sections 2 and 3.
    """

    kind = name = "rappor"
    wire: Cohorts
    keys = frozenset({"kind", "bits", "hashes", "cohorts", "den", "permanent", "instant"})
    lasts = True
    title = "RAPPOR"
    description = (
        "A text sets some bits of a long row; every bit is scrambled twice, once for "
        "ever and once for each report."
    )
    source = (
        "Erlingsson, Ú., Pihur, V., & Korolova, A. (2014). RAPPOR: Randomized aggregatable privacy-preserving ordinal "
        "response. Proceedings of the 2014 ACM SIGSAC Conference on Computer and Communications Security, 1054–1067."
    )

    def __init__(
        self,
        bits: int = 128,
        hashes: int = 2,
        cohorts: int = 64,
        *,
        f: checks.Probability = "1/2",
        p: checks.Probability = "3/4",
        q: checks.Probability = "1/2",
    ) -> None:
        half, one = checks.probability("f", f) / 2, checks.probability("p", p)
        zero = checks.probability("q", q)
        chances = [[1 - half, half], [half, 1 - half], [1 - zero, zero], [1 - one, one]]
        rows, den = integer_rows(chances)
        self._set((bits, hashes, cohorts), rows[:2], rows[2:], den)

    @classmethod
    def of_epsilon(
        cls,
        epsilon: float,
        ever: float | None = None,
        *,
        bits: int = 128,
        hashes: int = 1,
        cohorts: int = 64,
        den: int = 10**6,
    ) -> "Rappor":
        """The mechanism whose one report has this epsilon, and all reports of one text together `ever`.

        Both steps treat 0 and 1 alike. The realized ones are never above. ever: by default twice epsilon; ValueError
        unless it is above epsilon.
        """
        declared = checks.epsilon(epsilon)
        ever = checks.positive("ever", 2 * declared if ever is None else ever)
        if ever <= declared:
            raise ValueError(
                f"ever is {ever!r}; allowed is above epsilon = {declared!r}, that of one report"
            )

        def made(turned: int, instant: int) -> "Rappor":
            first, second = ([[den - each, each], [each, den - each]] for each in (turned, instant))
            return cls.from_integers((bits, hashes, cohorts), first, second, den)

        turned, _ = fit_epsilon(
            ever,
            den,
            realized=lambda weight, den: 2 * hashes * log_ratio(den - weight, weight),
            guess=lambda e, den: den / (1 + e ** (0.5 / hashes)),
        )
        left = 1 - 2 * turned / den
        instant, _ = fit_epsilon(
            declared,
            den,
            realized=lambda weight, den: (
                made(turned, weight).epsilon_once if 2 * weight < den else 0.0
            ),
            guess=lambda e, den: den * (0.5 - (1 / (1 + e ** (-0.5 / hashes)) - 0.5) / left),
        )
        return made(turned, instant)

    @classmethod
    def from_integers(cls, size: Size, permanent: Any, instant: Any, den: int) -> "Rappor":
        """The mechanism of these rows[bit][scrambled bit], each summing to den. size: bits, hashes and cohorts."""
        self = cls.__new__(cls)
        self._set(size, _rows("permanent", permanent), _rows("instant", instant), den)
        return self

    def _set(self, size: Size, permanent: Rows, instant: Rows, den: int) -> None:
        bits, hashes, cohorts = size
        self.bits = checks.whole("bits", bits, 2, MOST_BITS)
        if self.bits & (self.bits - 1):
            raise ValueError(f"bits is {bits}; allowed is a power of 2 from 2 to {MOST_BITS}")
        self.hashes = checks.whole("hashes", hashes, 1, min(MOST_HASHES, self.bits // 2))
        self.cohorts = checks.whole("cohorts", cohorts, 1, MOST_COHORTS)
        self.den = checks.denominator(den)
        for name, rows in (("permanent", permanent), ("instant", instant)):
            if any(sum(row) != self.den for row in rows):
                raise ValueError(
                    f"{name} is {checks.show(rows)}; allowed are two rows that each sum to den = {den}"
                )
        if permanent[0] != permanent[1][::-1] or permanent[0][0] <= permanent[0][1]:
            raise ValueError(
                f"permanent is {checks.show(permanent)}; allowed is to turn 0 and 1 alike, f below 1"
            )
        if instant[1][1] <= instant[0][1]:
            raise ValueError(
                f"instant is {checks.show(instant)}; allowed is p above q, else nothing can be estimated"
            )
        self.permanent, self.instant = permanent, instant

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss of all reports together that are ever drawn from what the permanent step gave."""
        kept, turned = self.permanent[0]
        return 2 * self.hashes * log_ratio(kept, turned)

    @cached_property
    def epsilon_once(self) -> float:
        """The privacy loss of one report alone."""
        return self.epsilon_of(1)

    def epsilon_of(self, reports: int) -> float:
        """The privacy loss of so many reports of one text together, from one permanent step; at most `epsilon`.

        Of the reports of a bit it matters how often they set it; all or none of them says most.
        """
        times = checks.whole("reports", reports, 1, 10_000)
        always, never = (
            [self._chance(bit, reported, times) for bit in (0, 1)] for reported in (1, 0)
        )
        return self.hashes * (_log(always[1] / always[0]) + _log(never[0] / never[1]))

    def _chance(self, bit: int, reported: int, times: int) -> Fraction:
        """Of a bit of the filter being reported so, each of so many times."""
        middle = zip(self.permanent[bit], self.instant, strict=True)
        parts = (
            Fraction(kept, self.den) * Fraction(row[reported], self.den) ** times
            for kept, row in middle
        )
        return sum(parts, Fraction())

    @cached_property
    def set_chances(self) -> tuple[Fraction, Fraction]:
        """How often a bit of a report is 1 where that of the filter is 0, and where it is 1."""
        return self._chance(0, 1, 1), self._chance(1, 1, 1)

    @property
    def parameter_texts(self) -> dict[str, str]:
        (_, turned), ((_, q), (_, p)) = self.permanent[0], self.instant
        given = {
            "f": Fraction(2 * turned, self.den),
            "p": Fraction(p, self.den),
            "q": Fraction(q, self.den),
        }
        return {letter: str(chance) for letter, chance in given.items()}

    def spec(self) -> dict[str, Any]:
        rows = {
            name: [list(row) for row in getattr(self, name)] for name in ("permanent", "instant")
        }
        return {
            name: getattr(self, name) for name in ("kind", "bits", "hashes", "cohorts", "den")
        } | rows

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Rappor":
        size = spec["bits"], spec["hashes"], spec["cohorts"]
        return cls.from_integers(size, spec["permanent"], spec["instant"], spec["den"])

    def filter(self, text: str, cohort: int) -> str:
        """The bits that a normalised text sets in a cohort, as characters 0 and 1."""
        ones = set(positions(text, cohort, self.bits, self.hashes))
        return "".join("1" if place in ones else "0" for place in range(self.bits))

    def keep(self, text: str, next_uint32: draw.NextUint32) -> str:
        """The permanent step, “cohort:bits”: first the cohort is drawn, then what becomes of each bit."""
        text, cohort = normalize_answer(text), draw.uniform(self.cohorts, next_uint32)
        return f"{cohort}:{self._scramble(self.filter(text, cohort), self.permanent, next_uint32)}"

    def again(self, kept: str, next_uint32: draw.NextUint32) -> str:
        """One more report from what the permanent step gave."""
        cohort, bits = self.wire.parts(kept)
        return f"{cohort}:{self._scramble(bits, self.instant, next_uint32)}"

    def _scramble(self, bits: str, rows: Rows, next_uint32: draw.NextUint32) -> str:
        return "".join(
            str(draw.sample_index(rows[int(bit)], self.den, next_uint32)) for bit in bits
        )

    def randomize_one(self, truth: str, next_uint32: draw.NextUint32) -> str:
        """One report of a text, “cohort:bits”, by both steps."""
        return self.again(self.keep(truth, next_uint32), next_uint32)

    def randomize(self, truths: Sequence[str], rng: Seed = None) -> list[str]:  # type: ignore[override]
        """One report for each text."""
        return self.wire.reports(self.randomize_stored(truths, rng))

    def randomize_stored(self, truths: Sequence[str], rng: Seed = None) -> BitArray:  # type: ignore[override]
        """The same as records hold them: the cohort, then the packed bits; shape (n, 1 + ceil(bits / 8)), uint8."""
        generator = checks.generator(rng)
        texts, which = np.unique(list(map(normalize_answer, truths)), return_inverse=True)
        sets = filters(texts.tolist(), self.cohorts, self.bits, self.hashes)
        cohorts = uniforms(generator, self.cohorts, len(which)).astype(np.uint8)
        parts = [
            self._scrambled(sets[which[part], cohorts[part]], generator)
            for part in slices(len(which), self.bits)
        ]
        packed = np.concatenate([*parts, np.zeros((0, self.wire.width), np.uint8)])
        return np.concatenate([cohorts[:, np.newaxis], packed], axis=1)

    def _scrambled(self, ones: NDArray[np.int64], generator: np.random.Generator) -> BitArray:
        """Packed reports of filters with these bits set."""
        found = np.zeros((len(ones), self.bits), np.uint8)
        np.put_along_axis(found, ones, 1, axis=1)
        for rows in (self.permanent, self.instant):
            limit = np.array([row[1] for row in rows])[found]
            found = (uniforms(generator, self.den, found.shape) < limit).astype(np.uint8)
        return np.packbits(found, axis=1)

    def stored(self, reports: Sequence[str]) -> BitArray:
        found: BitArray = np.frombuffer(b"".join(map(self.wire.encode, reports)), self.wire.field)
        return found

    def counted(self, column: Any, texts: Sequence[str]) -> Counted:
        """Of each cohort how many reports it has, then how often each bit is set: shape (cohorts, 1 + bits).

        The same for all candidates.
        """
        return Counted(len(column), self.wire.cohort_counts(column))

    def check_candidates(self, texts: Sequence[str]) -> None:
        from mechanisms.estimation.bloom import check_told_apart  # noqa: PLC0415 (a tenth of a second to import)

        check_told_apart(filters(texts, self.cohorts, self.bits, self.hashes), self.bits)

    def decoded(self, counted: Counted, texts: Sequence[str], level: float) -> Candidates:
        """ValueError for no reports, and for more candidates than the bits of the reports can tell apart."""
        from mechanisms.estimation.bloom import least_squares  # noqa: PLC0415 (see above)

        if not counted.n:
            raise ValueError("counted has n = 0; allowed is at least one report")
        counts = np.asarray(counted.sums).reshape(self.cohorts, 1 + self.bits)
        sets = filters(texts, self.cohorts, self.bits, self.hashes)
        q, p = map(float, self.set_chances)
        found = least_squares(counts, sets, (q, p))
        errors = np.sqrt(np.maximum(found.covariance.diagonal(), 0))
        speaking = (
            np.take_along_axis(counts[np.newaxis, :, 1:], sets, axis=2).sum(axis=(1, 2))
            // self.hashes
        )
        return Candidates(
            n=counted.n,
            level=level,
            texts=tuple(texts),
            counts=speaking,
            shares=found.shares,
            standard_errors=errors,
            intervals=wald(found.shares, errors, 1 - level / len(texts)),
            none=Total(
                float(1 - found.shares.sum()), float(np.sqrt(max(found.covariance.sum(), 0.0)))
            ),
            possible=found.possible,
        )

    @classmethod
    def of_one_report(cls, epsilon: float) -> Sequence[TextMechanism]:
        return [cls.of_epsilon(epsilon, hashes=each) for each in (1, 2, 4)]

    def comparison_note(self, more: float) -> str:
        functions = "one hash function" if self.hashes == 1 else f"{self.hashes} hash functions"
        return (
            f"Needs {more:.1f} times the respondents, with {functions}. Later reports of the same text "
            f"can be drawn from what the device keeps; all together have epsilon {self.epsilon:.2f}."
        )

    def smallest_detectable_share(self, n: int, candidates: int, level: float = 0.05) -> float:
        return normal_quantile(1 - level / candidates) * math.sqrt(self.noise / n)

    @property
    def noise(self) -> float:
        """Of a small share: of its bits in all cohorts, each read with the others' noise."""
        q, p = map(float, self.set_chances)
        often = q + (p - q) * (1 - (1 - 1 / self.bits) ** self.hashes)
        return often * (1 - often) / (self.hashes * (p - q) ** 2)

    def contrast(self, answer: int = 0) -> Contrast:
        """How often a bit of a report is 1: one that the text sets, and any other."""
        q, p = self.set_chances
        return Contrast("bits", p, q)

    def in_words(self) -> str:
        q, p = map(in_digits, self.set_chances)
        return (
            f"the text sets {self.hashes} of {self.bits} bits; a bit that it sets is reported as 1 with probability "
            f"{p}, any other with probability {q}"
        )

    def describe_probabilities(self) -> list[str]:
        (stay, turned), ((_, q), (_, p)) = self.permanent[0], self.instant
        return [
            f"One of {self.cohorts} cohorts is drawn evenly. In it the text sets {self.hashes} of {self.bits} bits, "
            'those of the first words of SHA-256("candor-rappor-1", 0, cohort, 0, text).',
            f"The permanent step keeps each bit with probability {stay}/{self.den} and turns it over with "
            f"{turned}/{self.den}. Its result may be kept on the device.",
            f"The instantaneous step, anew for each report, sets a bit that is then 1 with probability {p}/{self.den} "
            f"and one that is then 0 with {q}/{self.den}.",
        ]

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """rows[bit of the text][reported bit]."""
        return tuple((1 - chance, chance) for chance in self.set_chances)

    def __repr__(self) -> str:
        letters = ", ".join(f"{letter}={value!r}" for letter, value in self.parameter_texts.items())
        return f"Rappor(bits={self.bits}, hashes={self.hashes}, cohorts={self.cohorts}, {letters})"


def _rows(name: str, given: Any) -> Rows:
    rows = tuple(map(tuple, checks.rows(name, given)))
    if len(rows) != 2 or any(len(row) != 2 for row in rows):
        raise ValueError(
            f"{name} is {checks.show(given)}; allowed are two rows of two whole numbers"
        )
    return rows


def _log(ratio: Fraction) -> float:
    return log_ratio(ratio.numerator, ratio.denominator)
