"""What an author sees of a question before saving it: how it will look, and what it will show at each level.

Pages draw it; what decides is in surveys.authoring.planning.precision.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from mechanisms import recommend, total_error
from surveys.authoring.drafts import variable_names
from surveys.authoring.drafts.question_plan import QuestionPlan
from surveys.authoring.planning import expected
from surveys.authoring.planning.overview import Protection, question_protection
from surveys.authoring.planning.precision import (
    EVERYBODY,
    Aims,
    AtMost,
    Verdict,
    aims,
    at_most,
    target_or_default,
    verdict,
)
from surveys.definition import protection, question_subset, short_names
from surveys.definition.designs.construction import build
from surveys.definition.designs.design import MOST_MARKED
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS, recommend_design
from surveys.definition.designs.reasons import rappor_comparison
from surveys.definition.drafted import load_questions
from surveys.definition.instrument import QuestionDefinition, expected_share_asked
from surveys.definition.kinds import kind_of
from surveys.definition.routing.filters import build_branching
from surveys.definition.values import number_step
from surveys.models import Question, Survey
from surveys.web.workspace import precision_curve

NEAR = 0.005  # a share of more respondents that nobody would notice


@dataclass(frozen=True)
class AtLevel:
    """What the question would show at a level of protection."""

    title: str
    verdict: Verdict
    is_now: bool


@dataclass(frozen=True)
class Panel:
    """No protection, reason and curve for a question that is sent as it is."""

    item: QuestionDefinition
    number: int  # of the question in the survey, which has `total`
    total: int
    name: str  # the variable name that it gets where none is typed
    short: str  # the short name, likewise
    n: int
    verdict: Verdict | None
    protection: Protection | None = None
    reason: str = ""
    plan: precision_curve.Plan | None = None
    aims: Aims | None = None  # of a number or a scale with few answers: what each aim needs
    at_most: AtMost | None = None  # of one asked for its mean: what it tells of a share
    levels: tuple[AtLevel, ...] = ()  # of one that the survey's protection makes

    @property
    def reached(self) -> str:
        """The respondents wanted, in per cent of those that a useful margin takes."""
        return f"{min(100, 100 * self.n / self.verdict.needed):.2f}"


def panel(
    survey: Survey,
    plan: QuestionPlan,
    chosen: str,
    question: Question,
    after: Question | None = None,
    *,
    instead: Sequence[Question] | None = None,
    rows: int = 1,
) -> Panel:
    """chosen: the level or design as the author picked it. question: its texts as typed, and its own primary key.

    after: the question that a new one is to follow; otherwise it stands at the end.
    rows: of a grid as it is written, each a question like this one, `instead` of these that are stored.
    """
    stored = load_questions(survey)
    own = [question] if instead is None else instead
    own = [other for other in stored if other in own]
    others = [other for other in stored if other not in own]
    place = (
        stored.index(own[0]) if own else others.index(after) + 1 if after in others else len(others)
    )
    item = _item(plan, question)
    asked = _asked(survey, own, others, rows, question) if plan.mechanism else EVERYBODY
    asked *= _on_path(own, stored, question)
    seen = Panel(
        item=item,
        number=place + 1,
        total=len(others) + rows,
        name=variable_names.suggest_variable_name(
            question.short.strip() or question.text, {other.key for other in others}
        ),
        short=short_names.suggest_short_name(item.text, {other.short for other in others})
        if question.text.strip()
        else "",
        n=target_or_default(survey),
        verdict=None
        if survey.import_only
        else verdict(
            plan.kind,
            plan.mechanism,
            target_or_default(survey),
            asked,
            step=number_step(plan.question),
            unit=plan.unit,
        ),
    )
    if plan.mechanism is None:
        return seen
    return replace(
        seen,
        protection=question_protection(item, survey.import_only),
        reason=_reason(plan, chosen),
        plan=precision_curve.plan(plan.mechanism, asked) if _has_one_margin(plan) else None,
        levels=_levels(survey, plan, asked),
        **(
            {}
            if survey.import_only
            else _of_numbers(plan, item, max(1, round(target_or_default(survey) * asked)))
        ),
    )


def _levels(survey: Survey, plan: QuestionPlan, asked: Fraction) -> tuple[AtLevel, ...]:
    if plan.design or survey.protection not in protection.LEVELS:
        return ()
    traits, size = kind_of(plan), len(plan.answers)
    shown = []
    for key, level in protection.LEVELS.items():
        design, parameters = protection.derive_method(
            key, size, plan.kind, mode=plan.mode, aim=plan.aim
        )
        aside = plan.decline and traits.keeps_declining_apart
        mechanism = build(design, size, parameters, traits.select, separate_decline=aside)
        shows = verdict(
            plan.kind,
            mechanism,
            target_or_default(survey),
            asked,
            step=number_step(plan.question),
            unit=plan.unit,
        )
        shown.append(AtLevel(level.title, shows, key == survey.protection))
    return tuple(shown)


def _of_numbers(plan: QuestionPlan, item: QuestionDefinition, n: int) -> dict[str, object]:
    """What a number or a scale can tell besides, and what it cannot."""
    if not kind_of(plan).is_ordered:
        return {}
    aside = plan.decline
    both = aims(plan.kind, plan.mechanism.size, plan.mechanism.epsilon, n, aside=aside)
    if plan.mechanism.tells_shares:
        return {"aims": both}
    numbers = item.answer_values
    at_most_one = at_most(plan.mechanism, n, numbers[0], numbers.step)
    return {"aims": both, "at_most": at_most_one}


def _asked(
    survey: Survey,
    own: Sequence[Question],
    others: Sequence[Question],
    rows: int,
    question: Question,
) -> Fraction:
    """The part of the people who are asked it. own: it, or the rows of its grid, as they are stored."""
    if not survey.protection:
        draw = question_subset.question_subset(survey)
        return expected_share_asked(own[0].key, draw) if own else EVERYBODY
    sensitive = [other for other in others if kind_of(other).sensitive]
    picked = sum(not other.everyone for other in sensitive) + rows
    if question.everyone or len(sensitive) + rows <= protection.MOST_ASKED:
        return EVERYBODY
    return Fraction(protection.MOST_ASKED - (picked < len(sensitive) + rows), picked)


def _on_path(own: Sequence[Question], stored: Sequence[Question], question: Question) -> Fraction:
    """The part of the people expected on its path: as typed, else by the condition that is stored."""
    if question.expected_asked:
        return Fraction(question.expected_asked, 100)
    return (
        expected.expected_shares_draft(build_branching(stored)).get(own[0].key, EVERYBODY)
        if own
        else EVERYBODY
    )


def _has_one_margin(plan: QuestionPlan) -> bool:
    """All but a matrix of more than two answers."""
    return plan.mechanism.line() is not None


def _item(plan: QuestionPlan, question: Question) -> QuestionDefinition:
    text = " ".join(question.text.split()) or "The question"
    own = {
        name: getattr(plan, name) for name in ("mode", "harmless", "statement", "opposite", "unit")
    }
    own |= {"step": plan.step or 1, "aside": plan.decline and kind_of(plan).is_ordered}
    own |= {"section": question.section, "grid": question.grid, "values": plan.answer_values}
    return QuestionDefinition(
        "shown", plan.kind, text, question.help, plan.answers, plan.mechanism, **own
    )


def _reason(plan: QuestionPlan, chosen: str) -> str:
    """Why the recommended design wins, or how far the chosen one is behind it."""
    if plan.mechanism.lasts:
        return rappor_comparison(plan.mechanism)
    size, kind = plan.mechanism.size, kind_of(plan).select
    if kind == "ordered" and plan.mechanism.tells_shares:
        kind = "shares"
    if chosen in EPSILONS or chosen == AUTOMATIC or (kind == "one" and size > MOST_MARKED):
        epsilon = (
            EPSILONS.get(chosen)
            or plan.parameters.get("epsilon")
            or f"{plan.mechanism.epsilon:.6f}"
        )
        return recommend_design(size, epsilon, kind).reason
    if not _has_one_margin(plan):
        return ""
    if not plan.mechanism.publishable:
        return "An answer received can prove the true one: epsilon is infinite."
    best = recommend(size, plan.mechanism.epsilon, "one" if kind == "shares" else kind)[0]
    more = total_error(plan.mechanism) / best.error - 1
    if more < NEAR:
        return "No design with this epsilon is more precise."
    return f"“{best.mechanism.title}” is more precise at this epsilon. This design needs {more:.0%} more respondents."
