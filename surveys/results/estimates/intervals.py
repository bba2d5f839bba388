"""Which intervals a report shows: what a design has, what is refused instead of replaced, and the words for it."""

from collections.abc import Iterable
from dataclasses import dataclass

from mechanisms import Mechanism
from mechanisms.estimation.estimates import best_interval
from mechanisms.estimation.finite import KINDS
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.site.errors import Invalid
from surveys.site.number_format import format_level, join_with_and

CONFIDENCE = 0.95
ALONE = "They are about exactly the people who answered: they include the randomization, but not who took part."
FINITE_KINDS = "Choose Wilson or Wald intervals, or leave the kind out. There are no others without the sampling."
NOBODY_INVITED = (
    "Leave this out. Only a survey with tickets knows that the respondents are the invited people. Errors of this one "
    "include the sampling."
)
USUAL, EXACT, ONLY = "wilson", "exact", "wald"
NAMES = {
    "wilson": "Wilson",
    "wald": "Wald",
    "exact": "Clopper–Pearson",
    "likelihood": "likelihood-ratio",
}


@dataclass(frozen=True)
class IntervalOptions:
    """What is asked of the intervals of a report. kind: None for the best that each design has.

    sampling: whether errors and intervals hold the sampling too, for everybody like those who answered; without it they
    hold the randomization alone, for exactly those who answered.
    """

    confidence: float = CONFIDENCE
    kind: str | None = None
    simultaneous: bool = False
    sampling: bool = True

    def kind_for(self, mechanism: Mechanism) -> str:
        """The kind as asked; where nothing is asked, the best for it. Without the sampling there are no exact ones."""
        if (
            not mechanism.tells_shares
        ):  # its interval is none of a share, so there is nothing to choose
            return ONLY
        return self.kind or best_interval(
            mechanism, simultaneous=self.simultaneous and self.sampling
        )


def interval_problem(items: Iterable[QuestionDefinition]) -> str:
    """Return why only Wald intervals are available, or an empty string."""
    matrices = [
        f"“{item.full_text}”" for item in items if item.mechanism and _is_matrix(item.mechanism)
    ]
    if not matrices:
        return ""
    return (
        f"For {join_with_and(matrices)} there are only Wald intervals: the design is "
        "a matrix of more than two answers. "
        "Choose Wald, or leave the kind out. Then every question gets the best that its design allows."
    )


def _is_matrix(mechanism: Mechanism) -> bool:
    return mechanism.line() is None and mechanism.tells_shares


def validate_options(frozen: SurveyDefinition, asked: IntervalOptions) -> None:
    """Raise Invalid for an interval that some design does not have."""
    if asked.kind not in (None, ONLY) and (why := interval_problem(frozen.items)):
        raise Invalid({"interval": why})
    if not asked.sampling and asked.kind not in (None, *KINDS):
        raise Invalid({"interval": FINITE_KINDS})
    if not asked.sampling and frozen.tickets is None:
        raise Invalid({"sampling": NOBODY_INVITED})


def interval_name(confidence: float, kind: str, simultaneous: bool, sampling: bool = True) -> str:
    """Return "95% Wilson interval"."""
    whose = "" if sampling else " of the randomization alone"
    return f"{format_level(confidence)} {'simultaneous ' if simultaneous else ''}{NAMES[kind]} interval{whose}"


def in_short(confidence: float, simultaneous: bool, sampling: bool = True) -> str:
    """Which kind all ranges of a report are, above its sentences."""
    if not sampling:
        return f"{in_short(confidence, simultaneous)} {ALONE}"
    if simultaneous:
        return f"All ranges are {format_level(confidence)} intervals that hold together for the answers of a question."
    return f"All ranges are {format_level(confidence)} intervals, each for one share alone."


def for_a_paper(simultaneous: bool) -> str:
    """What a methods section says of the confidence."""
    if simultaneous:
        return (
            "The intervals of the answers to one question hold simultaneously at this level (Bonferroni correction for "
            "the number of its answers); questions are taken one by one."
        )
    return "Each interval holds at this level separately, without a correction for their number."


def confidence_explanation(confidence: float, simultaneous: bool, filtered: bool = False) -> str:
    """Return what the confidence level promises and what it does not."""
    times = f"{100 * confidence:.4g}"
    if simultaneous:
        said = (
            f"Of 100 surveys like this one, about {times} or more have intervals that hold all true shares of a "
            "question at once. So each is wider than an interval for one share alone (Bonferroni)."
        )
    else:
        said = (
            f"Each interval counts separately: of 100 surveys like this one, about {times} have an interval that "
            "contains the true share of this answer. All intervals of a question hold at once less often. To compare "
            "its answers, choose intervals that hold together."
        )
    if not filtered:
        return said
    one_in = f"about {round(1 / (1 - confidence)):,}"
    return (
        f"{said} There is no correction for groups: if you look at {one_in} groups, expect one interval to miss by "
        "chance."
    )
