"""The texts of a draft, one by one and by their place: what is translated, what is missing, what was only copied."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Prefetch, Q, TextField
from django.db.models.functions import Cast

from surveys.definition import fields
from surveys.definition.freezing import decline_label
from surveys.definition.kinds import kind_of
from surveys.definition.texts import Text, stored_text
from surveys.models import Choice, Survey, Translated

LISTED = 5  # places that a sentence names


@dataclass(frozen=True)
class Place:
    """One text. question: the number of its question, from 1, and choice that of its choice, of so many; 0 where it is
    of none.
    """

    row: Translated
    name: str
    languages: tuple[str, ...]
    question: int = 0
    key: str = ""
    choice: int = 0
    of: int = 0

    @cached_property
    def text(self) -> Text:
        return stored_text(self.row, self.name, self.languages)

    @property
    def address(self) -> tuple[str, str, int]:
        """What names it in files: the variable name, the field, the number of the choice."""
        return self.key, self.name, self.choice

    def id(self, code: str) -> str:
        """What names it in one language, in forms and messages."""
        return "-".join((code, self.key or "survey", self.name, str(self.choice)))

    @property
    def is_read(self) -> bool:
        """Whether respondents read it; a short name is for reports, and made in a language that has none."""
        return bool(fields.row(type(self.row), self.name).since)

    @property
    def title(self) -> str:
        return f"choice {self.choice}" if self.choice else fields.label(type(self.row), self.name)

    def __str__(self) -> str:
        return (
            f"question {self.question} ({self.key}), {self.title}" if self.question else self.title
        )


def iter_texts(survey: Survey, only: str = "") -> list[Place]:
    """Return every text that respondents read, in reading order.

    only: of choices, those that hold this in some language; the database looks for it, since a list can be long.
    """
    languages = survey.languages
    found = [*_of(survey, Place(survey, "", languages))]
    own = Choice.objects.alias(said=Cast("translations", TextField()))
    own = own.filter(Q(label__contains=only) | Q(said__contains=only)) if only else own
    questions = survey.questions.annotate(lines=Count("choices")).order_by("position")
    for number, question in enumerate(questions.prefetch_related(Prefetch("choices", own)), 1):
        found += _of(question, Place(question, "", languages, number, question.key))
        for place, choice in enumerate(question.choices.all(), 1):
            earlier = Choice.objects.filter(question=question, position__lt=choice.position)
            at = earlier.count() + 1 if only else place
            found += _of(
                choice, Place(choice, "", languages, number, question.key, at, question.lines)
            )
    return found


def _of(row: Translated, where: Place) -> Iterator[Place]:
    for name in fields.texts(type(row)):
        if getattr(row, name):
            yield Place(
                row, name, where.languages, where.question, where.key, where.choice, where.of
            )


def missing_translations(found: Iterable[Place], code: str) -> list[Place]:
    """Return the texts that have no translation in a language."""
    return [place for place in found if place.is_read and code not in place.text.others]


def untranslated_copies(found: Iterable[Place], code: str) -> list[Place]:
    """Return the texts whose translation equals the original."""
    words = [
        place for place in found if place.name != "contact" and any(map(str.isalpha, place.text))
    ]
    return [place for place in words if place.text.others.get(code) == place.text]


def duplicate_answers(survey: Survey, code: str) -> list[str]:
    """Return where a question has two answers that read the same in a language, ignoring case."""
    wrong = []
    for number, question in enumerate(survey.questions.prefetch_related("choices"), 1):
        added = [decline_label(code)] if question.decline and kind_of(question).sensitive else []
        labels = [
            stored_text(choice, "label", survey.languages).in_language(code)
            for choice in question.choices.all()
        ]
        seen: set[str] = set()
        for label in [*labels, *added]:
            same = unicodedata.normalize("NFKC", label).casefold()
            if same in seen:
                wrong.append(f"question {number} ({question.key}), “{label}”")
            seen.add(same)
    return wrong


def list_some(where: Iterable[object]) -> str:
    """Return the first few names and how many more there are."""
    words = [str(each) for each in where]
    more = f"; and {len(words) - LISTED} more" if len(words) > LISTED else ""
    return "; ".join(words[:LISTED]) + more


def translation_problems(survey: Survey) -> list[str]:
    """Return the translation problems that block publishing, one sentence each."""
    if not survey.further_languages:
        return []
    found, wrong = iter_texts(survey), []
    for code in survey.further_languages:
        name = Survey.Language(code).label
        if lacking := missing_translations(found, code):
            count = "1 text is" if len(lacking) == 1 else f"{len(lacking)} texts are"
            wrong.append(f"In {name} {count} missing: {list_some(lacking)}.")
        if same := duplicate_answers(survey, code):
            wrong.append(f"In {name} two answers are the same: {list_some(same)}.")
    return wrong
