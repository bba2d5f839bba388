"""The form of known shares, in per cent."""

from typing import Any

from django.http import QueryDict

from features.weighting.known_margins import FIELD, answers
from surveys.results.analysis.analysis import Analysis
from surveys.results.disclosure.access import ReaderView
from surveys.results.report.groups import groupable_questions
from surveys.site.errors import Invalid
from surveys.web.workspace.analysis.section import AnalysisForm
from surveys.web.workspace.report.options import Percent


class WeightedForm(AnalysisForm):
    """A share in per cent for each answer, `sex-0` for the first one of sex."""

    template_name = "weighting/shares.html"

    def __init__(self, analysis: Analysis, seen: ReaderView, query: QueryDict) -> None:
        super().__init__(analysis, seen, query)
        self.answers = {item: answers(seen, item) for item in groupable_questions(seen)}
        for item, names in self.answers.items():
            for place, name in enumerate(names):
                self.fields[f"{item.key}-{place}"] = Percent(required=False, label=name)

    def questions(self) -> list[dict]:
        """Each question with its fields, and whether some of them are filled in."""
        found = []
        for item, names in self.answers.items():
            fields = [self[f"{item.key}-{place}"] for place in range(len(names))]
            is_open = any(field.value() or field.errors for field in fields)
            found.append({"item": item, "fields": fields, "is_open": is_open})
        return found

    def values(self) -> dict[str, Any]:
        """The shares of those questions that have any. Raises Invalid."""
        self.full_clean()
        if self.errors:
            raise Invalid({name: messages[0] for name, messages in self.errors.items()})
        found = {}
        for item, names in self.answers.items():
            shares = [self.cleaned_data[f"{item.key}-{place}"] for place in range(len(names))]
            if all(share is None for share in shares):
                continue
            if None in shares:
                field = f"{item.key}-{shares.index(None)}"
                raise Invalid(
                    {field: f"Enter the share of “{names[shares.index(None)]}” too, 0 for no one."}
                )
            found[item.key] = shares
        return {FIELD: found}

    def place(self, parameter: str) -> str:
        """The first share that was given."""
        return next((name for name in self.fields if self[name].value()), next(iter(self.fields)))
