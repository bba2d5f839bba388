"""Parsed instruments: the questions of a published survey, from its canonical JSON.

Short names, the codes of “none of these” and the values of answers are stored outside the JSON.
Parsed instruments are cached by their hash.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from mechanisms import from_spec
from surveys.definition import short_names
from surveys.definition.frozen_settings import constructor_arguments, settings_from_instrument
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.response_format import read_draw, read_tickets
from surveys.definition.routing import condition_wording, conditions
from surveys.definition.routing.paths import skipped_by_path
from surveys.definition.sender import Picture
from surveys.definition.short_names import Names
from surveys.definition.texts import Text, text_from_instrument
from surveys.definition.values import StoredValues, published_values
from surveys.models import Instrument, Question, Survey
from surveys.site.byte_cache import ByteCache

# A parsed instrument takes at most so many bytes of memory for each byte of its canonical JSON.
BYTES_IN_MEMORY = 20
# The definitions in the memory of one process.
DEFINITION_CACHE: ByteCache[SurveyDefinition] = ByteCache(
    64_000_000, lambda definition: BYTES_IN_MEMORY * len(definition.content)
)
# What stands before the title of a survey whose answers a simulation sent.
INVENTED_TITLE = "Invented answers"


class Unhashed(NamedTuple):
    """What is stored beside the JSON of a survey, and so is not part of its hash.

    names: the short names of questions, by question key and code of language. A missing name is
        made from the text of its question.
    nones: the code of “none of these”, by the key of its question.
    values: the values of answers that authors wrote: see surveys.definition.values.
    """

    names: Names = {}
    nones: Mapping[str, int] = {}
    values: StoredValues | None = {}


# What a survey has without short names, answers that mean “none of these”, and written values.
NOTHING_UNHASHED = Unhashed()


def parse_instrument(instrument: Instrument) -> SurveyDefinition:
    """Return the questions and settings of a published survey. Parsed instruments are cached."""
    sha256 = instrument.sha256
    content = instrument.content
    return DEFINITION_CACHE.get(
        (sha256, len(content)),
        lambda: _parse_content(sha256, content, stored_unhashed(instrument)),
    )


def stored_unhashed(instrument: Instrument) -> Unhashed:
    """Return what is stored beside the JSON of an instrument."""
    return Unhashed(names=instrument.short_names, nones=instrument.nones, values=instrument.values)


def definition_for_readers(instrument: Instrument) -> SurveyDefinition:
    """Return the questions and settings of a published survey as reports and files show them.

    The title of a simulated survey says that its answers are invented.
    """
    if not instrument.survey.invented:
        return parse_instrument(instrument)
    return DEFINITION_CACHE.get(
        (instrument.sha256, len(instrument.content), "invented"),
        lambda: mark_as_simulated(parse_instrument(instrument)),
    )


def mark_as_simulated(definition: SurveyDefinition) -> SurveyDefinition:
    """Return the definition with “Invented answers: ” before its title, and `invented` set.

    The translations of the title stay as they are.
    """
    title = Text(f"{INVENTED_TITLE}: {definition.title}", definition.title.others)
    return replace(definition, title=title, invented=True)


def parse(sha256: str, content: str, unhashed: Unhashed = NOTHING_UNHASHED) -> SurveyDefinition:
    """Return the definition of a draft from its canonical JSON `content` with the hash `sha256`.

    The result is cached by the hash and by what is not part of it, as the author may change this.
    """
    key = (sha256, len(content), repr(unhashed))
    return DEFINITION_CACHE.get(key, lambda: _parse_content(sha256, content, unhashed))


def _parse_content(sha256: str, content: str, unhashed: Unhashed) -> SurveyDefinition:
    """Return the definition in the canonical JSON `content` of an instrument.

    sha256: the hash of the content.
    """
    data = json.loads(content)
    # An instrument in one language has no list of languages.
    languages = data.get("languages", [data["language"]])
    items = _parse_items(data["questions"], languages, unhashed)
    settings = settings_from_instrument(Survey, data, languages)

    logo = Picture(**data["logo"]) if "logo" in data else None
    colours = None
    if "accent" in data:
        colours = (data["accent"]["light"], data["accent"]["dark"])
    delete_on = None
    if "delete_on" in data:
        delete_on = date.fromisoformat(data["delete_on"])

    return SurveyDefinition(
        sha256=sha256,
        survey=data["survey"],
        **constructor_arguments(SurveyDefinition, settings),
        language=data["language"],
        items=items,
        length=data["length"],
        content=content,
        nonresponse=data.get("nonresponse", False),
        series=data.get("series", data["survey"]),
        cut=tuple(data.get("cut", ())),
        draw=read_draw(data),
        paths=skipped_by_path(items),
        logo=logo,
        colours=colours,
        delete_on=delete_on,
        further=tuple(languages[1:]),
        tickets=read_tickets(data),
    )


def _parse_items(
    questions: list[dict], languages: list[str], unhashed: Unhashed
) -> tuple[QuestionDefinition, ...]:
    """Return the questions of an instrument with their conditions, short names and values.

    questions: the questions as the instrument stores them.
    languages: the codes of the languages of the survey, the first one first.
    """
    items = [_parse_item(question, languages) for question in questions]
    names_and_texts = {}
    for item in items:
        name = _stored_name(unhashed.names.get(item.key), languages)
        names_and_texts[item.key] = (name, item.text)
    # A stored name is kept as it is, like one that the author entered. Old surveys have none.
    short_name_by_key = short_names.short_names(names_and_texts, languages)

    # A condition depends on earlier questions only, so these are complete when it is parsed.
    complete: dict[str, QuestionDefinition] = {}
    for item, question in zip(items, questions, strict=True):
        named_item = replace(
            item,
            short=short_name_by_key[item.key],
            none=unhashed.nones.get(item.key),
            values=published_values(item, unhashed.values),
        )
        complete[item.key] = _add_condition(named_item, question.get("when"), complete)
    return tuple(complete.values())


def _stored_name(name: Mapping[str, str] | None, languages: list[str]) -> Text:
    """Return the short name that is stored with an instrument as a text; empty if there is none.

    name: the stored short name in every language, by the code of the language.
    """
    if not name:
        return Text("")
    further = {code: name[code] for code in languages[1:]}
    return Text(name[languages[0]], further)


def _add_condition(
    item: QuestionDefinition, when: dict | None, earlier: dict[str, QuestionDefinition]
) -> QuestionDefinition:
    """Return the item with its condition, parsed and in words.

    when: the condition as the instrument stores it, or None if everyone is asked the question.
    earlier: the questions before this one, by key.
    """
    if when is None:
        return item

    def comparison_texts(leaf: conditions.Among) -> condition_wording.ComparisonTexts:
        """Return the texts of one comparison in the condition of the item."""
        parent = earlier[leaf.of]
        return condition_wording.ComparisonTexts(
            question=parent.full_text,
            short_name=parent.short,
            labels=[parent.choices[int(code)] for code in leaf.answers],
            is_number=parent.traits.is_background_number,
        )

    # The smallest number that can be answered has the code 0.
    smallest_numbers = {}
    for key, question in earlier.items():
        if question.traits.is_background_number:
            smallest_numbers[key] = int(question.choices[0])
    condition = conditions.parse(when, smallest_numbers)
    condition_text = condition_wording.describe_condition(condition, comparison_texts)
    return replace(item, when=condition, condition_text=condition_text)


def _parse_item(question: dict, languages: list[str]) -> QuestionDefinition:
    """Return one question of an instrument, without its short name and its condition.

    question: the question as the instrument stores it.
    languages: the codes of the languages of the survey, the first one first.
    """
    settings = settings_from_instrument(Question, question, languages)
    choices = tuple(text_from_instrument(choice, languages) for choice in question["choices"])
    # Background questions have no mechanism.
    mechanism = from_spec(question["mechanism"]) if question["mechanism"] else None
    return QuestionDefinition(
        key=question["key"],
        kind=question["kind"],
        **constructor_arguments(QuestionDefinition, settings),
        choices=choices,
        mechanism=mechanism,
        # Surveys that were published before there were modes have none.
        mode=question.get("mode", "automatic"),
        anchor=question.get("anchor"),
        step=question.get("step", 1),
        aside=question.get("aside", False),
    )
