"""The form of one question: what was typed, and what of it means which design."""

from typing import Any

from django import forms

from surveys.authoring import drafts
from surveys.authoring.plans import Plan, plan_question
from surveys.designs.elsewhere import designs_for
from surveys.designs.levels import AUTOMATIC
from surveys.errors import Invalid
from surveys.models import Question, Survey
from surveys.publishing.freezing import MAXIMUM_CHOICES
from surveys.workspace.forms import TypedForm
from surveys.workspace.guide import DESIGN_ADVICE, KIND_HINTS, MODE_HINTS
from surveys.workspace.panel import Card, cards

FIRST = 3  # designs that stand before the fold


class QuestionForm(TypedForm):
    kind = forms.Field(required=False, label="What kind of question is it?")
    text = forms.Field(required=False, label="Question")
    help = forms.Field(
        required=False, label="Help text (optional)", help_text="Shown below the question, in smaller letters."
    )
    choices = forms.Field(required=False, label="Choices", help_text="One on each line, at least 2 and at most 100.")
    minimum = forms.Field(required=False, label="Smallest number", help_text="A whole number, for example 18.")
    maximum = forms.Field(
        required=False, label="Largest number", help_text="There can be at most 1,000 different numbers."
    )
    decline = forms.BooleanField(
        required=False,
        label="Offer “Prefer not to say”",
        help_text="It becomes one more answer, scrambled like the others, so that even declining stays private. "
        "A yes/no question then has three answers, and designs for two answers do not fit it.",
    )
    design = forms.Field(required=False, label="How strongly are the answers protected?")
    mode = forms.Field(required=False, label="Who draws?")
    harmless = forms.Field(
        required=False,
        label="Harmless question, for “By hand” with “Unrelated question”",
        help_text="People answer it when chance says so, for example: Was your mother born in April, May or June? "
        "It protects a person only if nobody knows their answer to it.",
    )
    statement = forms.Field(
        required=False,
        label="Statement for Yes, where Warner’s design is drawn by a person (optional)",
        help_text="For example: I have evaded taxes. It reads better than a statement about the answer to a question.",
    )
    opposite = forms.Field(
        required=False, label="Statement for No", help_text="Its opposite, for example: I have never evaded taxes."
    )
    anchor = forms.Field(
        required=False,
        label="Known share of Yes, in per cent (optional)",
        help_text="For a harmless question whose answer is known from elsewhere, such as births in the first quarter "
        "of a year (24.6). The report then tests whether the answers fit.",
    )
    section = forms.Field(
        required=False,
        label="Heading above this question (optional)",
        help_text="Starts a new section of the survey here.",
    )

    def __init__(self, *args: Any, survey: Survey, initial: dict[str, Any], **options: Any) -> None:
        super().__init__(*args, initial=initial, **options)
        self.survey, self.offered = survey, designs_for(survey.import_only)
        own = {"epsilon": "The privacy loss, a number above 0: smaller is stronger."}
        for key, parameters in [(AUTOMATIC, own), *((each.key, each.parameters) for each in self.offered.values())]:
            for letter, meaning in parameters.items():
                field = forms.Field(required=False, label=_parameter_label(letter), help_text=meaning)
                self.fields[f"{key}-{letter}"] = field
        self.fields["key"] = forms.Field(
            required=False,
            label="Variable name (optional)",
            help_text="Names the question in files and programs, for example tax_evasion. "
            "Left empty, it is made from the question.",
        )

    def say(self, name: str, message: str) -> None:
        if f"{self.typed('design')}-{name}" in self.fields:  # several can be wrong alike, so the message names it
            label = _parameter_label(name)
            message = message if message.startswith(label) else f"{label}: {message}"
            name = f"{self.typed('design')}-{name}"
        super().say(name, message)

    def typed(self, name: str) -> str:
        """What the field holds: on a page that was only opened, what it starts with."""
        if self.is_bound:
            return super().typed(name)
        value = self.initial.get(name)
        return "" if value is None else str(value)

    def plan(self) -> Plan | None:
        """How the answers would be randomized, without storing anything."""
        asked = self._answering() | {"language": self.survey.language, "import_only": self.survey.import_only}
        if self.is_bound:
            return self.attempt(plan_question, **asked)
        try:
            return plan_question(**asked)
        except Invalid:  # there are no choices yet, and nobody has typed anything wrong
            return None

    def save(self, question: Question | None = None, **who: Any) -> Question | None:
        texts = {name: self.typed(name) for name in ("text", "help", "key", "section")}
        if question:
            texts["edition"] = self.edition()
        return self.attempt(
            drafts.save_question, survey=self.survey, question=question, **texts, **self._answering(), **who
        )

    def _answering(self) -> dict[str, Any]:
        design = self.typed("design")
        own = self.offered[design].parameters if design in self.offered else ()
        letters = ["epsilon"] if design == AUTOMATIC else own
        names = ("kind", "harmless", "statement", "opposite", "minimum", "maximum", "anchor")
        typed = {name: self.typed(name) for name in names}
        return typed | {
            "decline": self._declines(),
            "choices": self._lines(),
            "design": design,
            "parameters": {letter: self.typed(f"{design}-{letter}") for letter in letters},
            "mode": self.typed("mode") or Question.Mode.AUTOMATIC,
        }

    def kinds(self) -> list[dict[str, str]]:
        return [{"value": kind.value, "label": kind.label, "hint": KIND_HINTS[kind]} for kind in Question.Kind]

    def modes(self) -> list[dict[str, str]]:
        return [{"value": mode.value, "label": mode.label, "hint": MODE_HINTS[mode]} for mode in Question.Mode]

    def cards(self) -> list[Card]:
        kind = self.typed("kind")
        sensitive = kind in Question.Kind.values and Question(kind=kind).is_sensitive
        return cards(kind if sensitive else Question.Kind.CHOICE, min(self._size(), MAXIMUM_CHOICES), self.survey)

    def _declines(self) -> bool:
        return self.typed("decline") not in ("", "False")

    def _lines(self) -> list[str]:
        return self.typed("choices").replace("\r\n", "\n").split("\n")

    def _size(self) -> int:
        """How many answers there are, as far as it is typed: question.js counts alike."""
        own = 2 if self.typed("kind") == Question.Kind.YES_NO else sum(bool(line.strip()) for line in self._lines())
        return max(own + self._declines(), 2)

    def own_epsilon(self) -> Any:
        return self[f"{AUTOMATIC}-epsilon"]

    def by_numbers(self) -> bool:
        """Whether the author has chosen a design by its numbers, so that the list of them must be open."""
        return self["design"].value() in (*self.offered, AUTOMATIC)

    def designs(self) -> dict[str, list[dict[str, Any]]]:
        """The designs as the page lists them: the first few that fit the question, and the rest."""
        keys = [key for key in DESIGN_ADVICE if key in self.offered]
        listed = [self._listed(key, place) for place, key in enumerate(keys)]
        fitting = [design for design in listed if self._fits(design["fits"])][:FIRST]
        return {"first": fitting, "rest": [design for design in listed if design not in fitting]}

    def is_rest(self) -> bool:
        """Whether the chosen design stands behind the second fold."""
        return self.typed("design") in [design["key"] for design in self.designs()["rest"]]

    def _listed(self, key: str, place: int) -> dict[str, Any]:
        design = self.offered[key]
        return {
            "key": key,
            "place": place,
            "title": design.title,
            "hint": DESIGN_ADVICE[key].sentence,
            "fits": "any" if design.select == "any" else "two" if design.two_answers_only else "one",
            "fields": [self[f"{key}-{letter}"] for letter in design.parameters],
        }

    def _fits(self, what: str) -> bool:
        if self.typed("kind") == Question.Kind.ANY:
            return what == "any"
        return what == "one" or (what == "two" and self._size() == 2)


def _parameter_label(letter: str) -> str:
    return letter if len(letter) == 1 else letter.capitalize()
