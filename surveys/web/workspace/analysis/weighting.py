"""Weight to known shares: the form, and its place on the page."""

from django import forms
from django.http import QueryDict

from surveys.results.analysis.files import weighted_csv, weighted_file
from surveys.results.analysis.groups.groups import can_compare
from surveys.results.analysis.weighting.known_margins import answers, margins
from surveys.results.analysis.weighting.result import Weighted
from surveys.results.analysis.weighting.weighting import weigh
from surveys.results.disclosure.access import ReaderView
from surveys.results.report.groups import comparable
from surveys.site.errors import Invalid
from surveys.web.workspace.analysis.section import Section, Wanted
from surveys.web.workspace.report.options import Percent


class WeightedForm(forms.Form):
    """Bound to the query of the page: a share in per cent for each answer, `sex-0` for the first one of sex."""

    def __init__(self, seen: ReaderView, query: QueryDict | None) -> None:
        super().__init__(query, auto_id="weighted-%s")
        self.asked = {item: answers(seen, item) for item in comparable(seen)}
        for item, names in self.asked.items():
            for place, name in enumerate(names):
                self.fields[f"{item.key}-{place}"] = Percent(required=False, label=name)

    def questions(self) -> list[dict]:
        """Each question with its fields, and whether some of them are filled in."""
        found = []
        for item, names in self.asked.items():
            fields = [self[f"{item.key}-{place}"] for place in range(len(names))]
            is_open = any(field.value() or field.errors for field in fields)
            found.append({"item": item, "fields": fields, "is_open": is_open})
        return found

    def known(self) -> dict[str, list[float]]:
        """Question key -> the shares, of those questions that have any. Raises Invalid."""
        self.full_clean()
        if self.errors:
            raise Invalid({name: messages[0] for name, messages in self.errors.items()})
        found = {}
        for item, names in self.asked.items():
            shares = [self.cleaned_data[f"{item.key}-{place}"] for place in range(len(names))]
            if all(share is None for share in shares):
                continue
            if None in shares:
                field = f"{item.key}-{shares.index(None)}"
                raise Invalid({field: f"Enter the share of “{names[shares.index(None)]}” too, 0 for nobody."})
            found[item.key] = shares
        return found


def find(wanted: Wanted) -> Weighted:
    form = WeightedForm(wanted.seen, wanted.query)
    known = form.known()
    try:
        return weigh(wanted.seen, margins(wanted.seen, known), group=wanted.group, confidence=wanted.confidence)
    except Invalid as wrong:  # at the first share that was given
        key = next(iter(known), next(iter(form.asked)).key)
        raise Invalid({f"{key}-0": message for message in wrong.errors.values()}) from None


SECTION = Section(
    *("weighted", "Weight to known shares", "workspace/analysis/weighting.html"),
    *(can_compare, WeightedForm, find, weighted_csv, weighted_file),
)
