"""The grids of a draft as its author sees them: what they show, and where they stand."""

from dataclasses import dataclass

from surveys.authoring.planning.overview import Overview, QuestionSummary
from surveys.authoring.planning.precision import Verdict


@dataclass(frozen=True)
class Grid:
    """A grid of a draft."""

    lines: tuple[QuestionSummary, ...]

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


@dataclass(frozen=True)
class Listed:
    """A line of a draft where it stands in the list. head: of the grid that it starts. first, last: it cannot move
    further up, or down."""

    line: QuestionSummary
    head: Grid | None
    first: bool
    last: bool


def listed(seen: Overview) -> list[Listed]:
    """All lines of a draft in their order."""
    heads = {run[0].key: Grid(tuple(run)) for run in seen.runs if run[0].grid}
    found = []
    for run in seen.runs:
        around = run if len(run) > 1 else seen.lines  # where it can move
        found += [
            Listed(line, heads.get(line.key), line is around[0], line is around[-1]) for line in run
        ]
    return found
