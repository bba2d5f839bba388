"""The one dial of a survey: how well each person is protected, and what that comes to.

A level fixes the odds of each sensitive answer. Each person gets at most two sensitive questions, which their device
picks: for every kind of question that is the most precise way to spend so much privacy. So one more question never
changes the odds of another one. Nothing of this enters an instrument; its mechanisms and its selection say it.

Two numbers are said, always both: how often a guess between two answers is right for whoever sees one scrambled answer
alone, and for whoever sees all that one person sent: protection_wording has the sentences.
"""

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mechanisms import odds_percent, round_up
from mechanisms.planning.privacy import total_epsilon
from surveys.definition.designs.levels import AIMS, recommend_design
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.kinds import kind_of
from surveys.definition.response_format import QuestionSubset
from surveys.models import Question
from surveys.site.errors import Invalid
from surveys.site.expressions import full_match
from surveys.site.shape import ApiResult

OWN = ""  # of a survey that sets every question itself
ASKED = 2  # sensitive questions that a person gets: the best number for all kinds and any number of questions
LEAST, MOST = 0.2, 4.59  # of an epsilon for all answers together, where a program gives a number
CALM, AMBER = (80, 90), (90, 95)  # in 100: the most of one answer and of all together
ONE_CHOICE = (
    "Leave this out, or send “automatic” with an epsilon. Protection is one choice for the survey."
)
FROM_FILES = "Leave this out. Answers from files keep the protection they were collected with."
NO_NUMBER_BY_HAND = "Questions answered by hand need Strong, Balanced or Light."
CONDITIONAL = "Only a question without a condition can be asked of everyone."
UNKNOWN = f"Choose strong, balanced or light, or enter an epsilon for all answers together, from {LEAST} to {MOST}."


@dataclass(frozen=True)
class Level:
    """odds: a Yes is sent as Yes so many times as often as a No. truth: how often an answer by hand is the truth."""

    title: str
    odds: int
    truth: Fraction

    @property
    def epsilon(self) -> float:
        """Of one answer: the float of the logarithm itself, so that the chances of Yes and No are exact."""
        return math.log(self.odds)


LEVELS = {
    "strong": Level("Strong", 2, Fraction(1, 3)),
    "balanced": Level("Balanced", 3, Fraction(1, 2)),
    "light": Level("Light", 4, Fraction(3, 5)),
}
RECOMMENDED = "balanced"


def validate_protection(protection: object) -> str:
    """Return a protection setting as it is stored. Raises ValueError."""
    if protection is None:
        return OWN
    if not isinstance(protection, str):
        raise ValueError(UNKNOWN)
    if protection == OWN or protection in LEVELS:
        return protection
    if (
        not full_match(r"[0-9]{1,2}(\.[0-9]{1,4})?", protection, longest=7)
        or not LEAST <= float(protection) <= MOST
    ):
        raise ValueError(UNKNOWN)
    return f"{float(protection):g}"


def one_answer(protection: str) -> float:
    """The privacy loss that a question without a method of its own declares."""
    return LEVELS[protection].epsilon if protection in LEVELS else float(protection) / ASKED


Method = tuple[str, dict[str, str]]  # the key of a design, and its parameters


def question_method(question: Question, size: int, protection: str) -> Method:
    """Return the design and parameters of a question: its author's, or those of the survey's protection.

    Raises surveys.site.errors.Invalid.
    """
    if question.design or protection == OWN or not kind_of(question).sensitive:
        return question.design, question.parameters
    return derive_method(protection, size, question.kind, mode=question.mode, aim=question.aim)


def derive_method(
    protection: str, size: int, kind: str, *, mode: str = Question.Mode.AUTOMATIC, aim: str = ""
) -> Method:
    """Return the design and parameters that a protection gives to a question."""
    epsilon = repr(one_answer(protection))
    traits = kind_of(Question(kind=kind))
    best = recommend_design(
        max(size, 2), epsilon, AIMS[aim or "mean"] if traits.is_ordered else traits.select
    )
    if mode == Question.Mode.SPINNER:
        return "warner", {"p": best.parameters.get("p", "3/4")}  # two coins keep 3 of 4
    if mode == Question.Mode.BY_HAND:
        return _by_hand(protection)
    return best.design, dict(best.parameters)


