"""What an author writes in further languages: checked as in the first one, and stored beside it.

A text that is given as Text brings its translations; one that is given as a plain str leaves those that are stored.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import models

from surveys.authoring.drafts.text_checks import one_line, paragraphs
from surveys.definition import fields, help_lines
from surveys.definition.texts import Text
from surveys.models import Choice, Question, Survey, Translated
from surveys.site.errors import Invalid

OTHER_FIRST = "The languages of a survey start with its first one, “{}”."


def spoken(language: str, languages: Sequence[str]) -> list[str]:
    """The further ones of all languages of a survey whose first is this. Raises ValueError for what cannot be."""
    if unknown := [code for code in languages if code not in Survey.Language.values]:
        known = ", ".join(Survey.Language.values)
        raise ValueError(
            f"“{str(unknown[0])[:20]}” is not a language of the respondents’ pages. Choose from {known}."
        )
    if len(set(languages)) < len(languages):
        raise ValueError("Name each language only once.")
    if not languages or languages[0] != language:
        raise ValueError(OTHER_FIRST.format(language))
    return list(languages[1:])


def checked(model: type[Translated], name: str, text: str, *, required: bool = False) -> str:
    """A text as it is stored, in whatever language. Raises ValueError."""
    row = fields.field_of(model, name)
    check = paragraphs if isinstance(row.column, models.TextField) else one_line
    clean = check(text, name=row.in_a_sentence, limit=row.longest, required=required)
    return help_lines.validate_links(clean) if name == "help_lines" else clean


def carried(
    row: Translated, given: Mapping[str, str], place: str = ""
) -> dict[str, dict[str, str]]:
    """The translations of a row that gets these texts. What is empty has none. Raises Invalid by place."""
    kept = {code: dict(texts) for code, texts in row.translations.items()}
    wrong = {}
    for name, text in given.items():
        for texts in kept.values():
            if isinstance(text, Text) or not text.strip():
                texts.pop(name, None)
        for code, said in (text.others if isinstance(text, Text) and text.strip() else {}).items():
            try:
                if clean := checked(type(row), name, said):
                    kept.setdefault(code, {})[name] = clean
            except ValueError as error:
                wrong[f"{place}{name}.{code}"] = str(error)
    if wrong:
        raise Invalid(wrong)
    return {code: texts for code, texts in kept.items() if texts}


def choices(question: Question, labels: Sequence[str], given: Iterable[str]) -> list[Choice]:
    """The rows of these choices. given: the same as they came, with empty ones among them.

    A choice that stays keeps its translations; so does one that alone was reworded in its place.
    """
    texts = {" ".join(label.split()): label for label in given}
    before = list(question.choices.all())
    old = {choice.label: choice for choice in before}
    rows, wrong, there = [], {}, {*labels}
    for place, label in enumerate(labels):
        same = old.get(label)
        if same is None and len(before) == len(labels) and before[place].label not in there:
            same = before[place]
        row = Choice(question=question, position=place + 1, label=label)
        row.translations = same.translations if same else {}
        try:
            row.translations = carried(row, {"label": texts.get(label, label)}, f"choices.{place}.")
        except Invalid as error:
            wrong |= error.errors
        rows.append(row)
    if wrong:
        raise Invalid(wrong)
    return rows


def text_of(said: Any, languages: Sequence[str]) -> Text:
    """A text as files and programs have it: plain, or by language. Raises ValueError."""
    if isinstance(said, str):
        return Text(said)
    if not isinstance(said, dict) or not all(isinstance(text, str) for text in said.values()):
        raise ValueError(f"must be text, or texts by language, as {{“{languages[0]}”: “…”}}.")
    if unknown := [code for code in said if code not in languages]:
        raise ValueError(
            f"“{str(unknown[0])[:20]}” is not a language of this survey ({', '.join(languages)})."
        )
    if languages[0] not in said:
        raise ValueError(f"lacks the first language of the survey, “{languages[0]}”.")
    return Text(said[languages[0]], {code: said[code] for code in languages[1:] if code in said})
