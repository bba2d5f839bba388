"""Written answers by geometry: the hash of a text is a point of a projective space.

A report is a point. Points that are orthogonal to the point of the text are more probable.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import bdtr, bdtrc

from mechanisms import checks
from mechanisms.chance.draw import NextUint32
from mechanisms.chance.integers import Den, exp_capped
from mechanisms.checks import FloatArray, IntArray
from mechanisms.columns import Missing, text_column
from mechanisms.designs.geometry import Geometry
from mechanisms.designs.mechanism import Contrast, Seed, format_probability
from mechanisms.designs.orders import ORDERS, largest_space, variance
from mechanisms.designs.texts import TextMechanism, digest, normalize_answer
from mechanisms.designs.wire import Uncounted
from mechanisms.estimation import intervals
from mechanisms.estimation.candidates import Candidates, Counted
from mechanisms.estimation.estimates import Total
from mechanisms.estimation.orthogonal import Orthogonal
from mechanisms.estimation.projective import Space

# It is hashed before a text, so that a hash made for another purpose is never the same.
HASH_PREFIX = "candor-text-1"
# The share for which the order is chosen: that of a text that nobody wrote.
RARE_TEXT_SHARE = 0.0


class Written(TextMechanism):
    """
    Written answers: the hash of a text is a point of a space, which `Geometry` randomizes.

    A report is a point too. It supports all texts whose points are orthogonal to it. The space has
    as many points as a report of 32 bits can distinguish, so that two candidates hardly ever have
    the same point.

    Parameters
    ----------
    epsilon : float
        The declared epsilon. The realized one is never above it.
    order : int, optional
        The order of the space, by default the prime with the least error for rare texts.
    den : int or "survey", default 2**32
        The denominator. "survey" chooses the smallest of 4, 6, 10, 100, ... with 0.99 of the
        declared epsilon.

    Attributes
    ----------
    points : Geometry
        The mechanism that randomizes points. Its answers are all points of the space.
    p, q : Fraction
        The probabilities that a report supports the true text, and a text with another point.

    References
    ----------
    Feldman, V., Nelson, J., Nguyen, H. L., & Talwar, K. (2022). Private frequency estimation via
    projective geometry. ICML 2022. arXiv:2203.00194.
    """

    kind = name = "written"
    wire: Uncounted
    keys = frozenset({"kind", "order", "dimension", "den", "keep"})
    source = Geometry.source
    title = "Written answers"
    description = (
        "A text is hashed, and a number is sent that speaks for it more often than for any other"
        " text."
    )

    def __init__(
        self, epsilon: float, order: int | None = None, *, den: Den = checks.MAX_DEN
    ) -> None:
        space = best_text_space(float(epsilon)) if order is None else largest_space(order)
        self._set(Geometry(space.points, epsilon, space, den=den))

    @classmethod
    def from_integers(cls, order: int, dimension: int, keep: int, den: int) -> "Written":
        """
        Return the mechanism with exactly these integers, after checking them.

        `from_spec` restores stored mechanisms with it. The class itself fits the integers to an
        epsilon.

        Parameters
        ----------
        order, dimension : int
            The projective space. The order is a prime below 200.
        keep, den : int
            The probability that a report supports the true text is ``keep / den``.

        Returns
        -------
        Written
            The mechanism.

        Raises
        ------
        ValueError
            If a number is out of its range, or if reports do not depend on the truth.
        """
        space = Space(checks.whole("order", order, 2), checks.whole("dimension", dimension, 2, 32))
        points = Geometry.from_integers(
            size=space.points, order=order, dimension=dimension, keep=keep, den=den
        )
        # `__init__` would fit the integers to an epsilon, so it is not called.
        self = cls.__new__(cls)
        self._set(points)
        return self

    def _set(self, points: Geometry) -> None:
        """Set the attributes of a new mechanism from the geometry that randomizes its points."""
        self.points = points
        self.den = points.den
        self.p = points.p
        self.q = points.q

    @property
    def space(self) -> Space:
        """The projective space whose points stand for texts and for reports."""
        return self.points.space

    @property
    def epsilon(self) -> float:
        """The privacy loss of one report: that of the geometry which randomizes the point.

        Hashing a text to a point adds no loss.
        """
        return self.points.epsilon

    @property
    def parameter_texts(self) -> dict[str, str]:
        """The order and the dimension of the space as texts, by name, for pages of a question."""
        return self.points.parameter_texts

    def contrast(self, answer: int = 0) -> Contrast:
        """Return the probabilities that a report supports a text: p if it is true, or else q."""
        return Contrast("text", chosen=self.p, other=self.q)

    def in_words(self) -> str:
        """Describe what happens to a true text, as a part of a sentence.

        The methods text of a survey report quotes it, with the probabilities p and q that a report
        supports the true text, and any other one.
        """
        p, q = format_probability(self.p), format_probability(self.q)
        return (
            "the text is hashed and a whole number is reported, which speaks for it with"
            f" probability {p} and for any other text with {q}"
        )

    def describe_probabilities(self) -> list[str]:
        """Describe the hashing and the exact probabilities, as lines of Markdown for codebooks."""
        space = self.space
        hashing = (
            "The text, in small letters and with one space between words, is hashed with SHA-256;"
            f" the first 8 bytes of “{HASH_PREFIX}”, a zero byte and the text, modulo"
            f" {space.points}, are the number of its point of the projective space of order"
            f" {space.order} and dimension {space.dimension}."
        )
        randomizing = (
            f"With probability {self.points.keep}/{self.den} the report is one of the"
            f" {space.orthogonal} points orthogonal to it, which speak for the text, else one of"
            " the others, evenly."
        )
        return [hashing, randomizing]

    def spec(self) -> dict[str, Any]:
        """Return the specification of this mechanism: its integers, as a dictionary for JSON.

        They are the order and the dimension of the space, `keep` and `den`. Published surveys store
        it, and `from_spec` is the inverse.
        """
        return {
            "kind": self.kind,
            "order": self.space.order,
            "dimension": self.space.dimension,
            "den": self.den,
            "keep": self.points.keep,
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Written":
        """Return the mechanism of a specification. Raises ValueError if it is not allowed.

        It is the inverse of `spec`, and checks the integers as `from_integers` does.
        """
        return cls.from_integers(spec["order"], spec["dimension"], spec["keep"], spec["den"])

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """
        Return the probabilities with which a report supports a text.

        Returns
        -------
        tuple of tuples of Fraction, 2 x 2
            ``rows[is the true text][is supported]``, with 0 for no and 1 for yes.
        """
        return self.points.probabilities()

    @classmethod
    def variants_for_epsilon(cls, epsilon: float) -> Sequence[TextMechanism]:
        """Return the only mechanism that planning compares: the one with the best space."""
        return (cls(epsilon),)

    def comparison_note(self, more: float) -> str:
        """Return what planning says about this design next to the best one.

        more: not used. The sentences do not say how many respondents the design needs.
        """
        return (
            "Tells the smallest shares of rare texts. A report is one number; answering again"
            " reveals as much again."
        )

    def numbers(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Return the number of the point of each normalized text, in the same order.

        Reports cannot distinguish two texts with the same number.
        """
        return tuple(map(self.point, texts))

    def point(self, text: str) -> int:
        """
        Return the number of the point of a text.

        Parameters
        ----------
        text : str
            The normalized text.

        Returns
        -------
        int
            The first 8 bytes of its hash, modulo the number of points.
        """
        return int.from_bytes(digest(HASH_PREFIX, text)[:8], "big") % self.space.points

    def randomize_one(self, truth: str, next_uint32: NextUint32) -> int:
        """Draw one report of a text, as the browser does: the number of a point.

        truth: the text as it was typed. Raises ValueError if it is not possible.
        next_uint32: returns the next random word, an integer from 0 to 2**32 - 1.
        """
        return self.points.randomize_one(self.point(normalize_answer(truth)), next_uint32)

    def randomize(
        self,
        truths: Any,
        rng: Seed = None,
        *,
        labels: None = None,
        missing: Missing = "refuse",
    ) -> IntArray:
        """
        Draw reports for many texts at once, for simulations and teaching.

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
        ndarray of int64, shape (n,)
            The reports, as numbers of points.
        """
        # Each different text is hashed only once.
        texts = text_column("truths", truths, missing).values
        point_by_text = {text: self.point(normalize_answer(text)) for text in set(texts)}
        points = np.array([point_by_text[text] for text in texts], np.int64)
        return self.points.randomize(points, rng)

    def count_candidates(self, column: Any, texts: Sequence[str]) -> Counted:
        """
        Count the reports that support candidates.

        Parameters
        ----------
        column : ndarray of unsigned integers, shape (n,)
            A part of the stored reports.
        texts : sequence of str
            The k candidates, normalized and all different.

        Returns
        -------
        Counted
            The sums have shape (k + 2,): first the number of reports that support each candidate.
            Then come, for the number of candidates that one report supports, its sum over all
            reports and the sum of its squares. In these two sums, candidates with the same point
            count once.
        """
        reports = checks.indices("reports", np.asarray(column), self.space.points)
        points = np.array([self.point(text) for text in texts], np.int64)
        # Candidates with the same point are counted once. `point_indexes` leads from each candidate
        # to its point among the distinct ones.
        distinct_points, point_indexes = np.unique(points, return_inverse=True)
        # For each point the number of reports that are orthogonal to it, and over all reports the
        # sum of the squared numbers of points that each is orthogonal to.
        support = Orthogonal(self.space, distinct_points).count_reports(reports)
        counts_by_candidate = support.counts[point_indexes]
        totals = [support.counts.sum(), support.squares]
        return Counted(len(reports), np.concatenate([counts_by_candidate, totals]))

    def estimate_candidates(
        self, counted: Counted, texts: Sequence[str], level: float
    ) -> Candidates:
        """Estimate the shares of candidates from the counts, with exact intervals.

        counted, texts, level: as for the base class. Raises ValueError if there are no reports.

        The share of a candidate is (r - q) / (p - q), where r is the share of the reports that
        support it. Its standard error is sqrt(r * (1 - r) / n) / abs(p - q). The ends of a Clopper
        and Pearson interval of r are decoded in the same way.
        """
        n = counted.n
        if n == 0:
            raise ValueError("there are no reports; allowed is at least one")
        counts = counted.sums[: len(texts)]
        observed = counts / n
        q = float(self.q)
        slope = float(self.p - self.q)

        shares = (observed - q) / slope
        standard_errors = np.sqrt(observed * (1 - observed) / n) / abs(slope)
        # The level is divided equally among the candidates (Bonferroni). The intervals are those of
        # observed shares; with p below q, decoding exchanges their ends.
        observed_intervals = intervals.exact(counts, n, 1 - level / len(texts))
        decoded_intervals = np.sort((observed_intervals - q) / slope, axis=1)
        # A group of texts with the same point has only one point, whatever its size.
        collisions = self._collisions(texts)
        distinct_points = len(texts) - sum(len(group) - 1 for group in collisions)

        return Candidates(
            n=n,
            level=level,
            texts=tuple(texts),
            counts=counts,
            shares=shares,
            standard_errors=standard_errors,
            intervals=decoded_intervals,
            significance=self._random_text_probabilities(counts, n),
            none=self._estimate_none(counted, distinct_points),
            collisions=collisions,
        )

    def _random_text_probabilities(self, counts: IntArray, n: int) -> FloatArray:
        """Return the probability that a random text fits at least as well as each candidate.

        The number of points that are orthogonal to two points is the same for any two. A report
        therefore supports a text that nobody wrote with probability q, whatever was written
        instead, and the count of such a text is binomial.
        """
        # With p below q, fewer supporting reports speak for a text.
        if self.p < self.q:
            return np.asarray(bdtr(counts, n, float(self.q)))
        return np.asarray(bdtrc(counts - 1, n, float(self.q)))

    def _estimate_none(self, counted: Counted, distinct_points: int) -> Total:
        """Return the share of texts that are none of the candidates, with its standard error.

        distinct_points: the number of points of all candidates, d. Candidates with the same point
        count once.

        The sum of the d shares is (m - d * q) / (p - q), where m is the mean number of candidates
        that a report supports. The share of none is 1 minus this sum. Its error is that of m, the
        standard deviation of that number over sqrt(n), divided by abs(p - q).
        """
        # The sum over all reports of the number of candidates that each supports, and the sum of
        # the squares of this number.
        support_sum, square_sum = counted.sums[-2:]
        mean = float(support_sum) / counted.n
        mean_square = float(square_sum) / counted.n
        slope = float(self.p - self.q)
        error = np.sqrt(max(mean_square - mean**2, 0.0) / counted.n) / abs(slope)
        share = 1 - (mean - distinct_points * float(self.q)) / slope
        return Total(share, float(error))

    def _collisions(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Return the groups of two or more texts with the same point, as indexes of `texts`.

        No report can distinguish the texts of a group, so results name them.
        """
        indexes_by_point: dict[int, list[int]] = {}
        for index, text in enumerate(texts):
            indexes_by_point.setdefault(self.point(text), []).append(index)
        return tuple(tuple(group) for group in indexes_by_point.values() if len(group) > 1)

    def smallest_detectable_share(self, n: int, candidates: int, level: float = 0.05) -> float:
        """Return the smallest share whose exact interval lies above 0, or NaN if there is none.

        n: the number of reports.
        candidates: the number of candidates, among which `level` is divided.
        level: the largest probability that any of the intervals misses its share.
        """
        checks.whole("n", n, 1)
        level_of_one = level / checks.whole("candidates", candidates, 1)
        q = float(self.q)
        slope = float(self.p - self.q)
        return float(intervals.smallest_estimate_above_zero(q, slope, n, level_of_one))

    @property
    def noise(self) -> float:
        """n times the variance of the share of a text that nobody wrote: q (1 - q) / (p - q)^2.

        A report supports such a text with probability q. Planning compares designs by it.
        """
        return float(self.q * (1 - self.q) / (self.p - self.q) ** 2)

    def __repr__(self) -> str:
        return f"Written(epsilon={self.epsilon!r}, order={self.space.order}, den={self.den})"


def best_text_space(epsilon: float) -> Space:
    """
    Return the space with the least error for a text that nobody wrote.

    For each order, the largest space is compared, since two texts should not share a point.

    Parameters
    ----------
    epsilon : float
        The declared epsilon, above 0.

    Returns
    -------
    Space
        The largest space of the best order.
    """
    e = exp_capped(checks.epsilon(epsilon))
    spaces = [largest_space(order) for order in ORDERS]
    return min(spaces, key=lambda space: variance(space, e, RARE_TEXT_SHARE))
