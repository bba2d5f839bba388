"""The texts of a draft with their places: which translations are missing, or mere copies."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from django.db.models import Count, Prefetch, Q, TextField
from django.db.models.functions import Cast

from surveys.definition import fields
from surveys.definition.freezing import decline_label
from surveys.definition.kinds import kind_of
from surveys.definition.texts import Text, stored_text
from surveys.models import Choice, Survey, Translated

# The most places that a sentence lists.
MOST_LISTED = 5


@dataclass(frozen=True)
class Place:
    """The place of one text of a draft: the field `name` of a survey, a question or a choice.

    `row` is this survey, question or choice.
    `question` is the number of the question, counted from 1, and `key` its variable name.
    `languages` are the codes of the languages of the survey, the first one first.
    `choice` is the number of the choice, counted from 1, and `choice_count` the number of choices
    of the question. The numbers are 0, and the key is empty, where they do not apply.
    """

    row: Translated
    name: str
    languages: tuple[str, ...]
    question: int = 0
    key: str = ""
    choice: int = 0
    choice_count: int = 0

    @cached_property
    def text(self) -> Text:
        """The text with its translations."""
        return stored_text(self.row, self.name, self.languages)

    @property
    def address(self) -> tuple[str, str, int]:
        """The address by which files of translations find the text.

        It has the key of the question, the name of the field, and the number of the choice.
        """
        return self.key, self.name, self.choice

    def id(self, code: str) -> str:
        """Return an identifier of the text in one language, for forms and messages.

        code: the code of the language.
        """
        return "-".join((code, self.key or "survey", self.name, str(self.choice)))

    @property
    def is_read(self) -> bool:
        """True if respondents read the text, so that its translation is needed.

        They do not read short names, which are for reports. A short name without a translation is
        made from the question.
        """
        # Instruments store the texts that respondents read, and no others.
        return bool(fields.field_of(type(self.row), self.name).since)

    @property
    def title(self) -> str:
        """The words for the place inside its survey or question: "choice 2", "help"."""
        if self.choice:
            return f"choice {self.choice}"
        return fields.label(type(self.row), self.name)

    def __str__(self) -> str:
        """Return the place in words: "question 2 (age), choice 1", or "title" of the survey."""
        if self.question:
            return f"question {self.question} ({self.key}), {self.title}"
        return self.title


def iter_texts(survey: Survey, only: str = "") -> list[Place]:
    """Return the places of all texts of a draft that are not empty, in reading order.

    only: if it is not empty, the texts of a choice are left out unless one of them contains it in
        some language. The database does the search, since a list of choices can be long.
    """
    languages = survey.languages
    survey_place = Place(survey, name="", languages=languages)
    places = list(_places_of_row(survey_place))

    # The database searches the translations as one text, the JSON in which they are stored.
    choices = Choice.objects.alias(all_translations=Cast("translations", TextField()))
    if only:
        choices = choices.filter(Q(label__contains=only) | Q(all_translations__contains=only))
    questions = survey.questions.annotate(lines=Count("choices")).order_by("position")
    questions = questions.prefetch_related(Prefetch("choices", choices))

    for number, question in enumerate(questions, 1):
        question_place = Place(
            row=question, name="", languages=languages, question=number, key=question.key
        )
        places += _places_of_row(question_place)
        for position, choice in enumerate(question.choices.all(), 1):
            choice_number = position
            if only:
                # Some choices were not loaded, so the position in the list is not the number.
                earlier = Choice.objects.filter(question=question, position__lt=choice.position)
                choice_number = earlier.count() + 1
            choice_place = replace(
                question_place,
                row=choice,
                choice=choice_number,
                choice_count=question.lines,
            )
            places += _places_of_row(choice_place)
    return places


def _places_of_row(place: Place) -> Iterator[Place]:
    """Yield the place of each text of `place.row` that is not empty.

    place: the place of a survey, a question or a choice, without the name of a text. The result
        has a copy of it for each text.
    """
    for name in fields.texts(type(place.row)):
        if getattr(place.row, name):
            yield replace(place, name=name)


def missing_translations(places: Iterable[Place], code: str) -> list[Place]:
    """Return the places of texts for respondents that have no translation in a language.

    code: the code of the language, which is not the first one of the survey.
    """
    return [place for place in places if place.is_read and code not in place.text.others]


def untranslated_copies(places: Iterable[Place], code: str) -> list[Place]:
    """Return the places of texts whose translation equals the original.

    Such a translation was probably forgotten. The contact, and texts without a letter, may be the
    same in all languages.

    code: the code of the language of the translations.
    """
    copies = []
    for place in places:
        has_letters = any(letter.isalpha() for letter in place.text)
        is_translatable = place.name != "contact" and has_letters
        if is_translatable and place.text.others.get(code) == place.text:
            copies.append(place)
    return copies


def duplicate_answers(survey: Survey, code: str) -> list[str]:
    """Return the answers that read the same as an earlier one of their question, ignoring case.

    Each is described in words: question 2 (age), “Yes”.

    code: the language in which the answers are compared.
    """
    duplicates = []
    for number, question in enumerate(survey.questions.prefetch_related("choices"), 1):
        labels = []
        for choice in question.choices.all():
            label = stored_text(choice, "label", survey.languages)
            labels.append(label.in_language(code))
        if question.decline and kind_of(question).sensitive:
            labels.append(decline_label(code))

        earlier_labels: set[str] = set()
        for text in labels:
            # Different characters can look the same, such as a letter with an accent and its parts.
            normalized = unicodedata.normalize("NFKC", text).casefold()
            if normalized in earlier_labels:
                duplicates.append(f"question {number} ({question.key}), “{text}”")
            earlier_labels.add(normalized)
    return duplicates


def list_some(places: Iterable[object]) -> str:
    """Return the first MOST_LISTED places in words, and how many more there are.

    places: places of texts, or other objects that str() puts into words.
    """
    words = [str(place) for place in places]
    text = "; ".join(words[:MOST_LISTED])
    if len(words) > MOST_LISTED:
        text += f"; and {len(words) - MOST_LISTED} more"
    return text


def translation_problems(survey: Survey) -> list[str]:
    """Return the translation problems that block publishing, one sentence each.

    These are missing translations, and two answers that read the same. Copies of the original do
    not block.
    """
    if not survey.further_languages:
        return []

    places = iter_texts(survey)
    problems = []
    for code in survey.further_languages:
        language = Survey.Language(code).label
        missing = missing_translations(places, code)
        if missing:
            count = "1 text is" if len(missing) == 1 else f"{len(missing)} texts are"
            problems.append(f"In {language} {count} missing: {list_some(missing)}.")
        duplicates = duplicate_answers(survey, code)
        if duplicates:
            problems.append(f"In {language} two answers are the same: {list_some(duplicates)}.")
    return problems
