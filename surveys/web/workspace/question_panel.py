"""What an author sees of a question before saving it: how it will look, what it costs, and what it takes of the budget.

Pages draw it; what decides is in surveys.authoring.planning.precision and surveys.authoring.planning.budget.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from mechanisms import recommend, total_error
from mechanisms.planning.privacy import odds_percent
from surveys.authoring.drafts.question_plan import QuestionPlan
from surveys.authoring.drafts.variable_names import made
from surveys.authoring.planning.budget import Bar, Budget, bar
from surveys.authoring.planning.overview import Protection, protect
from surveys.authoring.planning.precision import (
    EVERYBODY,
    Aims,
    AtMost,
    Verdict,
    aims,
    at_most,
    designed,
    verdict,
    wanted,
)
from surveys.definition import question_subset
from surveys.definition.designs.design import MOST_MARKED
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS, automatic
from surveys.definition.designs.reasons import beside_a_hash
from surveys.definition.freezing import freeze_question
from surveys.definition.instrument import Draw, FrozenQuestion, counted, part
from surveys.definition.kinds import kind_of
from surveys.definition.routing.filters import branching
from surveys.models import Question, Survey
from surveys.site.errors import Invalid
from surveys.site.number_format import epsilon_in_view
from surveys.web.workspace import precision_curve
from surveys.web.workspace.advice import LEVELS

NEAR = 0.005  # a share of more respondents that nobody would notice
DIGITS = 2  # of an epsilon as it is shown in a sum


@dataclass(frozen=True)
class Card:
    """A level of protection, and what it comes to for this kind of question with so many answers."""

    key: str
    title: str
    purpose: str
    times: int  # in 100: how often a guess is right
    costs: str  # epsilon
    verdict: Verdict | None


@dataclass(frozen=True)
class Spending:
    """The privacy budget with this question in it, whose part of the bar has an empty key."""

    budget: Budget
    bar: Bar
    spent: str
    own: str
    over: str


@dataclass(frozen=True)
class Panel:
    """No protection, reason and curve for a question that is sent as it is."""

    item: FrozenQuestion
    number: int  # of the question in the survey, which has `total`
    total: int
    name: str  # the variable name that it gets where none is typed
    n: int
    verdict: Verdict | None
    spending: Spending | None
    protection: Protection | None = None
    reason: str = ""
    plan: precision_curve.Plan | None = None
    aims: Aims | None = None  # of a number or a scale with few answers: what each aim needs
    at_most: AtMost | None = None  # of one asked for its mean: what it tells of a share

    @property
    def reached(self) -> str:
        """The respondents wanted, in per cent of those that a useful margin takes."""
        return f"{min(100, 100 * self.n / self.verdict.needed):.2f}"


def cards(
    kind: str, size: int, survey: Survey, asked: Fraction = EVERYBODY, *, aim: str = "", aside: bool = False
) -> list[Card]:
    """size: how many answers the question has. asked: the part of the respondents who are asked it. aim, aside: of a
    number or a scale."""
    found = []
    for key, (title, purpose) in LEVELS.items():
        mechanism = designed(key, kind, size, aim=aim, aside=aside)
        shows = None if survey.import_only else verdict(kind, mechanism, wanted(survey), asked)
        times = odds_percent(mechanism.epsilon)
        found.append(Card(key, title, purpose, times, epsilon_in_view(mechanism.epsilon, DIGITS), shows))
    return found


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
    stored = list(survey.questions.prefetch_related("choices"))
    own = [question] if instead is None else instead
    own = [other for other in stored if other in own]
    others = [other for other in stored if other not in own]
    place = stored.index(own[0]) if own else others.index(after) + 1 if after in others else len(others)
    item, draw = _item(plan, question), _with_these(question_subset.draw(survey), own, rows)
    asked = part("", draw) if plan.mechanism else EVERYBODY
    losses = [(other.key, _loss(other)) for other in others]
    losses[place:place] = [("", plan.mechanism.epsilon if plan.mechanism else 0.0)] * rows
    seen = Panel(
        item=item,
        number=place + 1,
        total=len(losses),
        name=made(item.text if question.text.strip() else "", {other.key for other in others}),
        n=wanted(survey),
        verdict=None
        if survey.import_only
        else verdict(plan.kind, plan.mechanism, wanted(survey), asked, step=plan.step or 1, unit=plan.unit),
        spending=None if survey.import_only else _spending(survey, losses, draw, _paths(own, stored)),
    )
    if plan.mechanism is None:
        return seen
    return replace(
        seen,
        protection=protect(item, survey.import_only),
        reason=_reason(plan, chosen),
        plan=precision_curve.plan(plan.mechanism, asked) if _has_one_margin(plan) else None,
        **({} if survey.import_only else _of_numbers(plan, max(1, round(wanted(survey) * asked)))),
    )


def _of_numbers(plan: QuestionPlan, n: int) -> dict[str, object]:
    """What a number or a scale can tell besides, and what it cannot."""
    if not kind_of(plan).is_ordered:
        return {}
    aside = plan.decline
    both = aims(plan.kind, plan.mechanism.size, plan.mechanism.epsilon, n, aside=aside)
    if plan.mechanism.tells_shares:
        return {"aims": both}
    numbers = (plan.minimum, plan.step) if kind_of(plan).is_number else (1, 1)
    return {"aims": both, "at_most": at_most(plan.mechanism, n, *numbers)}


def _with_these(draw: Draw | None, own: Sequence[Question], rows: int) -> Draw | None:
    """The draft's lot, in which each question that is written stands under an empty key."""
    keys = {question.key for question in own}
    if draw is None or not keys & {*draw.of}:
        return draw
    return Draw(draw.count, (*(key for key in draw.of if key not in keys), *[""] * rows))


