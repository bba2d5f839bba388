"""An analysis as its page has it: its form, its result or the reason why there is none, and its files."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.urls import reverse

from surveys.results.analysis.analysis import FORMS, Analysis, AnalysisRequest
from surveys.results.analysis.refusals import TooFew, TooMuch
from surveys.results.disclosure.access import NotAReportGroup, ReaderView
from surveys.results.disclosure.subgroups import TooSmall
from surveys.site.errors import Invalid
from surveys.web.widgets import Select


class AnalysisForm(forms.Form):
    """Bound to the query of the page: a list to choose from for each parameter."""

    def __init__(self, analysis: Analysis, seen: ReaderView, query: QueryDict) -> None:
        super().__init__(query or None, auto_id=f"{analysis.name}-%s")
        self.seen = seen
        for each in analysis.parameters:
            if each.offer:
                self.fields[each.name] = forms.ChoiceField(
                    label=each.label, required=False, choices=each.offer(seen), widget=Select
                )

    @property
    def is_sent(self) -> bool:
        """Whether the query has one of its fields, and not those of the report alone."""
        return any(name in self.fields for name in self.data)

    def values(self) -> dict[str, Any]:
        """The value of each parameter."""
        return {name: self.data.get(name, "") for name in self.fields}

    def place(self, parameter: str) -> str:
        """The field where what is wrong with a parameter is said."""
        return parameter

    def query(self) -> dict[str, Any]:
        """What a file's address has instead of the page's own parameters; nothing where it has the same."""
        return {}


@dataclass
class Shown:
    analysis: Analysis
    form: AnalysisForm
    found: Any = None
    refused: str = ""

    def files(self, slug: str, query: QueryDict) -> dict[str, str]:
        """The addresses of the files of what was found, by their kind."""
        own, kept = self.form.query(), query.copy()
        for name in self.form.fields if own else ():
            kept.pop(name, None)
        ask = urlencode(own | dict(kept.lists()), doseq=True)
        at = {
            form: reverse(f"workspace:report-{self.analysis.name}-{form}", kwargs={"slug": slug})
            for form in FORMS
        }
        return {form: f"{address}?{ask}" for form, address in at.items()}


def show(analysis: Analysis, form: AnalysisForm, looking: AnalysisRequest) -> Shown:
    """With its result, or with the reason why there is none at the field that it belongs to."""
    shown = Shown(analysis, form)
    try:
        shown.found = analysis.find(looking, **form.values())
    except Invalid as wrong:
        form.full_clean()
        for name, message in wrong.errors.items():
            place = name if name in form.fields else form.place(name)
            form.add_error(place if place in form.fields else None, message)
    except (TooSmall, TooFew, TooMuch, NotAReportGroup) as refusal:
        shown.refused = str(refusal)
    return shown
