"""Which mechanism to take for a number of answers and an epsilon."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mechanisms import checks
from mechanisms.chance.integers import Den, exp_capped
from mechanisms.designs.direct import DirectEncoding
from mechanisms.designs.geometry import Geometry
from mechanisms.designs.marks import Marks
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.orders import LONGEST
from mechanisms.designs.subset import SubsetSelection
from mechanisms.designs.unary import UnaryEncoding
from mechanisms.estimation.decoding import Select


@dataclass(frozen=True)
class Recommendation:
    """A mechanism with its error and the reason for its place.

    error: n times the total squared error over all answers when all are equally frequent, sampling included; the
    error of n reports is error / n.
    """

    mechanism: Mechanism
    error: float
    reason: str


def total_error(mechanism: Mechanism) -> float:
    """n times the total squared error at uniform true shares, sampling included: sum of r (1 - r) / slope^2.

    Where a report picks what it speaks of, divided by the part of the reports that speak of an answer.

    ValueError for a general matrix of more than two answers.
    """
    line = mechanism.line()
    if line is None:
        raise ValueError(f"mechanism is {mechanism!r}; allowed is any but a general matrix of more than two answers")
    reports = line.offset + line.slope / mechanism.size
    return float((reports * (1 - reports) / line.slope**2).sum() / mechanism.asked)


def best_known_error(size: int, epsilon: float) -> float:
    """The least total error, times n, that any known mechanism reaches at uniform true shares.

    The minimum over whole widths w of (k - 1)^2 (w e + k - w)^2 / (k (e - 1)^2 w (k - w)): subset selection at real-
    valued chances (Ye and Barg 2018). Their continuous form 4 e (k - 1)^2 / (k (e - 1)^2) is lower when k < e + 1, and
    cannot be reached there.
    """
    k, e = checks.size(size), exp_capped(checks.epsilon(epsilon))
    w = np.arange(1, k)
    return float(np.min((k - 1) ** 2 * ((w * e + k - w) / (e - 1)) ** 2 / (k * w * (k - w))))


def recommend(size: int, epsilon: float, select: Select = "one", *, den: Den = checks.MAX_DEN) -> list[Recommendation]:
    """The mechanisms for one question, least total squared error first.

    select: "one" for a single choice, "any" for choose-all-that-apply.
    den: as for the mechanisms. Of more than 200 answers direct encoding is left out, which needs many times the
    respondents, and geometry stands in its place. The errors are those of the integers, not of the formulas.
    """
    if checks.one_of("select", select, ("one", "any")) == "any":
        candidates: list[Mechanism] = [
            Marks(size, epsilon, den=den),
            UnaryEncoding.symmetric(size, epsilon, "any", den=den),
        ]
    else:  # Where two are the same but for the last digit, the one that is easier to explain stands first.
        is_list = size > LONGEST
        candidates = [
            Geometry(size, epsilon, den=den) if is_list else DirectEncoding(size, epsilon, den),
            SubsetSelection(size, epsilon, den=den),
            UnaryEncoding.optimized(size, epsilon, den=den),
            UnaryEncoding.symmetric(size, epsilon, den=den),
        ]
    return rank(candidates)


def rank(candidates: Iterable[Mechanism]) -> list[Recommendation]:
    """Least total squared error first; where two are the same but for the last digit, in the order given."""
    ranked = sorted(candidates, key=lambda mechanism: float(f"{total_error(mechanism):.5g}"))
    least = total_error(ranked[0])
    return [Recommendation(each, total_error(each), _reason(each, least)) for each in ranked]


def _reason(mechanism: Mechanism, least: float) -> str:
    more = total_error(mechanism) / least - 1
    place = (
        "Has the least total squared error" if more < 5e-5 else f"Needs {more:.0%} more respondents for the same error"
    )
    return f"{place}. {_trait(mechanism)}"


def _trait(mechanism: Mechanism) -> str:  # noqa: PLR0911 (a table, one sentence for each)
    if isinstance(mechanism, Marks):
        picked = "one is picked and has" if mechanism.pick == 1 else f"{mechanism.pick} are picked and share"
        return f"Of {mechanism.size} marks {picked} all of epsilon. That tells each share, and nothing of two together."
    if mechanism.select == "any":
        return "Every mark is scrambled with an equal part of epsilon; pairs of marks can be estimated too."
    if isinstance(mechanism, Geometry):
        return "The report is one number, however many answers there are, and all are counted by one transform."
    if isinstance(mechanism, DirectEncoding):
        return "The report is one answer, the easiest to explain; best for few answers or a large epsilon."
    if isinstance(mechanism, SubsetSelection):
        if mechanism.width == 1:
            return "With sets of one answer it is the same as direct encoding."
        return f"The report is a set of {mechanism.width} answers; never worse than the others, up to rounding."
    return "The report is one bit per answer; its error hardly depends on the number of answers."
