"""What is assumed in a rehearsal: how many people answer, and the true share of each answer in a field of its own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django import forms

from features.simulation import assumed_difference, simulation
from features.simulation.assumed_difference import Difference, Shares
from surveys.definition.instrument import QuestionDefinition
from surveys.site.errors import Invalid
from surveys.site.expressions import full_match
from surveys.web.widgets import Line, Select
from surveys.web.workspace.forms import TypedForm


@dataclass(frozen=True)
class Assumed:
    """One question with its fields. rule: what the numbers must be."""

    item: QuestionDefinition
    fields: list[forms.BoundField]
    rule: str

    @property
    def unit(self) -> str:
        """What stands behind a field."""
        return "%" if self.item.tells_shares else self.item.unit

    @property
    def is_sensitive(self) -> bool:
        return self.item.mechanism is not None

    @property
    def has_errors(self) -> bool:
        return any(field.errors for field in self.fields)


class RehearsalForm(TypedForm):
    """What is not sent is as usual."""

    n = forms.Field(required=False, label="How many people answer?", widget=Line(5))

    def __init__(
        self, sent: Mapping[str, str], *, items: Iterable[QuestionDefinition], n: int, **others: str
    ) -> None:
        self.items = tuple(items)
        usual = {"n": str(min(n, simulation.MOST))}
        for item in self.items:
            usual |= simulation.usual(item)
        typed = {name: sent.get(name, value) for name, value in (usual | others).items()}
        differs = _usual_difference(self.items, typed)
        super().__init__(typed | {name: sent.get(name, value) for name, value in differs.items()})
        self._add_difference()
        for item in self.items:
            for place, label in _labels(item).items():
                self.fields[place] = forms.Field(required=False, label=label)

    def _add_difference(self) -> None:
        """How groups differ: its fields are there where something can differ."""
        outcomes, groups = (
            assumed_difference.outcomes(self.items),
            assumed_difference.groups(self.items),
        )
        self.can_differ = bool(outcomes and groups)
        if not self.can_differ:
            return
        chosen = (
            ("outcome", "Answer", outcomes),
            ("group", "Group that gives it more often, or less", [("", "No difference"), *groups]),
        )
        for name, label, choices in chosen:
            self.fields[name] = forms.Field(
                required=False, label=label, widget=Select(choices=choices)
            )
        self.fields["difference"] = forms.Field(
            required=False,
            label="Percentage points more than all others",
            help_text="Below 0 for fewer. Of a mean: percent of the range of its numbers.",
            widget=Line(5),
        )

    def difference(self, shares: Shares) -> Difference | None:
        """None where no group differs. Raises Invalid."""
        if not self.can_differ or not self.typed("group"):
            return None
        assumed = assumed_difference.read(
            self.items, self.typed("outcome"), self.typed("group"), self.points() / 100
        )
        assumed.answer_shares(shares)
        return assumed

    def points(self) -> float:
        if not self.can_differ or not self.typed("group"):
            return 0.0
        text = (
            self.typed("difference").strip().replace("−", "-").replace(",", ".").removeprefix("+")
        )
        if not full_match(r"-?[0-9]{1,3}([.][0-9]{0,6})?", text, longest=11):
            raise Invalid(
                {"difference": "Write a number of percentage points, for example 10 or −5."}
            )
        return float(text)

    def questions(self) -> list[Assumed]:
        return [
            Assumed(item, [self[place] for place in _labels(item)], _rule(item))
            for item in self.items
        ]

    def people(self) -> int:
        text = self.typed("n").strip().replace(",", "")
        if not (
            text.isascii()
            and text.isdigit()
            and len(text) < 9
            and 1 <= int(text) <= simulation.MOST
        ):
            raise Invalid(
                {"n": f"The number of people must be a whole number from 1 to {simulation.MOST:,}."}
            )
        return int(text)

    def shares(self) -> dict[str, list[float]]:
        """Question key -> a fraction for each answer. Raises Invalid with everything that is wrong, numbers too."""
        by_key, errors = {}, {}
        for item in self.items:
            try:
                by_key[item.key] = simulation.parse_shares(item, self.data)
            except Invalid as wrong:
                errors |= wrong.errors
        for check in self.numbers():
            try:
                check()
            except Invalid as wrong:
                errors |= wrong.errors
        if errors:
            raise Invalid(errors)
        return by_key

    def numbers(self) -> list[Callable[[], float]]:
        return [self.people, self.points]


class LessonForm(RehearsalForm):
    """Of the people of simulation.LESSON. The number of the draw makes an address show the same noise again."""

    seed = forms.Field(
        required=False,
        label="Seed",
        help_text="The same seed gives the same people again.",
        widget=Line(5),
    )

    def __init__(self, sent: Mapping[str, str]) -> None:
        lesson = simulation.LESSON
        shares = {
            simulation.place(lesson, index): share
            for index, share in enumerate(simulation.LESSON_SHARES)
        }
        super().__init__(sent, items=[lesson], n=simulation.USUAL, seed="1", **shares)

    def draw(self) -> int:
        text = self.typed("seed").strip()
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise Invalid({"seed": "Enter a seed of at most 9 digits."})
        return int(text)

    def numbers(self) -> list[Callable[[], float]]:
        return [*super().numbers(), self.draw]

    def next(self) -> str:
        """The query of the next draw."""
        return urlencode(self.data | {"seed": (self.draw() + 1) % 10**9})


def _usual_difference(
    items: Sequence[QuestionDefinition], typed: Mapping[str, str]
) -> dict[str, str]:
    """What is assumed of groups where nobody says otherwise: as much as is usual, or possible with what was typed."""
    try:
        usual = assumed_difference.usual(
            items, {item.key: simulation.parse_shares(item, typed) for item in items}
        )
    except Invalid:
        usual = None
    outcome, group, size = usual or ("", "", assumed_difference.USUAL)
    return {"outcome": outcome, "group": group, "difference": f"{100 * size:g}"}


def _labels(item: QuestionDefinition) -> dict[str, str]:
    """The fields of a question: place -> label."""
    if item.is_written:
        return {}
    if not item.tells_shares:
        return {f"{item.key}-mean": "Mean", f"{item.key}-spread": "Standard deviation"}
    return {
        simulation.place(item, answer): item.choices[answer] for answer in simulation.asked(item)
    }


def _rule(item: QuestionDefinition) -> str:
    if item.is_written:
        return "Texts are not simulated. Only texts you list can be counted."
    if not item.tells_shares:
        first, last = item.answer_values[0], item.answer_values[-1]
        return f"Numbers around a mean, limited to {first} to {last}."
    if item.traits.select == "any":
        return "Each choice separately. Empty: no one."
    if len(simulation.asked(item)) == 1:
        return "All others answer No."
    if not item.makes_groups:
        return "The first choices of the list. All others share the rest."
    return "100 in total. Empty ones share the rest."
