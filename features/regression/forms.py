"""The form of what an answer is linked to."""

from typing import Any

from django import forms
from django.http import QueryDict

from features.regression.model.model import SHARES
from features.regression.table.counts import offered
from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis import selection
from surveys.results.analysis.analysis import Analysis
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.predictors import NUMBER, UNIT, explaining
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.question_report import YES
from surveys.results.report.groups import groupable_questions
from surveys.site.errors import Invalid
from surveys.web.widgets import Select, Ticks
from surveys.web.workspace.analysis.section import AnalysisForm

MOST_FACTORS = 4
TOO_MANY = f"Choose at most {MOST_FACTORS} factors."
WHAT = ("rows", "columns")  # names of the table's own parameters, which its file has


class Outcome(forms.ChoiceField):
    """Checked by the analysis, which says more of what is wrong."""

    widget = Select

    def valid_value(self, value: Any) -> bool:
        return True


class Factors(forms.MultipleChoiceField):
    """Checked as an outcome is."""

    def valid_value(self, value: Any) -> bool:
        return True


class LinkedForm(AnalysisForm):
    """All fields named `explain` are one list, as in the API; `truth` is one more of it, of a list that opens."""

    outcome = Outcome(label="What do you want to explain?", required=False)
    explain = Factors(label="Possible factors", required=False, help_text=f"Up to {MOST_FACTORS}")
    truth = Outcome(label="Another scrambled answer", required=False)

    def __init__(self, analysis: Analysis, seen: ReaderView, query: QueryDict) -> None:
        rows, columns = (query.get(name, "") for name in WHAT)
        if rows or columns:  # an address of the table
            query = query.copy()
            query["outcome"], query["truth"] = rows, columns
        super().__init__(analysis, seen, query)
        self.is_table = bool(rows or columns)
        named = [each for each in (*query.getlist("explain"), query.get("truth", "")) if each]
        self.explained = list(dict.fromkeys(named))
        self.fields["outcome"].choices = outcomes(seen, query.get("outcome", ""))
        ticks, hints, lists = self._factors()
        self.fields["explain"].widget = Ticks(ticks, hints)
        self.fields["explain"].choices = ticks
        if lists:
            self.fields["truth"].choices = [("", "None"), *lists]
            shown = {value for _, pairs in lists for value, _ in pairs}
            self.initial["truth"] = next((each for each in self.explained if each in shown), "")
        else:
            del self.fields["truth"]
        if not ticks:
            del self.fields["explain"]
        self.data = self._bound(query)

    def _bound(self, query: QueryDict) -> QueryDict:
        """The query with each factor in the field that offers it."""
        data = query.copy()
        if initial := self.initial.get("truth"):
            data["truth"] = initial
            data.setlist("explain", [each for each in self.explained if each != initial])
        return data

    def _factors(
        self,
    ) -> tuple[list[tuple[str, str]], dict[str, str], list[tuple[str, list[tuple[str, str]]]]]:
        """What is ticked, the hints there, and scrambled questions whose answers stand in a list."""
        ticks, hints, lists = [], {}, []
        crossed = {value for value, _ in offered(self.seen)}
        for item in explaining(self.seen):
            if item.mechanism is None:
                value = self._chosen_coding(item)
                hints |= {value: f"per {UNIT} more"} if value.endswith(f":{NUMBER}") else {}
            elif item.traits.has_yes and item.size == 2:
                value = f"{item.key}:{YES}"
                hints[value] = "scrambled"
            else:
                whole = [(item.key, f"{name(item)}, all answers")] if item.key in crossed else []
                lists.append((name(item), [*whole, *_answers(self.seen, item)]))
                continue
            ticks.append((value, name(item)))
        return ticks, hints, lists

    def _chosen_coding(self, item: QuestionDefinition) -> str:
        """Return the chosen coding of a factor, else the default."""
        usual = f"{item.key}:{NUMBER}" if item.traits.is_background_number else item.key
        return next((each for each in self.explained if each.partition(":")[0] == item.key), usual)

    @property
    def is_sent(self) -> bool:
        return bool(self.is_table or self.data.get("outcome") or self.explained)

    @property
    def shows_table(self) -> bool:
        """True if the table was named, or two scrambled answers are all that was chosen."""
        return self.is_table or self._is_pair

    @property
    def _is_pair(self) -> bool:
        crossed = {value.partition(":")[0] for value, _ in offered(self.seen)}
        scrambled = {item.key for item in selection.questions_with_shares(self.seen)} & crossed
        keys = [each.partition(":")[0] for each in (self.data.get("outcome", ""), *self.explained)]
        return (
            not self.data.get("model")
            and len(keys) == 2
            and keys[0] != keys[1]
            and set(keys) <= scrambled
        )

    def group_alone(self) -> str:
        """The background question that is all that explains a scrambled answer, else nothing."""
        keys = {item.key for item in groupable_questions(self.seen)}
        offered_here = {
            value
            for item in selection.scrambled_questions(self.seen)
            for value, _ in selection.answer_options(self.seen, item)
        }
        explains = self.data.get("outcome", "") in offered_here
        is_usual = not self.is_table and self.data.get("model", "") in ("", SHARES)
        alone = self.explained[0] if len(self.explained) == 1 else ""
        return alone if explains and is_usual and alone in keys else ""

    def values(self) -> dict[str, Any]:
        """Raises Invalid."""
        if len(self.explained) > MOST_FACTORS:
            raise Invalid({"explain": TOO_MANY})
        if self.shows_table:
            return dict(
                zip(
                    WHAT,
                    (self.data.get("outcome", ""), next(iter(self.explained), "")),
                    strict=True,
                )
            )
        return {
            "outcome": self.data.get("outcome", ""),
            "explain": self.explained,
            "model": self.data.get("model", ""),
        }

    def place(self, parameter: str) -> str:
        """Of the table's parameters the fields that stand for them."""
        place = {"rows": "outcome", "columns": "explain"}.get(parameter, parameter)
        return "truth" if place == "explain" and place not in self.fields else place

    def query(self) -> dict[str, Any]:
        return self.values() if self.shows_table else {}


