"""The protection of a survey: one level for all its sensitive questions, and what it amounts to.

A level fixes the odds of each sensitive answer. Each respondent gets at most two sensitive
questions, which their device picks. For every kind of question this is the most precise way to
spend so much privacy. So another question never changes the odds of the questions before. The
level is not part of an instrument: its mechanisms and its question subset follow from it.

Two numbers describe the protection, and always appear together: how often a guess between two
answers is right for someone who sees a single scrambled answer, and for someone who sees all that
one respondent sent. surveys.definition.protection_wording has the sentences.
"""

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mechanisms import odds_percent, round_up
from mechanisms.planning.privacy import total_epsilon
from surveys.definition.designs.levels import AIMS, recommend_design
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.kinds import KINDS, kind_of
from surveys.definition.response_format import QuestionSubset
from surveys.models import Question
from surveys.site.errors import Invalid
from surveys.site.expressions import full_match
from surveys.site.shape import ApiResult

# The protection of a survey that sets the method of every question itself.
NO_LEVEL = ""
# The sensitive questions that a respondent gets. For every kind and number of questions, two make
# the results most precise.
MOST_ASKED = 2
# The limits of an epsilon for all answers together, where a program sets a number. With the smaller
# one, each of two answers gets 0.1, the smallest epsilon with which a mean can be estimated. With
# the larger one, a guess from all answers is right 99 times in 100.
LEAST_EPSILON, LARGEST_EPSILON = 0.2, 4.59
# The largest guess rates, in 100, of one answer and of all answers together that have this colour.
CALM_LIMITS, AMBER_LIMITS = (80, 90), (90, 95)
# The messages for protection settings that are not possible.
ONE_CHOICE = (
    "Leave this out, or send “automatic” with an epsilon. Protection is one choice for the survey."
)
FROM_FILES = "Leave this out. Answers from files keep the protection they were collected with."
NO_NUMBER_BY_HAND = "Questions answered by hand need Strong, Balanced or Light."
HAS_CONDITION = "Only a question without a condition can be asked of everyone."
UNKNOWN_PROTECTION = (
    "Choose strong, balanced or light, or enter an epsilon for all answers together, "
    f"from {LEAST_EPSILON} to {LARGEST_EPSILON}."
)


@dataclass(frozen=True)
class Level:
    """A level of protection that an author can choose for a survey: strong, balanced or light.

    title: the name that authors read.
    odds: how many times as often a Yes is sent as Yes as a No is.
    truth: the probability that an answer is the truth, if the question is answered by hand. It
        follows from the odds: with probability t for the truth, and Yes and No equally likely
        otherwise, a Yes is sent as Yes (1 + t) / (1 − t) times as often as a No is.
    """

    title: str
    odds: int
    truth: Fraction

    @property
    def epsilon(self) -> float:
        """The privacy loss of one answer: the logarithm of `odds`.

        It is not rounded, so that the probabilities of Yes and No are exact.
        """
        return math.log(self.odds)


LEVELS = {
    "strong": Level("Strong", 2, Fraction(1, 3)),
    "balanced": Level("Balanced", 3, Fraction(1, 2)),
    "light": Level("Light", 4, Fraction(3, 5)),
}
RECOMMENDED_LEVEL = "balanced"


def validate_protection(protection: object) -> str:
    """Return a protection setting as it is stored.

    Raises ValueError, with a message for the author, for anything else than these:

    protection: None or "" for a survey that sets every question itself, the key of a level, or a
        text with an epsilon for all answers together.
    """
    if protection is None:
        return NO_LEVEL
    if not isinstance(protection, str):
        raise ValueError(UNKNOWN_PROTECTION)
    if protection == NO_LEVEL or protection in LEVELS:
        return protection
    if not full_match(r"[0-9]{1,2}(\.[0-9]{1,4})?", protection, longest=7):
        raise ValueError(UNKNOWN_PROTECTION)
    if not LEAST_EPSILON <= float(protection) <= LARGEST_EPSILON:
        raise ValueError(UNKNOWN_PROTECTION)
    return f"{float(protection):g}"


# The key of a design, and its parameters.
Method = tuple[str, dict[str, str]]


def question_method(question: Question, size: int, protection: str) -> Method:
    """Return the design and parameters of a question with `size` answers.

    They are those that its author chose, or else those that the protection of the survey gives to
    it. Raises Invalid if the question is answered by hand and the protection is not a level.

    size: the number of answers of the question.
    protection: the protection of the survey, as `validate_protection` returns it.
    """
    # The answer to a question that is not sensitive is sent as it is, so its design is empty.
    if question.design or protection == NO_LEVEL or not kind_of(question).sensitive:
        return question.design, question.parameters
    return derive_method(protection, size, question.kind, mode=question.mode, aim=question.aim)


