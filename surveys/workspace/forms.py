"""Forms that carry what was typed. What is wrong with it, the services in surveys.authoring say."""

from collections.abc import Callable
from typing import Any

from django import forms

from surveys.designs import Invalid
from surveys.models import Survey


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
        self.add_error(name if name in self.fields else None, message)

    def edition(self) -> int | None:
        """The version that the author started from; None where the form says nothing readable."""
        number = self.typed("edition")
        return int(number) if number.isdecimal() and len(number) < 10 else None


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
    consent = forms.Field(
        required=False,
        label="Consent (optional)",
        help_text="What respondents agree to by sending their answers. They read it right before the questions.",
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

    project = forms.Field(
        required=False,
        label="Project (optional)",
        help_text="Give surveys that the same people may answer the same project name. "
        "The privacy they cost a person is then added up.",
    )
    limit = forms.Field(
        required=False,
        label="Privacy budget",
        initial="5",
        help_text="The most that one respondent’s answers together may cost, as epsilon. "
        "The survey cannot be published above it. 5 is usual; over 10 needs a reason.",
    )
    limit_reason = forms.Field(required=False, label="Reason for a privacy budget over 10")

    def texts(self) -> dict[str, Any]:
        texts = {name: self.typed(name) for name in self.fields}
        texts["language"] = texts["language"] or Survey.Language.ENGLISH
        texts["limit"] = texts["limit"] if "limit" in self.data else "5"
        return texts | {"comprehension": bool(texts["comprehension"])}

    def languages(self) -> list[tuple[str, str]]:
        return Survey.Language.choices
