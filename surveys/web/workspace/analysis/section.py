"""An analysis as the page has it: its form, its result or the reason why there is none, and its files."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse

from surveys.results.analysis.analysis import FORMS, Analysis, Looking
from surveys.results.analysis.refusals import TooFew, TooMuch
from surveys.results.disclosure.access import NotOfTheCut, ReaderView
from surveys.results.disclosure.subgroups import TooSmall
from surveys.site.errors import Invalid
from surveys.web.widgets import Select


class AnalysisForm(forms.Form):
    """Bound to the query of the page: a list to choose from for each parameter."""

    def __init__(self, analysis: Analysis, seen: ReaderView, query: QueryDict | None) -> None:
        super().__init__(query, auto_id=f"{analysis.name}-%s")
        self.seen = seen
        for each in analysis.parameters:
            if each.offer:
                self.fields[each.name] = forms.ChoiceField(
                    label=each.label, required=False, choices=each.offer(seen), widget=Select
                )

    def asked(self) -> dict[str, Any]:
        """The value of each parameter."""
        return {name: self.data.get(name, "") for name in self.fields}

    def place(self, parameter: str) -> str:
        """The field where what is wrong with a parameter is said."""
        return parameter


@dataclass
class Shown:
    analysis: Analysis
    slug: str
    form: AnalysisForm
    found: Any = None
    refused: str = ""

    @property
    def template(self) -> str:
        return f"workspace/analysis/{self.analysis.name}.html"

    @property
    def files(self) -> dict[str, str]:
        """The addresses of the files of what was found, by their kind."""
        slug = {"slug": self.slug}
        return {form: reverse(f"workspace:report-{self.analysis.name}-{form}", kwargs=slug) for form in FORMS}


def show(analysis: Analysis, form: AnalysisForm, looking: Looking) -> Shown:
    """With its result where the form was sent, or with the reason why there is none at the field that it belongs to."""
    shown = Shown(analysis, looking.seen.paper.survey, form)
    if not form.is_bound:
        return shown
    try:
        shown.found = analysis.find(looking, **form.asked())
    except Invalid as wrong:
        form.full_clean()
        for name, message in wrong.errors.items():
            place = name if name in form.fields else form.place(name)
            form.add_error(place if place in form.fields else None, message)
    except (TooSmall, TooFew, TooMuch, NotOfTheCut) as refusal:
        shown.refused = str(refusal)
    return shown