def derive_method(
    protection: str, size: int, kind: str, *, mode: str = Question.Mode.AUTOMATIC, aim: str = ""
) -> Method:
    """Return the design and parameters that a protection gives to a question.

    If the device randomizes, it is the recommended design. A spinner has Warner's design, and by
    hand there are two coins or forced response. Raises Invalid if the mode is by hand and the
    protection is not a level.

    protection: the key of a level, whose epsilon holds for each answer; or an epsilon for all
        answers together, of which each of the MOST_ASKED answers gets an equal part.
    size, kind: the number of answers of the question, and the key of its kind.
    mode: who randomizes the answer: the device, the device with a spinner, or people by hand.
    aim: for numbers and scales "mean" or "shares"; "" means "mean".
    """
    traits = KINDS[kind]
    select = traits.select
    if traits.is_ordered:
        select = AIMS[aim or "mean"]
    # A draft may still have fewer than two answers.
    n_answers = max(size, 2)
    # Parameters are stored as texts.
    epsilon = repr(_answer_epsilon(protection))
    recommended = recommend_design(n_answers, epsilon, select)

    if mode == Question.Mode.SPINNER:
        # The spinner keeps as many answers as the recommended design, which is for Yes and No. This
        # is Warner's design with the parameter p, or two coins, which always keep 3 of 4.
        keep_probability = recommended.parameters.get("p", "3/4")
        return "warner", {"p": keep_probability}
    if mode == Question.Mode.BY_HAND:
        return _method_by_hand(protection)
    return recommended.design, dict(recommended.parameters)


def _answer_epsilon(protection: str) -> float:
    """Return the privacy loss of one answer with this protection, which is a level or a number."""
    if protection in LEVELS:
        return LEVELS[protection].epsilon
    return float(protection) / MOST_ASKED


def _method_by_hand(protection: str) -> Method:
    """Return the design and parameters with which people randomize an answer by hand.

    They are two coins, or forced response with a die or ten slips of paper. Raises Invalid if the
    protection is not a level.
    """
    if protection not in LEVELS:
        raise Invalid({"mode": NO_NUMBER_BY_HAND})
    truth = LEVELS[protection].truth
    if truth == Fraction(1, 2):
        return "two-coin", {}
    # If the answer is not the truth, Yes and No are equally likely.
    forced = str((1 - truth) / 2)
    return "forced-response", {"truth": str(truth), "yes": forced, "no": forced}


def automatic_subset(questions: Sequence[Question]) -> QuestionSubset | None:
    """Return the questions from which each device picks, if the survey has one protection for all.

    Each respondent gets MOST_ASKED sensitive questions. If one of these is asked of everyone, it is
    not part of the subset, and the device picks one question fewer. Return None if the survey has
    at most MOST_ASKED sensitive questions, so that everyone gets all of them.

    Questions with a condition take part: the device picks before it drops what is not on the path
    of the respondent, so that the probability of a question is the same on every path.

    questions: all questions of the survey.
    """
    sensitive = [question for question in questions if kind_of(question).sensitive]
    if len(sensitive) <= MOST_ASKED:
        return None

    keys = tuple(question.key for question in sensitive if not question.everyone)
    has_question_for_everyone = len(keys) < len(sensitive)
    count = MOST_ASKED - 1 if has_question_for_everyone else MOST_ASKED
    return QuestionSubset(count=count, of=keys)


def everyone_problem(question: Question, others: Sequence[Question], *, has_condition: bool) -> str:
    """Return why a question cannot be asked of everyone, or an empty string if it can.

    Such a question is not one of those from which each device picks. There can be only one, since
    each respondent gets MOST_ASKED sensitive questions, and one of them is to be picked. It has no
    condition, since a question with a condition is not asked of everyone.

    others: questions of the survey, of which none may be asked of everyone already.
    has_condition: True if the question has a condition.
    """
    for other in others:
        if other.everyone:
            return f"Only one question can be asked of everyone; “{other.whole}” already is."
    if has_condition:
        return HAS_CONDITION
    return ""


def everyone_problems(questions: Sequence[Question], conditional: Container[str]) -> dict[str, str]:
    """Return, by question key, why a question marked for everyone cannot be asked of everyone.

    Questions without a problem are left out. If two questions are marked, the later one has the
    problem.

    questions: all questions of the survey.
    conditional: the keys of the questions with a condition.
    """
    for_everyone = [
        question for question in questions if question.everyone and kind_of(question).sensitive
    ]
    problems = {}
    for index, question in enumerate(for_everyone):
        problem = everyone_problem(
            question, for_everyone[:index], has_condition=question.key in conditional
        )
        if problem:
            problems[question.key] = problem
    return problems


