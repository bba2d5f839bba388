"""Forms that carry what was typed. What is wrong with it, the services in surveys.authoring say."""

from collections.abc import Callable
from datetime import date
from typing import Any

from django import forms
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import CharField, DateField, TextField
from django.utils import timezone

from surveys import extensions
from surveys.authoring.drafts.drafts import update_settings
from surveys.definition import fields
from surveys.definition.field import Field, Model
from surveys.definition.protection import NO_LEVEL, RECOMMENDED_LEVEL
from surveys.models import Role, Survey
from surveys.site.errors import Invalid
from surveys.web.widgets import Area, Choice, File, Languages, Line, Switch


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


def form_field(
    model: Model, name: str, *, optional: bool | None = None, widget: forms.Widget | None = None
) -> forms.Field:
    """The field of a setting, as its row of definition.fields has it.

    optional: whether the label says so; unless given, where a setting that starts empty may stay so.
    widget: unless given, as what the column holds needs it.
    """
    row = fields.field_of(model, name)
    label = row.ask or f"{row.label[0].upper()}{row.label[1:]}"
    if row.is_switch:
        return forms.BooleanField(required=False, label=label, help_text=row.help, widget=Switch())
    if optional is None:
        optional = (
            not (row.required or row.default or row.column.choices)
            and row.part != "data_protection"
        )
    label += " (optional)" if optional else ""
    widget = widget or _widget(row)
    return forms.Field(
        required=False, label=label, help_text=row.help, initial=row.default or None, widget=widget
    )


def _widget(row: Field) -> forms.Widget:
    if row.name == "language":
        return Languages(choices=row.column.choices)
    if isinstance(row.column, TextField):
        return Area()
    if isinstance(row.column, DateField):
        return Line(10, type="date")
    if isinstance(row.column, CharField):
        return Line(
            10 if row.column.max_length < 10 else 20 if row.column.max_length <= 40 else None
        )
    return Line(5)


class SettingsForm(TypedForm):
    """With a field for each setting of some parts."""

    parts: tuple[str, ...] = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields = {row.name: form_field(Survey, row.name) for row in self.rows()} | self.fields

    @classmethod
    def rows(cls) -> list[Field]:
        return [row for part in cls.parts for row in fields.rows(Survey, part=part)]

    @classmethod
    def of(cls, survey: Survey, **data: Any) -> "SettingsForm":
        """With what the survey has, or what was sent of it."""
        now = {row.name: getattr(survey, row.name) for row in cls.rows()}
        days = {name: value.isoformat() for name, value in now.items() if isinstance(value, date)}
        return cls(**data, initial=now | days)

    def save(self, survey: Survey, by: AbstractBaseUser) -> Survey | None:
        return self.attempt(
            lambda: update_settings(survey, self.settings(), by, edition=self.edition())
        )

    def settings(self) -> dict[str, Any]:
        """As surveys.authoring.drafts.drafts.update_settings takes them. What was not sent stays as it is."""
        typed = {
            row.name: row.is_switch for row in self.rows() if row.is_switch or row.name in self.data
        }
        return {
            name: bool(self.typed(name)) if is_switch else self.typed(name)
            for name, is_switch in typed.items()
        }


class NewSurveyForm(TypedForm):
    title = form_field(Survey, "title")
    target = form_field(Survey, "target")
    language = form_field(Survey, "language")
    import_only = form_field(Survey, "import_only")

    def settings(self) -> dict[str, Any]:
        import_only = bool(self.typed("import_only"))
        return {
            "title": self.typed("title"),
            "target": self.typed("target"),
            "language": self.typed("language") or Survey.Language.ENGLISH,
            "import_only": import_only,
            "protection": NO_LEVEL if import_only else RECOMMENDED_LEVEL,
        }


class ScheduleForm(TypedForm):
    opens = forms.Field(
        required=False,
        label="Opens (optional)",
        help_text="Empty: the survey opens when you publish it.",
        widget=Line(20, type="datetime-local"),
    )
    closes = forms.Field(
        required=False,
        label="Closes (optional)",
        help_text="Empty: you close it yourself.",
        widget=Line(20, type="datetime-local"),
    )
    target = form_field(Survey, "target")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("opens", "closes"):
            said = self.fields[name].help_text
            self.fields[
                name
            ].help_text = f"Time zone: {timezone.get_current_timezone_name()}. {said}"

    @staticmethod
    def of(survey: Survey) -> dict[str, Any]:
        times = {name: getattr(survey, name) for name in ("opens", "closes")}
        typed = {
            name: f"{timezone.localtime(time):%Y-%m-%dT%H:%M}" if time else ""
            for name, time in times.items()
        }
        return typed | {"target": survey.target or ""}


ROLE_HINTS = {
    Role.EDITOR: "Can write questions, publish, pause and close, and read the report as an analyst does.",
    Role.ANALYST: "Can read the questions and the report. Once the survey is closed, also report groups of 30 people "
    "or more.",
    Role.EXPORTER: "Can filter the report freely and download rows, one for each response.",
}


class InvitationForm(TypedForm):
    role = forms.Field(
        required=False, label="What may your colleague do?", widget=Choice(Role.choices, ROLE_HINTS)
    )


class DestroyForm(TypedForm):
    title = forms.Field(required=False, label="Type the survey’s title to confirm", widget=Line())


class ImportForm(TypedForm):
    file = forms.Field(required=False, label="Choose a file", widget=File())
    text = forms.Field(required=False, label="Or paste its text", widget=Area(10))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        formats = list(extensions.survey_formats)
        files = ", or ".join(["The JSON of a survey", *(each.file_title for each in formats)])
        texts = [
            "The JSON from “Download as a file” of a survey",
            *(each.text_title for each in formats),
        ]
        others = (
            " For files of LimeSurvey, Qualtrics and SurveyJS, we tell you what to do."
            if formats
            else ""
        )
        self.fields["file"].help_text = f"{files}.{others}"
        self.fields["text"].help_text = f"{', or '.join(texts)}."
