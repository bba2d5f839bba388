"""The form of two questions together."""

from django.http import QueryDict

from surveys.definition.instrument import FrozenQuestion
from surveys.results.analysis import selection
from surveys.results.analysis.analysis import Analysis
from surveys.results.analysis.table.counts import offered
from surveys.results.disclosure.access import ReaderView
from surveys.web.workspace.analysis.section import AnalysisForm


class TableForm(AnalysisForm):
    """The first pair that this reader may ask for is chosen."""

    def __init__(self, analysis: Analysis, seen: ReaderView, query: QueryDict | None) -> None:
        super().__init__(analysis, seen, query)
        self.initial = dict(zip(self.fields, _first_two(seen), strict=True))

    def means_alone(self) -> list[FrozenQuestion]:
        """Questions that cannot stand in a table."""
        return [item for item in selection.sensitive(self.seen) if not item.tells_shares]


def _first_two(seen: ReaderView) -> list[str]:
    pairs = [value for value, _ in offered(seen)]
    scrambled = {item.key for item in selection.scrambled(seen)}
    rows = next((each for each in pairs if seen.has_rows or each not in scrambled), "")
    return [rows, next((each for each in pairs if each.split(":")[0] != rows.split(":")[0]), "")]
