"""The form of what goes with an answer."""

from typing import Any

from django import forms
from django.http import QueryDict

from surveys.definition.instrument import FrozenQuestion
from surveys.results.analysis import selection
from surveys.results.analysis.analysis import Analysis
from surveys.results.analysis.model.model import SHARES
from surveys.results.analysis.outcome import Part
from surveys.results.analysis.predictors import GROUPS, NUMBER, UNIT, explaining
from surveys.results.disclosure.access import ReaderView
from surveys.web.workspace.analysis.section import AnalysisForm

KINDS = {"": "Odds where they can be believed (logit)", SHARES: "Differences of shares only (least squares)"}
NUMBERS = {"": "Leave out", NUMBER: f"Per {UNIT} more", GROUPS: "In four groups"}


class ModelForm(AnalysisForm):
    """All fields named `explain` are one list, as in the API."""

    outcome = forms.ChoiceField(label="Question and answer", required=False)
    explain = forms.CharField(required=False)
    model = forms.ChoiceField(label="Compared by", choices=list(KINDS.items()), required=False)

    def __init__(self, analysis: Analysis, seen: ReaderView, query: QueryDict | None) -> None:
        super().__init__(analysis, seen, query)
        self.chosen = list(query.getlist("explain")) if query is not None else []
        self.fields["outcome"].choices = outcomes(seen)

    def asked(self) -> dict[str, Any]:
        return super().asked() | {"explain": self.chosen}

    def explained(self) -> list[dict]:
        """Each background question, with the ways to look at it: (value, label, whether it is chosen)."""
        items = [item for item in explaining(self.seen) if item.mechanism is None]
        return [{"item": item, "ways": [(*way, way[0] in self.chosen) for way in _ways(item)]} for item in items]

    def truths(self) -> list[tuple[str, list[tuple[str, str, bool]]]]:
        """Each scrambled question with its answers, in the same form."""
        items = [item for item in explaining(self.seen) if item.mechanism is not None]
        named = [(item.whole, selection.named_answers(self.seen, item)) for item in items]
        return [(whole, [(*pair, pair[0] in self.chosen) for pair in pairs]) for whole, pairs in named]


def _ways(item: FrozenQuestion) -> list[tuple[str, str]]:
    if item.traits.is_background_number:
        return [(f"{item.key}:{way}" if way else "", label) for way, label in NUMBERS.items()]
    return [(item.key, item.whole)]


def outcomes(seen: ReaderView) -> list[tuple[str, list[tuple[str, str]]]]:
    """The answers to each question, of a number its mean, and all answers at once where one of them is true."""
    found = []
    for item in selection.outcomes(seen):
        pairs = selection.named_answers(seen, item)
        if item.size > 2 and _has_all_at_once(item):
            pairs.append((item.key, f"All answers at once · {item.whole}"))
        found.append((item.whole, pairs))
    return found


def _has_all_at_once(item: FrozenQuestion) -> bool:
    """Whether one of its answers is true, so that all of them can be explained together."""
    found = Part(item)
    if found.is_mean or item.size > selection.MOST_OFFERED:
        return False
    return found.mechanism.select == "one" and not item.wire.spreads
