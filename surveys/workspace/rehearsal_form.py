"""What is assumed in a rehearsal: how many people answer, and the true share of each answer in a field of its own."""

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms

from surveys import rehearsal
from surveys.errors import Invalid
from surveys.models import Question
from surveys.publishing.instruments import Item, Paper
from surveys.workspace.forms import TypedForm


@dataclass(frozen=True)
class Assumed:
    """One question with its fields. rule: what the numbers must be."""

    item: Item
    fields: list[forms.BoundField]
    rule: str

    @property
    def is_sensitive(self) -> bool:
        return self.item.mechanism is not None

    @property
    def has_errors(self) -> bool:
        return any(field.errors for field in self.fields)


class RehearsalForm(TypedForm):
    """What is not sent is as usual."""

    n = forms.Field(required=False, label="How many people answer?")

    def __init__(self, sent: Mapping[str, str], *, frozen: Paper, n: int) -> None:
        usual = {"n": str(min(n, rehearsal.MOST))}
        for item in frozen.items:
            usual |= rehearsal.usual(item)
        super().__init__({name: sent.get(name, value) for name, value in usual.items()})
        self.frozen = frozen
        for item in frozen.items:
            for answer in rehearsal.asked(item):
                self.fields[rehearsal.place(item, answer)] = forms.Field(required=False, label=item.choices[answer])

    def questions(self) -> list[Assumed]:
        return [
            Assumed(item, [self[rehearsal.place(item, answer)] for answer in rehearsal.asked(item)], _rule(item))
            for item in self.frozen.items
        ]

    def people(self) -> int:
        text = self.typed("n").strip().replace(",", "")
        if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= rehearsal.MOST):
            raise Invalid({"n": f"The number of people must be a whole number from 1 to {rehearsal.MOST:,}."})
        return int(text)

    def shares(self) -> dict[str, list[float]]:
        """Question key -> a fraction for each answer. Raises Invalid with everything that is wrong, n too."""
        found, errors = {}, {}
        for item in self.frozen.items:
            try:
                found[item.key] = rehearsal.parse_shares(item, self.data)
            except Invalid as wrong:
                errors |= wrong.errors
        try:
            self.people()
        except Invalid as wrong:
            errors |= wrong.errors
        if errors:
            raise Invalid(errors)
        return found


def _rule(item: Item) -> str:
    if item.kind == Question.Kind.ANY:
        return "Each by itself. Empty: nobody."
    if len(rehearsal.asked(item)) == 1:
        return "All others answer No."
    return "100 in all. Empty ones share what is left."
