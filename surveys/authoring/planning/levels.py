"""What each level of protection would come to for a survey: its two numbers, and what its widest share shows."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mechanisms import Mechanism, odds_percent
from surveys.authoring.planning import expected
from surveys.authoring.planning.overview import Overview
from surveys.authoring.planning.precision import Verdict, target_or_default, verdict
from surveys.definition import protection
from surveys.definition.designs.construction import build
from surveys.definition.designs.levels import design_aim
from surveys.definition.freezing import answer_labels
from surveys.definition.instrument import expected_share_asked, total_loss
from surveys.definition.kinds import kind_of
from surveys.definition.response_format import QuestionSubset
from surveys.definition.routing.filters import build_branching
from surveys.definition.values import number_step
from surveys.models import Question, Survey
from surveys.site.errors import Invalid


@dataclass(frozen=True)
class Widest:
    """The share, or where there are only means the mean, that is told least precisely: the key of its question."""

    question: str
    verdict: Verdict

    @property
    def margin(self) -> float:
        """As a Verdict has it."""
        return self.verdict.margin

    @property
    def people_for_number(self) -> int:
        return self.verdict.people_for_number


@dataclass(frozen=True)
class LevelPrice:
    """one, all: in 100, how often a guess is right at most. epsilon: of all answers together."""

    key: str
    one: int
    all: int
    epsilon: float
    widest: Widest | None
    target: int | None = None  # people expected

    @property
    def title(self) -> str:
        return protection.LEVELS[self.key].title

    @property
    def is_recommended(self) -> bool:
        return self.key == protection.RECOMMENDED_LEVEL

    @property
    def lacks_people(self) -> bool:
        """Whether the people expected are too few for a number of the widest question."""
        return bool(self.target and self.widest and self.widest.verdict.is_withheld)


def prices(survey: Survey, questions: Sequence[Question]) -> list[LevelPrice]:
    """Of a draft for people. Methods of a survey that sets every question itself do not count: a level clears them.

    questions: all of them, as surveys.definition.drafted reads them.
    """
    if not survey.is_draft or survey.import_only:
        return []
    sensitive = [question for question in questions if kind_of(question).sensitive]
    whom = build_branching(questions)
    draw, on_path = protection.automatic_subset(sensitive), expected.expected_shares_draft(whom)
    each_level = []
    for level in protection.LEVELS:
        made = [
            (question, each) for question in sensitive if (each := _made(question, survey, level))
        ]
        losses = [(question.key, mechanism.epsilon) for question, mechanism in made]
        loss = protection.summarize_losses(losses, total_loss(losses, draw, whom.paths))
        price = (odds_percent(loss.one), odds_percent(loss.together), loss.together)
        each_level.append(
            LevelPrice(level, *price, _widest(survey, made, draw, on_path), survey.expected_people)
        )
    return each_level


def _made(question: Question, survey: Survey, level: str) -> Mechanism | None:
    """None where the question has a mistake that is told at itself."""
    size, traits = len(answer_labels(question)), kind_of(question)
    try:
        if survey.protection:
            key, parameters = protection.question_method(question, size, level)
        else:
            aim = design_aim(question.design) if traits.is_ordered else ""
            key, parameters = protection.derive_method(
                level, size, question.kind, mode=question.mode, aim=aim
            )
        return build(
            key,
            size,
            parameters,
            traits.select,
            separate_decline=question.decline and traits.keeps_declining_apart,
        )
    except Invalid:
        return None


def _widest(
    survey: Survey,
    made: Sequence[tuple[Question, Mechanism]],
    draw: QuestionSubset | None,
    on_path: Mapping[str, Fraction],
) -> Widest | None:
    shown: list[tuple[str, Verdict]] = []
    for question, mechanism in made:
        more = {"step": number_step(question), "unit": question.unit}
        asked = expected_share_asked(question.key, draw) * on_path.get(question.key, Fraction(1))
        if shows := verdict(question.kind, mechanism, target_or_default(survey), asked, **more):
            shown.append((question.key, shows))
    return _least_precise(shown)


def _least_precise(shown: Sequence[tuple[str, Verdict]]) -> Widest | None:
    """Return the widest margin of shares, or of means if there are no shares; None if neither."""
    if not shown:
        return None
    shares = [pair for pair in shown if pair[1].span is None]
    key, widest_verdict = max(shares or shown, key=lambda pair: pair[1].margin)
    return Widest(key, widest_verdict)


def widest_of(seen: Overview, keys: Container[str] | None = None) -> Widest | None:
    """Of a draft as it is; of these questions, where some are named."""
    lines = [line for line in seen.sensitive if line.verdict and (keys is None or line.key in keys)]
    return _least_precise([(line.key, line.verdict) for line in lines])


def change_in_words(survey: Survey, before: Overview, after: Overview) -> str:
    """What another number of sensitive questions means for all of them; nothing where each person gets the same."""
    numbers = len(before.sensitive), len(after.sensitive)
    if not survey.protection or numbers[0] == numbers[1]:
        return ""
    if max(numbers) <= protection.MOST_ASKED:
        one, two = before.protection.max_guess_rates[1], after.protection.max_guess_rates[1]
        return f"All answers together: {one} becomes {two}." if all(numbers) else ""
    gets = f"{protection.MOST_ASKED} of {numbers[1]}" if after.draw else "all"
    people = "fewer" if numbers[1] > numbers[0] else "more"
    keys = {line.key for line in before.sensitive} & {line.key for line in after.sensitive}
    widest = [widest_of(overview, keys) for overview in (before, after)]
    margins = ""
    if survey.expected_people and all(widest):
        old_margin, new_margin = [share.verdict.number_in_brief for share in widest]
        if old_margin != new_margin:
            margins = f": {old_margin} becomes {new_margin}"
    return (
        f"Each person now gets {gets} sensitive questions, so {people} people get each{margins}. The protection stays "
        "the same."
    )
