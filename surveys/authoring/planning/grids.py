"""The grids of a draft as its author sees them: what they show, what they cost, and where they stand."""

from collections.abc import Sequence
from dataclasses import dataclass

from surveys.authoring.drafts.question_plan import QuestionPlan
from surveys.authoring.planning.overview import Line, Overview
from surveys.authoring.planning.precision import Verdict
from surveys.authoring.planning.question_subset import Asking, Way, Ways, ways_among
from surveys.definition import question_subset
from surveys.definition.instrument import counted
from surveys.models import Question, Survey


@dataclass(frozen=True)
class Advice:
    """What asking each person only some rows of a grid would show.

    ways: None where there is nothing to choose from. is_drawn: whether the rows are drawn by lot already; other_lot:
    whether other questions are, and a survey has one lot.
    """

    ways: Ways | None
    is_drawn: bool = False
    other_lot: bool = False

    @property
    def best(self) -> Way | None:
        """Where that shows most and is not done yet."""
        pays = self.ways and self.ways.pays and not self.is_drawn and not self.other_lot
        return self.ways.best if pays else None


@dataclass(frozen=True)
class Grid:
    """A grid of a draft. epsilon: what all its rows that one person is asked cost."""

    lines: tuple[Line, ...]
    epsilon: float
    advice: Advice

    @property
    def heading(self) -> str:
        return self.lines[0].grid

    @property
    def when(self) -> str:
        """Whom its rows are asked, in words."""
        return self.lines[0].when

    @property
    def verdict(self) -> Verdict | None:
        """Of the row that shows least."""
        shown = [line.verdict for line in self.lines if line.verdict]
        return max(shown, key=lambda verdict: verdict.margin, default=None)


def grids_of(survey: Survey, seen: Overview) -> list[Grid]:
    """The grids of a draft, in their order."""
    return [_grid(survey, seen, run) for run in seen.runs if run[0].grid]


def _grid(survey: Survey, seen: Overview, lines: Sequence[Line]) -> Grid:
    keys = [line.key for line in lines]
    epsilon = sum(loss for key, loss in counted(seen.losses, seen.draw, seen.paths) if key in keys)
    asking = [Asking(line.key, line.kind, max(len(line.choices), 2)) for line in lines if line.is_sensitive]
    return Grid(tuple(lines), epsilon, _advice(survey, asking, keys, seen))


def advice(survey: Survey, seen: Overview, before: Sequence[Question], plan: QuestionPlan, rows: int) -> Advice:
    """Of a grid as it is written. before: its rows that are stored; rows: how many it is to have."""
    size = plan.mechanism.size if plan.mechanism else 0
    asking = [Asking(f"row {number}", plan.kind, size) for number in range(rows)] if size else []
    return _advice(survey, asking, [row.key for row in before], seen)


def _advice(survey: Survey, asking: Sequence[Asking], keys: Sequence[str], seen: Overview) -> Advice:
    """keys: of the rows that are stored."""
    drawn = set(question_subset.lot(survey)) if survey.draw else set()
    losses = [(key, loss) for key, loss in seen.losses if key not in keys]
    asking = [] if any(line.when for line in seen.lines if line.key in keys) else asking  # no lot has a condition
    found = ways_among(survey, asking, losses, seen.paths) if asking and drawn <= set(keys) else None
    return Advice(found, is_drawn=bool(drawn & set(keys)), other_lot=bool(drawn - set(keys)))


@dataclass(frozen=True)
class Listed:
    """A line of a draft where it stands in the list. head: of the grid that it starts. first, last: it cannot move
    further up, or down."""

    line: Line
    head: Grid | None
    first: bool
    last: bool


def listed(survey: Survey, seen: Overview) -> list[Listed]:
    """All lines of a draft in their order."""
    heads = {grid.lines[0].key: grid for grid in grids_of(survey, seen)}
    found = []
    for run in seen.runs:
        around = run if len(run) > 1 else seen.lines  # where it can move
        found += [Listed(line, heads.get(line.key), line is around[0], line is around[-1]) for line in run]
    return found
