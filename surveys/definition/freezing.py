"""From draft to instrument: the same survey, frozen into canonical JSON with its hash."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from django.conf import settings
from django.utils.translation import override, pgettext

from surveys.definition import (
    data_protection,
    fields,
    grids,
    none_of_these,
    odds,
    protection,
    question_subset,
    sender,
    short_names,
    ticket_key,
)
from surveys.definition.designs.construction import build
from surveys.definition.designs.modes import wrong_mode
from surveys.definition.frozen_settings import as_fields
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition, body_length
from surveys.definition.kinds import KINDS, kind_of
from surveys.definition.parsing import parse
from surveys.definition.response_format import QuestionSubset
from surveys.definition.routing import conditions
from surveys.definition.routing.filters import build_branching, iter_condition_problems
from surveys.definition.texts import stored_text, text_to_instrument, zip_languages
from surveys.models import Question, Survey
from surveys.site.errors import Invalid, Refused

DECLINE = "Prefer not to say"
LARGEST_TEXT = 1_000_000  # bytes of an instrument's text in UTF-8
# Of the groups that the report makes for people without the right to rows: fieldwork.responses.background_groups.
MOST_OF_THE_CUT = 3  # background questions; every further one makes all groups coarser
LEAST_IN_A_CELL = 30  # people in each combination of groups
# 1 had neither modes nor a comprehension question; 2 had no consent text and no sections; since 4 a key that a survey
# does not use is absent.
FORMAT = 4
SPARSE = 4
HARDLY_PROTECTED = (
    "Protect it more strongly, or ask it as a background question, which is marked “Not scrambled”. Someone who sees "
    f"the answer could guess right more than {odds.MOST} times in 100. At most {odds.MOST} are allowed."
)


def fixed_answers(kind: str, language: str) -> tuple[str, ...]:
    """Return the answers that the question type itself has, such as No and Yes."""
    with override(language):
        return tuple(str(word) for _, word in KINDS[kind].fixed)


def decline_label(language: str) -> str:
    """Return “Prefer not to say” in a language."""
    with override(language):
        return pgettext("answer", "Prefer not to say")


def answer_labels(
    question: Question, labels: list[str] | None = None, language: str = ""
) -> tuple[str, ...]:
    """Return every answer that a respondent can choose, in the order of the matrix.

    language: that one alone, with `labels` for the choices where these are not stored yet.
    """
    languages = (language,) if language else question.survey.languages
    own: tuple[str, ...]
    traits = kind_of(question)
    if traits.choices == "none":
        return ()
    if traits.choices == "fixed":
        own = zip_languages({code: fixed_answers(question.kind, code) for code in languages})
    elif traits.is_number:
        own = () if question.minimum is None else tuple(map(str, _steps(question)))
    elif labels is not None:
        own = tuple(labels)
    else:
        own = tuple(stored_text(choice, "label", languages) for choice in question.choices.all())
    return (
        (*own, *zip_languages({code: [decline_label(code)] for code in languages}))
        if question.decline
        else own
    )


def _steps(question: Question) -> range:
    return range(question.minimum, question.maximum + 1, question.step or 1)


def build_question_definition(question: Question) -> QuestionDefinition:
    """Return one question as it would be published now."""
    choices, traits = answer_labels(question), kind_of(question)
    if len(choices) < 2 and traits.choices != "none":
        raise Invalid({"choices": "At least two choices are needed."})
    sensitive = traits.sensitive
    design, parameters = protection.question_method(
        question, len(choices), question.survey.protection
    )
    chosen = (design, len(choices), parameters, traits.select)
    aside = question.decline and traits.keeps_declining_apart
    mechanism = (
        build(*chosen, import_only=question.survey.import_only, aside=aside) if sensitive else None
    )
    how = {"mode": question.mode, "harmless": question.harmless}
    if question.grid and (wrong := grids.wrong_row(question.kind, question.mode, len(choices))):
        raise Invalid({"grid": wrong})
    if errors := wrong_mode(kind=question.kind, design=design, mechanism=mechanism, **how):
        raise Invalid(errors)
    if sensitive and not question.survey.import_only and odds.is_beyond(mechanism.epsilon):
        raise Invalid({"design": HARDLY_PROTECTED})
    own = {"step": question.step or 1} if traits.is_ordered else {}
    texts = {
        name: stored_text(question, name, question.survey.languages)
        for name in fields.frozen_texts(Question)
    }
    asked = {"key": question.key, "kind": question.kind, "choices": choices, "mechanism": mechanism}
    return QuestionDefinition(
        **asked,
        **as_fields(QuestionDefinition, texts),
        mode=question.mode,
        anchor=question.anchor,
        aside=aside,
        **own,
    )


def build_definition(survey: Survey, questions: Sequence[Question] = ()) -> SurveyDefinition:
    """The survey as it would be published now. Raises Refused where something is missing or wrong.

    questions: all of them with their choices, where they were read for the same page.
    """
    questions, items = questions or list(survey.questions.prefetch_related("choices")), []
    whom = build_branching(questions)
    apart = grids.grid_problems(questions, answer_labels) | protection.everyone_problems(
        questions, whom.written
    )
    for number, question in enumerate(questions, 1):
        try:
            items.append(
                replace(build_question_definition(question), when=whom.conditions.get(question.key))
            )
        except Invalid as error:
            raise Refused(f"Question {number} (“{question.text}”): {error}") from error
        if wrong := apart.get(question.key):
            raise Refused(f"Question {number} (“{question.text}”): {wrong}")
    for number, question, said in iter_condition_problems(questions):
        raise Refused(f"Question {number} (“{question.text}”), condition: {said}")
    if not items:
        raise Refused("Add at least one question, then publish.")
    if survey.questions.filter(cut=True).count() > MOST_OF_THE_CUT:
        raise Refused(f"Choose at most {MOST_OF_THE_CUT} questions for report groups.")
    if wrong := question_subset.publishing_problem(survey):
        raise Refused(wrong)
    items = grids.unify_grids(items, survey.languages)
    draw = question_subset.question_subset(survey)
    length = body_length(tuple(items), draw, tickets=bool(survey.tickets))
    if length > settings.SUBMISSION_LIMIT:
        raise Refused(
            f"An answer would be {length:,} bytes long, more than {settings.SUBMISSION_LIMIT:,}."
        )
    content = _content(survey, items, length, draw)
    size = len(json.dumps(content, ensure_ascii=False).encode())
    if size > LARGEST_TEXT:
        raise Refused(
            f"The survey has {size:,} bytes of text, more than {LARGEST_TEXT:,}. Shorten its lists of choices."
        )
    text = canonical_json(content)
    return parse(
        hashlib.sha256(text.encode()).hexdigest(),
        text,
        short_names.short_names_to_store(survey, questions),
        none_of_these.none_codes(questions),
    )


def _only_where_used(survey: Survey, draw: QuestionSubset | None) -> dict:
    switches = (row.name for row in fields.SURVEY if row.is_switch and row.since >= SPARSE)
    used = {name: True for name in switches if getattr(survey, name)}
    used |= {"series": survey.series} if survey.predecessor else {}
    if cut := [
        question.key
        for question in survey.questions.all()
        if question.cut and not kind_of(question).sensitive
    ]:
        used |= {"cut": cut}
    used |= {"draw": {"count": draw.count, "of": list(draw.of)}} if draw else {}
    used |= (
        {"tickets": {"type": ticket_key.TYPE, "steps": survey.tickets}} if survey.tickets else {}
    )
    used |= sender.written(survey) | data_protection.deletion_settings(survey)
    used |= {"languages": list(survey.languages)} if survey.further_languages else {}
    # Real files lack reports. Surveys prepared before this key have records without a place for that.
    return used | ({"nonresponse": True} if survey.import_only else {})


def with_key(frozen: SurveyDefinition, modulus: str) -> SurveyDefinition:
    """The same with the key that signs its tickets, which is drawn when it is published."""
    content = json.loads(frozen.content)
    content["tickets"]["n"] = modulus
    text = canonical_json(content)
    return parse(hashlib.sha256(text.encode()).hexdigest(), text)


def without_key(frozen: SurveyDefinition) -> str:
    """The SHA-256 that its author read before publishing, when there was no such key yet."""
    if not frozen.tickets:
        return frozen.sha256
    content = json.loads(frozen.content)
    content["tickets"].pop("n", None)
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def _of_its_kind(item: QuestionDefinition) -> dict:
    step = {"step": item.step} if item.step != 1 else {}
    return step | ({"aside": True} if item.aside else {})


def _texts_by_name(
    model: fields.Model, text_of: Callable[[str], str], languages: Sequence[str]
) -> dict[str, str | dict]:
    """Return the texts of a row by name, as an instrument stores them."""
    said = {row: text_of(row.name) for row in fields.rows(model, translatable=True) if row.since}
    return {
        row.name: text_to_instrument(text, languages)
        for row, text in said.items()
        if text or row.since < SPARSE
    }


def _when(item: QuestionDefinition, items: list[QuestionDefinition]) -> dict:
    first = {each.key: int(each.choices[0]) for each in items if each.traits.is_background_number}
    return {"when": conditions.condition_to_data(item.when, first)} if item.when else {}


def _content(
    survey: Survey, items: list[QuestionDefinition], length: int, draw: QuestionSubset | None
) -> dict:
    languages = survey.languages
    return {
        "format": FORMAT,
        "survey": survey.slug,
        **_texts_by_name(Survey, lambda name: stored_text(survey, name, languages), languages),
        "language": survey.language,
        "comprehension": survey.comprehension,
        "length": length,
        **_only_where_used(survey, draw),
        "questions": [
            {
                "key": item.key,
                "kind": item.kind,
                **_texts_by_name(Question, item.setting, languages),
                "choices": [text_to_instrument(choice, languages) for choice in item.choices],
                "mechanism": item.mechanism.spec() if item.mechanism else None,
                "mode": item.mode,
                "anchor": item.anchor,
                **_of_its_kind(item),
                **_when(item, items),
            }
            for item in items
        ],
    }


def canonical_json(content: dict) -> str:
    """Return one text for one content: keys sorted, no spaces, ASCII, safe inside a script element."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
