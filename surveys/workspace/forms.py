"""Forms that carry what was typed. What is wrong with it, the services in surveys.authoring say."""

from collections.abc import Callable
from typing import Any

from django import forms

from surveys import authoring
from surveys.designs import DESIGNS, Invalid
from surveys.models import Question, Survey
from surveys.workspace.guide import DESIGN_ADVICE, RECOMMENDED, recommended


class TypedForm(forms.Form):
    """Checks nothing itself, so that whatever was typed comes back as it was."""

    def typed(self, name: str) -> str:
        return self.data.get(name, "")

    def attempt(self, service: Callable[..., Any], **arguments: Any) -> Any:
        """What the service returns; None, with its messages at the fields, where it finds something wrong."""
        self.full_clean()
        try:
            return service(**arguments)
        except Invalid as wrong:
            for name, message in wrong.errors.items():
                self.say(name, message)

    def say(self, name: str, message: str) -> None:
        self.add_error(name, message)


class SurveyForm(TypedForm):
    title = forms.Field(required=False, help_text="Respondents see it at the top of the page.")
    introduction = forms.Field(
        required=False,
        label="Introduction (optional)",
        help_text="What the survey is about and what the results are for. Leave an empty line between paragraphs.",
    )
    contact = forms.Field(
        required=False,
        label="Contact (optional)",
        help_text="Who asks, and how to reach you, for example a name and an e-mail address.",
    )
    language = forms.Field(
        required=False,
        label="Language of the survey",
        initial=Survey.Language.ENGLISH,
        help_text="Everything around your own texts is shown to respondents in this language.",
    )
    comprehension = forms.BooleanField(
        required=False,
        label="Ask whether the explanation was understood",
        help_text="One question with feedback, before yours. Nobody has to get it right, and its answer is never sent.",
    )

    def texts(self) -> dict[str, Any]:
        texts = {name: self.typed(name) for name in self.fields}
        texts["language"] = texts["language"] or Survey.Language.ENGLISH
        return texts | {"comprehension": bool(texts["comprehension"])}

    def languages(self) -> list[tuple[str, str]]:
        return Survey.Language.choices