@dataclass(frozen=True)
class Losses:
    """The privacy losses of a survey, in the worst case.

    `one` is the largest loss of a single answer, or 0 without sensitive questions. `together` is
    the loss of all answers of one respondent, on the path where it is largest.
    """

    one: float
    together: float

    @property
    def has_several_answers(self) -> bool:
        """True if some respondent is asked more than one sensitive question."""
        return self.together > self.one

    @property
    def max_guess_rates(self) -> tuple[int, int]:
        """The largest guess rates: from one answer, and from all answers of one respondent.

        A guess rate says how often in 100 a guess between two equally likely answers is right.
        """
        return odds_percent(self.one), odds_percent(self.together)

    @property
    def grade_colour(self) -> str:
        """The grade of the protection, as a colour: "calm", "amber" or "red".

        Both guess rates must be within the limits of the colour.
        """
        one, together = self.max_guess_rates
        if one <= CALM_LIMITS[0] and together <= CALM_LIMITS[1]:
            return "calm"
        if one <= AMBER_LIMITS[0] and together <= AMBER_LIMITS[1]:
            return "amber"
        return "red"


def summarize_losses(losses: Iterable[tuple[str, float]], together: float) -> Losses:
    """Return the privacy losses of a survey: the largest of one answer, and that of all answers.

    losses: the key and the loss of each sensitive question.
    together: the loss of all answers of one respondent.
    """
    largest = max((loss for _, loss in losses), default=0.0)
    return Losses(largest, together)


def definition_losses(definition: SurveyDefinition) -> Losses:
    """Return the privacy losses of a published survey, or of a draft as it would be published."""
    losses = [(item.key, item.epsilon) for item in definition.items if item.epsilon is not None]
    return summarize_losses(losses, definition.epsilon)


def guess_rate_of_pair(epsilon: float, correlation: float) -> int:
    """Return how often in 100 a guess is right about one of two correlated yes/no answers.

    Yes and No are equally frequent. The guess is Yes, after two reports of Yes, which reveal most.
    The result is rounded up.

    epsilon: the privacy loss of each of the two reports.
    correlation: the correlation of the two true answers, from 0 to 1.
    """
    # The probabilities that a report is the true answer, and that it is the other one.
    keep = 1 / (1 + math.exp(-epsilon))
    flip = 1 - keep
    # The probabilities that the two true answers are the same, and that they differ.
    same = (1 + correlation) / 2
    differ = 1 - same
    # The probability of two reports of Yes, if the first true answer is Yes, and if it is No.
    reports_if_yes = keep * (same * keep + differ * flip)
    reports_if_no = flip * (differ * keep + same * flip)
    # By Bayes' theorem, this is how often the first answer is Yes after these reports. The small
    # number keeps a rounding error from raising the result by 1.
    return math.ceil(100 * reports_if_yes / (reports_if_yes + reports_if_no) - 1e-9)


@dataclass(frozen=True)
class Versions(ApiResult):
    """In 100, rounded up to a tenth, if someone answers all versions and gets the same question in each.

    The numbers say how often a guess between two answers is right: `one` is for someone who sees
    one answer, as it was sent for every version, and `all` for someone who sees everything.
    """

    one: float
    all: float


def combine_versions(losses: Sequence[Losses]) -> Versions:
    """Return two guess rates in 100 about a respondent who answers several versions.

    The first one is for someone who sees the answers to one question that every version asks, one
    from each version. The second one is for someone who sees all answers from all versions. They
    are rounded up to a tenth, because whole numbers near 100 would hide how much is left.

    losses: the privacy losses of each version. Every version randomizes the answers again, so the
        losses add up: those of one answer, and those of all answers together.
    """
    loss_of_one = total_epsilon(loss.one for loss in losses)
    loss_of_all = total_epsilon(loss.together for loss in losses)
    return Versions(one=_guess_rate_in_tenths(loss_of_one), all=_guess_rate_in_tenths(loss_of_all))


def _guess_rate_in_tenths(epsilon: float) -> float:
    """Return how often in 100 a guess between two answers is right, rounded up to a tenth.

    epsilon: the privacy loss, which limits the probability of a right guess to 1 / (1 + exp(-ε)).
    """
    rate = 100 / (1 + math.exp(-epsilon))
    # Without the small number, rounding errors would make 80.1 of two losses of ln 2.
    return round_up(rate - 1e-9, 1)