def _has_one_margin(plan: QuestionPlan) -> bool:
    """All but a matrix of more than two answers."""
    return plan.mechanism.line() is not None


def _item(plan: QuestionPlan, question: Question) -> FrozenQuestion:
    text = " ".join(question.text.split()) or "The question"
    own = {name: getattr(plan, name) for name in ("mode", "harmless", "statement", "opposite", "unit")}
    own |= {"step": plan.step or 1, "aside": plan.decline and kind_of(plan).is_ordered}
    own |= {"section": question.section, "grid": question.grid}
    return FrozenQuestion("shown", plan.kind, text, question.help, plan.answers, plan.mechanism, **own)


def _loss(question: Question) -> float:
    """Epsilon; 0 of a question that cannot be published as it is, which the overview says."""
    try:
        return freeze_question(question).epsilon or 0.0
    except Invalid:
        return 0.0


def _paths(own: Sequence[Question], stored: list[Question]) -> list[frozenset[str]]:
    """The draft's, in which each question that is written stands under an empty key."""
    keys = {question.key for question in own}
    return [frozenset("" if key in keys else key for key in out) for out in branching(stored).paths]


def _spending(
    survey: Survey, losses: list[tuple[str, float]], draw: Draw | None, paths: list[frozenset[str]]
) -> Spending:
    adding = counted(losses, draw, paths)
    spent = Budget(sum(loss for _, loss in adding))
    parts = bar(spent, [(key, loss) for key, loss in adding if loss])
    own = max(dict(losses)[""], sum(loss for key, loss in adding if not key))
    texts = [epsilon_in_view(loss, DIGITS) for loss in (spent.spent, own, max(0.0, -spent.left))]
    return Spending(spent, parts, *texts)


def _reason(plan: QuestionPlan, chosen: str) -> str:
    """Why the recommended design wins, or how far the chosen one is behind it."""
    if plan.mechanism.lasts:
        return beside_a_hash(plan.mechanism)
    size, kind = plan.mechanism.size, kind_of(plan).select
    if kind == "ordered" and plan.mechanism.tells_shares:
        kind = "shares"
    if chosen in EPSILONS or chosen == AUTOMATIC or (kind == "one" and size > MOST_MARKED):
        epsilon = EPSILONS.get(chosen) or plan.parameters.get("epsilon") or f"{plan.mechanism.epsilon:.6f}"
        return automatic(size, epsilon, kind).reason
    if not _has_one_margin(plan):
        return ""
    if not plan.mechanism.publishable:
        return "A recorded answer can prove the truth: epsilon is infinite."
    best = recommend(size, plan.mechanism.epsilon, "one" if kind == "shares" else kind)[0]
    more = total_error(plan.mechanism) / best.error - 1
    if more < NEAR:
        return "No design with this epsilon is more precise."
    return f"“{best.mechanism.title}” is more precise at this epsilon: this design needs {more:.0%} more respondents."
