"""Option sampling: a mechanism for multiple selections.

Of several options that may all be true, a few are picked at random. Only these are randomized and
sent.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import Den, fit_outcome_weight, log_ratio
from mechanisms.chance.simulate import slices, uniforms
from mechanisms.checks import BitArray, FloatArray, IntArray
from mechanisms.columns import Missing, checked_labels, row_column
from mechanisms.designs.mechanism import Contrast, Mechanism, Recipe, Seed, format_probability
from mechanisms.designs.picking import (
    allowed_pick,
    allowed_reach,
    best_pick,
    count_patterns,
    flip_probability,
)
from mechanisms.designs.wire import NOT_PICKED, PickedOptions
from mechanisms.estimation.constrained import clipped
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.tallies import Tally

# Rows of the numbers 0, 1 and -1, or strings of the characters 0, 1 and -.
Reports = ArrayLike | Sequence[str]

# The same functions for arrays of epsilons.
_best_picks = np.vectorize(best_pick, otypes=[np.int64, np.int64])
_flip_probabilities = np.vectorize(flip_probability, otypes=[np.float64])


def option_probabilities_for(
    size: int, epsilon: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """
    Return the probabilities of option sampling with the best pick, as real numbers.

    For each epsilon, `best_pick` chooses how many options are picked and how many flips are likely.
    The probability q that a picked option is flipped follows from these, and p is 1 - q. Planning
    compares designs by them.

    Parameters
    ----------
    size : int
        The number of options.
    epsilon : ndarray of float64
        The epsilons, of any shape.

    Returns
    -------
    p, q : ndarray of float64
        The probabilities that a picked option is reported as 1 if it is true, and if it is not.
    fraction : ndarray of float64
        The fraction of the options that are picked.
    """
    e = np.exp(epsilon)
    # np.log(e) is epsilon, up to a rounding error.
    picks, reaches = _best_picks(size, np.log(e))
    q = _flip_probabilities(picks, reaches, e)
    return 1 - q, q, picks / size


class OptionSampling(Mechanism):
    """
    Report `pick` of `size` options of a multiple selection with the whole epsilon.

    Titles and other texts for people call an option a mark, and so does the kind, "marks".

    A pattern is one way to report the picked options, each as 0 or 1. One that differs from the
    truth in at most `reach` of them has the weight `high`, and any other pattern the weight `low`.
    The denominator is the sum of the weights of all patterns. Which options are picked does not
    depend on the truth, so the whole report has epsilon = ln(high / low).

    Reports are an array of shape (n, size) of 0, 1 and, for an option that was not picked, -1; or
    n strings of the characters 0, 1 and -. A report says too little about two options together, so
    there is no error for a sum of options.

    Parameters
    ----------
    size : int
        The number of options, at least 2. Any number of them may be true.
    epsilon : float
        The declared epsilon, above 0. The realized one is never above it.
    pick : int, optional
        The number of options that are picked, at most 12.
    reach : int, optional
        The number of flips up to which a pattern has the higher weight, at most (pick - 1) / 2. By
        default, pick and reach have the least error of a share of 0.2 (`best_pick`).
    den : int or "survey", default 2**32
        The largest denominator. "survey" chooses the smallest of 4, 6, 10, 100, ... with 0.99 of
        the declared epsilon. With a reach above 0 the real denominator may be smaller.

    Attributes
    ----------
    high, low : int
        The weights of one pattern with at most `reach` flips, and of one with more.

    Raises
    ------
    ValueError
        If a number is out of its range, or if half of the options would be flipped.

    References
    ----------
    Wang, N. et al. (2019). Collecting and analyzing multidimensional data with local differential
    privacy. ICDE 2019, section 4. (They pick attributes in the same way.)
    """

    kind = name = "marks"
    wire: PickedOptions
    keys = frozenset({"kind", "size", "pick", "reach", "high", "low", "den"})
    select = "any"
    constrained_by = "clipping to [0, 1]"
    source = (
        "Wang, N., Xiao, X., Yang, Y., Zhao, J., Hui, S. C., Shin, H., Shin, J., & Yu, G. (2019)."
        " Collecting and analyzing multidimensional data with local differential privacy. IEEE"
        " International Conference on Data Engineering, 638–649."
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
        # The outcomes of the randomization are patterns, near to the truth or far from it.
        near, far = count_patterns(pick, reach)
        low, den = fit_outcome_weight(epsilon, den, near=near, far=far)
        # The weights of all patterns may sum to less than `den`, since `high` is rounded down.
        high = (den - far * low) // near
        self._set(size, pick, reach, high=high, low=low)

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        """Return the recipe by which planning creates option sampling from an epsilon.

        Planning compares it with the recipes of other designs for multiple selections.
        """

        # The third argument of the class is `pick`, but the third one of a recipe is `den`.
        def create(size: int, epsilon: float, den: Den) -> "OptionSampling":
            """Return the mechanism for an epsilon, with the best pick and reach."""
            return cls(size, epsilon, den=den)

        recipe = Recipe(
            name="marks", select="any", make=create, formula=option_probabilities_for, ease=0
        )
        return (recipe,)

    @property
    def merit(self) -> str:  # type: ignore[override]
        """Sentences with the advantages of this mechanism, for its recommendation in planning."""
        subject = "one is picked and has" if self.pick == 1 else f"{self.pick} are picked and share"
        return (
            f"Of {self.size} marks {subject} all of epsilon. That tells each share, and nothing of"
            " two together."
        )

    @classmethod
    def from_integers(
        cls, size: int, pick: int, reach: int, high: int, low: int
    ) -> "OptionSampling":
        """
        Return the mechanism with exactly these integers, after checking them.

        `from_spec` restores stored mechanisms with it. The class itself fits the integers to an
        epsilon.

        Parameters
        ----------
        size : int
            The number of options.
        pick : int
            The number of options that are picked.
        reach : int
            The number of flips up to which a pattern has the higher weight.
        high, low : int
            The weights of a pattern.

        Returns
        -------
        OptionSampling
            The mechanism.

        Raises
        ------
        ValueError
            If a number is out of its range, or if `high` is not above `low`.
        """
        size = checks.size(size)
        pick = allowed_pick(size, pick)
        reach = allowed_reach(pick, reach)
        low = checks.whole("low", low, 1, checks.MAX_DEN)
        high = checks.whole("high", high, 1, checks.MAX_DEN)
        if high <= low:
            raise ValueError(
                f"high is {high}; allowed is above low = {low}, else nothing can be estimated"
            )
        # `__init__` would fit the integers to an epsilon, so it is not called.
        self = cls.__new__(cls)
        self._set(size, pick, reach, high=high, low=low)
        return self

    def _set(self, size: int, pick: int, reach: int, *, high: int, low: int) -> None:
        """Set the attributes, and the denominator: the sum of the weights of all patterns."""
        self.size = size
        self.pick = pick
        self.reach = reach
        self.high = high
        self.low = low
        self.den = checks.denominator(sum(self.weights))

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The weights of 0 to `pick` flips: weights[h] / den is the probability of h flips.

        The weight of h flips is that of one pattern with h flips, times the number of them.
        """
        weights = []
        for flips in range(self.pick + 1):
            weight_of_pattern = self.high if flips <= self.reach else self.low
            weights.append(comb(self.pick, flips) * weight_of_pattern)
        return tuple(weights)

    @cached_property
    def flip_probability(self) -> Fraction:
        """The probability that a picked option is flipped: the expected flips, divided by `pick`.

        With `weights`, the expected number of flips is the sum of h * weights[h] / den.
        """
        # The expected number of flips, times den. Each of the `pick` options has an equal part.
        weighted_flips = sum(flips * weight for flips, weight in enumerate(self.weights))
        return Fraction(weighted_flips, self.pick * self.den)

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss of one report: ln(high / low).

        The same pattern is near to one truth, with weight `high`, and far from another, with `low`.
        """
        return log_ratio(self.high, self.low)

    @property
    def title(self) -> str:  # type: ignore[override]
        """The title of the design for people: "Marks", with the number of picked options."""
        number = "one" if self.pick == 1 else str(self.pick)
        return f"Marks, {number} picked by chance"

    @property
    def description(self) -> str:  # type: ignore[override]
        """A sentence about the design for people, with the number of picked options."""
        subject = "One mark is" if self.pick == 1 else f"{self.pick} marks are"
        return (
            f"{subject} picked by chance; only what was picked is reported, scrambled with known"
            " probabilities."
        )

    @property
    def reported_fraction(self) -> float:
        """The fraction of options that one report covers: pick / size.

        So n reports say as much about one option as n * pick / size reports that cover all.
        """
        return self.pick / self.size

    @property
    def parameter_texts(self) -> dict[str, str]:
        """The number of picked options as a text, by its name, for pages about a question."""
        return {"marks picked": str(self.pick)}

    def contrast(self, answer: int = 0) -> Contrast:
        """Return the probabilities that a picked option is reported as 1.

        They are 1 - f if the option is true and f if it is not, for the `flip_probability` f.
        """
        return Contrast("picked", chosen=1 - self.flip_probability, other=self.flip_probability)

    def in_words(self) -> str:
        """Describe what happens to a true answer, as a part of a sentence.

        The methods text of a survey report quotes it, with the probability that a picked
        option is flipped.
        """
        if self.pick == 1:
            subject, prefix = "one is", ""
        else:
            subject, prefix = f"{self.pick} are", "each "
        probability = format_probability(self.flip_probability)
        return (
            f"of {self.size} marks {subject} picked at random and reported, {prefix}turned over"
            f" with probability {probability}; a share has the reports in which its mark was picked"
        )

    def describe_probabilities(self) -> list[str]:
        """Describe the exact probabilities of reports, as lines of Markdown for codebooks."""
        if self.pick == 1:
            return [
                f"A report holds one of {self.size} marks, picked evenly. It is true with"
                f" probability {self.high}/{self.den} and turned over with {self.low}/{self.den}."
            ]
        picking = f"A report holds {self.pick} of {self.size} marks, picked evenly."
        patterns = (
            f"Each pattern of them that differs from the truth in at most {self.reach} has"
            f" probability {self.high}/{self.den}, each other {self.low}/{self.den}."
        )
        flips = f"So a mark is turned over with probability {self.flip_probability}."
        return [f"{picking} {patterns} {flips}"]

    def spec(self) -> dict[str, Any]:
        """Return the specification of this mechanism: its integers, as a dictionary for JSON.

        They are the size, pick, reach, both weights and their sum, `den`. Published surveys store
        it, and `from_spec` is the inverse.
        """
        return {
            "kind": self.kind,
            "size": self.size,
            "pick": self.pick,
            "reach": self.reach,
            "high": self.high,
            "low": self.low,
            "den": self.den,
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "OptionSampling":
        """Return the mechanism of a specification. Raises ValueError if it is not allowed.

        It is the inverse of `spec`. Its `den` must be the sum of the weights of all patterns.
        """
        mechanism = cls.from_integers(
            size=spec["size"],
            pick=spec["pick"],
            reach=spec["reach"],
            high=spec["high"],
            low=spec["low"],
        )
        if checks.denominator(spec["den"]) != mechanism.den:
            raise ValueError(
                f"den is {spec['den']}; allowed is {mechanism.den}, to which these weights sum"
            )
        return mechanism

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """
        Return the probabilities of the report of a picked option.

        Returns
        -------
        tuple of tuples of Fraction, 2 x 2
            ``rows[bit][reported bit]``, where the bit of a true option is 1.
        """
        flip = self.flip_probability
        return ((1 - flip, flip), (flip, 1 - flip))

    def randomize_one(self, truth: Sequence[int], next_uint32: draw.NextUint32) -> str:
        """
        Draw one report, as the browser draws it from the same random integers.

        Three things are drawn in this order: the options that are picked, how many of them are
        flipped, and which of them are flipped.

        Parameters
        ----------
        truth : sequence of int
            The different codes of the true options.
        next_uint32 : callable
            Returns the next random word, an integer from 0 to 2**32 - 1.

        Returns
        -------
        str
            The characters 0 and 1 for picked options, and - for all others.

        Raises
        ------
        ValueError
            If the truth is not possible.
        """
        true_options = checks.index_set("truth", truth, self.size)
        picked_options = sorted(draw.sample(range(self.size), self.pick, next_uint32))
        flip_count = draw.sample_index(self.weights, self.den, next_uint32)
        flipped_indexes = set(draw.sample(range(self.pick), flip_count, next_uint32))

        report = [NOT_PICKED] * self.size
        for index, option in enumerate(picked_options):
            is_true = option in true_options
            is_flipped = index in flipped_indexes
            report[option] = "1" if is_true != is_flipped else "0"
        return "".join(report)

    def randomize(
        self,
        truths: Any,
        rng: Seed = None,
        *,
        labels: Sequence[str] | None = None,
        missing: Missing = "refuse",
    ) -> np.ma.MaskedArray[Any, np.dtype[np.int8]]:
        """
        Draw reports for many truths at once, for simulations and teaching.

        Parameters
        ----------
        truths : array_like of int, shape (n, size)
            Rows of 0 and 1, with 1 for true options. A data frame is possible too.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out.

        Returns
        -------
        masked array of int8, shape (n, size)
            0 and 1 for picked options. All other options are masked, so no sum counts them.
        """
        rows = self.true_rows(truths, labels, missing)
        reports = self.wire.spread(self.randomize_stored(rows, rng))
        return np.ma.masked_array(reports, mask=reports < 0, fill_value=-1)

    def randomize_stored(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        """
        Draw the same reports as `randomize`, in the form in which records hold them.

        Parameters
        ----------
        truths : array_like of int, shape (n, size)
            Rows of 0 and 1, with 1 for true options.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.

        Returns
        -------
        ndarray of uint8, shape (n, 2 * ceil(size / 8))
            The packed bits of the options that were picked, then those of the options that are
            set.
        """
        generator = checks.generator(rng)
        true_bits = checks.bits("truths", truths, self.size)
        packed = np.empty((len(true_bits), *self.wire.field.shape), dtype=np.uint8)
        for part in slices(len(true_bits), self.size):
            packed[part] = self._draw_packed(true_bits[part], generator)
        return packed

    def _draw_packed(self, true_bits: BitArray, rng: np.random.Generator) -> BitArray:
        """Draw one stored report for each row of true bits, shape (n, 2 * ceil(size / 8)).

        true_bits: 1 for the true options, shape (n, size).

        As in `randomize_one`, it is drawn which options are picked, and how many are flipped.
        """
        # The codes of the picked options, shape (n, pick). With the column of row numbers, they
        # index one cell of `true_bits` for each picked option.
        rows = np.arange(len(true_bits))[:, np.newaxis]
        picked_options = _random_samples(rng, len(true_bits), self.size, self.pick)

        steps = np.cumsum(self.weights, dtype=np.int64)
        numbers = uniforms(rng, self.den, len(true_bits))
        # A number below the first step stands for no flip, one below the second for one, ...
        flip_counts = np.searchsorted(steps, numbers, side="right")
        # The first of the picked options are flipped, since they were drawn in a random order.
        is_flipped = np.arange(self.pick) < flip_counts[:, np.newaxis]

        is_picked = np.zeros_like(true_bits)
        is_picked[rows, picked_options] = 1
        # An option is reported as 1 if it is either true or flipped, but not both.
        is_set = np.zeros_like(true_bits)
        is_set[rows, picked_options] = true_bits[rows, picked_options] ^ is_flipped
        return np.concatenate([np.packbits(is_picked, axis=1), np.packbits(is_set, axis=1)], axis=1)

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
        reports : array_like of int, shape (n, size), or sequence of str
            0 and 1 for picked options; all others are masked, missing or -1. Strings of 0, 1 and -
            are possible too. A report without any picked option is missing.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes. They are shown in results.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out. The tally says how many there were.

        Returns
        -------
        Tally
            The counts have shape (2 * size,): how often each option is set, then how often each
            option was picked.

        Raises
        ------
        ValueError
            If the shape is wrong, or if a report is impossible.
        """
        names = checked_labels(labels, self.size)
        column = row_column("reports", reports, names, missing, blank=-1)
        is_picked, is_set = self._split_reports(column.values)
        halves = [np.packbits(is_picked, axis=1), np.packbits(is_set, axis=1)]
        tally = self.tally_packed(np.concatenate(halves, axis=1))
        return tally.described(names, column.missing)

    def tally_packed(self, packed: ArrayLike) -> Tally:
        """
        Count reports in the form in which records hold them.

        Parameters
        ----------
        packed : array_like of uint8, shape (n, 2 * ceil(size / 8))
            The stored reports: packed bits of the picked options, then of those that are set.

        Returns
        -------
        Tally
            The counts have shape (2 * size,), as in `tally`: first of set, then of picked options.

        Raises
        ------
        ValueError
            If the shape is wrong, or if a report is impossible.
        """
        rows = np.asarray(packed)
        width = self.wire.width
        if rows.ndim != 2 or rows.shape[1] != 2 * width:
            raise ValueError(f"packed has shape {rows.shape}; allowed is (n, {2 * width})")
        # Both halves stay packed: a byte of `is_picked` or `is_set` has the bits of eight options.
        # So `&` and `~` compare eight options at a time.
        picked_half, set_half = np.split(rows, 2, axis=1)
        is_picked = checks.packed_bits("packed", picked_half, self.size)
        is_set = checks.packed_bits("packed", set_half, self.size)
        if (is_set & ~is_picked).any():
            raise ValueError(
                "packed holds a mark that was not picked; allowed are marks of what was picked"
            )

        pick_counts = np.bitwise_count(is_picked).sum(axis=1, dtype=np.int64)
        is_impossible = pick_counts != self.pick
        if is_impossible.any():
            first = pick_counts[is_impossible][0]
            raise ValueError(
                f"packed holds a row with {first} marks picked; allowed is pick = {self.pick}"
            )
        return Tally(len(rows), self.wire.counts(rows))

    def _split_reports(self, reports: Reports) -> tuple[BitArray, BitArray]:
        """Return which options were picked and which are set, as 0 and 1 of shape (n, size).

        reports: rows of 0, 1 and -1 for not picked, or strings of 0, 1 and -.

        Raises ValueError if the shape is wrong, or if a number is not 0, 1 or -1.
        """
        if isinstance(reports, list | tuple) and len(reports) and isinstance(reports[0], str):
            reports = self._parse_strings(reports)
        rows = np.asarray(reports)
        # An empty list has no second dimension, but is allowed.
        if rows.size == 0 and rows.ndim <= 1:
            rows = np.zeros((0, self.size), np.int8)
        if rows.ndim != 2 or rows.shape[1] != self.size or rows.dtype.kind not in "iu":
            raise ValueError(
                f"reports has shape {rows.shape} and dtype {rows.dtype}; allowed is"
                f" (n, {self.size}), whole"
            )
        if rows.size and not -1 <= rows.min() <= rows.max() <= 1:
            first = rows[(rows < -1) | (rows > 1)][0]
            raise ValueError(f"reports holds {first}; allowed is 0, 1, or -1 for not picked")

        # -1 stands for an option that was not picked.
        is_picked = (rows >= 0).astype(np.uint8)
        is_set = (rows == 1).astype(np.uint8)
        return is_picked, is_set

    def _parse_strings(self, texts: Sequence[Any]) -> NDArray[np.int8]:
        """Convert strings of 0, 1 and - into options, as 0, 1 and -1, shape (n, size).

        Raises ValueError for any other string.
        """
        try:
            return self.wire.reports_of(texts)
        except ValueError as error:
            raise ValueError(
                f"reports holds a string that must {error}; nothing else is allowed"
            ) from None

    def check_tally(self, tally: Tally) -> None:
        """Raise ValueError unless a tally has possible counts of set and of picked options.

        No option can be set more often than it was picked, and n reports pick n * pick options.
        """
        if tally.counts.shape == (2 * self.size,):
            pick_counts = self.informative_reports(tally)
            set_counts = self.support_counts(tally)
            if (set_counts <= pick_counts).all() and pick_counts.sum() == tally.n * self.pick:
                return
        raise ValueError(
            f"counts is {checks.show(tally.counts.tolist())} with n = {tally.n}; allowed are"
            f" {self.size} counts of marks that are set, then {self.size} of marks that were"
            f" picked, which sum to {self.pick} n"
        )

    def informative_reports(self, tally: Tally) -> IntArray:
        """Return in how many reports each option was picked, shape (size,): the second half."""
        return tally.counts[self.size :]

    def support_counts(self, tally: Tally) -> IntArray:
        """Return in how many reports each option is set, shape (size,): the first half."""
        return tally.counts[: self.size]

    def line(self) -> Line:
        """Return the line offset + slope * true share of the observed shares.

        The observed share of an option is that of 1 among the reports in which it was picked. For
        the `flip_probability` f the offset is f and the slope 1 - 2 * f, alike for all options.
        """
        return Line(
            offset=np.full(self.size, float(self.flip_probability)),
            slope=np.full(self.size, float(1 - 2 * self.flip_probability)),
        )

    def share_covariance(self, tally: Tally) -> FloatArray | None:
        """
        Raise an error: reports about picked options have no covariances.

        Parameters
        ----------
        tally : Tally
            The tally of all reports, which is not used.

        Raises
        ------
        ValueError
            Always. `UnaryEncoding` with select="any" has covariances.
        """
        raise ValueError(
            "marks that are picked by chance tell each share by itself; allowed for sums and pairs"
            " of marks is UnaryEncoding with select='any'"
        )

    def constrain(self, tally: Tally) -> FloatArray:
        """Estimate possible shares: the decoded ones, clipped to [0, 1], shape (size,).

        NaN for an option that was never picked.
        """
        # An option that was never picked has the observed share 0 / 0, which becomes NaN.
        with np.errstate(invalid="ignore"):
            observed_shares = self.support_counts(tally) / self.informative_reports(tally)
            return clipped(self.decode(observed_shares))

    def maximum_likelihood(self, reports: Reports) -> FloatArray:
        """
        Return the shares that each maximize the likelihood of their own option.

        For one option this is the unbiased share, or the nearer end of [0, 1]: `constrain`.

        Parameters
        ----------
        reports : array_like of int, shape (n, size), or sequence of str
            The reports, as in `tally`.

        Returns
        -------
        ndarray of float64, shape (size,)
            Shares from 0 to 1, and NaN for an option that was never picked.

        Raises
        ------
        ValueError
            If there are no reports, or if they are not possible.
        """
        tally = self.tally(reports)
        if tally.n == 0:
            raise ValueError("reports is empty; allowed is at least one report")
        return self.constrain(tally)

    def __repr__(self) -> str:
        return (
            f"OptionSampling(size={self.size}, epsilon={self.epsilon!r}, pick={self.pick}, "
            f"reach={self.reach}, den={self.den})"
        )


def _random_samples(rng: np.random.Generator, rows: int, size: int, count: int) -> IntArray:
    """Draw `count` different numbers below `size` for each row, shape (rows, count).

    size: the number of options.
    count: how many of them are drawn for each row, from 1 to `size`.

    They are in random order: these are the first steps of a Fisher-Yates shuffle.
    """
    if count == 1:
        return rng.integers(0, size, (rows, 1))

    members = np.tile(np.arange(size), (rows, 1))
    row_indexes = np.arange(rows)
    for index in range(count):
        # In every row, the member at this index changes places with a random one from here on.
        partner = rng.integers(index, size, rows)
        current = members[row_indexes, index]
        members[row_indexes, index] = members[row_indexes, partner]
        members[row_indexes, partner] = current
    return members[:, :count]
