"""One setting, as the tables of definition.fields have it."""

from dataclasses import dataclass
from typing import Any

from django.db import models

from surveys.models import Survey, Translated

Model = type[Translated]


@dataclass(frozen=True)
class Field:
    """label: in the history, in what is missing in a language, and in messages. help: the sentence of form and API.

    ask: in a form, where that is not the label. subject: in a sentence about it, where that is not “The <label>”.
    part: the page, or the code, that sets it. since: the format of instruments that has it first under this name, 0
    where none has. Up to format 3 an instrument always has it, later only where it is used: definition.freezing.
    stays: what a PUT does not send of it stays; programs from before it came would take it away.
    sparse: a survey file has it only where it is set.
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
        return self.model._meta.get_field(self.name)

    @property
    def default(self) -> Any:
        """What a new one has of it."""
        return self.column.get_default()

    @property
    def longest(self) -> int | None:
        """Characters of a text."""
        return getattr(self.column, "max_length", None)

    @property
    def is_switch(self) -> bool:
        return isinstance(self.column, models.BooleanField)

    @property
    def is_text(self) -> bool:
        return isinstance(self.column, models.CharField | models.TextField)

    @property
    def in_a_sentence(self) -> str:
        return self.subject or f"The {self.label}"


def text(name: str, label: str, help: str = "", **more: Any) -> Field:
    """A text that respondents read."""
    return Field(name, label, help, **{"translatable": True, "since": 4} | more)
