"""The description of one setting of a survey, a question or a choice, as in definition.fields."""

from dataclasses import dataclass
from typing import Any

from django.db import models

from surveys.models import Survey, Translated

Model = type[Translated]


@dataclass(frozen=True)
class Field:
    """One setting, which is a column of a model.

    name: the name of the column.
    label: the name of the setting in the history, in lists of missing translations, and in
        messages.
    help: the sentence that explains the setting in forms and in the API.
    ask: the label in a form, if it differs from `label`.
    subject: the subject of a sentence about the setting, if it is not “The <label>”.
    part: the page, or the part of the code, that changes the setting.
    translatable: True for a text that an author can translate: one that respondents read, or the
        short name of a question.
    since: the first format of instruments that stores the setting under this name; 0 if none
        does. An instrument always has the settings of formats 1 to 3, and later settings only if
        the survey uses them: see definition.freezing.
    stays: True if a PUT request that lacks the setting does not change it. Otherwise a program
        that is older than the setting would delete its value.
    sparse: True if survey files have the setting only if it has a value.
    required: True if the setting cannot be empty.
    model: the model that has the column.
    """

    name: str
    label: str
    help: str = ""
    ask: str = ""
    subject: str = ""
    part: str = ""
    translatable: bool = False
    since: int = 0
    stays: bool = False
    sparse: bool = False
    required: bool = False
    model: Model = Survey

    @property
    def column(self) -> Any:
        """The field of the Django model that stores the setting, with its type and its default."""
        return self.model._meta.get_field(self.name)

    @property
    def default(self) -> Any:
        """The value of the setting in a new survey, question or choice."""
        return self.column.get_default()

    @property
    def longest(self) -> int | None:
        """The largest number of characters of a text; None if there is no limit."""
        return getattr(self.column, "max_length", None)

    @property
    def is_switch(self) -> bool:
        """True if the setting is on or off."""
        return isinstance(self.column, models.BooleanField)

    @property
    def is_text(self) -> bool:
        """True if the column stores a str: a text, or a key such as that of the question's kind."""
        return isinstance(self.column, models.CharField | models.TextField)

    @property
    def in_a_sentence(self) -> str:
        """The name of the setting as the subject of a sentence, such as “The title”."""
        return self.subject or f"The {self.label}"


def text(name: str, label: str, help: str = "", **options: Any) -> Field:
    """Return the description of a setting that is a text which an author can translate.

    name, label, help: as in Field.
    options: other attributes of the Field. Without `since` it is 4, the current format.
    """
    attributes = {"translatable": True, "since": 4} | options
    return Field(name, label, help, **attributes)
