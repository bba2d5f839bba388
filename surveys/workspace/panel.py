"""What an author sees of a question before saving it: how it will look, what it costs, and what it takes of the budget.

Pages draw it; what decides is in surveys.authoring.verdicts and surveys.authoring.budgets.
"""

from dataclasses import dataclass, replace

from mechanisms import recommend, total_error
from mechanisms.planning.privacy import odds_percent
from surveys.authoring import budgets
from surveys.authoring.names import made
from surveys.authoring.overview import Protection, protect
from surveys.authoring.plans import Plan
from surveys.authoring.verdicts import Verdict, designed, verdict, wanted
from surveys.designs.levels import AUTOMATIC, EPSILONS, automatic
from surveys.errors import Invalid
from surveys.models import Question, Survey
from surveys.publishing.freezing import freeze_question, select
from surveys.publishing.instruments import Item
from surveys.reporting.numbers import epsilon_in_view
from surveys.workspace import curve
from surveys.workspace.guide import LEVELS

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

    budget: budgets.Budget
    bar: budgets.Bar
    spent: str
    own: str
    over: str


@dataclass(frozen=True)
class Panel:
    """No protection, reason and curve for a question that is sent as it is."""

    item: Item
    number: int  # of the question in the survey, which has `total`
    total: int
    name: str  # the variable name that it gets where none is typed
    n: int
    verdict: Verdict | None
    spending: Spending | None
    protection: Protection | None = None
    reason: str = ""
    plan: curve.Plan | None = None

    @property
    def reached(self) -> str:
        """The respondents wanted, in per cent of those that a useful margin takes."""
        return f"{min(100, 100 * self.n / self.verdict.needed):.2f}"


def cards(kind: str, size: int, survey: Survey) -> list[Card]:
    """size: how many answers the question has."""
    found = []
    for key, (title, purpose) in LEVELS.items():
        mechanism = designed(key, kind, size)
        shows = None if survey.import_only else verdict(kind, mechanism, wanted(survey))
        times = odds_percent(mechanism.epsilon)
        found.append(Card(key, title, purpose, times, epsilon_in_view(mechanism.epsilon, DIGITS), shows))
    return found


def panel(survey: Survey, plan: Plan, chosen: str, question: Question, after: Question | None = None) -> Panel:
    """chosen: the level or design as the author picked it. question: its texts as typed, and its own primary key.

    after: the question that a new one is to follow; otherwise it stands at the end.
    """
    stored = list(survey.questions.prefetch_related("choices"))
    others = [other for other in stored if other != question]
    place = (
        stored.index(question) if question in stored else others.index(after) + 1 if after in others else len(others)
    )
    item = _item(plan, question)
    losses = [(other.key, _loss(other)) for other in others]
    losses.insert(place, ("", plan.mechanism.epsilon if plan.mechanism else 0.0))
    seen = Panel(
        item=item,
        number=place + 1,
        total=len(losses),
        name=made(item.text if question.text.strip() else "", {other.key for other in others}),
        n=wanted(survey),
        verdict=None if survey.import_only else verdict(plan.kind, plan.mechanism, wanted(survey)),
        spending=None if survey.import_only else _spending(survey, losses),
    )
    if plan.mechanism is None:
        return seen
    return replace(
        seen,
        protection=protect(item, survey.import_only),
        reason=_reason(plan, chosen),
        plan=curve.plan(plan.mechanism) if _has_one_margin(plan) else None,
    )


def _has_one_margin(plan: Plan) -> bool:
    """All but a matrix of more than two answers."""
    return plan.mechanism.line() is not None


def _item(plan: Plan, question: Question) -> Item:
    text = " ".join(question.text.split()) or "The question"
    own = {name: getattr(plan, name) for name in ("mode", "harmless", "statement", "opposite")}
    return Item("shown", plan.kind, text, question.help, plan.answers, plan.mechanism, section=question.section, **own)


def _loss(question: Question) -> float:
    """Epsilon; 0 of a question that cannot be published as it is, which the overview says."""
    try:
        return freeze_question(question).epsilon or 0.0
    except Invalid:
        return 0.0


def _spending(survey: Survey, losses: list[tuple[str, float]]) -> Spending:
    counted = budgets.budget(survey, sum(loss for _, loss in losses))
    bar = budgets.bar(counted, [(key, loss) for key, loss in losses if loss])
    texts = [epsilon_in_view(loss, DIGITS) for loss in (counted.spent, dict(losses)[""], max(0.0, -counted.left))]
    return Spending(counted, bar, *texts)


def _reason(plan: Plan, chosen: str) -> str:
    """Why the recommended design wins, or how far the chosen one is behind it."""
    size, kind = plan.mechanism.size, select(plan.kind)
    if chosen in EPSILONS or chosen == AUTOMATIC:
        epsilon = EPSILONS.get(chosen) or plan.parameters.get("epsilon") or f"{plan.mechanism.epsilon:.6f}"
        return automatic(size, epsilon, kind).reason
    if not _has_one_margin(plan):
        return ""
    if not plan.mechanism.publishable:
        return "A recorded answer can prove the truth: epsilon is infinite."
    best = recommend(size, plan.mechanism.epsilon, kind)[0]
    more = total_error(plan.mechanism) / best.error - 1
    if more < NEAR:
        return "No design with this epsilon is more precise."
    return f"“{best.mechanism.title}” is more precise at this epsilon: this design needs {more:.0%} more respondents."
