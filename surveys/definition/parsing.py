"""An instrument as published, parsed from its canonical JSON and cached by its hash, with the short names beside it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

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
from surveys.models import Instrument, Question, Survey
from surveys.site.byte_cache import ByteCache

IN_MEMORY = 20  # bytes that a parsed instrument takes for each of its canonical form, at most
PARSED: ByteCache[SurveyDefinition] = ByteCache(
    64_000_000, lambda frozen: IN_MEMORY * len(frozen.content)
)  # a process
INVENTED = "Invented answers"
UNNAMED: Names = {}
NONES: Mapping[str, int] = {}


def parse_instrument(instrument: Instrument) -> SurveyDefinition:
    """Return the questions of a published survey. Parsed instruments are cached by their hash."""
    sha256, content = instrument.sha256, instrument.content
    return PARSED.get(
        (sha256, len(content)),
        lambda: _parsed(sha256, content, instrument.short_names, instrument.nones),
    )


def definition_for_readers(instrument: Instrument) -> SurveyDefinition:
    """Return the questions as reports and files show them; the title of a simulated survey says
    that it is invented.
    """
    if not instrument.survey.invented:
        return parse_instrument(instrument)
    return PARSED.get(
        (instrument.sha256, len(instrument.content), "invented"),
        lambda: mark_as_simulated(parse_instrument(instrument)),
    )


def mark_as_simulated(frozen: SurveyDefinition) -> SurveyDefinition:
    """Return the definition with a title that says its answers are invented."""
    return replace(
        frozen, title=Text(f"{INVENTED}: {frozen.title}", frozen.title.others), invented=True
    )


def parse(
    sha256: str, content: str, names: Names = UNNAMED, nones: Mapping[str, int] = NONES
) -> SurveyDefinition:
    """names, nones: of a draft, whose author may still change them; missing short names are made from texts."""
    beside = (names, nones)
    return PARSED.get(
        (sha256, len(content), repr(beside)), lambda: _parsed(sha256, content, *beside)
    )


def _parsed(sha256: str, content: str, names: Names, nones: Mapping[str, int]) -> SurveyDefinition:
    data = json.loads(content)
    languages = data.get("languages", [data["language"]])
    items = _items(data["questions"], languages, names, nones)
    return SurveyDefinition(
        sha256=sha256,
        survey=data["survey"],
        **constructor_arguments(
            SurveyDefinition, settings_from_instrument(Survey, data, languages)
        ),
        language=data["language"],
        items=items,
        length=data["length"],
        content=content,
        nonresponse=data.get("nonresponse", False),
        series=data.get("series", data["survey"]),
        cut=tuple(data.get("cut", ())),
        draw=read_draw(data),
        paths=skipped_by_path(items),
        logo=Picture(**data["logo"]) if "logo" in data else None,
        colours=(data["accent"]["light"], data["accent"]["dark"]) if "accent" in data else None,
        delete_on=date.fromisoformat(data["delete_on"]) if "delete_on" in data else None,
        further=tuple(languages[1:]),
        tickets=read_tickets(data),
    )


def _items(
    questions: list[dict], languages: list[str], names: Names, nones: Mapping[str, int]
) -> tuple[QuestionDefinition, ...]:
    """In their order, as conditions look back only."""
    items = [_item(question, languages) for question in questions]
    short = short_names.short_names(
        {item.key: (_name(names.get(item.key), languages), item.text) for item in items}, languages
    )
    before: dict[str, QuestionDefinition] = {}
    for item, question in zip(items, questions, strict=True):
        beside = {"short": short[item.key], "none": nones.get(item.key)}
        before[item.key] = _with_condition(replace(item, **beside), question.get("when"), before)
    return tuple(before.values())


def _name(said: Mapping[str, str] | None, languages: list[str]) -> Text:
    return (
        Text(said[languages[0]], {code: said[code] for code in languages[1:]}) if said else Text("")
    )


def _with_condition(
    item: QuestionDefinition, when: dict | None, before: dict[str, QuestionDefinition]
) -> QuestionDefinition:
    if when is None:
        return item

    def named(leaf: conditions.Among) -> tuple[str, str, list[str], bool]:
        parent = before[leaf.of]
        labels = [parent.choices[int(code)] for code in leaf.answers]
        return parent.full_text, parent.short, labels, parent.traits.is_background_number

    first = {
        key: int(each.choices[0])
        for key, each in before.items()
        if each.traits.is_background_number
    }
    condition = conditions.parse(when, first)
    return replace(item, when=condition, condition_text=condition_wording.whom(condition, named))


def _item(question: dict, languages: list[str]) -> QuestionDefinition:
    spec = question["mechanism"]
    return QuestionDefinition(
        key=question["key"],
        kind=question["kind"],
        **constructor_arguments(
            QuestionDefinition, settings_from_instrument(Question, question, languages)
        ),
        choices=tuple(text_from_instrument(choice, languages) for choice in question["choices"]),
        mechanism=from_spec(spec) if spec else None,
        mode=question.get(
            "mode", "automatic"
        ),  # surveys published before there were modes have none
        anchor=question.get("anchor"),
        step=question.get("step", 1),
        aside=question.get("aside", False),
    )
