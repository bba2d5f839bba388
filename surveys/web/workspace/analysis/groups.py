"""Groups compared: the form, and its place on the page."""

from django import forms
from django.http import QueryDict

from surveys.results.analysis import selection
from surveys.results.analysis.files import compared_csv, compared_file
from surveys.results.analysis.groups import groups
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.intervals import Asked
from surveys.results.report.groups import comparable
from surveys.web.workspace.analysis.model import named_answers
from surveys.web.workspace.analysis.section import Section, Wanted


class CompareForm(forms.Form):
    """Bound to the query of the page."""

    outcome = forms.ChoiceField(label="Question and answer", required=False)
    by = forms.ChoiceField(label="Groups by", required=False)

    def __init__(self, seen: ReaderView, query: QueryDict | None) -> None:
        super().__init__(query, auto_id="compare-%s")
        self.fields["outcome"].choices = [
            each for item in selection.outcomes(seen) for each in named_answers(seen, item)
        ]
        self.fields["by"].choices = [(item.key, item.whole) for item in comparable(seen)]


def find(wanted: Wanted) -> groups.Compared:
    asked = wanted.query.get("by", ""), wanted.query.get("outcome", "")
    return groups.comparison(wanted.seen, *asked, asked=Asked(wanted.confidence), group=wanted.group)


SECTION = Section(
    *("compare", "Compare groups", "workspace/analysis/groups.html"),
    *(groups.can_compare, CompareForm, find, compared_csv, compared_file),
)