class QuestionForm(TypedForm):
    kind = forms.Field(required=False, label="What kind of question is it?")
    text = forms.Field(required=False, label="Question")
    help = forms.Field(
        required=False, label="Help text (optional)", help_text="Shown below the question, in smaller letters."
    )
    choices = forms.Field(required=False, label="Choices", help_text="One on each line, at least 2 and at most 100.")
    decline = forms.BooleanField(
        required=False,
        label="Offer “Prefer not to say”",
        help_text="It becomes one more answer, scrambled like the others, so that even declining stays private. "
        "A yes/no question then has three answers, and designs for two answers do not fit it.",
    )
    design = forms.Field(required=False, label="How are the answers scrambled?")
    mode = forms.Field(required=False, label="Who draws?")
    harmless = forms.Field(
        required=False,
        label="Harmless question, for “By hand” with “Unrelated question”",
        help_text="People answer it when chance says so, for example: Was your mother born in April, May or June? "
        "It protects a person only if nobody knows their answer to it.",
    )

    def __init__(self, *args: Any, question: Question | None = None, **options: Any) -> None:
        super().__init__(*args, initial=_initial(question), **options)
        for design in DESIGNS.values():
            for letter, meaning in design.parameters.items():
                name, label = f"{design.key}-{letter}", _parameter_label(letter)
                self.fields[name] = forms.Field(required=False, label=label, help_text=meaning)
        self.fields["key"] = forms.Field(
            required=False,
            label="Variable name (optional)",
            help_text="Names the question in files and programs, for example tax_evasion. "
            "Left empty, it becomes q1, q2, and so on.",
        )

    def say(self, name: str, message: str) -> None:
        if name not in self.fields:  # a parameter; several can be wrong in the same way, so the message names it
            label = _parameter_label(name)
            message = message if message.startswith(label) else f"{label}: {message}"
            name = f"{self.typed('design')}-{name}"
        self.add_error(name, message)

    def chosen_design(self) -> tuple[str, dict[str, str]]:
        """The design's key and its parameters as typed; the recommended ones where the author leaves it to us."""
        key = self.typed("design")
        if key == RECOMMENDED:
            return recommended(self._size())
        letters = DESIGNS[key].parameters if key in DESIGNS else ()
        return key, {letter: self.typed(f"{key}-{letter}") for letter in letters}

    def _size(self) -> int:
        yes_no = self.typed("kind") == Question.Kind.YES_NO
        lines = 2 if yes_no else sum(1 for line in self._lines() if line.strip())
        return min(max(lines + self._declines(), 2), 101)

    def _lines(self) -> list[str]:
        return self.typed("choices").replace("\r\n", "\n").split("\n")

    def _declines(self) -> bool:
        return bool(self.typed("decline"))

    def plan(self, survey: Survey) -> authoring.Plan | None:
        """How the answers would be randomized, without storing anything."""
        return self.attempt(authoring.plan_question, **self._answering(), language=survey.language)

    def save(self, survey: Survey, question: Question | None = None) -> Question | None:
        texts = {name: self.typed(name) for name in ("text", "help", "key")}
        return self.attempt(authoring.save_question, survey=survey, question=question, **texts, **self._answering())

    def _answering(self) -> dict[str, Any]:
        design, parameters = self.chosen_design()
        return {
            "kind": self.typed("kind"),
            "decline": self._declines(),
            "choices": self._lines(),
            "design": design,
            "parameters": parameters,
            "mode": self.typed("mode") or Question.Mode.AUTOMATIC,
            "harmless": self.typed("harmless"),
        }

    def kinds(self) -> list[dict[str, str]]:
        return [{"value": kind.value, "label": kind.label, "hint": KIND_HINTS[kind]} for kind in Question.Kind]

    def modes(self) -> list[dict[str, str]]:
        return [{"value": mode.value, "label": mode.label, "hint": MODE_HINTS[mode]} for mode in Question.Mode]

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
            for design in DESIGNS.values()
        ]


KIND_HINTS = {
    Question.Kind.YES_NO: "The respondent’s device scrambles the answer before sending it.",
    Question.Kind.CHOICE: "The respondent picks one answer of 2 to 100; the device scrambles it before sending it.",
    Question.Kind.BACKGROUND: (
        "Not protected: the true answer is stored, and together with others it can identify a person. "
        "Respondents are told so. Ask only what you need."
    ),
}

MODE_HINTS = {
    Question.Mode.AUTOMATIC: "The respondent just answers; the device draws unseen. For every design.",
    Question.Mode.SPINNER: (
        "The device shows what chance landed on, and the respondent answers accordingly. "
        "Works only as well as people do what they are told."
    ),
    Question.Mode.BY_HAND: (
        "The respondent throws real coins or dice and enters only the outcome: for people who trust no page. "
        "Works only as well as people do what they are told."
    ),
}


def _parameter_label(letter: str) -> str:
    return letter if len(letter) == 1 else letter.capitalize()


def _initial(question: Question | None) -> dict[str, Any]:
    start = {
        f"{design}-{letter}": value
        for design, advice in DESIGN_ADVICE.items()
        for letter, value in advice.start.items()
    }
    if question is None:
        automatic = Question.Mode.AUTOMATIC.value
        return start | {"kind": Question.Kind.YES_NO.value, "design": RECOMMENDED, "mode": automatic}
    names = ("kind", "text", "help", "key", "decline", "mode", "harmless")
    written = {name: getattr(question, name) for name in names}
    written["choices"] = "\n".join(choice.label for choice in question.choices.all())
    written["design"] = question.design or RECOMMENDED
    return start | written | {f"{question.design}-{letter}": value for letter, value in question.parameters.items()}