def _by_hand(protection: str) -> Method:
    """Forced response, which a die, two coins or ten slips draw."""
    if protection not in LEVELS:
        raise Invalid({"mode": NO_NUMBER_BY_HAND})
    truth = LEVELS[protection].truth
    rest = str((1 - truth) / 2)
    return (
        ("two-coin", {})
        if truth == Fraction(1, 2)
        else (
            "forced-response",
            {"truth": str(truth), "yes": rest, "no": rest},
        )
    )


def automatic_subset(questions: Sequence[Question]) -> QuestionSubset | None:
    """Return the question subset of a survey whose protection is a level; None if everyone gets every question.

    questions: all of the survey. Those with a condition join: the device picks before it drops what the path does not
    ask, so the chance of each is the same on every path.
    """
    sensitive = [question for question in questions if kind_of(question).sensitive]
    if len(sensitive) <= ASKED:
        return None
    others = tuple(question.key for question in sensitive if not question.everyone)
    return QuestionSubset(ASKED - (len(others) < len(sensitive)), others)


def everyone_problem(question: Question, others: Sequence[Question], *, has_condition: bool) -> str:
    """Why a question cannot be asked of everyone; nothing where it can. others: the other questions of the survey."""
    if already := next((each for each in others if each.everyone), None):
        return f"Only one question can be asked of everyone; “{already.whole}” already is."
    return CONDITIONAL if has_condition else ""


def everyone_problems(questions: Sequence[Question], conditional: Container[str]) -> dict[str, str]:
    """Return, by question key, why a question cannot be asked of everyone."""
    chosen = [
        question for question in questions if question.everyone and kind_of(question).sensitive
    ]
    wrong = {
        each.key: everyone_problem(each, chosen[:n], has_condition=each.key in conditional)
        for n, each in enumerate(chosen)
    }
    return {key: said for key, said in wrong.items() if said}


@dataclass(frozen=True)
class Losses:
    """one: the largest privacy loss of a sensitive question, 0 where there is none. together: of all that one person
    is asked, on the costliest path.
    """

    one: float
    together: float

    @property
    def has_several_answers(self) -> bool:
        """True if some respondent is asked more than one sensitive question."""
        return self.together > self.one

    @property
    def max_guess_rates(self) -> tuple[int, int]:
        """How many times in 100 a guess between two answers is right at most: from one answer, and
        from all together.
        """
        return odds_percent(self.one), odds_percent(self.together)

    @property
    def grade_colour(self) -> str:
        """calm, "amber" or "red", the same on every page and in the API."""
        one, together = self.max_guess_rates
        if one <= CALM[0] and together <= CALM[1]:
            return "calm"
        return "amber" if one <= AMBER[0] and together <= AMBER[1] else "red"


def summarize_losses(each: Iterable[tuple[str, float]], together: float) -> Losses:
    """Return the largest loss of one answer and the total of all answers."""
    return Losses(max((loss for _, loss in each), default=0.0), together)


def definition_losses(frozen: SurveyDefinition) -> Losses:
    """Return the privacy losses of a published survey."""
    return summarize_losses(
        [(item.key, item.epsilon) for item in frozen.items if item.epsilon is not None],
        frozen.epsilon,
    )


def guess_rate_of_pair(epsilon: float, correlation: float) -> int:
    """Return how often in 100 a guess is right about one of two correlated yes/no answers.

    Both are equally often Yes and No, and depend on each other with this correlation; the posterior chance of Yes after
    two reports of Yes, which is the most telling outcome.
    """
    kept, same = 1 / (1 + math.exp(-epsilon)), (1 + correlation) / 2
    yes = kept * (same * kept + (1 - same) * (1 - kept))
    no = (1 - kept) * ((1 - same) * kept + same * (1 - kept))
    return math.ceil(100 * yes / (yes + no) - 1e-9)


@dataclass(frozen=True)
class Versions(ApiResult):
    """In 100, rounded up to a tenth, if someone answers all versions and gets the same question in each."""

    one: float
    all: float


def combine_versions(each: Sequence[Losses]) -> Versions:
    """Return the losses of a respondent who answers several versions."""
    return Versions(
        _tenths(total_epsilon(v.one for v in each)),
        _tenths(total_epsilon(v.together for v in each)),
    )


def _tenths(epsilon: float) -> float:
    return round_up(100 / (1 + math.exp(-epsilon)) - 1e-9, 1)  # twice ln 2 means exactly 80
