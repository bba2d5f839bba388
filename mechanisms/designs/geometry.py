"""Geometry: a mechanism for long lists of answers.

A report is one whole number, the number of a point. The points that are orthogonal to the point of
the true answer are more probable than the others.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import Den, exp_capped, fit_group_weight, log_ratio
from mechanisms.chance.simulate import slices, uniforms
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.columns import Missing, checked_labels, code_column
from mechanisms.designs.mechanism import Contrast, Mechanism, Recipe, Seed, format_probability
from mechanisms.designs.orders import (
    MOST_ANSWERS_AS_BITS,
    MOST_POINTS,
    ORDERS,
    best_space,
    support_probabilities,
)
from mechanisms.designs.wire import Integers
from mechanisms.estimation.constrained import norm_sub
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.projective import Space
from mechanisms.estimation.tallies import Tally

# The largest number of cells of a covariance matrix. For longer lists, only the errors of sums of
# answers can be computed.
MOST_COVARIANCE_CELLS = 10**7


def _best_probabilities(size: int, epsilon: float) -> tuple[float, float]:
    """Return p and q in the space of `best_space`, for a single epsilon.

    p, q: the probabilities that a report supports the true answer, and any other one.
    """
    return support_probabilities(best_space(size, epsilon), exp_capped(epsilon))


# The same function for arrays of epsilons.
_best_probabilities_of_arrays = np.vectorize(_best_probabilities, otypes=[np.float64, np.float64])


def probabilities_for(size: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    """
    Return the probabilities of support in the space of `best_space`, as real numbers.

    For each epsilon, that space has nearly the least total squared error of the shares. Planning
    compares designs by these probabilities. `support_probabilities` has their formula.

    Parameters
    ----------
    size : int
        The number of answers.
    epsilon : ndarray of float64
        The epsilons, of any shape.

    Returns
    -------
    p, q : ndarray of float64
        The probabilities that a report supports the true answer, and any other one.
    """
    probabilities: tuple[FloatArray, FloatArray] = _best_probabilities_of_arrays(size, epsilon)
    return probabilities


class Geometry(Mechanism):
    """
    Answers and reports are points of one projective space.

    A point stands for a vector of `dimension` whole numbers from 0 to order - 1, and for all
    multiples of it. Two points are orthogonal if the inner product of their vectors is a multiple
    of the order. Every point is orthogonal to the same number of points.

    With probability keep / den the report is one of the points that are orthogonal to the point of
    the true answer, and otherwise one of the other points. Both choices are uniform. Answer x is
    point x. A report supports all answers whose points are orthogonal to it.

    Parameters
    ----------
    size : int
        The number of answers, at least 2.
    epsilon : float
        The declared epsilon. The realized one is never above it.
    space : Space, optional
        The projective space, by default `best_space`.
    den : int or "survey", default 2**32
        The denominator. "survey" chooses the smallest of 4, 6, 10, 100, ... with 0.99 of the
        declared epsilon.

    Attributes
    ----------
    keep : int
        The weight of all orthogonal points together, out of `den`.
    reports : int
        The number of different reports: the points of the space.
    p, q : Fraction
        The probabilities that a report supports the true answer, and any other one.

    References
    ----------
    Feldman, V., Nelson, J., Nguyen, H. L., & Talwar, K. (2022). Private frequency estimation via
    projective geometry. ICML 2022. arXiv:2203.00194.
    """

    kind = name = "geometry"
    has_one_report_per_count = True
    wire: Integers
    keys = frozenset({"kind", "size", "order", "dimension", "den", "keep"})
    source = (
        "Feldman, V., Nelson, J., Nguyen, H. L., & Talwar, K. (2022). Private frequency estimation"
        " via projective geometry. Proceedings of the 39th International Conference on Machine"
        " Learning, 6418–6433."
    )
    title = "Geometry"
    description = (
        "A number is reported that stands for a group of answers; the true one is in it "
        "with a known probability."
    )
    constrained_by = "Norm-Sub"
    merit = (
        "The report is one number, however many answers there are, and all are counted by one"
        " transform."
    )

    def __init__(
        self, size: int, epsilon: float, space: Space | None = None, *, den: Den = checks.MAX_DEN
    ) -> None:
        size = checks.whole("size", size, 2, MOST_POINTS)
        if space is None:
            space = best_space(size, float(epsilon))
        else:
            order, dimension = space
            space = Space(order, dimension)
        # The outcomes of the randomization are points. Those that are orthogonal to the point of
        # the truth are the likely ones. `drop` is the weight of all others together.
        drop, den = fit_group_weight(epsilon, den, near=space.orthogonal, outcomes=space.points)
        self._set(size, space, den - drop, den)

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        """Return the recipe by which planning creates a geometry from an epsilon.

        Planning compares it with the recipes of other designs for the same question. It is left out
        for short lists of answers.
        """

        # The third argument of the class is `space`, but the third one of a recipe is `den`.
        def create(size: int, epsilon: float, den: Den) -> "Geometry":
            """Return the mechanism for an epsilon, with the best space."""
            return cls(size, epsilon, den=den)

        recipe = Recipe(
            name="geometry",
            select="one",
            make=create,
            formula=probabilities_for,
            ease=0,
            least=MOST_ANSWERS_AS_BITS + 1,
        )
        return (recipe,)

    @classmethod
    def from_integers(
        cls, size: int, order: int, dimension: int, keep: int, den: int
    ) -> "Geometry":
        """
        Return the mechanism with exactly these integers, after checking them.

        `from_spec` restores stored mechanisms with it. The class itself fits the integers to an
        epsilon.

        Parameters
        ----------
        size : int
            The number of answers.
        order, dimension : int
            The projective space. The order is a prime below 200.
        keep, den : int
            The probability that a report supports the true answer is ``keep / den``.

        Returns
        -------
        Geometry
            The mechanism.

        Raises
        ------
        ValueError
            If the space has fewer points than there are answers, or too many, or if reports do not
            depend on the truth.
        """
        if order not in ORDERS:
            raise ValueError(f"order is {checks.show(order)}; allowed is a prime number below 200")
        # In dimension 33 even the space of order 2 has more than `MOST_POINTS` points.
        space = Space(int(order), checks.whole("dimension", dimension, 2, 32))
        checks.whole("points", space.points, 2, MOST_POINTS)
        size = checks.whole("size", size, 2, space.points)
        den = checks.denominator(den)
        keep = checks.whole("keep", keep, 0, den)
        # If the orthogonal points have just their share of the probability, all points are equally
        # probable, whatever the truth.
        if keep * space.points == space.orthogonal * den:
            raise ValueError(
                f"keep is {keep}; allowed is any but den * {space.orthogonal}/{space.points}"
            )
        # `__init__` would fit the integers to an epsilon, so it is not called.
        self = cls.__new__(cls)
        self._set(size, space, keep, den)
        return self

    def _set(self, size: int, space: Space, keep: int, den: int) -> None:
        """Set the attributes, and the probabilities p and q that follow from them.

        Of N points, m are orthogonal to a given one, and c to two given ones. A report that
        supports the truth supports another answer with probability c / m, and any other report does
        so with probability (m - c) / (N - m). So q = p * c / m + (1 - p) * (m - c) / (N - m).
        """
        self.size = size
        self.space = space
        self.keep = keep
        self.den = den
        self.reports = space.points

        orthogonal, to_two_points = space.orthogonal, space.both
        other_if_truth = Fraction(to_two_points, orthogonal)
        other_if_not_truth = Fraction(orthogonal - to_two_points, space.points - orthogonal)
        self.p = Fraction(keep, den)
        self.q = self.p * other_if_truth + (1 - self.p) * other_if_not_truth

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss of one report: the log ratio of the probabilities of two reports.

        Of N points, m are orthogonal to the truth. Each of these has the probability
        keep / den / m, and each other point has (den - keep) / den / (N - m).
        """
        orthogonal = self.space.orthogonal
        others = self.space.points - orthogonal
        drop = self.den - self.keep
        return abs(log_ratio(self.keep * others, drop * orthogonal))

    @property
    def parameter_texts(self) -> dict[str, str]:
        """The order and the dimension of the space as texts, by name, for pages of a question."""
        return {"order": str(self.space.order), "dimension": str(self.space.dimension)}

    @property
    def in_groups(self) -> bool:
        """True: one report supports several answers, all whose points are orthogonal to it.

        So `probabilities` has the shape 2 x 2, with the probabilities of support.
        """
        return True

    def contrast(self, answer: int = 0) -> Contrast:
        """Return the probabilities that a report supports an answer: p if it is true, or else q."""
        return Contrast("group", chosen=self.p, other=self.q)

    def in_words(self) -> str:
        """Describe what happens to a true answer, as a part of a sentence.

        The methods text of a survey report quotes it, with the probabilities p and q that a
        report supports the true answer, and any other one.
        """
        p, q = format_probability(self.p), format_probability(self.q)
        return (
            f"a whole number from 0 to {self.reports - 1} is reported that stands for a group of"
            f" the {self.size} answers, the chosen one in it with probability {p}, each other with"
            f" {q}"
        )

    def describe_probabilities(self) -> list[str]:
        """Describe the exact probabilities of points, as lines of Markdown for codebooks."""
        space = self.space
        return [
            "Answers and reports are numbered points of the projective space of order"
            f" {space.order} and dimension {space.dimension}, {space.points} in all. With"
            f" probability {self.keep}/{self.den} the report is one of the {space.orthogonal}"
            " points orthogonal to that of the true answer, else one of the others, evenly."
        ]

    def spec(self) -> dict[str, Any]:
        """Return the specification of this mechanism: its integers, as a dictionary for JSON.

        They are the size, the order and the dimension of the space, `keep` and `den`. Published
        surveys store it, and `from_spec` is the inverse.
        """
        return {
            "kind": "geometry",
            "size": self.size,
            "order": self.space.order,
            "dimension": self.space.dimension,
            "den": self.den,
            "keep": self.keep,
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Geometry":
        """Return the mechanism of a specification. Raises ValueError if it is not allowed.

        It is the inverse of `spec`, and checks the integers as `from_integers` does.
        """
        return cls.from_integers(
            size=spec["size"],
            order=spec["order"],
            dimension=spec["dimension"],
            keep=spec["keep"],
            den=spec["den"],
        )

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """
        Return the probabilities with which a report supports an answer.

        Returns
        -------
        tuple of tuples of Fraction, 2 x 2
            ``rows[is the true answer][is supported]``, with 0 for no and 1 for yes.
        """
        return ((1 - self.q, self.q), (1 - self.p, self.p))

    def randomize_one(self, truth: int, next_uint32: draw.NextUint32) -> int:
        """
        Draw one report, as the browser draws it from the same random integers.

        All coordinates but one are drawn uniformly. The last one is solved for, so that the inner
        product with the truth is 0, or a random number from 1 to order - 1.

        Parameters
        ----------
        truth : int
            The code of the true answer.
        next_uint32 : callable
            Returns the next random word, an integer from 0 to 2**32 - 1.

        Returns
        -------
        int
            The number of a point.

        Raises
        ------
        ValueError
            If the truth is not a code from 0 to size - 1.
        """
        order = self.space.order
        truth_vector = self.space.vector(checks.whole("truth", truth, 0, self.size - 1))
        # The coordinate of the report that is solved for. That of the truth is 1 there, so changing
        # it by some number changes the inner product by the same number.
        pivot = truth_vector.index(1)
        is_orthogonal = draw.uniform(self.den, next_uint32) < self.keep

        while True:
            report_vector = [0] * len(truth_vector)
            for index in range(len(truth_vector)):
                if index != pivot:
                    report_vector[index] = draw.uniform(order, next_uint32)

            # The inner product of truth and report, modulo the order. If the order is 2, the only
            # one besides 0 is 1, and no draw is needed.
            if is_orthogonal:
                target = 0
            elif order > 2:
                target = 1 + draw.uniform(order - 1, next_uint32)
            else:
                target = 1

            products = zip(truth_vector, report_vector, strict=True)
            product = sum(a * b for a, b in products)
            report_vector[pivot] = (target - product) % order
            # A vector of zeros is not a point, so everything is drawn again.
            if any(report_vector):
                return self.space.point(report_vector)

    def randomize(
        self,
        truths: Any,
        rng: Seed = None,
        *,
        labels: Sequence[str] | None = None,
        missing: Missing = "refuse",
    ) -> IntArray:
        """
        Draw reports for many truths at once, for simulations and teaching.

        Parameters
        ----------
        truths : array_like, shape (n,)
            The codes of the true answers, from 0 to size - 1, or their labels. A series or a
            categorical of pandas or polars is possible too.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out.

        Returns
        -------
        ndarray of int64, shape (n,)
            The reports, as numbers of points.
        """
        generator = checks.generator(rng)
        answers = self.true_codes(truths, labels, missing)
        order = self.space.order
        reports = np.empty(answers.size, np.int64)
        # Several arrays of coordinates are needed at a time, so a part has fewer rows than usual.
        for part in slices(answers.size, 4 * self.space.dimension):
            truth_vectors = self.space.vectors(answers[part]).astype(np.int32)
            is_other = uniforms(generator, self.den, len(truth_vectors)) >= self.keep
            # The inner product of truth and report is 0 for an orthogonal point, and otherwise a
            # random number from 1 to order - 1.
            products = generator.integers(1, order, len(truth_vectors), dtype=np.int32)
            reports[part] = self._draw_points(truth_vectors, is_other * products, generator)
        return reports

    def _draw_points(
        self, truth_vectors: NDArray[np.int32], targets: NDArray[np.int32], rng: np.random.Generator
    ) -> IntArray:
        """Draw one point for each vector, whose inner product with it is the target.

        Returns the numbers of the points, shape (n,).

        truth_vectors: the vectors of the true answers, shape (n, dimension).
        targets: the inner products, modulo the order, shape (n,).

        This is the loop of `randomize_one` for many vectors: only the rows that came out as a
        vector of zeros are drawn again.
        """
        order = self.space.order
        rows = np.arange(len(truth_vectors))
        # The first coordinate of each truth that is not 0. It is 1, so changing that coordinate of
        # the report by some number changes the inner product by the same number.
        pivot = (truth_vectors != 0).argmax(axis=1)

        vectors = rng.integers(0, order, truth_vectors.shape, dtype=np.uint8).astype(np.int32)
        # The inner product without the pivot, which is then set to what is missing.
        vectors[rows, pivot] = 0
        products = (truth_vectors * vectors).sum(axis=1)
        vectors[rows, pivot] = (targets - products) % order

        points = self.space.points_of(vectors)
        is_zero = ~vectors.any(axis=1)
        if is_zero.any():
            points[is_zero] = self._draw_points(truth_vectors[is_zero], targets[is_zero], rng)
        return points

    def tally(
        self,
        reports: Any,
        *,
        labels: Sequence[str] | None = None,
        missing: Missing = "refuse",
    ) -> Tally:
        """
        Count the reports for estimation.

        Parameters
        ----------
        reports : array_like of int, shape (n,)
            Numbers of points, from 0 to `self.reports` - 1.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes. They are shown in results.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out. The tally says how many there were.

        Returns
        -------
        Tally
            The counts have shape (self.reports,), one for each point.

        Raises
        ------
        ValueError
            If a report is not the number of a point.
        """
        column = code_column("reports", reports, missing=missing)
        points = checks.indices("reports", column.values, self.reports)
        return Tally(
            points.size,
            np.bincount(points, minlength=self.reports),
            labels=checked_labels(labels, self.size),
            missing=column.missing,
        )

    def check_tally(self, tally: Tally) -> None:
        """Raise ValueError unless a tally has a count for each point, and they sum to n."""
        if tally.counts.shape != (self.reports,) or tally.counts.sum() != tally.n:
            raise ValueError(
                f"counts has shape {tally.counts.shape} and sum {tally.counts.sum()} with n ="
                f" {tally.n}; allowed are {self.reports} counts that sum to n"
            )

    def support_counts(self, tally: Tally) -> IntArray:
        """Return how many reports support each answer, as a read-only array (size,).

        A report supports the answers whose points are orthogonal to it. All are counted by one
        Fourier transform of the counts of the points.
        """
        return _cached_support_counts(self.space, self.size, tally.counts.tobytes())

    def supports(self, reports: IntArray, answer: int) -> BoolArray:
        """Return which reports support an answer: those that are orthogonal to its point.

        reports: numbers of points, shape (n,). The result has the same shape.
        """
        answer_vector = np.array(self.space.vector(answer), np.int64)
        # This is calculated once for each point, since many reports are equal.
        products = self.space.vectors(np.arange(self.reports)) @ answer_vector
        is_orthogonal: BoolArray = products % self.space.order == 0
        return is_orthogonal[reports]

    def line(self) -> Line:
        """Return the line offset + slope * true share of the observed shares.

        Both are the same for all answers: the offset is q, and the slope is p - q.
        """
        return Line(
            offset=np.full(self.size, float(self.q)),
            slope=np.full(self.size, float(self.p - self.q)),
        )

    def unbiased_weights(self, scores: FloatArray) -> FloatArray:
        """Return the weight of each possible report in an unbiased mean score, shape (reports,).

        scores: the score of each answer, shape (size,).

        A report decodes the share of an answer to (1 - q) / (p - q) if it supports the answer, and
        to -q / (p - q) if not. Times the scores, these sum to (S - q * T) / (p - q), where S is the
        sum of the scores of all answers that it supports, and T the sum of all scores.
        """
        # For each report, the sum of the scores of all answers that it supports.
        supported = self.space.sums(scores, self.reports)
        weights: FloatArray = (supported - float(self.q) * scores.sum()) / float(self.p - self.q)
        return weights

    def share_covariance(self, tally: Tally) -> FloatArray:
        """
        Return the covariance matrix of the support indicators of one report.

        For two answers u and v it is s_uv - r_u * r_v, where s_uv is the share of reports that
        support both, and r_u and r_v are the observed shares.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of float64, shape (size, size)
            The covariances, which are those of the observed shares times n.

        Raises
        ------
        ValueError
            If there are too many answers for such a matrix.
        """
        if self.size * max(self.size, self.reports) > MOST_COVARIANCE_CELLS:
            raise ValueError(
                f"size is {self.size}; allowed for a covariance are fewer answers: ask for sums of"
                " answers"
            )
        # is_supported[answer, report] is 1 if the report supports the answer, and otherwise 0. With
        # a weight of 1 for the point of one answer and 0 for all others, the sum of the weights of
        # the points that are orthogonal to a report is 1 if the point of the answer is among them.
        unit_vectors = np.eye(self.size)
        is_supported = np.array([self.space.sums(unit, self.reports) for unit in unit_vectors])
        shares = self.support_counts(tally) / tally.n
        # The shares of all points as reports, added over the points that support both answers.
        report_shares = tally.counts / tally.n
        joint_shares = (is_supported * report_shares) @ is_supported.T
        covariance: FloatArray = joint_shares - np.outer(shares, shares)
        return covariance

    def constrain(self, tally: Tally) -> FloatArray:
        """Estimate possible shares from the decoded ones, by Norm-Sub.

        It subtracts the same number from all shares and sets negative ones to 0, so that the shares
        sum to 1.
        """
        return norm_sub(self.decode(self.support_counts(tally) / tally.n))

    def maximum_likelihood(self, reports: ArrayLike) -> FloatArray:
        """
        Raise an error: the maximum likelihood estimate is not implemented for long lists.

        Raises
        ------
        ValueError
            Always. `Estimate.constrained` has shares that are possible.
        """
        raise ValueError(
            "the likeliest shares are not computed for a geometry; allowed is Estimate.constrained"
        )

    def __repr__(self) -> str:
        return (
            f"Geometry(size={self.size}, epsilon={self.epsilon!r}, space={tuple(self.space)},"
            f" den={self.den})"
        )


@lru_cache(maxsize=8)
def _cached_support_counts(space: Space, size: int, counts: bytes) -> IntArray:
    """Return how many reports support each answer, shape (size,), as a read-only array.

    counts: how often each point was reported, as the bytes of an int64 array: unlike an array,
    bytes can be a key of the cache.

    The result is cached, since shares, intervals and checks of one survey report all start from it.
    """
    support_counts = space.counts(np.frombuffer(counts, np.int64), size)
    support_counts.flags.writeable = False
    return support_counts
