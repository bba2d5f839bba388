"""The base class of all mechanisms.

A mechanism turns the true answer of a respondent into a random report. A design supplies its
probabilities and its texts. Estimation is written once, for all of them.

The designs share these words:

* The *true share* of an answer is the share of the respondents of whom it is true.
* A report *supports* an answer if it counts for that answer: if it is the answer, or has its bit
  set. The *observed share* of an answer is the share of the reports that support it.
* *Decoding* turns observed shares into unbiased estimates of the true shares.
* Probabilities are integer *weights* over one denominator, `den`. Epsilon, the privacy loss, is
  *declared* by an author. The weights *realize* as much of it as they can, but never more.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance.draw import NextUint32
from mechanisms.chance.integers import Den
from mechanisms.checks import BitArray, BoolArray, FloatArray, IntArray
from mechanisms.columns import Missing, checked_labels, code_column, count_column, row_column
from mechanisms.designs.wire import Wire, wire_of
from mechanisms.estimation.decoding import Line, Select
from mechanisms.estimation.estimates import Estimate
from mechanisms.estimation.tallies import Tally

# A source of draws, or a seed for one. None stands for a new source, with a seed from the system.
Seed = np.random.Generator | int | None


class Contrast(NamedTuple):
    """
    The probabilities with which a report supports an answer that is true, and one that is not.

    Attributes
    ----------
    shape : str
        What it means that a report supports an answer, which decides how it is explained:

        - "pair": of two answers, the report is this one;
        - "direct": of any number of answers, the report is this one;
        - "marks": the bit of the answer is set;
        - "picked": the bit of the answer is set, if its option was picked;
        - "band": the reported number is one of those that belong to the answer;
        - "group": the reported number stands for a group of answers with the answer in it;
        - "text": the reported number supports the text;
        - "bits": a bit of the report is set that the text sets in the Bloom filter.
    chosen : Fraction
        The probability if the answer is the true one.
    other : Fraction
        The probability if it is not. For a "band" it is the one by chance: if all reports were
        equally probable.
    """

    shape: str
    chosen: Fraction
    other: Fraction


class Recipe(NamedTuple):
    """
    A way to create a mechanism from a size and an epsilon alone, for planning.

    Planning compares the errors of all recipes that suit a question, and recommends one.

    Attributes
    ----------
    name : str
        The name, which no other recipe with the same `select` has.
    select : "one" or "any"
        How many answers may be true at the same time, as in `Mechanism.select`.
    make : callable
        Creates the mechanism from a size, an epsilon and a denominator.
    formula : callable
        Returns, from the size and an array of epsilons, the real numbers that the integers of the
        mechanism approximate: p and q, the probabilities that a report supports an answer that is
        true, and one that is not. If a report covers only some options, a third array has the
        expected fraction of them.
    ease : int
        The rank among recipes with the same error. A lower number is easier to explain, and comes
        first.
    least : int
        The number of answers from which the recipe is compared with others.
    most : float
        The number of answers up to which the recipe is recommended.
    """

    name: str
    select: Select
    make: Callable[[int, float, Den], "Mechanism"]
    formula: Callable[[int, FloatArray], tuple[FloatArray, ...]]
    ease: int
    least: int = 2
    most: float = math.inf


class Mechanism(ABC):
    """
    A randomized-response mechanism over `size` answers.

    A subclass says everything that the rest of the code has to know about its kind.

    Attributes
    ----------
    kind : str
        The kind of the mechanism's specification.
    keys : frozenset of str
        The keys that such a specification must have.
    optional : frozenset of str
        The keys that it may have in addition.
    name : str
        The name of the design.
    title, description : str
        The texts about the design for people.
    size : int
        The number of answers. For yes/no it is 2, where 0 is No and 1 is Yes.
    den : int
        The common denominator of all probabilities, at most 2**32.
    constrained_by : str
        The name of the method by which `Estimate.constrained` is computed.
    tells : "shares", "mean" or "candidates"
        What the design is made to estimate: the shares of the answers, the mean of answers that
        are numbers, or the shares of candidate texts.
    truths : "answer" or "text"
        What a truth is: the code of an answer, or a text.
    lasts : bool
        True if a device may store what later reports are drawn from. Then `epsilon` is the privacy
        loss of all these reports together.
    has_one_report_per_count : bool
        True if each report is counted once, so the counts of a tally sum to the number of reports.
    select : "one" or "any"
        "any" if any number of answers may be true at the same time.
    source : str
        The publication that describes the design.
    merit : str
        A sentence with the advantages of the design, for its recommendation in planning.
    """

    kind: str
    keys: frozenset[str]
    optional: frozenset[str] = frozenset()
    name: str
    title: str
    description: str
    size: int
    den: int
    constrained_by: str
    tells: str = "shares"
    truths: str = "answer"
    lasts: bool = False
    has_one_report_per_count: bool = False
    select: Select = "one"
    source: str = ""
    merit: str = ""

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        """
        Return the recipes by which planning creates mechanisms of this class.

        Returns
        -------
        tuple of Recipe
            Empty for a design that is not defined by an epsilon. Such a design is compared by its
            own probabilities.
        """
        return ()

    @cached_property
    def wire(self) -> Wire:
        """The report format: how a report is sent, stored and written to files."""
        return wire_of(self.spec())

    @property
    @abstractmethod
    def epsilon(self) -> float:
        """The privacy loss of one report, from the integers; inf if a report rules out a truth.

        It is the largest ln(P(report | truth) / P(report | other truth)), over all reports and all
        pairs of truths. (A design with `lasts` counts all reports of one text together.)

        This is the float nearest to the real number, so it may be one unit in the last place too
        low or too high. Pages round it up (`privacy.round_up`). The real number never exceeds the
        declared epsilon.
        """

    @property
    def publishable(self) -> bool:
        """True if the privacy loss is finite, which a survey needs before it can be published."""
        return math.isfinite(self.epsilon)

    @property
    def tells_shares(self) -> bool:
        """True if the design is made to estimate the share of each answer.

        It is False for a window, which is made for means, and for texts.
        """
        return self.tells == "shares"

    @property
    def free_shares(self) -> int:
        """The number of shares that simultaneous intervals count: here one for each answer.

        Such intervals divide the probability of an error by it (Bonferroni). All shares count, even
        if they sum to 1. Only for a matrix with two answers it is 1, since the second share follows
        from the first.
        """
        return self.size

    @property
    def reported_fraction(self) -> float:
        """The expected fraction of all reports that say anything about one given answer.

        It is 1 if every report is about all answers, as here. Option sampling overrides it: its
        reports cover only some options. Planning needs n / `reported_fraction` respondents for n
        such reports.
        """
        return 1.0

    @property
    def in_groups(self) -> bool:
        """True if one report can support several answers at once, all of them equally.

        Then `probabilities` has the shape 2 x 2, with the probabilities of support for an answer
        that is not true, and for one that is. It is False for a matrix and a window, for which
        `probabilities` has a row for each truth, and for texts, which are not in a list of answers.
        """
        # A format has an option count if its reports have a character for each option. A geometry
        # overrides this property: its report is one number, but stands for a group of answers.
        return self.wire.option_count is not None

    @property
    def tells_by_rows(self) -> bool:
        """True if whole reports hold more information about the shares than their counts do.

        It is so if a report has a bit for each answer and only one answer is true, because then
        all bits depend on the same truth. Only for such designs do surveys compute the maximum
        likelihood estimate from whole reports, and look for reports that repeat.
        """
        return False

    def ones_law(self) -> FloatArray | None:
        """
        Return the distribution of the number of bits that are set in a report.

        The quality checks of a survey compare its reports with this distribution.

        Returns
        -------
        ndarray of float64, shape (size + 1,), or None
            The probabilities of 0 to `size` set bits. None if they depend on the truth, if their
            number is fixed, or if reports have no bits.
        """
        return None

    @property
    def parameter_texts(self) -> dict[str, str]:
        """The parameters of the design as texts, by name, for pages about a question."""
        return {}

    @abstractmethod
    def contrast(self, answer: int = 0) -> Contrast:
        """
        Return the probabilities with which a report supports an answer.

        Texts about the protection of a question quote them.

        Parameters
        ----------
        answer : int, default 0
            The code of the answer. It matters only for designs with two answers.

        Returns
        -------
        Contrast
            The probabilities if the answer is true, and if another one is.

        Raises
        ------
        ValueError
            If the probabilities differ between three or more answers.
        """

    @abstractmethod
    def in_words(self) -> str:
        """
        Describe what happens to a true answer, with the probabilities, for the methods text.

        Returns
        -------
        str
            A part of a sentence, in English.
        """

    @abstractmethod
    def describe_probabilities(self) -> list[str]:
        """
        Describe the exact probabilities of reports, as lines of Markdown.

        The codebook of a survey and its document for an ethics board print them.

        Returns
        -------
        list of str
            Sentences or the lines of a table, in English.
        """

    @abstractmethod
    def spec(self) -> dict[str, Any]:
        """
        Return the specification, from which `from_spec` creates an equal mechanism.

        Returns
        -------
        dict
            Names and values that can be written as JSON.
        """

    @classmethod
    @abstractmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Mechanism":
        """
        Return the mechanism of a specification.

        Parameters
        ----------
        spec : Mapping
            The specification, as `spec` returned it, with exactly the right keys.

        Returns
        -------
        Mechanism
            The mechanism, of this class.

        Raises
        ------
        ValueError
            If a value is not allowed.
        """

    @abstractmethod
    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """
        Return the probabilities of reports as exact fractions.

        Returns
        -------
        tuple of tuples of Fraction
            Rows that each sum to 1. Matrix designs and windows have ``rows[truth][report]``, with
            a row for each truth. All other designs have two rows of two: the row is 1 for an answer
            that is true and 0 for any other, and the column is 1 if a report supports the answer.
            (The bits of one subset are not independent of each other.)
        """

    @abstractmethod
    def randomize_one(self, truth: Any, next_uint32: NextUint32) -> int | str:
        """
        Draw one report, exactly as the browser draws it from the same random integers.

        Parameters
        ----------
        truth : int, list of int or str
            The code of the true answer; for a multiple selection the list of true codes; for
            written answers a text.
        next_uint32 : callable
            Returns the next random word, an integer from 0 to 2**32 - 1.

        Returns
        -------
        int or str
            The report as it is sent.

        Raises
        ------
        ValueError
            If the truth is not possible.
        """

    @abstractmethod
    def randomize(
        self,
        truths: Any,
        rng: Seed = None,
        *,
        labels: Any = None,
        missing: Missing = "refuse",
    ) -> Any:
        """
        Draw reports for many truths at once, for simulation and teaching.

        Reports have the distribution of `randomize_one`, but come from NumPy's generator.

        Parameters
        ----------
        truths : array_like
            One truth per respondent: codes or labels, or a series or a categorical of pandas or
            polars. The answers to a multiple selection are rows of 0 and 1, or a data frame.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out.

        Returns
        -------
        array_like
            One report for each truth that is not missing, as `tally` takes them.
        """

    def true_codes(
        self, truths: Any, labels: Sequence[str] | None = None, missing: Missing = "refuse"
    ) -> IntArray:
        """
        Return the codes of true answers, for `randomize`.

        Parameters
        ----------
        truths : array_like, shape (n,)
            Codes, labels, or a categorical.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out.

        Returns
        -------
        ndarray of int64
            Codes from 0 to size - 1, without the missing values.

        Raises
        ------
        ValueError
            If a truth is no code and no label, or missing.
        """
        column = code_column("truths", truths, checked_labels(labels, self.size), missing)
        return checks.indices("truths", column.values, self.size)

    def true_rows(
        self, truths: Any, labels: Sequence[str] | None = None, missing: Missing = "refuse"
    ) -> BitArray:
        """
        Return the true options of a multiple selection, for `randomize`.

        Parameters
        ----------
        truths : array_like, shape (n, size)
            Rows of 0 and 1, or a data frame.
        labels : sequence of str, optional
            The label of each option, in the order of the codes.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing rows are an error or left out.

        Returns
        -------
        ndarray of uint8, shape (n, size)
            Rows of 0 and 1, without the missing ones.

        Raises
        ------
        ValueError
            If a number is neither 0 nor 1, or missing.
        """
        column = row_column("truths", truths, checked_labels(labels, self.size), missing)
        return checks.bits("truths", column.values, self.size)

    def randomize_stored(self, truths: ArrayLike, rng: Seed = None) -> Any:
        """
        Draw the same reports as `randomize`, in the form in which records hold them.

        Here both forms are equal. Designs override this if records hold packed bits.

        Parameters
        ----------
        truths : array_like
            One truth per respondent.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.

        Returns
        -------
        ndarray
            The stored reports, of the dtype and shape of `wire.field`.
        """
        return self.randomize(truths, rng)

    @abstractmethod
    def tally(self, reports: Any, *, labels: Any = None, missing: Missing = "refuse") -> Tally:
        """
        Count the reports for estimation.

        Parameters
        ----------
        reports : array_like
            The reports, as `randomize` returns them, or the same in a series, a categorical or a
            data frame of pandas or polars.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes. They are shown in results.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out. The tally says how many there were.

        Returns
        -------
        Tally
            The number of reports and the counts that estimation needs.

        Raises
        ------
        ValueError
            If the shape is wrong, or if a report is impossible.
        """

    @abstractmethod
    def check_tally(self, tally: Tally) -> None:
        """
        Check that a tally is possible for this mechanism.

        `estimate` calls it first, since a tally need not come from `tally`.

        Parameters
        ----------
        tally : Tally
            The tally.

        Raises
        ------
        ValueError
            If reports of this mechanism cannot have this tally.
        """

    def supports(self, reports: IntArray, answer: int) -> BoolArray:
        """
        Return which reports support an answer: here those that are equal to its code.

        Parameters
        ----------
        reports : ndarray of int64, shape (n,)
            The reports.
        answer : int
            The code of the answer.

        Returns
        -------
        ndarray of bool, shape (n,)
            True for the reports that support the answer.
        """
        mask: BoolArray = reports == answer
        return mask

    def informative_reports(self, tally: Tally) -> IntArray:
        """
        Return how many reports say anything about each answer: here all of them.

        An observed share is `support_counts` divided by this number. Option sampling overrides it,
        since its reports cover only some options.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of int64, shape (size,)
            The number of reports by answer.
        """
        return np.full(self.size, tally.n)

    def support_counts(self, tally: Tally) -> IntArray:
        """
        Return how many reports support each answer: here the counts of the tally.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of int64, shape (size,)
            The number of reports by answer.
        """
        return tally.counts

    @abstractmethod
    def line(self) -> Line | None:
        """
        Return how the observed share of each answer depends on its true share.

        The observed share is expected to be offset + slope * true share. The offset is the
        probability q that a report supports an answer that is not true, and the slope is p - q,
        for the probability p that it supports one that is true.

        Returns
        -------
        Line or None
            Offsets and slopes, of shape (size,). None if an observed share depends on several true
            shares.
        """

    @abstractmethod
    def share_covariance(self, tally: Tally) -> FloatArray | None:
        """
        Return the covariance matrix of the support indicators of one report.

        An indicator is 1 if the report supports the answer, and otherwise 0. For two answers u and
        v the covariance is s_uv - r_u * r_v, where s_uv is the probability that a report supports
        both, and r_u and r_v are the observed shares. Divided by n, these are the covariances of
        the observed shares of n reports.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of float64, shape (size, size), or None
            The covariances. None if the counts do not determine them.

        Raises
        ------
        ValueError
            If the design has no covariances, or too many of them.
        """

    @abstractmethod
    def constrain(self, tally: Tally) -> FloatArray:
        """
        Estimate shares that are possible, by the method that `constrained_by` names.

        Unbiased shares, which `decode` returns, can be below 0 or above 1. These cannot.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of float64, shape (size,)
            Shares from 0 to 1. If one answer is true of everybody, they sum to 1.
        """

    @abstractmethod
    def maximum_likelihood(self, reports: Any) -> FloatArray:
        """
        Return the possible true shares under which the reports have the largest likelihood.

        If the counts determine these shares, as for a matrix, they equal
        `Estimate.constrained`. Whole reports of unary encoding and of subset selection hold more
        information than their counts.

        Parameters
        ----------
        reports : array_like
            The reports, as `randomize` returns them.

        Returns
        -------
        ndarray of float64, shape (size,)
            The shares.

        Raises
        ------
        ValueError
            If there are no reports.
        ConvergenceError
            If the maximum is not reached.
        """

    def decode(self, shares: FloatArray) -> FloatArray:
        """
        Return unbiased true shares from observed shares: (observed share - offset) / slope.

        Parameters
        ----------
        shares : ndarray of float64, shape (size,)
            The observed shares of reports that support each answer.

        Returns
        -------
        ndarray of float64, shape (size,)
            The estimates, which may lie outside [0, 1].
        """
        offset, slope = self._line_for_decoding()
        proportions: FloatArray = (shares - offset) / slope
        return proportions

    def unbiased_weights(self, scores: FloatArray) -> FloatArray | None:
        """
        Return each report's weight in an unbiased estimate of a mean score.

        The estimate is the mean weight of all reports, ``tally.counts @ weights / tally.n``. Its
        expectation is the mean score of all respondents.

        Parameters
        ----------
        scores : ndarray of float64, shape (size,)
            The score of each true answer.

        Returns
        -------
        ndarray of float64 or None
            The weights, of the shape of the tally's counts, if every possible report has a count.
            None for designs that compute the mean from decoded shares instead.
        """
        return None

    def least_variance(self, scores: FloatArray) -> float:
        """
        Return the smallest variance that one report's weight can have, over all truths.

        It is the least variance of the randomization alone. Standard errors are at least its square
        root over sqrt(n). Otherwise reports that happen to be equal would have an error of 0.

        Parameters
        ----------
        scores : ndarray of float64, shape (size,)
            The score of each true answer. The weight of a report is its contribution to an
            unbiased estimate of the mean score, as in `unbiased_weights`.

        Returns
        -------
        float
            The variance, or 0 if no limit above 0 is known.
        """
        return 0.0

    def decode_covariance(self, share_covariance: FloatArray) -> FloatArray:
        """
        Return the covariance of decoded shares from that of observed shares.

        Decoding divides the share of an answer by its slope, so the covariance of two shares is
        divided by both slopes.

        Parameters
        ----------
        share_covariance : ndarray of float64, shape (size, size)
            The covariance of the observed shares.

        Returns
        -------
        ndarray of float64, shape (size, size)
            The covariance of the estimates that `decode` returns.
        """
        slope = self._line_for_decoding().slope
        # The outer product has slope[u] * slope[v] in row u and column v.
        covariance: FloatArray = share_covariance / np.outer(slope, slope)
        return covariance

    def _line_for_decoding(self) -> Line:
        """Return `line`, which `decode` and `decode_covariance` of this base class need.

        A design without a line has to override both. Raises NotImplementedError if it did not.
        """
        line = self.line()
        if line is None:
            raise NotImplementedError("a mechanism without a line decodes for itself")
        return line

    def estimate(
        self,
        tally: Any,
        confidence: float = 0.95,
        interval: str | None = None,
        *,
        simultaneous: bool = False,
        labels: Sequence[str] | None = None,
    ) -> Estimate:
        """
        Estimate the true shares, without bias and with their uncertainty.

        Parameters
        ----------
        tally : Tally, sequence of int, mapping, or series
            The tally of all reports. If each report is one answer, the counts of the answers are
            enough: in the order of the codes, or with codes or labels as keys.
        confidence : float, default 0.95
            The confidence level of the intervals, between 0 and 1.
        interval : "wilson", "wald", "exact" or "likelihood", optional
            The kind of interval; "exact" is Clopper and Pearson's. By default it is the best kind
            for this mechanism: see `mechanisms.estimation.estimates.best_interval`.
        simultaneous : bool, default False
            True if all intervals together hold with this confidence (Bonferroni).
        labels : sequence of str, optional
            The label of each answer, in the order of the codes. By default they are those of the
            tally.

        Returns
        -------
        Estimate
            The shares with their standard errors and intervals.

        Raises
        ------
        ValueError
            If the tally is empty or not possible for this mechanism, or if the confidence is not
            between 0 and 1.
        """
        names = checked_labels(labels, self.size)
        if not isinstance(tally, Tally):
            tally = self._tally_of_counts(tally, names)
        return Estimate(self, tally, confidence, interval, simultaneous=simultaneous, labels=names)

    def _tally_of_counts(self, counts: Any, labels: tuple[str, ...] | None) -> Tally:
        """Return the tally of received counts. Raises ValueError if they do not determine it."""
        by_code = count_column("tally", counts, labels)
        if not self.has_one_report_per_count:
            raise ValueError(
                f"tally is {checks.show(counts)}; allowed is a Tally, because the counts of"
                f" {type(self).__name__} do not say how many reports there were"
            )
        return Tally(int(by_code.sum()), by_code)

    def __eq__(self, other: object) -> bool:
        """Return whether the other mechanism has the same specification."""
        if not isinstance(other, Mechanism):
            return NotImplemented
        return self.spec() == other.spec()

    def __hash__(self) -> int:
        """Return a hash of attributes that follow from the specification, so equal ones agree."""
        return hash((self.name, self.size, self.den))


def format_probability(probability: Fraction) -> str:
    """
    Format a probability as a part of a sentence.

    Parameters
    ----------
    probability : Fraction
        The probability.

    Returns
    -------
    str
        A fraction if its denominator is at most 100, and otherwise a decimal with 6 digits.
    """
    if probability.denominator <= 100:
        return str(probability)
    return f"{float(probability):.6g}"
