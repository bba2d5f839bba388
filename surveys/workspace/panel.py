"""What an author sees of a design before choosing it: its odds, its epsilon, and what it costs in respondents."""

from dataclasses import dataclass

from mechanisms import recommend, total_error
from surveys.authoring.overview import Protection, protect
from surveys.authoring.plans import Plan
from surveys.designs.levels import AUTOMATIC, EPSILONS, automatic
from surveys.publishing.freezing import select
from surveys.publishing.instruments import Item
from surveys.workspace import curve

NEAR = 0.005  # a share of more respondents that nobody would notice


@dataclass(frozen=True)
class Panel:
    protection: Protection
    reason: str
    plan: curve.Plan


def panel(plan: Plan, text: str, chosen: str, import_only: bool = False) -> Panel | None:
    """chosen: the level or design as the author picked it. None for a question that is sent as it is."""
    if plan.mechanism is None:
        return None
    item = Item("preview", plan.kind, text or "The question", "", plan.answers, plan.mechanism)
    return Panel(protect(item, import_only), _reason(plan, chosen), curve.plan(plan.mechanism))


def _reason(plan: Plan, chosen: str) -> str:
    """Why the recommended design wins, or how far the chosen one is behind it."""
    size, kind = plan.mechanism.size, select(plan.kind)
    if chosen in EPSILONS or chosen == AUTOMATIC:
        epsilon = EPSILONS.get(chosen) or plan.parameters.get("epsilon") or f"{plan.mechanism.epsilon:.6f}"
        return automatic(size, epsilon, kind).reason
    if not plan.mechanism.publishable:
        return "A recorded answer can prove the truth: epsilon is infinite."
    best = recommend(size, plan.mechanism.epsilon, kind)[0]
    more = total_error(plan.mechanism) / best.error - 1
    if more < NEAR:
        return "No design with this epsilon is more precise."
    return f"“{best.mechanism.title}” is more precise at this epsilon: this design needs {more:.0%} more respondents."
