"""Two questions together: the form, and its place on the page."""

from django import forms
from django.http import QueryDict

from surveys.definition.instrument import FrozenQuestion
from surveys.results.analysis import selection
from surveys.results.analysis.files import crossed_csv, crossed_file
from surveys.results.analysis.table.counts import can_cross, crossing, offered, sides
from surveys.results.analysis.table.result import Crossed
from surveys.results.disclosure.access import ReaderView
from surveys.web.workspace.analysis.section import Section, Wanted

SIDES = ("rows", "columns")


class TableForm(forms.Form):
    """Bound to the query of the page."""

    rows = forms.ChoiceField(label="One question", required=False)
    columns = forms.ChoiceField(label="The other question", required=False)

    def __init__(self, seen: ReaderView, query: QueryDict | None) -> None:
        super().__init__(query, auto_id="table-%s", initial=dict(zip(SIDES, _first_two(seen), strict=False)))
        self.seen = seen
        for side in SIDES:
            self.fields[side].choices = offered(seen)

    def means_alone(self) -> list[FrozenQuestion]:
        """Questions that cannot stand in a table."""
        return [item for item in selection.sensitive(self.seen) if not item.tells_shares]


def _first_two(seen: ReaderView) -> list[str]:
    """The first pair that this reader may ask for."""
    pairs = [value for value, _ in offered(seen)]
    scrambled = {item.key for item in selection.scrambled(seen)}
    rows = next((each for each in pairs if seen.has_rows or each not in scrambled), "")
    return [rows, next((each for each in pairs if each.split(":")[0] != rows.split(":")[0]), "")]


def find(wanted: Wanted) -> Crossed:
    parts = sides(wanted.seen, *(wanted.query.get(side, "") for side in SIDES))
    return crossing(wanted.seen, *parts, group=wanted.group, confidence=wanted.confidence)


SECTION = Section(
    *("table", "Two questions together", "workspace/analysis/table.html"),
    *(can_cross, TableForm, find, crossed_csv, crossed_file),
)
