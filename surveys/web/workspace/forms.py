"""Forms that carry what was typed. What is wrong with it, the services in surveys.authoring say."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils import timezone

from surveys.models import SWITCHES, Role, Survey
from surveys.site.errors import Invalid


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
    asks_consent = forms.BooleanField(
        required=False,
        label="Ask people to agree before they start",
        help_text="They read the consent text on the first screen and choose “Agree and start” or “Do not take part”. "
        "Whoever does not take part sends nothing, and their device keeps nothing.",
    )
    after_sending = forms.Field(
        required=False,
        label="Text after sending (optional)",
        help_text="Thanks, and what happens next. It stands below the words that the answers have been sent.",
    )
    after_declining = forms.Field(
        required=False,
        label="Text for those who do not take part (optional)",
        help_text="Shown to whoever chooses “Do not take part”, if you ask people to agree.",
    )
    help_lines = forms.Field(
        required=False,
        label="Help lines (optional)",
        help_text="One on each line, for example: Help for victims, tel:116-006, https://www.example.org/help. "
        "Respondents can copy them at the beginning and at the end; as links they stand on a page of their own, which "
        "is reached after sending or by not taking part.",
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

    neutral_title = forms.BooleanField(
        required=False,
        label="Keep the title out of the browser’s history",
        help_text="The history of a respondent’s browser then says “Survey” only. Who opens the page reads the title.",
    )
    shared_device = forms.BooleanField(
        required=False,
        label="Several people answer on one device",
        help_text="For a tablet that is handed round. It keeps nothing of anybody, and a button makes it ready for the "
        "next person.",
    )
    results_after_closing = forms.BooleanField(
        required=False,
        label="Show no result before the survey closes",
        help_text="Otherwise results appear from 40 responses on while it is open. Nothing is ever shown of fewer "
        "than 20.",
    )
    section_pages = forms.BooleanField(
        required=False,
        label="Show the questions of a section on one page",
        help_text="Otherwise they come one at a time. A section starts where a question has a heading.",
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

    import_only = forms.BooleanField(
        required=False,
        label="Take the responses from files",
        help_text="For a survey that was asked elsewhere with randomized response: on paper, by telephone, with "
        "another tool. It can never be published to respondents, and this cannot be changed later.",
    )

    def texts(self) -> dict[str, Any]:
        """Everything that can be changed later too."""
        texts = {name: self.typed(name) for name in self.fields if name != "import_only"}
        texts["language"] = texts["language"] or Survey.Language.ENGLISH
        texts["limit"] = texts["limit"] if "limit" in self.data else "5"
        return texts | {name: bool(texts[name]) for name in SWITCHES}

    def has_errors_below(self) -> bool:
        """Whether something is wrong with a field that a new survey's page folds away."""
        return bool(self.errors.keys() - {"title", "language"})

    def languages(self) -> list[tuple[str, str]]:
        return Survey.Language.choices


class ScheduleForm(TypedForm):
    opens = forms.Field(
        required=False, label="Opens (optional)", help_text="Before it nobody can answer. Empty: at once."
    )
    closes = forms.Field(
        required=False, label="Closes (optional)", help_text="After it nobody can answer. Empty: by hand."
    )
    target = forms.Field(
        required=False,
        label="Responses wanted (optional)",
        help_text="Shown to the team as progress. Reaching it closes nothing.",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("opens", "closes"):
            said = self.fields[name].help_text
            self.fields[name].help_text = f"In the time of {timezone.get_current_timezone_name()}. {said}"

    @staticmethod
    def of(survey: Survey) -> dict[str, Any]:
        times = {name: getattr(survey, name) for name in ("opens", "closes")}
        typed = {name: f"{timezone.localtime(time):%Y-%m-%dT%H:%M}" if time else "" for name, time in times.items()}
        return typed | {"target": survey.target or ""}


ROLE_HINTS = {
    Role.EDITOR: "Writes questions, publishes, pauses and closes, and reads the report as an analyst does.",
    Role.ANALYST: "Sees the questions and reads the report; by background answers groups of 30 people or more, once it "
    "is closed.",
    Role.EXPORTER: "Reads the report, filtered as they like, and downloads the randomized responses, row by row.",
}


class InvitationForm(TypedForm):
    role = forms.Field(required=False, label="What may your colleague do?")

    def roles(self) -> list[dict[str, str]]:
        return [{"value": role.value, "label": role.label, "hint": ROLE_HINTS[role]} for role in Role]


class DestroyForm(TypedForm):
    title = forms.Field(required=False, label="Type the survey’s title to be sure")


class ImportForm(TypedForm):
    file = forms.Field(
        required=False,
        label="Choose a file",
        help_text="The JSON of a survey, or an XLSForm (.xlsx, .xls, .csv or .md) as ODK and KoboToolbox write them. "
        "Files of LimeSurvey, Qualtrics and SurveyJS are recognised, and you are told what to do.",
    )
    text = forms.Field(
        required=False,
        label="Or paste its text",
        help_text="The JSON that “Download as a file” of a survey gives, or an XLSForm in tables of Markdown.",
    )