def name(item: QuestionDefinition) -> str:
    return item.short or item.full_text


def _answers(seen: ReaderView, item: QuestionDefinition) -> list[tuple[str, str]]:
    """Each answer with its question, since a closed list shows no heading."""
    return [
        (value, f"{name(item)}: {label}") for value, label in selection.answer_options(seen, item)
    ]


def outcomes(seen: ReaderView, chosen: str = "") -> list[tuple[str, str | list[tuple[str, str]]]]:
    """A yes/no question by its name, which means Yes; of others each answer, of a number its mean, and all answers at
    once where one of them is true. chosen: is offered in any case.
    """
    groups: list[tuple[str, str | list[tuple[str, str]]]] = []
    for item in selection.outcome_questions(seen):
        pairs = _answers(seen, item)
        if item.traits.has_yes and item.size == 2:
            yes, no = f"{item.key}:{YES}", f"{item.key}:{1 - YES}"
            groups.append((item.key if chosen == item.key else yes, name(item)))
            groups += [(no, label) for value, label in pairs if value == no == chosen]
            continue
        if SurveyVariable(item).is_mean:
            groups.append((item.key, f"{name(item)}, average"))
            continue
        if item.size > 2 and _has_all_at_once(item):
            pairs.append((item.key, f"{name(item)}: all answers at once"))
        groups.append((name(item), pairs))
    return groups


def _has_all_at_once(item: QuestionDefinition) -> bool:
    """Whether one of its answers is true, so that all of them can be explained together."""
    part = SurveyVariable(item)
    if part.is_mean or item.size > selection.MOST_OFFERED:
        return False
    return part.mechanism.select == "one" and not item.report_format.spreads
