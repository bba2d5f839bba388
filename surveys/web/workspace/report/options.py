"""What a reader chooses for a report, in the query of its address: a GET form that works without scripts.

What is not chosen is as usual; what is wrong gets a message at its field, and everything else stays as it was chosen.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction

from django import forms
from django.http import QueryDict

from mechanisms.estimation.finite import KINDS
from surveys.definition.instrument import QuestionDefinition
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.intervals import CONFIDENCE, FINITE_KINDS, ONLY, interval_problem
from surveys.results.estimates.report import EVERYBODY
from surveys.site.expressions import full_match
from surveys.web.widgets import Select, Ticks

LEVELS = {"80": "80%", "90": "90%", "95": "95%", "99": "99%", "99.9": "99.9%"}
INTERVALS = {
    "": "Wilson, and Clopper–Pearson for all answers together (recommended)",
    "wilson": "Wilson",
    "wald": "Wald (estimate ± standard errors)",
    "exact": "Clopper–Pearson (never too narrow)",
    "likelihood": "Likelihood ratio",
}
WITH_MATRICES = {"": "Wilson, and Wald for a matrix (recommended)", ONLY: INTERVALS[ONLY]}
TOGETHER = {"no": "Each interval separately", "yes": "All intervals of a question together"}
SAMPLING = {
    "yes": "All people like the respondents (sampling and randomization)",
    "no": "Exactly the respondents (only randomization)",
}
ORDERS = {"size": "Largest share first", "asked": "As asked"}
PICKS = ("only-", "group-", "from-", "to-")  # how the fields begin by which people are picked
OTHERS = (
    "Choose from the groups shown here. The address has a filter that your report doesn’t have."
)
LONGEST_LIST = 12  # choices that are ticked one by one; from longer lists a range is taken
LONGEST_PERCENT = 40  # characters
PERCENT = re.compile(r"([0-9]{1,3}(\.[0-9]{0,10})?|\.[0-9]{1,10})\s*%?")


@dataclass(frozen=True)
class Options:
    confidence: float = CONFIDENCE
    interval: str | None = None  # the best that each design has
    simultaneous: bool = False
    by_size: bool = True
    tests: dict[str, float] = field(default_factory=dict)  # question key -> share of Yes to test
    sums: dict[str, list[int]] = field(default_factory=dict)  # question key -> choices to add up
    group: Group = EVERYBODY
    sampling: bool = True


class OneOf(forms.ChoiceField):
    """A choice that falls back to the usual one where none is made."""

    def __init__(self, choices: dict[str, str], usual: str, **more: object) -> None:
        super().__init__(
            choices=list(choices.items()), required=False, initial=usual, widget=Select, **more
        )
        self.error_messages["invalid_choice"] = (
            "“%(value)s” is not one of the choices. Choose one of those shown."
        )
        self.usual = usual

    def bound_data(self, data: object, initial: str) -> object:
        """What the page shows as chosen."""
        return data if data and self.valid_value(data) else initial

    def clean(self, value: object) -> str:
        typed = "".join(
            letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}"
            for letter in str(value or "")
        )
        return super().clean(typed[:40] or self.usual)


class Percent(forms.CharField):
    """A share typed in per cent -> a fraction, None where empty."""

    def clean(self, value: object) -> float | None:
        text = str(value or "").strip()
        if not text:
            return None
        if full_match(r"[0-9]+,[0-9]+\s*%?", text, LONGEST_PERCENT):
            raise forms.ValidationError(
                f"Write {text.replace(',', '.')[:20]}, with a point and no comma."
            )
        match = full_match(PERCENT, text, LONGEST_PERCENT)
        if not match or not 0 <= Fraction(match[1].removesuffix(".")) <= 100:
            raise forms.ValidationError(
                f"Enter a number from 0 to 100, for example 12.5, not “{text[:20]}”."
            )
        return float(Fraction(match[1].removesuffix(".")) / 100)


class Indices(forms.MultipleChoiceField):
    """Some choices of a question, by their places."""

    def __init__(self, item: QuestionDefinition, label: str, **attrs: str) -> None:
        choices = [(str(v), label) for v, label in enumerate(item.choices)]
        super().__init__(choices=choices, required=False, label=label, widget=Ticks(**attrs))
        self.error_messages["invalid_choice"] = "Choose from the answers shown."

    def clean(self, value: object) -> list[int]:
        return sorted({int(v) for v in super().clean(value)})


class OptionsForm(forms.Form):
    """Bound to the query of a report's address. The survey's own fields are named after its questions."""

    confidence = OneOf(LEVELS, "95", label="Confidence level")
    interval = OneOf(INTERVALS, "", label="Kind of interval")
    simultaneous = OneOf(TOGETHER, "no", label="The level holds for")
    order = OneOf(ORDERS, "size", label="Order of the answers")

    def __init__(self, query: QueryDict, seen: ReaderView) -> None:
        super().__init__(query)
        self.seen, frozen = seen, seen.definition
        if frozen.tickets:
            self.fields["sampling"] = OneOf(SAMPLING, "yes", label="The ranges are about")
        if why := interval_problem(frozen.items):
            self.fields["interval"] = OneOf(WITH_MATRICES, "", label="Kind of interval")
            self.fields["interval"].error_messages["invalid_choice"] = (
                "“%(value)s” is not available here. " + why.replace("%", "%%")
            )
        for item in frozen.items:
            if item.traits.has_yes:
                self.fields[f"test-{item.key}"] = Percent(
                    required=False, label="Test a share of Yes, in %"
                )
            elif item.size > 2 and item.makes_groups and _adds_up(item) and _tells(item, seen):
                self.fields[f"sum-{item.key}"] = Indices(item, "Add up the shares of these answers")
        for item in self.filtering:
            self.fields |= (
                _filter_fields(item)
                if seen.has_rows
                else {f"group-{item.key}": Indices(item, item.full_text)}
            )

    @property
    def filtering(self) -> list[QuestionDefinition]:
        """The background questions by which people are picked: not by long lists, whose choices have no order."""
        return [item for item in self.seen.filter_questions if item.makes_groups]

    def clean(self) -> dict:
        if any(
            name.startswith(PICKS) and name not in self.fields and self.data[name]
            for name in self.data
        ):
            self.add_error(None, f"{OTHERS} {self.seen.note}".strip())
        if self.cleaned_data.get("sampling") == "no" and self.cleaned_data.get("interval") not in (
            None,
            "",
            *KINDS,
        ):
            self.add_error("interval", FINITE_KINDS)
        for item in self.filtering:
            first, last = (self.cleaned_data.get(f"{end}-{item.key}") for end in ("from", "to"))
            if first and last and int(first) > int(last):
                self.add_error(
                    f"to-{item.key}", "Choose a later end. It comes before the beginning."
                )
        return self.cleaned_data

    def options(self) -> Options:
        """What was chosen. A field with a message counts as not chosen."""
        self.full_clean()
        given = self.cleaned_data
        keys = [item.key for item in self.seen.definition.items]
        tests = {key: given[f"test-{key}"] for key in keys if given.get(f"test-{key}") is not None}
        sums = {key: given[f"sum-{key}"] for key in keys if given.get(f"sum-{key}")}
        return Options(
            confidence=float(Fraction(given.get("confidence", "95")) / 100),
            interval=given.get("interval") or None,
            simultaneous=given.get("simultaneous") == "yes",
            by_size=given.get("order") != "asked",
            tests=tests,
            sampling=given.get("sampling") != "no",
            sums=sums,
            group=Group(tuple(self._conditions())),
        )

    def _conditions(self) -> list[tuple[str, tuple[int, ...]]]:
        conditions = []
        for item in self.filtering:
            if any(f"{part}{item.key}" in self.errors for part in PICKS):
                continue
            picked = self.cleaned_data.get(self.place(item.key)) or []
            first, last = (self.cleaned_data.get(f"{end}-{item.key}") for end in ("from", "to"))
            if first or last:
                picked = _from_to(item, int(first or 0), int(last) if last else None)
            if picked and len(picked) < item.size:
                conditions.append((item.key, self.seen.original_codes(item.key, picked)))
        return conditions

    def place(self, key: str) -> str:
        """The field of a background question, or the first of two."""
        return next(name for pick in PICKS if (name := f"{pick}{key}") in self.fields)

    def filters(self) -> list[dict]:
        """The background questions with their fields, as the page lists them."""
        return [
            {
                "item": item,
                "only": None
                if (place := self.place(item.key)).startswith("from-")
                else self[place],
                "range": [self[place], self[f"to-{item.key}"]] if place.startswith("from-") else [],
            }
            for item in self.filtering
        ]


def _adds_up(item: QuestionDefinition) -> bool:
    """Whether shares of its answers can be added up; of the many of a background number none is shown by itself."""
    return item.traits.select != "any" and not item.traits.is_background_number


def _tells(item: QuestionDefinition, seen: ReaderView) -> bool:
    return seen.is_visible(item.key) and item.tells_shares


def _filter_fields(item: QuestionDefinition) -> dict[str, forms.Field]:
    if item.size <= LONGEST_LIST:
        return {f"only-{item.key}": Indices(item, item.full_text)}
    starts = {"": "Any"} | {str(v): label for v, label in enumerate(item.choices)}
    ends = {place: label for place, label in starts.items() if place != str(item.decline_code)}
    return {
        f"from-{item.key}": OneOf(starts, "", label="From"),
        f"to-{item.key}": OneOf(ends, "", label="Up to"),
    }


def _from_to(item: QuestionDefinition, first: int, last: int | None) -> list[int]:
    """Without an end up to the last answer; whoever declined is picked only alone."""
    if last is None:
        last = item.size - 1 if item.decline_code in (None, first) else item.decline_code - 1
    return list(range(first, last + 1))
