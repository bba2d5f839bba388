"""Unary encoding: every answer is one bit, and every bit is randomized independently."""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance import binomial, draw
from mechanisms.chance.integers import Den, fit_epsilon, fit_outcome_weight, integer_rows, log_ratio
from mechanisms.chance.simulate import random_bits, uniforms
from mechanisms.checks import BitArray, BoolArray, FloatArray, IntArray, Probability
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.mechanism import Recipe, Seed, format_probability
from mechanisms.designs.wire import Bits
from mechanisms.estimation.constrained import clipped, norm_sub
from mechanisms.estimation.decoding import Select
from mechanisms.estimation.tallies import Tally

SYMMETRIC_SOURCE = (
    "Erlingsson, Ú., Pihur, V., & Korolova, A. (2014). RAPPOR: Randomized aggregatable"
    " privacy-preserving ordinal response. ACM Conference on Computer and Communications Security,"
    " 1054–1067."
)
OPTIMIZED_SOURCE = (
    "Wang, T., Blocki, J., Li, N., & Jha, S. (2017). Locally differentially private protocols for"
    " frequency estimation. USENIX Security Symposium, 729–745."
)


def symmetric_formula(bits: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    """
    Return p and q of symmetric unary encoding, as real numbers.

    Each bit has the part epsilon / bits of the privacy loss. With e = exp(epsilon / bits) they are
    p = e / (e + 1) and q = 1 / (e + 1).

    Parameters
    ----------
    bits : int
        The number of bits in which two truths can differ: 2 for one choice, and the number of
        answers for a multiple selection.
    epsilon : ndarray of float64
        The epsilons, of any shape.

    Returns
    -------
    p, q : ndarray of float64
        The probabilities that the bit of an answer is set if it is true, and if it is not.
    """
    e = np.exp(epsilon / bits)
    return e / (e + 1), 1 / (e + 1)


def optimized_formula(size: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    """
    Return p and q of optimized unary encoding, as real numbers.

    They are p = 1/2 and q = 1 / (exp(epsilon) + 1).

    Parameters
    ----------
    size : int
        The number of answers. The probabilities do not depend on it.
    epsilon : ndarray of float64
        The epsilons, of any shape.

    Returns
    -------
    p, q : ndarray of float64
        The probabilities that the bit of an answer is set if it is true, and if it is not.
    """
    e = np.exp(epsilon)
    return np.full_like(e, 0.5), 1 / (e + 1)


class UnaryEncoding(BitMechanism):
    """
    One bit for each answer, set with probability p if the answer is true, and otherwise with q.

    For one choice, two truths differ in two bits, and epsilon is
    abs(ln(p (1 - q) / ((1 - p) q))). For a multiple selection they can differ in all bits, and
    epsilon is size * max(abs(ln(p / q)), abs(ln((1 - q) / (1 - p)))).

    Parameters
    ----------
    size : int
        The number of answers, at least 2.
    p, q : str, float, Fraction or Decimal
        Two different probabilities.
    select : "one" or "any", default "one"
        "any" for a multiple selection.
    den : int, optional
        The denominator, by default the least common one of p and q.

    Attributes
    ----------
    rows : tuple of tuples of int
        The weights ``rows[bit][reported bit]``, where the bit of a true answer is 1.

    References
    ----------
    Erlingsson, Ú., Pihur, V., & Korolova, A. (2014). RAPPOR. ACM CCS 2014.
    Wang, T. et al. (2017). Locally differentially private protocols for frequency estimation.
    USENIX Security 2017, section 4.
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
        self.p = checks.probability("p", p)
        self.q = checks.probability("q", q)
        if self.p == self.q:
            raise ValueError(
                f"p is {self.p} and q is {self.q}; allowed are different ones, else nothing can be"
                " estimated"
            )
        checks.one_of("select", select, ("one", "any"))
        self.select = select
        self.rows, self.den = integer_rows(self.probabilities(), den)

    @classmethod
    def symmetric(
        cls, size: int, epsilon: float, select: Select = "one", *, den: Den = checks.MAX_DEN
    ) -> "UnaryEncoding":
        """
        Return the mechanism with p = 1 - q (basic RAPPOR) for an epsilon.

        A bit is flipped with probability q = 1 / (e^(epsilon / d) + 1), where d is the number of
        bits in which two truths can differ: 2 for one choice, and `size` for a multiple selection.

        Parameters
        ----------
        size : int
            The number of answers.
        epsilon : float
            The declared epsilon, above 0. The realized one is never above it.
        select : "one" or "any", default "one"
            "any" for a multiple selection.
        den : int or "survey", default 2**32
            The denominator. "survey" chooses the smallest of 4, 6, 10, 100, ... with 0.99 of the
            declared epsilon.

        Returns
        -------
        UnaryEncoding
            The mechanism.

        Raises
        ------
        ValueError
            If an argument is not allowed, or if `den` cannot express such an epsilon.
        """
        checks.one_of("select", select, ("one", "any"))
        if select == "any":
            flip, den = fit_outcome_weight(epsilon, den, bits=checks.size(size))
        else:
            flip, den = _fit_one_choice(epsilon, den)
        return cls(size, f"{den - flip}/{den}", f"{flip}/{den}", select, den=den)

    @classmethod
    def optimized(cls, size: int, epsilon: float, *, den: Den = checks.MAX_DEN) -> "UnaryEncoding":
        """
        Return the mechanism with p = 1/2 and q = 1 / (e^epsilon + 1), for one choice.

        Parameters
        ----------
        size : int
            The number of answers.
        epsilon : float
            The declared epsilon, above 0. The realized one is never above it.
        den : int or "survey", default 2**32
            The denominator, as in `symmetric`.

        Returns
        -------
        UnaryEncoding
            The mechanism.

        Raises
        ------
        ValueError
            If an argument is not allowed, or if `den` cannot express such an epsilon.

        References
        ----------
        Wang, T. et al. (2017). Locally differentially private protocols for frequency estimation.
        USENIX Security 2017. (Optimized unary encoding, OUE.)
        """
        # With p = 1/2 the bit of the true answer is a fair coin, and p / (1 - p) is 1. So epsilon
        # is ln((1 - q) / q), and only q has to be fitted.
        flip, den = fit_outcome_weight(epsilon, den)
        return cls(size, "1/2", f"{flip}/{den}", den=den)

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        """Return the recipes by which planning creates unary encoding from an epsilon.

        They are symmetric and optimized unary encoding for one choice, and symmetric unary encoding
        for a multiple selection. Planning compares them with the recipes of other designs.
        """

        # The class takes p and q instead of an epsilon, so each recipe calls its own constructor.
        def create_optimized(size: int, epsilon: float, den: Den) -> "UnaryEncoding":
            """Return optimized unary encoding of one choice, with p = 1/2, for an epsilon."""
            return cls.optimized(size, epsilon, den=den)

        def create_symmetric(size: int, epsilon: float, den: Den) -> "UnaryEncoding":
            """Return symmetric unary encoding of one choice, with p = 1 - q, for an epsilon."""
            return cls.symmetric(size, epsilon, den=den)

        def create_multiple(size: int, epsilon: float, den: Den) -> "UnaryEncoding":
            """Return symmetric unary encoding of a multiple selection for an epsilon."""
            return cls.symmetric(size, epsilon, "any", den=den)

        def one_choice_formula(size: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
            """Return p and q of symmetric unary encoding of one choice, as real numbers."""
            # Whatever the size, two truths differ in two bits.
            return symmetric_formula(2, epsilon)

        symmetric = Recipe(
            name="unary symmetric",
            select="one",
            make=create_symmetric,
            formula=one_choice_formula,
            ease=4,
        )
        optimized = Recipe(
            name="unary optimized",
            select="one",
            make=create_optimized,
            formula=optimized_formula,
            ease=3,
        )
        multiple = Recipe(
            name="unary symmetric",
            select="any",
            make=create_multiple,
            formula=symmetric_formula,
            ease=4,
        )
        return symmetric, optimized, multiple

    @property
    def merit(self) -> str:  # type: ignore[override]
        """A sentence with the advantages of this mechanism, for its recommendation in planning."""
        if self.select == "any":
            return (
                "Every mark is scrambled with an equal part of epsilon; pairs of marks can be"
                " estimated too."
            )
        return (
            "The report is one bit per answer; its error hardly depends on the number of answers."
        )

    @property
    def title(self) -> str:  # type: ignore[override]
        """The title of the design for people: "symmetric" if p + q = 1, "optimized" if p = 1/2."""
        if self.p + self.q == 1:
            return "Unary encoding, symmetric"
        if 2 * self.p == 1:
            return "Unary encoding, optimized"
        return "Unary encoding"

    @property
    def source(self) -> str:  # type: ignore[override]
        """The publication that describes the design: another one if p + q = 1 than otherwise."""
        return SYMMETRIC_SOURCE if self.p + self.q == 1 else OPTIMIZED_SOURCE

    @property
    def parameter_texts(self) -> dict[str, str]:
        """The probabilities p and q as texts, by name, for pages about a question."""
        return {"p": str(self.p), "q": str(self.q)}

    def in_words(self) -> str:
        """Describe what happens to a true answer, as a part of a sentence.

        The methods text of a survey report quotes it, with the probabilities p and q that the bit
        of an answer is set if it is true, and if it is not.
        """
        p, q = format_probability(self.p), format_probability(self.q)
        return (
            f"{self.size} bits, the bit of a chosen answer set with probability {p}, that of any"
            f" other with {q}"
        )

    def describe_probabilities(self) -> list[str]:
        """Describe the exact probabilities of a bit, as lines of Markdown for codebooks."""
        (_, weight_if_false), (_, weight_if_true) = self.rows
        return [
            "The mark of a choice that is true is sent as 1 with probability"
            f" {weight_if_true}/{self.den}, any other mark with probability"
            f" {weight_if_false}/{self.den}."
        ]

    @property
    def description(self) -> str:  # type: ignore[override]
        """A sentence about the design, for one choice or for several."""
        answers = "the chosen answer" if self.select == "one" else "the chosen answers"
        return (
            f"Every answer is one bit, set for {answers}; each bit is turned over with a known"
            " probability."
        )

    @property
    def constrained_by(self) -> str:  # type: ignore[override]
        """The name of the method of `constrain`: Norm-Sub for one choice, or else clipping."""
        return "Norm-Sub" if self.select == "one" else "clipping to [0, 1]"

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss of one report, from the weights of its bits.

        For one choice, two truths differ in two bits, and it is abs(ln(p (1 - q) / ((1 - p) q))).
        For a multiple selection, all bits can differ, and it is `size` times the larger loss of one
        bit: abs(ln(p / q)) if the bit is set, or abs(ln((1 - q) / (1 - p))) if it is not.
        """
        (unset_if_false, set_if_false), (unset_if_true, set_if_true) = self.rows
        if self.select == "one":
            return abs(log_ratio(set_if_true * unset_if_false, unset_if_true * set_if_false))
        loss_if_set = abs(log_ratio(set_if_true, set_if_false))
        loss_if_unset = abs(log_ratio(unset_if_false, unset_if_true))
        return self.size * max(loss_if_set, loss_if_unset)

    def spec(self) -> dict[str, Any]:
        """Return the specification of this mechanism: its integers, as a dictionary for JSON.

        They are the size, `den` and the rows of weights, next to `select`. Published surveys store
        it, and `from_spec` is the inverse.
        """
        return {
            "kind": "unary",
            "select": self.select,
            "size": self.size,
            "den": self.den,
            "rows": [list(row) for row in self.rows],
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "UnaryEncoding":
        """Return the mechanism of a specification. Raises ValueError if it is not allowed.

        It is the inverse of `spec`. The rows are two pairs of weights that sum to `den`, of which
        the second weight is that of a bit that is set: q for row 0, and p for row 1.
        """
        rows = checks.rows("rows", spec["rows"])
        den = checks.denominator(spec["den"])
        lengths = [len(row) for row in rows]
        sums = [sum(row) for row in rows]
        if lengths != [2, 2] or sums != [den, den]:
            raise ValueError(
                f"rows is {rows}; allowed are two rows of two whole numbers that sum to den = {den}"
            )
        p = f"{rows[1][1]}/{den}"
        q = f"{rows[0][1]}/{den}"
        return cls(spec["size"], p, q, spec["select"], den=den)

    def randomize_one(self, truth: int | Sequence[int], next_uint32: draw.NextUint32) -> str:
        """
        Draw one report, as the browser draws it from the same random integers.

        Parameters
        ----------
        truth : int or sequence of int
            The code of the true answer; for a multiple selection a list of different codes.
        next_uint32 : callable
            Returns the next random word, an integer from 0 to 2**32 - 1.

        Returns
        -------
        str
            The characters 0 and 1, one for each answer.

        Raises
        ------
        ValueError
            If the truth is not possible.
        """
        if self.select == "any":
            true_answers = checks.index_set("truth", truth, self.size)
        else:
            code: Any = truth
            true_answers = {checks.whole("truth", code, 0, self.size - 1)}

        bits = []
        for answer in range(self.size):
            row = self.rows[answer in true_answers]
            bits.append(str(draw.sample_index(row, self.den, next_uint32)))
        return "".join(bits)

    def randomize_packed(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        """
        Draw reports for many truths at once, with eight answers packed into each byte.

        Parameters
        ----------
        truths : array_like of int, shape (n,) or (n, size)
            The codes of the true answers; for a multiple selection rows of 0 and 1.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.

        Returns
        -------
        ndarray of uint8, shape (n, ceil(size / 8))
            The packed reports.
        """
        generator = checks.generator(rng)
        if self.select == "any":
            true_bits = np.packbits(checks.bits("truths", truths, self.size), axis=1)
            # Every bit is drawn twice, once for each possible truth. The actual truth decides which
            # of the two is reported.
            if_true = self._random_bits(generator, 1, len(true_bits))
            if_false = self._random_bits(generator, 0, len(true_bits))
            reports = (true_bits & if_true) | (~true_bits & if_false)
            return self._clear_padding(reports)

        answers = checks.indices("truths", truths, self.size)
        # All bits are drawn as those of answers that are not true; then the true ones are replaced.
        reports = self._random_bits(generator, 0, answers.size)
        weight_of_unset = self.rows[1][0]
        truth_bits = uniforms(generator, self.den, answers.size) >= weight_of_unset
        _write_truth_bits(reports, answers, truth_bits)
        return self._clear_padding(reports)

    def _random_bits(self, generator: np.random.Generator, true_bit: int, rows: int) -> BitArray:
        """Draw packed rows in which every bit is randomized from the same true bit.

        true_bit: 1 if the answers are true, and 0 if they are not.
        rows: the number of rows. Each has ceil(size / 8) bytes.
        """
        return random_bits(
            generator,
            weight=self.rows[true_bit][1],
            den=self.den,
            rows=rows,
            width=-(-self.size // 8),
        )

    def _clear_padding(self, reports: BitArray) -> BitArray:
        """Set the bits after the last answer to 0, in place, and return the reports.

        reports: packed reports of whole bytes of random bits, shape (n, ceil(size / 8)).

        If `size` is not a multiple of 8, the last bits of the last byte belong to no answer. Code
        that counts or compares packed reports relies on zeros there.
        """
        padding_bits = -self.size % 8
        # A byte with 1 for the bits of answers, which come first, and 0 for the padding.
        answer_mask = np.uint8((0xFF << padding_bits) & 0xFF)
        reports[:, -1] &= answer_mask
        return reports

    def ones_law(self) -> FloatArray | None:
        """
        Return the distribution of the number of bits that are set in a report.

        For one choice, the bit of the true answer is set with probability p, and each of the other
        bits with q. So P(s set bits) = (1 - p) * P(X = s) + p * P(X = s - 1), where X is the number
        of other bits that are set, X ~ Binomial(size - 1, q).

        Returns
        -------
        ndarray of float64, shape (size + 1,), or None
            The probabilities of 0 to `size` set bits. None for a multiple selection, for which
            they depend on the truth.
        """
        if self.select == "any":
            return None
        p, q = float(self.p), float(self.q)
        # The probabilities of 0 to size - 1 other bits that are set.
        others = binomial.pmf(self.size - 1, q)
        if_truth_unset = np.append((1 - p) * others, 0.0)
        if_truth_set = np.append(0.0, p * others)
        law: FloatArray = if_truth_unset + if_truth_set
        return law

    @property
    def max_report_probability(self) -> float:
        """The largest probability of any single report under any truth, for one choice.

        It is max(p, 1 - p) * max(q, 1 - q)^(size - 1): the bits are independent, and in the most
        probable report each of them has its more probable value.
        """
        p, q = float(self.p), float(self.q)
        return max(p, 1 - p) * max(q, 1 - q) ** (self.size - 1)

    def bit_likelihoods(self) -> tuple[float, float]:
        """
        Return the likelihoods of an answer if its bit is set, and if it is not.

        The likelihood is the probability of a report given that the answer is true, compared with a
        report in which no answer is true: p / q and (1 - p) / (1 - q). Both are multiplied by
        q * (1 - q), so that no divisor is 0.

        Returns
        -------
        if_set, if_unset : float
            The likelihoods, without their common factor.
        """
        return float(self.p * (1 - self.q)), float((1 - self.p) * self.q)

    def log_scale(self, ones: FloatArray) -> FloatArray:
        """
        Return the log-likelihood of reports given an answer whose bit is not set.

        For s set bits of k it is the logarithm of q^s * (1 - q)^(k - 1 - s) * (1 - p): the bit of
        the answer is one of those that are not set.

        Parameters
        ----------
        ones : ndarray of float64, shape (n,)
            The number of set bits in each report.

        Returns
        -------
        ndarray of float64, shape (n,)
            The logarithms. They are 0 if one bit can reveal the answer, since the logarithm of
            a probability of 0 cannot be used.
        """
        p, q = float(self.p), float(self.q)
        if not (0 < q < 1 and p < 1):
            return np.zeros_like(ones)
        # The bits that are not set, without the bit of the answer.
        zeros = self.size - 1 - ones
        # np.log1p(-q) is ln(1 - q), without the rounding error of 1 - q.
        scale: FloatArray = ones * np.log(q) + zeros * np.log1p(-q) + np.log1p(-p)
        return scale

    def _maximum(self, packed: BitArray, work: float, times: IntArray | None) -> FloatArray:
        """Return the shares with the largest likelihood, for checked arguments.

        packed, work, times: as for `maximum_likelihood_packed`.

        For a multiple selection, and if q is 0 or 1, there is a formula instead of a search, and
        `work` is not used.
        """
        # The likelihood of each share depends on its own bit alone, so the counts determine it.
        if self.select == "any":
            reports = packed if times is None else np.repeat(packed, times, axis=0)
            return self.constrain(self.tally_packed(reports))
        if 0 < self.q < 1:
            return super()._maximum(packed, work, times)
        return self._maximum_if_certain(packed, times)

    def _maximum_if_certain(self, packed: BitArray, times: IntArray | None) -> FloatArray:
        """Return the maximum likelihood estimate for one choice if q is 0 or 1.

        Raises ValueError if no report reveals an answer, or if one report reveals several.

        packed, times: as for `maximum_likelihood_packed`.

        A bit that differs from q reveals the answer, and a report without such a bit has no
        information. The estimate is the share of each answer among those that were revealed.
        """
        # True for the bits that reveal an answer, shape (n, size).
        reveals = np.unpackbits(packed, axis=1, count=self.size) != int(self.q)
        # How many reports reveal each answer. Without `times`, every row is one report.
        counts = reveals.sum(axis=0) if times is None else times @ reveals
        bits_per_row = reveals.sum(axis=1)
        if (bits_per_row > 1).any() or not counts.any():
            raise ValueError(
                f"reports has rows with {np.unique(bits_per_row)} bits other than q = {self.q}; "
                "allowed is at most one in each row, and one in some row"
            )
        shares: FloatArray = counts / counts.sum()
        return shares

    def _has_possible_counts(self, tally: Tally) -> bool:
        """Return True: the bits are independent, so the counts need not have a certain sum."""
        return True

    def least_variance(self, scores: FloatArray) -> float:
        """Return the smallest variance, over all truths, of one report's weight.

        scores: the score of each answer, shape (size,). The weight of a report, its contribution to
        the unbiased mean score, is the sum of its decoded bits, each times the score of its answer.

        A bit b decodes to (b - q) / (p - q). Its variance is p * (1 - p) / (p - q)^2 if the answer
        is true, and q * (1 - q) / (p - q)^2 if it is not. The bits are independent, so the variance
        of the sum is the sum of these variances times the squared scores.
        """
        p, q = float(self.p), float(self.q)
        variance_if_true = p * (1 - p) / (p - q) ** 2
        variance_if_false = q * (1 - q) / (p - q) ** 2
        squares = scores**2
        if self.select == "any":
            return float(squares.sum() * min(variance_if_true, variance_if_false))
        # For one choice, exactly one answer is true. Compared with no true answer, it changes the
        # sum by this number, which is computed for each answer.
        changes = squares * (variance_if_true - variance_if_false)
        return float(changes.min() + squares.sum() * variance_if_false)

    def share_covariance(self, tally: Tally) -> FloatArray | None:
        """
        Return the covariance matrix of the bits of one report.

        For one choice it has r_v * (1 - r_v) on the diagonal, for the observed share r_v of an
        answer, and elsewhere -(p - q)^2 * f_u * f_v, for the true shares f_u and f_v: only because
        at most one of two answers is true, their bits are not independent.

        For a multiple selection it has s_uv - r_u * r_v, where s_uv is the share of reports in
        which both bits are set.

        Parameters
        ----------
        tally : Tally
            The tally of all reports. For a multiple selection it needs the pairs.

        Returns
        -------
        ndarray of float64, shape (size, size), or None
            The covariances, which are those of the observed shares times n. None for a multiple
            selection whose tally has no pairs.
        """
        shares = tally.counts / tally.n
        if self.select == "any":
            if tally.pairs is None:
                return None
            return tally.pairs / tally.n - np.outer(shares, shares)

        # The decoded share is (observed share - q) / (p - q). So the observed share minus q is the
        # true share times p - q.
        scaled_true_shares = shares - float(self.q)
        covariance = -np.outer(scaled_true_shares, scaled_true_shares)
        np.fill_diagonal(covariance, shares * (1 - shares))
        return covariance

    def constrain(self, tally: Tally) -> FloatArray:
        """Estimate possible shares: by Norm-Sub for one choice, or else clipped to [0, 1].

        Norm-Sub subtracts the same number from all decoded shares and sets negative ones to 0, so
        that the shares sum to 1.
        """
        proportions = self.decode(tally.counts / tally.n)
        return norm_sub(proportions) if self.select == "one" else clipped(proportions)

    def __repr__(self) -> str:
        return (
            f"UnaryEncoding(size={self.size}, p='{self.p}', q='{self.q}', select={self.select!r})"
        )


def _fit_one_choice(declared: float, den: Den) -> tuple[int, int]:
    """Return the smallest weight of a flipped bit for one choice, and the denominator.

    Two truths differ in two bits, as if `fit_outcome_weight` had bits = 2. But the epsilon of the
    mechanism is the logarithm of one exact ratio, (stay / flip)^2, and twice the logarithm of
    stay / flip can differ from it in the last digit. The two must agree if the declared epsilon is
    a realized one, such as 2 * ln 3.
    """

    def realized_epsilon(flip: int, den: int) -> float:
        """Return the epsilon 2 * ln(stay / flip), or -inf if the flip leaves nothing of `den`."""
        stay = max(den - flip, 0)
        return log_ratio(stay * stay, flip * flip)

    def unrounded_weight(exp_epsilon: float, den: int) -> float:
        """Return the weight of a flip as a real number, den / (1 + exp(epsilon / 2))."""
        # The weight of a bit that stays is exp_epsilon_of_bit times as large. Both sum to `den`.
        exp_epsilon_of_bit: float = exp_epsilon ** (1 / 2)
        return den / (1 + exp_epsilon_of_bit)

    return fit_epsilon(declared, den, realized_epsilon, unrounded_weight)


def _write_truth_bits(reports: BitArray, answers: IntArray, bits: BoolArray) -> None:
    """Write the bit of the true answer into each packed report, in place.

    reports: shape (n, ceil(size / 8)).
    answers: the codes of the true answers, shape (n,).
    bits: their bits, shape (n,).
    """
    # The reports are one flat array of bytes, in which the index of a byte is a single number.
    flat = reports.reshape(-1)
    bytes_per_report = reports.shape[1]
    byte_indexes = np.arange(len(reports)) * bytes_per_report + answers // 8
    # numpy.packbits puts the first of eight answers into the highest bit of a byte, 128.
    masks = np.uint8(128) >> (answers % 8).astype(np.uint8)

    other_bits = flat[byte_indexes] & ~masks
    flat[byte_indexes] = other_bits | np.where(bits, masks, np.uint8(0))


@lru_cache(maxsize=64)
def identity_mechanism(size: int) -> UnaryEncoding:
    """
    Return the mechanism that sends answers unchanged, with p = 1 and q = 0.

    With it, a question that is asked directly is estimated by the same code as a randomized one.
    The result is cached, so the same object is returned for the same size.

    Parameters
    ----------
    size : int
        The number of answers.

    Returns
    -------
    UnaryEncoding
        The mechanism. Its epsilon is infinite.
    """
    return UnaryEncoding(size, 1, 0)
