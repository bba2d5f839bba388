"""The form of one question: what was typed, and what of it means which design."""

from typing import Any

from django import forms

from surveys.authoring import drafts
from surveys.authoring.plans import Plan, plan_question
from surveys.designs.elsewhere import designs_for
from surveys.designs.levels import AUTOMATIC, USUAL, level_of
from surveys.models import Question, Survey
from surveys.publishing.freezing import answers, select
from surveys.workspace.forms import TypedForm
from surveys.workspace.guide import DESIGN_ADVICE, EPSILON, KIND_HINTS, LEVELS, MODE_HINTS

WRITTEN = (
    *("kind", "text", "help", "section", "key", "decline", "mode", "harmless", "statement", "opposite"),
    *("minimum", "maximum", "edition"),
)


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

    def __init__(self, *args: Any, survey: Survey, question: Question | None = None, **options: Any) -> None:
        super().__init__(*args, initial=_initial(question), **options)
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
            "Left empty, it becomes q1, q2, and so on.",
        )

    def say(self, name: str, message: str) -> None:
        if f"{self.typed('design')}-{name}" in self.fields:  # several can be wrong alike, so the message names it
            label = _parameter_label(name)
            message = message if message.startswith(label) else f"{label}: {message}"
            name = f"{self.typed('design')}-{name}"
        super().say(name, message)

    def plan(self) -> Plan | None:
        """How the answers would be randomized, without storing anything."""
        return self.attempt(
            plan_question,
            **self._answering(),
            language=self.survey.language,
            import_only=self.survey.import_only,
        )

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
            "decline": bool(self.typed("decline")),
            "choices": self.typed("choices").replace("\r\n", "\n").split("\n"),
            "design": design,
            "parameters": {letter: self.typed(f"{design}-{letter}") for letter in letters},
            "mode": self.typed("mode") or Question.Mode.AUTOMATIC,
        }

    def kinds(self) -> list[dict[str, str]]:
        return [{"value": kind.value, "label": kind.label, "hint": KIND_HINTS[kind]} for kind in Question.Kind]

    def modes(self) -> list[dict[str, str]]:
        return [{"value": mode.value, "label": mode.label, "hint": MODE_HINTS[mode]} for mode in Question.Mode]

    def levels(self) -> list[dict[str, str]]:
        return [{"key": key, "title": title, "hint": hint} for key, (title, hint) in LEVELS.items()]

    def own_epsilon(self) -> Any:
        return self[f"{AUTOMATIC}-epsilon"]

    def by_numbers(self) -> bool:
        """Whether the author has chosen a design by its numbers, so that the list of them must be open."""
        return self["design"].value() in (*self.offered, AUTOMATIC)

    def designs(self) -> list[dict[str, Any]]:
        """The designs as the page lists them, each with the fields of its parameters."""
        return [
            {
                "key": design.key,
                "title": design.title,
                "hint": DESIGN_ADVICE[design.key].sentence,
                "two_answers_only": design.two_answers_only,
                "fields": [self[f"{design.key}-{letter}"] for letter in design.parameters],
            }
            for design in self.offered.values()
        ]


def _parameter_label(letter: str) -> str:
    return letter if len(letter) == 1 else letter.capitalize()


def _initial(question: Question | None) -> dict[str, Any]:
    start = {
        f"{design}-{letter}": value
        for design, advice in DESIGN_ADVICE.items()
        for letter, value in advice.start.items()
    } | {f"{AUTOMATIC}-epsilon": EPSILON}
    if question is None:
        automatic = Question.Mode.AUTOMATIC.value
        return start | {"kind": Question.Kind.YES_NO.value, "design": USUAL, "mode": automatic}
    written = {name: getattr(question, name) for name in WRITTEN}
    written["choices"] = "\n".join(choice.label for choice in question.choices.all())
    written["design"] = _chosen(question)
    written["anchor"] = "" if question.anchor is None else f"{100 * question.anchor:.8g}"
    return start | written | {f"{question.design}-{letter}": value for letter, value in question.parameters.items()}


def _chosen(question: Question) -> str:
    """The level where the design is that of a level, so that a question keeps its level as its choices change."""
    if not question.design:
        return USUAL
    size = max(len(answers(question)), 2)
    return level_of(question.design, question.parameters, size, select(question.kind)) or question.design
