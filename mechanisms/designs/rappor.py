"""RAPPOR: a text sets bits of a Bloom filter, and these are randomized in two steps.

The permanent step is done once for each text, and the instantaneous step once for each report.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import (
    Rows,
    fit_epsilon,
    fit_outcome_weight,
    integer_rows,
    log_ratio,
)
from mechanisms.chance.simulate import slices, uniforms
from mechanisms.checks import BitArray
from mechanisms.columns import Missing, text_column
from mechanisms.designs.bloom import filters, positions
from mechanisms.designs.mechanism import Contrast, Seed, format_probability
from mechanisms.designs.texts import TextMechanism, normalize_answer
from mechanisms.designs.wire import Cohorts
from mechanisms.estimation.candidates import Candidates, Counted
from mechanisms.estimation.estimates import Total
from mechanisms.estimation.intervals import normal_quantile, wald

# The numbers of bits, hashes and cohorts.
Size = tuple[int, int, int]
# The largest numbers of bits and of cohorts. A stored report has one byte for the cohort.
MOST_BITS = MOST_COHORTS = 256
MOST_HASHES = 4


class Rappor(TextMechanism):
    """
    A text sets `hashes` of `bits` bits, and two steps randomize every bit independently.

    The row of bits is called a Bloom filter. Each report belongs to a random cohort, which decides
    which bits a text sets. It reveals nothing about the text.

    The result of the permanent step may be stored on the device. Later reports of the same text
    are drawn from it by the instantaneous step alone, and all of them together reveal no more than
    what is stored. `epsilon` is the privacy loss of all these reports, and `epsilon_once` that of
    one report alone. A text that changes is not covered: it costs another epsilon.

    Parameters
    ----------
    bits : int, default 128
        The number of bits, a power of 2 up to 256.
    hashes : int, default 2
        The number of bits that a text sets, up to 4. Some of them may be equal.
    cohorts : int, default 64
        The number of cohorts, up to 256.
    f : str, float, Fraction or Decimal, default "1/2"
        The permanent step flips a bit with probability f / 2.
    p, q : str, float, Fraction or Decimal, default "3/4" and "1/2"
        The instantaneous step reports a bit as 1 with probability p if the permanent step made it
        1, and otherwise with probability q.

    Attributes
    ----------
    permanent, instant : tuple of tuples of int
        The weights ``rows[bit][randomized bit]`` of the two steps.

    References
    ----------
    Erlingsson, Ú., Pihur, V., & Korolova, A. (2014). RAPPOR: Randomized aggregatable
    privacy-preserving ordinal response. ACM CCS 2014, sections 2 and 3.
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
        "Erlingsson, Ú., Pihur, V., & Korolova, A. (2014). RAPPOR: Randomized aggregatable"
        " privacy-preserving ordinal response. Proceedings of the 2014 ACM SIGSAC Conference on"
        " Computer and Communications Security, 1054–1067."
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
        # The permanent step replaces a bit by a fair coin with probability f. Half of these coins
        # show the other side, so a bit is flipped with probability f / 2.
        flip = checks.probability("f", f) / 2
        set_if_1 = checks.probability("p", p)
        set_if_0 = checks.probability("q", q)
        permanent = [[1 - flip, flip], [flip, 1 - flip]]
        instant = [[1 - set_if_0, set_if_0], [1 - set_if_1, set_if_1]]
        # Both steps share one denominator. Rows 0 and 1 are the permanent step, 2 and 3 the other.
        rows, den = integer_rows(permanent + instant)
        self._set((bits, hashes, cohorts), rows[:2], rows[2:], den)

    @classmethod
    def from_epsilon(
        cls,
        epsilon: float,
        ever: float | None = None,
        *,
        bits: int = 128,
        hashes: int = 1,
        cohorts: int = 64,
        den: int = 10**6,
    ) -> "Rappor":
        """
        Return the mechanism for an epsilon of one report, and one of all reports of a text.

        Both steps treat 0 and 1 alike. The realized epsilons are never above the declared ones.

        Parameters
        ----------
        epsilon : float
            The declared privacy loss of one report, above 0. (The attribute `epsilon` of the
            mechanism is that of all reports of a text; that of one report is `epsilon_once`.)
        ever : float, optional
            The declared privacy loss of all reports of one text together, above `epsilon`. By
            default it is twice epsilon.
        bits, hashes, cohorts : int
            The size of the Bloom filter, as for the class.
        den : int, default 10**6
            The denominator.

        Returns
        -------
        Rappor
            The mechanism.

        Raises
        ------
        ValueError
            If `ever` is not above `epsilon`, if the size of the Bloom filter is not allowed, or if
            `den` cannot express the epsilons.
        """
        declared = checks.epsilon(epsilon)
        ever = checks.positive("ever", 2 * declared if ever is None else ever)
        if ever <= declared:
            raise ValueError(
                f"ever is {ever!r}; allowed is above epsilon = {declared!r}, that of one report"
            )
        size = _check_size((bits, hashes, cohorts))
        # The sets of bits of two texts differ in at most 2 * hashes bits, which share epsilon.
        permanent_flip, _ = fit_outcome_weight(ever, den, bits=2 * hashes)
        instant_flip = cls._fit_instant_flip(declared, size, permanent_flip, den)
        return cls._from_flips(size, permanent_flip, instant_flip, den)

    @classmethod
    def _fit_instant_flip(cls, declared: float, size: Size, permanent_flip: int, den: int) -> int:
        """Return the smallest weight of a flip in the instantaneous step.

        declared: the epsilon of one report alone.
        permanent_flip: the weight of a flip in the permanent step.

        A step that flips a bit with probability f keeps it with 1/2 + a, for the advantage
        a = 1/2 - f. Two steps with the advantages a and b keep it with 1/2 + 2 * a * b.
        """
        _, hashes, _ = size
        # The factor 2 * a by which the permanent step weakens the advantage of the other step.
        passed_on = 1 - 2 * permanent_flip / den

        def realized_epsilon(flip: int, den: int) -> float:
            """Return the epsilon of one report, or 0 if nothing could be estimated.

            flip: the weight of a flip in the instantaneous step.
            """
            # A step that flips half of the bits or more is not allowed: nothing could be estimated.
            if 2 * flip >= den:
                return 0.0
            return cls._from_flips(size, permanent_flip, flip, den).epsilon_once

        def unrounded_weight(exp_epsilon: float, den: int) -> float:
            """Return the weight of a flip in the instantaneous step, as a real number."""
            # Two texts differ in up to 2 * hashes bits, and each has an equal part e of epsilon. So
            # both steps together keep a bit with probability 1 / (1 + exp(-e)).
            inverse_of_bit: float = exp_epsilon ** (-0.5 / hashes)
            advantage = 1 / (1 + inverse_of_bit) - 0.5
            # The permanent step weakens an advantage, so the instantaneous step needs a larger one.
            instant_advantage = advantage / passed_on
            return den * (0.5 - instant_advantage)

        flip, _ = fit_epsilon(declared, den, realized_epsilon, unrounded_weight)
        return flip

    @classmethod
    def _from_flips(cls, size: Size, permanent_flip: int, instant_flip: int, den: int) -> "Rappor":
        """Return the mechanism whose two steps flip 0 and 1 alike, with these weights of a flip.

        size: the numbers of bits, hashes and cohorts.
        permanent_flip, instant_flip: the weights of a flip in the two steps, out of `den`.
        """
        permanent = _symmetric_rows(permanent_flip, den)
        instant = _symmetric_rows(instant_flip, den)
        return cls.from_integers(size, permanent, instant, den)

    @classmethod
    def from_integers(cls, size: Size, permanent: Any, instant: Any, den: int) -> "Rappor":
        """
        Return the mechanism with exactly these integers, after checking them.

        `from_spec` restores stored mechanisms with it. The class itself takes probabilities.

        Parameters
        ----------
        size : tuple of int
            The numbers of bits, hashes and cohorts.
        permanent, instant : sequence of sequences of int, shape (2, 2)
            The weights ``rows[bit][randomized bit]`` of the two steps.
        den : int
            The denominator, to which each row sums.

        Returns
        -------
        Rappor
            The mechanism.

        Raises
        ------
        ValueError
            If a number is out of its range, if the permanent step does not treat 0 and 1 alike, or
            if p is not above q.
        """
        # `__init__` takes probabilities instead of integers, so it is not called.
        self = cls.__new__(cls)
        self._set(size, _check_rows("permanent", permanent), _check_rows("instant", instant), den)
        return self

    def _set(self, size: Size, permanent: Rows, instant: Rows, den: int) -> None:
        """Check and set the attributes of a new mechanism. Raises ValueError if one is not allowed.

        permanent, instant: the weights rows[bit][randomized bit] of the two steps.
        """
        self.bits, self.hashes, self.cohorts = _check_size(size)
        self.den = checks.denominator(den)

        for name, rows in (("permanent", permanent), ("instant", instant)):
            if any(sum(row) != self.den for row in rows):
                raise ValueError(
                    f"{name} is {checks.show(rows)}; allowed are two rows that each sum to den ="
                    f" {den}"
                )
        # The step must flip 0 and 1 with the same probability, and less than half of them.
        if permanent[0] != permanent[1][::-1] or permanent[0][0] <= permanent[0][1]:
            raise ValueError(
                f"permanent is {checks.show(permanent)}; allowed is to turn 0 and 1 alike, f below"
                " 1"
            )
        if instant[1][1] <= instant[0][1]:
            raise ValueError(
                f"instant is {checks.show(instant)}; allowed is p above q, else nothing can be"
                " estimated"
            )
        self.permanent = permanent
        self.instant = instant

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss of all reports that are ever drawn from one permanent step.

        It is 2 * hashes * ln(stay / flip): the sets of bits of two texts differ in at most
        2 * hashes bits, and each of these loses the log ratio of staying and being flipped.
        """
        stay, flip = self.permanent[0]
        return 2 * self.hashes * log_ratio(stay, flip)

    @cached_property
    def epsilon_once(self) -> float:
        """The privacy loss of one report alone, if no other report of the text is ever sent."""
        return self.epsilon_of(1)

    def epsilon_of(self, reports: int) -> float:
        """
        Return the privacy loss of several reports of one text, from one permanent step.

        Only the number of reports that set a bit matters. The loss is largest if all of them set
        the bit, or none. In the worst case two texts differ in 2 * hashes bits: `hashes` bits that
        only one of them sets, and as many that only the other one sets. So the loss is `hashes`
        times ln(P(all set | 1) / P(all set | 0)) + ln(P(none set | 0) / P(none set | 1)).

        Parameters
        ----------
        reports : int
            The number of reports, from 1 to 10,000.

        Returns
        -------
        float
            The privacy loss, at most `epsilon`.

        Raises
        ------
        ValueError
            If `reports` is out of its range.
        """
        times = checks.whole("reports", reports, 1, 10_000)
        always_if_0 = self._probability(bit=0, reported=1, times=times)
        always_if_1 = self._probability(bit=1, reported=1, times=times)
        never_if_0 = self._probability(bit=0, reported=0, times=times)
        never_if_1 = self._probability(bit=1, reported=0, times=times)
        loss_of_set_bit = _log(always_if_1 / always_if_0)
        loss_of_unset_bit = _log(never_if_0 / never_if_1)
        return self.hashes * (loss_of_set_bit + loss_of_unset_bit)

    def _probability(self, bit: int, reported: int, times: int) -> Fraction:
        """Return the probability that `times` reports all have the value `reported` for a bit.

        bit: the value of the bit in the Bloom filter, before the permanent step.

        It is the sum, over both results of the permanent step, of their probability times the
        probability of `reported` given the result, to the power of `times`.
        """
        probability = Fraction()
        for weight, instant_row in zip(self.permanent[bit], self.instant, strict=True):
            once = Fraction(instant_row[reported], self.den)
            probability += Fraction(weight, self.den) * once**times
        return probability

    @cached_property
    def set_probabilities(self) -> tuple[Fraction, Fraction]:
        """The probabilities that a bit of a report is 1, if it is 0 in the Bloom filter or 1.

        They are q and p of both steps together, in this order.
        """
        set_if_0 = self._probability(bit=0, reported=1, times=1)
        set_if_1 = self._probability(bit=1, reported=1, times=1)
        return set_if_0, set_if_1

    @property
    def parameter_texts(self) -> dict[str, str]:
        """The parameters f, p and q of the class as texts, by name, for pages about a question."""
        _, flip = self.permanent[0]
        (_, set_if_0), (_, set_if_1) = self.instant
        return {
            "f": str(Fraction(2 * flip, self.den)),
            "p": str(Fraction(set_if_1, self.den)),
            "q": str(Fraction(set_if_0, self.den)),
        }

    def spec(self) -> dict[str, Any]:
        """Return the specification of this mechanism: its integers, as a dictionary for JSON.

        They are the size of the Bloom filter, `den` and the weights of both steps. Published
        surveys store it, and `from_spec` is the inverse.
        """
        return {
            "kind": self.kind,
            "bits": self.bits,
            "hashes": self.hashes,
            "cohorts": self.cohorts,
            "den": self.den,
            "permanent": [list(row) for row in self.permanent],
            "instant": [list(row) for row in self.instant],
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Rappor":
        """Return the mechanism of a specification. Raises ValueError if it is not allowed.

        It is the inverse of `spec`, and checks the integers as `from_integers` does.
        """
        size = spec["bits"], spec["hashes"], spec["cohorts"]
        return cls.from_integers(size, spec["permanent"], spec["instant"], spec["den"])

    def filter(self, text: str, cohort: int) -> str:
        """
        Return the Bloom filter of a text in a cohort, before any randomization.

        Parameters
        ----------
        text : str
            The normalized text.
        cohort : int
            The number of the cohort.

        Returns
        -------
        str
            The characters 0 and 1, with 1 for the bits that the text sets.
        """
        ones = set(positions(text, cohort, self.bits, self.hashes))
        return "".join("1" if index in ones else "0" for index in range(self.bits))

    def draw_permanent(self, text: str, next_uint32: draw.NextUint32) -> str:
        """
        Draw the result of the permanent step, which the device may store.

        It is drawn once for a text. The cohort is drawn first, then the bits.

        Parameters
        ----------
        text : str
            The text as it was typed.
        next_uint32 : callable
            Returns the next random word, an integer from 0 to 2**32 - 1.

        Returns
        -------
        str
            The cohort, a colon and the bits, in the form of a report.

        Raises
        ------
        ValueError
            If the text is not possible.
        """
        normalized = normalize_answer(text)
        cohort = draw.uniform(self.cohorts, next_uint32)
        bits = self._randomize_bits(self.filter(normalized, cohort), self.permanent, next_uint32)
        return f"{cohort}:{bits}"

    def draw_report(self, permanent: str, next_uint32: draw.NextUint32) -> str:
        """
        Draw one report from the result of the permanent step, by the instantaneous step.

        Parameters
        ----------
        permanent : str
            The result of the permanent step, as `draw_permanent` returned it.
        next_uint32 : callable
            Returns the next random word, an integer from 0 to 2**32 - 1.

        Returns
        -------
        str
            The report: the cohort, a colon and the bits.

        Raises
        ------
        ValueError
            If `permanent` does not have the form of a report.
        """
        cohort, bits = self.wire.parts(permanent)
        return f"{cohort}:{self._randomize_bits(bits, self.instant, next_uint32)}"

    def _randomize_bits(self, bits: str, rows: Rows, next_uint32: draw.NextUint32) -> str:
        """Randomize each of the characters 0 and 1 by its row of weights.

        rows: the weights of one step, rows[bit][randomized bit].
        """
        randomized = []
        for bit in bits:
            randomized.append(str(draw.sample_index(rows[int(bit)], self.den, next_uint32)))
        return "".join(randomized)

    def randomize_one(self, truth: str, next_uint32: draw.NextUint32) -> str:
        """
        Draw one report of a text by both steps, as the browser does for a first report.

        The result of the permanent step is not kept.

        Parameters
        ----------
        truth : str
            The text as it was typed.
        next_uint32 : callable
            Returns the next random word, an integer from 0 to 2**32 - 1.

        Returns
        -------
        str
            The report: the cohort, a colon and the bits.

        Raises
        ------
        ValueError
            If the text is not possible.
        """
        return self.draw_report(self.draw_permanent(truth, next_uint32), next_uint32)

    def randomize(
        self,
        truths: Any,
        rng: Seed = None,
        *,
        labels: None = None,
        missing: Missing = "refuse",
    ) -> list[str]:
        """
        Draw reports for many texts at once, by both steps.

        Parameters
        ----------
        truths : sequence of str
            One text per respondent. A series of pandas or polars is possible too.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.
        labels : None
            Written answers have no labels.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing texts are an error or left out.

        Returns
        -------
        list of str
            One report for each text.
        """
        texts = text_column("truths", truths, missing).values
        return self.wire.reports(self.randomize_stored(texts, rng))

    def randomize_stored(  # type: ignore[override]
        self, truths: Sequence[str], rng: Seed = None
    ) -> BitArray:
        """
        Draw the same reports as `randomize`, as the bytes in which records hold them.

        Parameters
        ----------
        truths : sequence of str
            One text per respondent.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.

        Returns
        -------
        ndarray of uint8, shape (n, 1 + ceil(bits / 8))
            In each row the cohort, then the packed bits.
        """
        generator = checks.generator(rng)
        # Each different text is hashed only once.
        normalized = list(map(normalize_answer, truths))
        texts, text_indexes = np.unique(normalized, return_inverse=True)
        set_bits = filters(texts.tolist(), self.cohorts, self.bits, self.hashes)
        cohorts = uniforms(generator, self.cohorts, len(text_indexes)).astype(np.uint8)

        # The first part has no rows, because without truths there would be nothing to join.
        parts = [np.zeros((0, self.wire.width), np.uint8)]
        for part in slices(len(text_indexes), self.bits):
            set_bits_of_part = set_bits[text_indexes[part], cohorts[part]]
            parts.append(self._draw_packed(set_bits_of_part, generator))
        return np.concatenate([cohorts[:, np.newaxis], np.concatenate(parts)], axis=1)

    def _draw_packed(self, set_bits: NDArray[np.int64], generator: np.random.Generator) -> BitArray:
        """Draw packed bits by both steps, shape (n, ceil(bits / 8)).

        set_bits: the indexes of the bits that each text sets, shape (n, hashes).
        """
        # The Bloom filters before any randomization, with one bit in a cell.
        bits = np.zeros((len(set_bits), self.bits), np.uint8)
        np.put_along_axis(bits, set_bits, 1, axis=1)
        for rows in (self.permanent, self.instant):
            # The weight of a 1 after the step depends on the bit before it, for each cell.
            weights_of_one = np.array([row[1] for row in rows])[bits]
            numbers = uniforms(generator, self.den, bits.shape)
            bits = (numbers < weights_of_one).astype(np.uint8)
        return np.packbits(bits, axis=1)

    def stored_reports(self, reports: Sequence[str]) -> BitArray:
        """Encode reports as records hold them, for `count_candidates`.

        reports: strings of a cohort, a colon and bits. Raises ValueError for any other string.

        The result has the shape (n, 1 + ceil(bits / 8)): the cohort, then the packed bits.
        """
        encoded = b"".join(map(self.wire.encode, reports))
        stored: BitArray = np.frombuffer(encoded, self.wire.field)
        return stored

    def count_candidates(self, column: Any, texts: Sequence[str]) -> Counted:
        """
        Count the reports and the set bits of each cohort.

        `estimate_candidates` needs nothing else. The counts of several parts are added with +.

        Parameters
        ----------
        column : ndarray of uint8, shape (n, 1 + ceil(bits / 8))
            A part of the stored reports.
        texts : sequence of str
            The candidates, which are not used: the counts serve any list of candidates.

        Returns
        -------
        Counted
            The sums have shape (cohorts, 1 + bits): for each cohort the number of its reports,
            then how often each bit is set.
        """
        return Counted(len(column), self.wire.cohort_counts(column))

    def check_candidates(self, texts: Sequence[str]) -> None:
        """Check that the bits of reports can distinguish candidates, or raise ValueError.

        texts: the candidates, normalized and all different.
        """
        # This import takes a tenth of a second, which pages without candidates should not spend.
        from mechanisms.estimation.bloom import require_distinguishable  # noqa: PLC0415

        require_distinguishable(filters(texts, self.cohorts, self.bits, self.hashes), self.bits)

    def estimate_candidates(
        self, counted: Counted, texts: Sequence[str], level: float
    ) -> Candidates:
        """Estimate the shares of candidates, by least squares on the set bits.

        counted, texts, level: as for the base class. Raises ValueError if there are no reports, or
        if reports cannot distinguish the candidates.

        After decoding, the share of ones of a bit is the sum of the shares of all texts that set
        it. These are linear equations for the shares, one for each bit of each cohort.
        """
        # This import takes a tenth of a second, which pages without candidates should not spend.
        from mechanisms.estimation.bloom import least_squares  # noqa: PLC0415

        if not counted.n:
            raise ValueError("counted has n = 0; allowed is at least one report")
        counts = np.asarray(counted.sums).reshape(self.cohorts, 1 + self.bits)
        set_bits = filters(texts, self.cohorts, self.bits, self.hashes)
        q, p = map(float, self.set_probabilities)
        fit = least_squares(counts, set_bits, (q, p))
        # A rounding error can make a variance of 0 slightly negative.
        errors = np.sqrt(np.maximum(fit.covariance.diagonal(), 0))
        fit_intervals = wald(fit.shares, errors, 1 - level / len(texts))
        present = np.flatnonzero(fit_intervals[:, 0] > 0)

        # How many reports support a text: those that set one of its bits, in the mean over its
        # hash functions. Column 0 of the counts, the number of reports, is left out.
        bit_counts = np.take_along_axis(counts[np.newaxis, :, 1:], set_bits, axis=2)
        support_counts = bit_counts.sum(axis=(1, 2)) // self.hashes

        # The share of none of the candidates is 1 minus the sum of the shares. The variance of a
        # sum is the sum of all covariances.
        none_share = float(1 - fit.shares.sum())
        none_error = float(np.sqrt(max(fit.covariance.sum(), 0.0)))
        return Candidates(
            n=counted.n,
            level=level,
            texts=tuple(texts),
            counts=support_counts,
            shares=fit.shares,
            standard_errors=errors,
            intervals=fit_intervals,
            significance=fit.random_text_probabilities(present),
            none=Total(none_share, none_error),
            possible=fit.possible,
        )

    @classmethod
    def variants_for_epsilon(cls, epsilon: float) -> Sequence[TextMechanism]:
        """Return the mechanisms that planning compares: with 1, 2 and 4 hash functions.

        epsilon: the privacy loss of one report, for all of them.
        """
        return [cls.from_epsilon(epsilon, hashes=hashes) for hashes in (1, 2, 4)]

    def comparison_note(self, more: float) -> str:
        """Return what planning says about this design next to the best one, in English.

        more: the factor by which this design needs more respondents than the best one.
        """
        functions = "one hash function" if self.hashes == 1 else f"{self.hashes} hash functions"
        return (
            f"Needs {more:.1f} times the respondents, with {functions}. Later reports of the same"
            " text can be drawn from what the device keeps; all together have epsilon"
            f" {self.epsilon:.2f}."
        )

    def smallest_detectable_share(self, n: int, candidates: int, level: float = 0.05) -> float:
        """Return the smallest share that n reports can detect, by its normal interval.

        candidates: the number of candidates, among which `level` is divided.
        level: the largest probability that any of the intervals misses its share.

        Half of the interval is z * sqrt(noise / n), for the quantile z of the normal distribution.
        A share is detected if it is larger.
        """
        return normal_quantile(1 - level / candidates) * math.sqrt(self.noise / n)

    @property
    def noise(self) -> float:
        """n times the variance of a small share, from its bits in all cohorts.

        A share is decoded from `hashes` bits, and the share of ones of each bit has the variance
        r * (1 - r) / n. So the result is r * (1 - r) / (hashes * (p - q)^2), where r is the
        probability that a bit is reported as 1 if other texts set it as often as any other bit.
        """
        q, p = map(float, self.set_probabilities)
        # Each hash function of another text misses a bit with probability 1 - 1 / bits.
        set_by_other_text = 1 - (1 - 1 / self.bits) ** self.hashes
        set_share = q + (p - q) * set_by_other_text
        return set_share * (1 - set_share) / (self.hashes * (p - q) ** 2)

    def contrast(self, answer: int = 0) -> Contrast:
        """
        Return the probabilities that a bit of a report is 1.

        Parameters
        ----------
        answer : int, default 0
            Not used.

        Returns
        -------
        Contrast
            The probabilities for a bit that the text sets, and for any other bit.
        """
        set_if_0, set_if_1 = self.set_probabilities
        return Contrast("bits", chosen=set_if_1, other=set_if_0)

    def in_words(self) -> str:
        """Describe what happens to a true answer, as a part of a sentence.

        The methods text of a survey report quotes it, with the probabilities that a bit of a report
        is 1 if the text sets it, and if not.
        """
        q, p = map(format_probability, self.set_probabilities)
        return (
            f"the text sets {self.hashes} of {self.bits} bits; a bit that it sets is reported as 1"
            f" with probability {p}, any other with probability {q}"
        )

    def describe_probabilities(self) -> list[str]:
        """Describe the hashing and both steps exactly, as lines of Markdown for codebooks."""
        stay, flip = self.permanent[0]
        (_, set_if_0), (_, set_if_1) = self.instant
        cohort_line = (
            f"One of {self.cohorts} cohorts is drawn evenly. In it the text sets {self.hashes} of"
            f" {self.bits} bits, those of the first words of"
            ' SHA-256("candor-rappor-1", 0, cohort, 0, text).'
        )
        permanent_line = (
            f"The permanent step keeps each bit with probability {stay}/{self.den} and turns it"
            f" over with {flip}/{self.den}. Its result may be kept on the device."
        )
        instant_line = (
            "The instantaneous step, anew for each report, sets a bit that is then 1 with"
            f" probability {set_if_1}/{self.den} and one that is then 0 with"
            f" {set_if_0}/{self.den}."
        )
        return [cohort_line, permanent_line, instant_line]

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """
        Return the probabilities of one bit of a report, after both steps.

        Returns
        -------
        tuple of tuples of Fraction, 2 x 2
            ``rows[bit of the text][reported bit]``.
        """
        return tuple((1 - probability, probability) for probability in self.set_probabilities)

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}={value!r}" for name, value in self.parameter_texts.items())
        return (
            f"Rappor(bits={self.bits}, hashes={self.hashes}, cohorts={self.cohorts}, {parameters})"
        )


def _symmetric_rows(flip: int, den: int) -> list[list[int]]:
    """Return the weights of a step that flips 0 and 1 alike, rows[bit][randomized bit].

    flip: the weight of a bit that is flipped. One that stays has what is left of `den`.
    """
    return [[den - flip, flip], [flip, den - flip]]


def _check_size(size: Size) -> Size:
    """Return the size of a Bloom filter, or raise ValueError if one of its numbers is not allowed.

    size: the numbers of bits, hashes and cohorts.
    """
    bits, hashes, cohorts = size
    bits = checks.whole("bits", bits, 2, MOST_BITS)
    # A power of 2 has no binary 1 in common with the number below it: 1000 and 0111.
    if bits & (bits - 1):
        raise ValueError(f"bits is {bits}; allowed is a power of 2 from 2 to {MOST_BITS}")
    # `epsilon` assumes two texts that differ in 2 * hashes bits, so there must be as many.
    hashes = checks.whole("hashes", hashes, 1, min(MOST_HASHES, bits // 2))
    cohorts = checks.whole("cohorts", cohorts, 1, MOST_COHORTS)
    return bits, hashes, cohorts


def _check_rows(name: str, value: Any) -> Rows:
    """Return rows of weights as tuples. Raises ValueError unless they have the shape (2, 2).

    name: the name of the argument, for the error.
    """
    rows = tuple(map(tuple, checks.rows(name, value)))
    if len(rows) != 2 or any(len(row) != 2 for row in rows):
        raise ValueError(
            f"{name} is {checks.show(value)}; allowed are two rows of two whole numbers"
        )
    return rows


def _log(ratio: Fraction) -> float:
    """Return the natural logarithm of a fraction; inf or -inf if one of its numbers is 0."""
    return log_ratio(ratio.numerator, ratio.denominator)
