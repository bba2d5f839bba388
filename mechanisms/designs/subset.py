"""Subset selection: the report is a set of answers.

The true answer is in the set with a higher probability than each of the others.
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
from mechanisms.chance.integers import Den, exp_capped, fit_group_weight, log_ratio
from mechanisms.chance.simulate import random_bits, slices, uniforms
from mechanisms.checks import BitArray, FloatArray, IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.mechanism import Recipe, Seed, format_probability
from mechanisms.designs.wire import Bits
from mechanisms.estimation.constrained import norm_sub
from mechanisms.estimation.tallies import Tally


class SubsetSelection(BitMechanism):
    """
    The report is a set of `width` answers, with the true one in it with probability keep / den.

    The other members of the set are drawn uniformly. In an array, the set is a row of bits: 1 for
    its members and 0 for all other answers.

    Parameters
    ----------
    size : int
        The number of answers, at least 2.
    epsilon : float
        The declared epsilon, above 0. The realized one is never above it.
    width : int, optional
        The number of members of a set, from 1 to size - 1. By default it is the one with the least
        total squared error (`best_width`).
    den : int or "survey", default 2**32
        The denominator. "survey" chooses the smallest of 4, 6, 10, 100, ... with 0.99 of the
        declared epsilon.

    Attributes
    ----------
    keep : int
        The weight of all sets with the true answer together, out of `den`.

    References
    ----------
    Ye, M., & Barg, A. (2018). Optimal schemes for discrete distribution estimation under locally
    differential privacy. IEEE Transactions on Information Theory, 64(8), 5662-5676.
    Wang, S. et al. (2016). Mutual information optimally local private discrete distribution
    estimation. arXiv:1607.08025.
    """

    kind = name = "subset"
    wire: Bits
    keys = frozenset({"kind", "size", "width", "den", "keep"})
    source = (
        "Ye, M., & Barg, A. (2018). Optimal schemes for discrete distribution estimation under"
        " locally differential privacy. IEEE Transactions on Information Theory, 64(8), 5662–5676."
    )
    title = "Subset selection"
    description = (
        "A set of answers is reported; the true one is in it with a known probability, the others"
        " by chance."
    )
    constrained_by = "Norm-Sub"

    def __init__(
        self, size: int, epsilon: float, width: int | None = None, *, den: Den = checks.MAX_DEN
    ) -> None:
        size = checks.size(size)
        if width is None:
            width = best_width(size, epsilon)
        width = checks.whole("width", width, 1, size - 1)
        # The outcomes of the randomization are sets. Of all sets, the share with the true answer is
        # width / size, and these are the likely ones. `drop` is the weight of all others together.
        drop, den = fit_group_weight(epsilon, den, near=width, outcomes=size)
        self._set(size, width, den - drop, den)

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        """Return the recipe by which planning creates subset selection from an epsilon.

        Planning compares it with the recipes of other designs for the same question.
        """

        # The third argument of the class is `width`, but the third one of a recipe is `den`.
        def create(size: int, epsilon: float, den: Den) -> "SubsetSelection":
            """Return the mechanism for an epsilon, with the best width."""
            return cls(size, epsilon, den=den)

        recipe = Recipe(name="subset", select="one", make=create, formula=probabilities_for, ease=2)
        return (recipe,)

    @property
    def merit(self) -> str:  # type: ignore[override]
        """A sentence with the advantages of this mechanism, for its recommendation in planning."""
        if self.width == 1:
            return "With sets of one answer it is the same as direct encoding."
        return (
            f"The report is a set of {self.width} answers; never worse than the others, up to"
            " rounding."
        )

    @classmethod
    def from_integers(cls, size: int, width: int, keep: int, den: int) -> "SubsetSelection":
        """
        Return the mechanism with exactly these integers, after checking them.

        `from_spec` restores stored mechanisms with it. The class itself fits the integers to an
        epsilon.

        Parameters
        ----------
        size : int
            The number of answers.
        width : int
            The number of members of a set.
        keep, den : int
            The true answer is in the set with probability ``keep / den``.

        Returns
        -------
        SubsetSelection
            The mechanism.

        Raises
        ------
        ValueError
            If a number is out of its range, or if keep / den = width / size, because then nothing
            can be estimated.
        """
        size = checks.size(size)
        den = checks.denominator(den)
        width = checks.whole("width", width, 1, size - 1)
        keep = checks.whole("keep", keep, 0, den)
        if keep * size == width * den:
            raise ValueError(
                f"keep is {keep}; allowed is any but den * width / size, else nothing can be"
                " estimated"
            )
        # `__init__` would fit the integers to an epsilon, so it is not called.
        self = cls.__new__(cls)
        self._set(size, width, keep, den)
        return self

    def _set(self, size: int, width: int, keep: int, den: int) -> None:
        """Set the attributes, and the probabilities p and q that follow from them.

        An answer is in the set with probability p = keep / den if it is true, and otherwise with
        q = (width - p) / (size - 1).
        """
        self.size = size
        self.width = width
        self.keep = keep
        self.den = den
        self.p = Fraction(keep, den)
        # A set has `width` members. On average p of them is the true answer, so the other
        # size - 1 answers share width - p members equally.
        self.q = (width - self.p) / (size - 1)

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss of one report: the log ratio of the probabilities of two sets.

        For k = size, w = width and p = keep / den, a set with the true answer has the probability
        p / C(k - 1, w - 1), and any other set has (1 - p) / C(k - 1, w). Their ratio is
        p * (k - w) / ((1 - p) * w).
        """
        drop = self.den - self.keep
        return abs(log_ratio(self.keep * (self.size - self.width), drop * self.width))

    @property
    def parameter_texts(self) -> dict[str, str]:
        """The number of members of a set as a text, by its name, for pages about a question."""
        return {"size of the group": str(self.width)}

    def in_words(self) -> str:
        """Describe what happens to a true answer, as a part of a sentence.

        The methods text of a survey report quotes it, with the probabilities p and q that an
        answer is in the set if it is true, and if it is not.
        """
        p, q = format_probability(self.p), format_probability(self.q)
        return (
            f"{self.width} of {self.size} answers are reported together, the chosen one among them"
            f" with probability {p}, each other with {q}"
        )

    def describe_probabilities(self) -> list[str]:
        """Describe the exact probabilities of a set, as lines of Markdown for codebooks."""
        return [
            f"A report marks {self.width} of {self.size} choices. The true one is among them with"
            f" probability {self.keep}/{self.den}; the others are drawn evenly."
        ]

    def spec(self) -> dict[str, Any]:
        """Return the specification of this mechanism: its integers, as a dictionary for JSON.

        They are the size, the width, `keep` and `den`. Published surveys store it, and `from_spec`
        is the inverse.
        """
        return {
            "kind": "subset",
            "size": self.size,
            "width": self.width,
            "den": self.den,
            "keep": self.keep,
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "SubsetSelection":
        """Return the mechanism of a specification. Raises ValueError if it is not allowed.

        It is the inverse of `spec`, and checks the integers as `from_integers` does.
        """
        return cls.from_integers(spec["size"], spec["width"], spec["keep"], spec["den"])

    def randomize_one(self, truth: int, next_uint32: draw.NextUint32) -> str:
        """
        Draw one report, as the browser draws it from the same random integers.

        The first draw decides whether the true answer is in the set. Then the other members are
        drawn.

        Parameters
        ----------
        truth : int
            The code of the true answer.
        next_uint32 : callable
            Returns the next random word, an integer from 0 to 2**32 - 1.

        Returns
        -------
        str
            The characters 0 and 1, one for each answer, with `width` ones.

        Raises
        ------
        ValueError
            If the truth is not a code from 0 to size - 1.
        """
        truth = checks.whole("truth", truth, 0, self.size - 1)
        has_truth = draw.uniform(self.den, next_uint32) < self.keep
        others = [answer for answer in range(self.size) if answer != truth]
        other_count = self.width - 1 if has_truth else self.width
        members = set(draw.sample(others, other_count, next_uint32))
        if has_truth:
            members.add(truth)
        return "".join("1" if answer in members else "0" for answer in range(self.size))

    def randomize_packed(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        """
        Draw reports for many truths at once, with eight answers packed into each byte.

        Parameters
        ----------
        truths : array_like of int, shape (n,)
            The codes of the true answers, from 0 to size - 1.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.

        Returns
        -------
        ndarray of uint8, shape (n, ceil(size / 8))
            The packed reports. Each has `width` ones.
        """
        generator = checks.generator(rng)
        answers = checks.indices("truths", truths, self.size)
        packed = np.empty((answers.size, -(-self.size // 8)), dtype=np.uint8)
        for part in slices(answers.size, self.size):
            packed[part] = np.packbits(self._random_sets(answers[part], generator), axis=1)
        return packed

    def _random_sets(self, truths: IntArray, rng: np.random.Generator) -> BitArray:
        """Draw the reported sets, as bits of shape (n, size).

        truths: the codes of the true answers, shape (n,).

        Shuffling the answers of every respondent would take `size` draws each. Instead, every
        answer becomes a member independently, with about the right probability. Then random
        members are added or removed until the set has its width. The sets stay uniform: given
        their number, independent members are, and adding or removing one uniformly keeps them so.
        """
        rows = np.arange(len(truths))
        # An answer that is not true should be a member with probability `member_probability`. The
        # closest multiple of 1/16 is used, but neither 0 nor 1. It can be rough, since the sets are
        # corrected below, and `random_bits` is fast for few different probabilities.
        expected_others = self.width - float(self.p)
        member_probability = expected_others / (self.size - 1)
        sixteenths = max(1, min(15, round(16 * member_probability)))
        bytes_per_set = -(-self.size // 8)
        packed = random_bits(rng, weight=sixteenths, den=16, rows=len(truths), width=bytes_per_set)
        sets = np.unpackbits(packed, axis=1, count=self.size)

        # The true answer has its own probability, so it is taken out until the others are drawn.
        has_truth = uniforms(rng, self.den, len(truths)) < self.keep
        sets[rows, truths] = 0
        missing = self.width - has_truth - sets.sum(axis=1, dtype=np.int64)
        _add_or_remove_members(sets, truths, missing, rng)
        sets[rows, truths] = has_truth
        return sets

    def check_rows(self, packed: BitArray) -> None:
        """Check that every packed row has `width` ones. Raises ValueError if not.

        packed: the packed reports, shape (n, ceil(size / 8)).
        """
        ones = np.bitwise_count(packed).sum(axis=1, dtype=np.int64)
        is_impossible = ones != self.width
        if is_impossible.any():
            first = ones[is_impossible][0]
            raise ValueError(
                f"reports holds a row with {first} ones; allowed is width = {self.width}"
            )

    @property
    def max_report_probability(self) -> float:
        """The largest probability of any single report under any truth.

        For k = size, w = width and p = keep / den, a set with the true answer has the probability
        p / C(k - 1, w - 1), and any other set has (1 - p) / C(k - 1, w).
        """
        k, w, p = self.size, self.width, float(self.p)
        return max(p / comb(k - 1, w - 1), (1 - p) / comb(k - 1, w))

    def bit_likelihoods(self) -> tuple[float, float]:
        """
        Return the likelihoods of an answer if its bit is set, and if it is not.

        The likelihood is the probability of the report given that the answer is true. For k = size,
        w = width and p = keep / den it is p / C(k - 1, w - 1) if the answer is in the set, and
        (1 - p) / C(k - 1, w) if it is not. Both are multiplied by C(k - 1, w) * w * den. That makes
        them whole numbers, since C(k - 1, w) / C(k - 1, w - 1) = (k - w) / w.

        Returns
        -------
        if_set, if_unset : float
            The likelihoods, without their common factor.
        """
        if_set = float(self.keep * (self.size - self.width))
        if_unset = float((self.den - self.keep) * self.width)
        return if_set, if_unset

    def log_scale(self, ones: FloatArray) -> FloatArray:
        """
        Return the log-likelihood of reports given an answer whose bit is not set.

        It is the logarithm of (1 - p) / C(k - 1, w), with p = keep / den, k = size and w = width.

        Parameters
        ----------
        ones : ndarray of float64, shape (n,)
            The number of set bits in each report.

        Returns
        -------
        ndarray of float64, shape (n,)
            The logarithms. They are 0 if p is 1, because then a bit that is not set rules out an
            answer.
        """
        if self.keep == self.den:
            return np.zeros_like(ones)
        # The number of sets of this width without the answer, which are all equally probable.
        set_count = comb(self.size - 1, self.width)
        return np.full_like(ones, np.log((self.den - self.keep) / self.den / set_count))

    def _has_possible_counts(self, tally: Tally) -> bool:
        """Return whether the counts sum to n times the width, as each set has `width` members."""
        return bool(tally.counts.sum() == tally.n * self.width)

    def least_variance(self, scores: FloatArray) -> float:
        """Return the smallest variance, over all truths, of one report's weight.

        scores: the score of each answer, shape (size,). The weight of a report is its contribution
        to the unbiased mean score. Up to a constant, it is S / (p - q), where S is the sum of the
        scores of the members of the set. So its variance is (E[S^2] - E[S]^2) / (p - q)^2.
        """
        p, q = float(self.p), float(self.q)
        if_one_true, if_none_true = self._pair_probabilities()

        # All arrays have one element for each truth. These are the sums of the scores, and of their
        # squares, of all other answers.
        other_sums = scores.sum() - scores
        other_squares = (scores**2).sum() - scores**2

        # The mean of S^2: for each ordered pair of answers, the product of their scores times the
        # probability that both are members. The four terms are: the truth with itself, the truth
        # with another answer (in both orders), another answer with itself, and two others.
        mean_square = p * scores**2
        mean_square = mean_square + 2 * if_one_true * scores * other_sums
        mean_square = mean_square + q * other_squares
        mean_square = mean_square + if_none_true * (other_sums**2 - other_squares)
        # The mean of S.
        mean = p * scores + q * other_sums
        variances: FloatArray = (mean_square - mean**2) / (p - q) ** 2
        # A rounding error can make a variance of 0 slightly negative.
        return max(float(variances.min()), 0.0)

    def share_covariance(self, tally: Tally) -> FloatArray:
        """
        Return the covariance matrix of the bits of one report.

        For two answers u and v it is s_uv - r_u * r_v, where r_u and r_v are the observed shares
        and s_uv is the probability that both bits are set. With the true shares f_u and f_v, one of
        the two is true with probability f_u + f_v. So s_uv = (f_u + f_v) * a + (1 - f_u - f_v) * b,
        where a and b are the probabilities of both bits if one of the two is true, and if neither
        is. On the diagonal it is r_v * (1 - r_v).

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of float64, shape (size, size)
            The covariances, which are those of the observed shares times n.
        """
        shares = tally.counts / tally.n
        true_shares = self.decode(shares)
        if_one_true, if_none_true = self._pair_probabilities()
        # The share of respondents of whom one of the two answers is true, for each pair.
        sums = true_shares[:, np.newaxis] + true_shares
        joint_shares = sums * if_one_true + (1 - sums) * if_none_true
        covariance = joint_shares - np.outer(shares, shares)
        np.fill_diagonal(covariance, shares * (1 - shares))
        return covariance

    def _pair_probabilities(self) -> tuple[float, float]:
        """Return the probabilities that the bits of two answers are set together.

        The first one is for a pair with the true answer in it, the second one for any other pair.

        For k = size, w = width and p = keep / den: if the truth is in the set, w - 1 members are
        drawn from the k - 1 other answers, and otherwise w of them. Two of k - 1 answers are both
        among m drawn ones with probability m * (m - 1) / ((k - 1) * (k - 2)).
        """
        k, w, p = self.size, self.width, float(self.p)
        if_one_true = p * (w - 1) / (k - 1)
        # The only pair of two answers has the true one in it, and the divisor below would be 0.
        if k == 2:
            return if_one_true, 0.0
        weighted = p * (w - 1) * (w - 2) + (1 - p) * w * (w - 1)
        if_none_true = weighted / ((k - 1) * (k - 2))
        return if_one_true, if_none_true

    def constrain(self, tally: Tally) -> FloatArray:
        """Estimate possible shares from the decoded ones, by Norm-Sub.

        It subtracts the same number from all shares and sets negative ones to 0, so that the shares
        sum to 1.
        """
        return norm_sub(self.decode(tally.counts / tally.n))

    def __repr__(self) -> str:
        return (
            f"SubsetSelection(size={self.size}, epsilon={self.epsilon!r}, width={self.width},"
            f" den={self.den})"
        )


def best_width(size: int, epsilon: float) -> int:
    """
    Return the width of sets with the least total squared error of the estimated shares.

    With e = exp(epsilon) the error is proportional to (w * e + k - w)^2 / (w * (k - w)) for
    k = size and w = width, so the best width is near k / (e + 1).

    Parameters
    ----------
    size : int
        The number of answers.
    epsilon : float
        The declared epsilon, above 0.

    Returns
    -------
    int
        The width, from 1 to size - 1.

    References
    ----------
    Ye, M., & Barg, A. (2018). Optimal schemes for discrete distribution estimation under locally
    differential privacy. IEEE Transactions on Information Theory, 64(8), 5662-5676.
    """
    k = checks.size(size)
    e = exp_capped(checks.epsilon(epsilon))
    width = np.arange(1, k)
    # The logarithm has its minimum at the same width, and does not overflow for a large e.
    log_error = 2 * np.log(width * e + (k - width)) - np.log(width * (k - width))
    return int(width[np.argmin(log_error)])


# The same function for arrays of epsilons.
_best_widths = np.vectorize(best_width, otypes=[np.float64])


def probabilities_for(size: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    """
    Return p and q at the best width, as real numbers.

    For k = size, w = `best_width` and e = exp(epsilon) they are p = w * e / (w * e + k - w) and
    q = (w - p) / (k - 1). Planning compares designs by them.

    Parameters
    ----------
    size : int
        The number of answers.
    epsilon : ndarray of float64
        The epsilons, of any shape.

    Returns
    -------
    p, q : ndarray of float64
        The probabilities that an answer is in the set if it is true, and if it is not.
    """
    w = _best_widths(size, epsilon)
    e = np.exp(epsilon)
    k = checks.size(size)
    p = w * e / (w * e + k - w)
    return p, (w - p) / (k - 1)


def _add_or_remove_members(
    sets: BitArray, truths: IntArray, missing: IntArray, rng: np.random.Generator
) -> None:
    """Add random members to sets, or remove them, but never the true answer. Changes `sets`.

    sets: a row of bits for each set, shape (n, size), with 1 for its members.
    truths: the codes of the true answers, shape (n,).
    missing: how many members each set needs, shape (n,). A negative number of them is removed.

    Each round tries one random answer for every set that is not complete.
    """
    # The sets that are not complete, as indexes of `sets`. The next two arrays belong to them.
    rows = np.flatnonzero(missing)
    # The bit that is looked for: 0 to add a member, and 1 to remove one.
    old_bits = (missing[rows] < 0).astype(np.uint8)
    remaining = np.abs(missing[rows])

    while len(rows):
        answers = rng.integers(0, sets.shape[1], len(rows))
        is_hit = (sets[rows, answers] == old_bits) & (answers != truths[rows])
        sets[rows[is_hit], answers[is_hit]] = 1 - old_bits[is_hit]
        remaining -= is_hit

        is_open = remaining > 0
        rows = rows[is_open]
        old_bits = old_bits[is_open]
        remaining = remaining[is_open]
