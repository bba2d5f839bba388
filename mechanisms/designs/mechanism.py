"""What every mechanism is. A design supplies its chances and its words; estimation is written once, on top of
this.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mechanisms.chance.draw import NextUint32
from mechanisms.chance.integers import Den
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.designs.wire import Wire, wire_of
from mechanisms.estimation.decoding import Line, Select
from mechanisms.estimation.estimates import Estimate
from mechanisms.estimation.tallies import Tally

Seed = np.random.Generator | int | None


class Contrast(NamedTuple):
    """How often a report speaks for an answer: where it is the true one, and where it is not.

    shape: how that is said. "pair": of two answers, the one is recorded; "direct": any one answer is recorded;
    "marks": an answer's mark is set; "picked": the mark of an answer that was picked is set; "band": the number
    reported is one of those that belong to the answer; "group": the number reported stands for a group of answers, and
    the answer is in it; "text": what is reported speaks for the text.
    """

    shape: str
    chosen: Fraction
    other: Fraction


class Recipe(NamedTuple):
    """A way to make a mechanism from a size and an epsilon alone: what planning knows of a class.

    name: among all recipes. select: the questions, as of a mechanism.
    make: the mechanism, from size, epsilon and den. formula: the real numbers that its integers come near to, from the
    size and epsilons of any shape: p, q and, where a report picks what it speaks of, the part that is asked.
    ease: of two with the same error, the one with the lower number stands first, as it is easier to explain.
    least: answers from which on it is compared; most: up to which it is recommended.
    """

    name: str
    select: Select
    make: Callable[[int, float, Den], "Mechanism"]
    formula: Callable[[int, FloatArray], tuple[FloatArray, ...]]
    ease: int
    least: int = 2
    most: float = math.inf


class Mechanism(ABC):
    """A randomized-response mechanism over `size` answers. One class is all that there is to know of a kind.

    size: number of answers (2 for yes/no, where 0 is No and 1 is Yes).
    den: the common denominator of all its chances, at most 2**32.
    kind: what its spec is an instance of; keys: those of such a spec; optional: those that it may have as well.
    name: the design's name. title, description: its words for people. source: where it is published.
    constrained_by: how `Estimate.constrained` is made from a tally.
    tells: what it is made for: "shares" of the answers, the "mean" of answers that are numbers, or the shares of
    "candidates" that somebody gives.
    truths: what a truth is: an "answer" of a list, by its place, or a "text".
    lasts: whether a device may keep what later reports are drawn from; then epsilon is that of all of them together.
    select: "any" where any number of answers may be true at once, else "one".
    merit: what is good about it, in a sentence, where planning recommends it.
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
    select: Select = "one"
    source: str = ""
    merit: str = ""

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        """How planning makes it; empty for a design with chances of its own, which is compared by these."""
        return ()

    @cached_property
    def wire(self) -> Wire:
        """The form of a report: how it travels, is stored, and stands in a table."""
        return wire_of(self.spec())

    @property
    @abstractmethod
    def epsilon(self) -> float:
        """The privacy loss of one report, from the integers; math.inf where some report rules out a truth.

        The nearest float: up to one unit in its last place below or above the real number. What is shown is rounded up
        (`privacy.round_up`), what is declared is never exceeded.
        """

    @property
    def publishable(self) -> bool:
        """Whether a survey may be published with it: the privacy loss is finite."""
        return math.isfinite(self.epsilon)

    @property
    def tells_shares(self) -> bool:
        """Whether the share of each answer is worth showing; else it was made for a mean or for candidates."""
        return self.tells == "shares"

    @property
    def free_shares(self) -> int:
        """How many shares are free: the comparisons that simultaneous intervals allow for."""
        return self.size

    @property
    def reported_fraction(self) -> float:
        """The expected fraction of reports that say anything about an answer."""
        return 1.0

    @property
    def in_groups(self) -> bool:
        """Whether a report speaks for several answers at once, each as often as any other."""
        return self.wire.marks is not None

    @property
    def tells_by_rows(self) -> bool:
        """Whether whole reports say more of the shares than their counts do."""
        return False

    def ones_law(self) -> FloatArray | None:
        """The chances of 0 to size marks in a report, shape (size + 1,), where no truth changes them; else None."""
        return None

    @property
    def parameter_texts(self) -> dict[str, str]:
        """The parameters by name, as texts."""
        return {}

    @abstractmethod
    def contrast(self, answer: int = 0) -> Contrast:
        """How often a report speaks for an answer; of a pair, for this one. ValueError where answers differ in it."""

    @abstractmethod
    def in_words(self) -> str:
        """What happens to a true answer, as a part of a sentence."""

    @abstractmethod
    def describe_probabilities(self) -> list[str]:
        """Return the exact probabilities as lines of Markdown."""

    @abstractmethod
    def spec(self) -> dict[str, Any]:
        """A JSON-ready description, from which `from_spec` makes an equal mechanism."""

    @classmethod
    @abstractmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Mechanism":
        """Return the mechanism of a specification. Raises ValueError."""

    @abstractmethod
    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """The chances as exact fractions, each row summing to 1.

        Matrix designs: rows[truth][report], size x size. Unary and subset: rows[bit][reported bit], 2 x 2,
        where bit is 1 for the answer that is true (for subset the chances of one bit; its bits are not
        independent).
        """

    @abstractmethod
    def randomize_one(self, truth: Any, next_uint32: NextUint32) -> int | str:
        """One report as it goes on the wire, exactly as the browser draws it from the same unsigned 32-bit
        integers.

        truth: the index of the answer; for choose-all-that-apply a list of indices.
        """

    @abstractmethod
    def randomize(self, truths: ArrayLike, rng: Seed = None) -> Any:
        """Reports for many truths at once, from a NumPy generator or a seed for one. For simulation and
        teaching.
        """

    def randomize_stored(self, truths: ArrayLike, rng: Seed = None) -> Any:
        """The same reports as records hold them: of the dtype and shape of `wire.field`."""
        return self.randomize(truths, rng)

    @abstractmethod
    def tally(self, reports: Any) -> Tally:
        """Count the reports. ValueError for a wrong shape or an impossible report."""

    @abstractmethod
    def check_tally(self, tally: Tally) -> None:
        """ValueError unless the tally can be one of this mechanism's."""

    def supports(self, reports: IntArray, answer: int) -> BoolArray:
        """Return which reports support an answer."""
        found: BoolArray = reports == answer
        return found

    def informative_reports(self, tally: Tally) -> IntArray:
        """Return how many reports say anything about each answer, shape (size,)."""
        return np.full(self.size, tally.n)

    def support_counts(self, tally: Tally) -> IntArray:
        """Return how many reports support each answer, shape (size,)."""
        return tally.counts

    @abstractmethod
    def line(self) -> Line | None:
        """How each observed share depends on its true share, where it depends on no other; else None."""

    @abstractmethod
    def share_covariance(self, tally: Tally) -> FloatArray | None:
        """Covariance of one report's indicators, shape (size, size); None where the counts do not determine
        it.
        """

    @abstractmethod
    def constrain(self, tally: Tally) -> FloatArray:
        """Estimates that are possible proportions, shape (size,)."""

    @abstractmethod
    def maximum_likelihood(self, reports: Any) -> FloatArray:
        """The true shares, possible ones, under which these reports are likeliest, shape (size,).

        Where the counts alone determine it (matrix) it equals `Estimate.constrained`; unary and subset reports say
        more together than their counts do. ValueError for no reports; ConvergenceError if the maximum is not reached.
        """

    def decode(self, shares: FloatArray) -> FloatArray:
        """Unbiased true shares from observed shares, both of shape (size,)."""
        offset, slope = self._straight()
        proportions: FloatArray = (shares - offset) / slope
        return proportions

    def unbiased_weights(self, wanted: FloatArray) -> FloatArray | None:
        """Return each report's weight in an unbiased estimate of the mean of `wanted`, or None if there are none.

        Of the shape of the tally's counts, where each report has a count of its own; None where shares are what is
        decoded.
        """
        return None

    def least_variance(self, wanted: FloatArray) -> float:
        """The least variance, over all truths, of what a report counts for in that mean; 0 where none is known."""
        return 0.0

    def decode_covariance(self, share_covariance: FloatArray) -> FloatArray:
        """Return the covariance of decoded shares from that of observed shares."""
        slope = self._straight().slope
        covariance: FloatArray = share_covariance / np.outer(slope, slope)
        return covariance

    def _straight(self) -> Line:
        line = self.line()
        if line is None:
            raise NotImplementedError("a mechanism without a line decodes for itself")
        return line

    def estimate(
        self,
        tally: Tally,
        confidence: float = 0.95,
        interval: str | None = None,
        *,
        simultaneous: bool = False,
    ) -> Estimate:
        """The unbiased estimate of the true shares, with its uncertainty.

        interval: "wilson", "wald", "exact" (Clopper-Pearson) or "likelihood"; None for the best of this mechanism,
        Wilson's alone and exact ones where they hold together (`estimation.estimates.best_interval`).
        simultaneous: whether all intervals together hold with this confidence (Bonferroni), not each by
        itself. ValueError for an empty tally or one that is not this mechanism's, or a confidence outside (0,
        1).
        """
        return Estimate(self, tally, confidence, interval, simultaneous=simultaneous)

    def __eq__(self, other: object) -> bool:
        return self.spec() == other.spec() if isinstance(other, Mechanism) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, self.size, self.den))


def in_digits(chance: Fraction) -> str:
    """A chance as a part of a sentence: a short fraction, else a decimal."""
    return str(chance) if chance.denominator <= 100 else f"{float(chance):.6g}"
