"""What each level of protection would come to for a survey: its two numbers, and what its widest share shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from mechanisms import Mechanism, odds_percent
from surveys.authoring.planning.precision import Verdict, verdict, wanted
from surveys.definition import protection
from surveys.definition.designs.construction import build
from surveys.definition.designs.levels import aim_of
from surveys.definition.freezing import answers
from surveys.definition.instrument import Draw, part, spent
from surveys.definition.kinds import kind_of
from surveys.definition.routing.filters import branching
from surveys.models import Question, Survey
from surveys.site.errors import Invalid


@dataclass(frozen=True)
class Widest:
    """Of the share, or where there are only means of the mean, that is told least precisely. margin: as a Verdict's."""

    question: str
    margin: float
    people_for_number: int


@dataclass(frozen=True)
class LevelPrice:
    """one, all: in 100, how often a guess is right at most. epsilon: of all answers together."""

    key: str
    one: int
    all: int
    epsilon: float
    widest: Widest | None


def prices(survey: Survey) -> list[LevelPrice]:
    """Of a draft for people. Methods of a survey that sets every question itself do not count: a level clears them."""
    if not survey.is_draft or survey.import_only:
        return []
    questions = list(survey.questions.prefetch_related("choices"))
    sensitive = [question for question in questions if kind_of(question).sensitive]
    draw, paths = protection.selection(sensitive), branching(questions).paths
    each_level = []
    for level in protection.LEVELS:
        made = [(question, each) for question in sensitive if (each := _made(question, survey, level))]
        each = [(question.key, mechanism.epsilon) for question, mechanism in made]
        loss = protection.losses(each, spent(each, draw, paths))
        price = (odds_percent(loss.one), odds_percent(loss.together), loss.together)
        each_level.append(LevelPrice(level, *price, _widest(survey, made, draw)))
    return each_level


def _made(question: Question, survey: Survey, level: str) -> Mechanism | None:
    """None where the question has a mistake that is told at itself."""
    size, traits = len(answers(question)), kind_of(question)
    try:
        if survey.protection:
            key, parameters = protection.method(question, size, level)
        else:
            aim = aim_of(question.design) if traits.is_ordered else ""
            key, parameters = protection.derived(level, size, question.kind, mode=question.mode, aim=aim)
        return build(key, size, parameters, traits.select, aside=question.decline and traits.keeps_declining_apart)
    except Invalid:
        return None


def _widest(survey: Survey, made: Sequence[tuple[Question, Mechanism]], draw: Draw | None) -> Widest | None:
    shown: list[tuple[str, Verdict]] = []
    for question, mechanism in made:
        more = {"step": question.step or 1, "unit": question.unit}
        if shows := verdict(question.kind, mechanism, wanted(survey), part(question.key, draw), **more):
            shown.append((question.key, shows))
    shares = [(key, shows) for key, shows in shown if shows.span is None]
    if not shown:
        return None
    key, shows = max(shares or shown, key=lambda each: each[1].margin)
    return Widest(key, shows.margin, shows.for_number)
