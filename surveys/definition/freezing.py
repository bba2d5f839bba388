"""Publishing: a draft becomes an instrument, which is canonical JSON with a hash.

`build_definition` checks the whole draft and returns the definition that publishing would store.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.utils.translation import override, pgettext

from mechanisms import Mechanism
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
from surveys.definition.designs.modes import mode_problems
from surveys.definition.frozen_settings import constructor_arguments
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition, body_length
from surveys.definition.kinds import KINDS, kind_of
from surveys.definition.parsing import parse
from surveys.definition.response_format import QuestionSubset
from surveys.definition.routing import conditions
from surveys.definition.routing.filters import build_branching, iter_condition_problems
from surveys.definition.texts import stored_text, text_to_instrument, zip_languages
from surveys.models import Question, Survey
from surveys.site.errors import Invalid, Refused

# The label of declining in English.
DECLINE = "Prefer not to say"
# The largest size of an instrument's text, in bytes of UTF-8.
LARGEST_TEXT = 1_000_000
# The most background questions that may make report groups. Every further question would make
# all groups coarser: see fieldwork.responses.background_groups.
MOST_GROUP_QUESTIONS = 3
# The fewest people in each combination of report groups.
LEAST_IN_A_CELL = 30
# The format of instruments. Format 1 had neither modes nor a comprehension question, and format 2
# had no consent text and no sections.
FORMAT = 4
# Settings that were added in this format or later are absent if a survey does not use them.
FIRST_SPARSE_FORMAT = 4
# The message on a sensitive question whose protection is too weak to be published.
HARDLY_PROTECTED = (
    "Protect it more strongly, or ask it as a background question, which is marked "
    "“Not scrambled”. Someone who sees the answer could guess right more than "
    f"{odds.MOST_RIGHT_GUESSES} times in 100. At most {odds.MOST_RIGHT_GUESSES} are allowed."
)


def fixed_answers(kind: str, language: str) -> tuple[str, ...]:
    """Return the answers that the question type itself has, such as No and Yes; often none.

    kind: the key of the question type.
    language: the code of the language of the answers.
    """
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

    If the question can be declined, “Prefer not to say” is the last answer. The result is empty
    for a question that people answer with a text of their own.

    labels: the choices, if they are not stored yet.
    language: the only language of the answers; "" for all languages of the survey.
    """
    languages = (language,) if language else question.survey.languages
    traits = kind_of(question)
    answers: tuple[str, ...]
    if traits.choices == "none":
        return ()
    if traits.choices == "fixed":
        answers = zip_languages({code: fixed_answers(question.kind, code) for code in languages})
    elif traits.is_number:
        answers = _number_labels(question)
    elif labels is not None:
        answers = tuple(labels)
    else:
        choices = question.choices.all()
        answers = tuple(stored_text(choice, "label", languages) for choice in choices)

    if not question.decline:
        return answers
    declines = zip_languages({code: [decline_label(code)] for code in languages})
    return (*answers, *declines)


def _number_labels(question: Question) -> tuple[str, ...]:
    """Return the numbers that can be answered, as texts; empty if no smallest one is set."""
    if question.minimum is None:
        return ()
    step = question.step or 1
    numbers = range(question.minimum, question.maximum + 1, step)
    return tuple(str(number) for number in numbers)


def build_question_definition(question: Question) -> QuestionDefinition:
    """Return one question as it would be published now, but without its condition.

    Raises Invalid, with messages by field, if the question cannot be published.
    """
    choices = answer_labels(question)
    traits = kind_of(question)
    survey = question.survey
    # People write the answer to a text question themselves, so it has no choices.
    if len(choices) < 2 and traits.choices != "none":
        raise Invalid({"choices": "At least two choices are needed."})

    design, parameters = protection.question_method(question, len(choices), survey.protection)
    has_separate_decline = question.decline and traits.keeps_declining_apart

    # The answer to a background question is sent as it is.
    mechanism = None
    if traits.sensitive:
        mechanism = build(
            design,
            len(choices),
            parameters,
            traits.select,
            import_only=survey.import_only,
            separate_decline=has_separate_decline,
        )
    _check_question(question, design, mechanism, len(choices))

    texts = {
        name: stored_text(question, name, survey.languages)
        for name in fields.instrument_texts(Question)
    }
    step = 1
    if traits.is_ordered and question.step:
        step = question.step
    return QuestionDefinition(
        key=question.key,
        kind=question.kind,
        choices=choices,
        mechanism=mechanism,
        **constructor_arguments(QuestionDefinition, texts),
        mode=question.mode,
        anchor=question.anchor,
        aside=has_separate_decline,
        step=step,
    )


def _check_question(
    question: Question, design: str, mechanism: Mechanism | None, n_answers: int
) -> None:
    """Raise Invalid if the grid, the mode or the protection of a question is not possible.

    design: the key of the design.
    mechanism: None for a background question.
    n_answers: the number of answers, “Prefer not to say” included.
    """
    if question.grid:
        grid_problem = grids.grid_row_problem(question.kind, question.mode, n_answers)
        if grid_problem:
            raise Invalid({"grid": grid_problem})

    mode_errors = mode_problems(
        kind=question.kind,
        design=design,
        mechanism=mechanism,
        mode=question.mode,
        harmless=question.harmless,
    )
    if mode_errors:
        raise Invalid(mode_errors)

    # Answers from a file were randomized elsewhere, so their protection cannot be changed here.
    if mechanism is None or question.survey.import_only:
        return
    if odds.is_beyond(mechanism.epsilon):
        raise Invalid({"design": HARDLY_PROTECTED})


def build_definition(survey: Survey, questions: Sequence[Question] = ()) -> SurveyDefinition:
    """Return the survey as it would be published now.

    Raises Refused, with a message for the author, if something is missing or wrong. Missing
    translations, placeholders and the settings of tickets and of deletion are not checked here:
    surveys.fieldwork.lifecycle checks them when the survey is published.

    questions: all questions of the survey with their choices, if they were already read. Without
        them, they are read from the database.
    """
    if not questions:
        questions = list(survey.questions.prefetch_related("choices"))
    items = _build_items(questions)
    if not items:
        raise Refused("Add at least one question, then publish.")
    if survey.questions.filter(cut=True).count() > MOST_GROUP_QUESTIONS:
        raise Refused(f"Choose at most {MOST_GROUP_QUESTIONS} questions for report groups.")
    subset_problem = question_subset.publishing_problem(survey)
    if subset_problem:
        raise Refused(subset_problem)

    items = grids.unify_grids(items, survey.languages)
    subset = question_subset.question_subset(survey)
    length = body_length(tuple(items), subset, tickets=bool(survey.tickets))
    limit = settings.SUBMISSION_LIMIT
    if length > limit:
        raise Refused(f"An answer would be {length:,} bytes long, more than {limit:,}.")

    content = _instrument_content(survey, items, length, subset)
    size = len(json.dumps(content, ensure_ascii=False).encode())
    if size > LARGEST_TEXT:
        raise Refused(
            f"The survey has {size:,} bytes of text, more than {LARGEST_TEXT:,}. "
            "Shorten its lists of choices."
        )
    text = canonical_json(content)
    names = short_names.short_names_to_store(survey, questions)
    return parse(_sha256(text), text, names, none_of_these.none_codes(questions))


def _build_items(questions: Sequence[Question]) -> list[QuestionDefinition]:
    """Return all questions of a draft as they would be published, with their conditions.

    Raises Refused, with the number and text of the first question that cannot be published.
    """
    branching = build_branching(questions)
    problem_by_key = grids.grid_problems(questions, answer_labels)
    problem_by_key |= protection.everyone_problems(questions, branching.written)

    items = []
    for number, question in enumerate(questions, start=1):
        name = f"Question {number} (“{question.text}”)"
        try:
            item = build_question_definition(question)
        except Invalid as error:
            raise Refused(f"{name}: {error}") from error
        items.append(replace(item, when=branching.conditions.get(question.key)))
        if question.key in problem_by_key:
            raise Refused(f"{name}: {problem_by_key[question.key]}")

    for number, question, problem in iter_condition_problems(questions):
        raise Refused(f"Question {number} (“{question.text}”), condition: {problem}")
    return items


def _instrument_content(
    survey: Survey,
    items: Sequence[QuestionDefinition],
    length: int,
    subset: QuestionSubset | None,
) -> dict[str, Any]:
    """Return the content of the instrument, whose canonical JSON is hashed and stored.

    items: all questions of the survey, in their order.
    length: the number of bytes to which every response is padded.
    subset: the questions from which each device picks, or None.
    """
    languages = survey.languages

    def survey_text(name: str) -> str:
        """Return a text of the survey in all its languages."""
        return stored_text(survey, name, languages)

    smallest_numbers = {
        item.key: int(item.choices[0]) for item in items if item.traits.is_background_number
    }
    return {
        "format": FORMAT,
        "survey": survey.slug,
        **_texts_by_name(Survey, survey_text, languages),
        "language": survey.language,
        "comprehension": survey.comprehension,
        "length": length,
        **_optional_survey_content(survey, subset),
        "questions": [_question_content(item, smallest_numbers, languages) for item in items],
    }


def _optional_survey_content(survey: Survey, subset: QuestionSubset | None) -> dict[str, Any]:
    """Return the part of the content that an instrument has only if the survey uses it.

    subset: the questions from which each device picks, or None.
    """
    content: dict[str, Any] = {}
    for field in fields.SURVEY:
        is_optional_switch = field.is_switch and field.since >= FIRST_SPARSE_FORMAT
        if is_optional_switch and getattr(survey, field.name):
            content[field.name] = True
    if survey.predecessor:
        content["series"] = survey.series

    group_keys = []
    for question in survey.questions.all():
        if question.cut and not kind_of(question).sensitive:
            group_keys.append(question.key)
    if group_keys:
        content["cut"] = group_keys

    if subset:
        content["draw"] = {"count": subset.count, "of": list(subset.of)}
    if survey.tickets:
        content["tickets"] = {"type": ticket_key.TOKEN_TYPE, "steps": survey.tickets}
    content |= sender.sender_settings(survey)
    content |= data_protection.deletion_settings(survey)
    if survey.further_languages:
        content["languages"] = list(survey.languages)
    # Real files lack reports. Records of surveys that were prepared before this key existed have
    # no mask for missing reports.
    if survey.import_only:
        content["nonresponse"] = True
    return content


def _question_content(
    item: QuestionDefinition, smallest_numbers: Mapping[str, int], languages: Sequence[str]
) -> dict[str, Any]:
    """Return one question as an instrument stores it.

    smallest_numbers: the number that has code 0, by the key of each background number.
    languages: the codes of the languages of the survey, the first one first.
    """
    choices = [text_to_instrument(choice, languages) for choice in item.choices]
    specification = item.mechanism.spec() if item.mechanism else None
    content = {
        "key": item.key,
        "kind": item.kind,
        **_texts_by_name(Question, item.setting, languages),
        "choices": choices,
        "mechanism": specification,
        "mode": item.mode,
        "anchor": item.anchor,
    }
    if item.step != 1:
        content["step"] = item.step
    if item.aside:
        content["aside"] = True
    if item.when:
        content["when"] = conditions.condition_to_data(item.when, smallest_numbers)
    return content


def _texts_by_name(
    model: fields.Model, text_of: Callable[[str], str], languages: Sequence[str]
) -> dict[str, str | dict]:
    """Return the texts of a survey or a question by name, as an instrument stores them.

    Empty texts are left out if they were added in FIRST_SPARSE_FORMAT or later. Older ones are
    stored as "". Texts that no instrument stores, such as short names, are left out in any case.

    text_of: a function that returns a text by its name.
    languages: the codes of the languages of the survey, the first one first.
    """
    texts = {}
    for field in fields.rows(model, translatable=True):
        # No instrument stores this text.
        if not field.since:
            continue
        text = text_of(field.name)
        if text or field.since < FIRST_SPARSE_FORMAT:
            texts[field.name] = text_to_instrument(text, languages)
    return texts


def add_ticket_key(definition: SurveyDefinition, modulus: str) -> SurveyDefinition:
    """Return the definition with the key that signs its tickets, created when it is published.

    The author's short names and the codes of “none of these” are not in the result.

    modulus: the public modulus of the key.
    """
    content = json.loads(definition.content)
    content["tickets"]["n"] = modulus
    text = canonical_json(content)
    return parse(_sha256(text), text)


def hash_without_ticket_key(definition: SurveyDefinition) -> str:
    """Return the SHA-256 that the author read before publishing, when there was no ticket key.

    Publishing creates the key that signs tickets, and so changes the hash. The hash of a survey
    without tickets stays the same.
    """
    if not definition.tickets:
        return definition.sha256
    content = json.loads(definition.content)
    content["tickets"].pop("n", None)
    return _sha256(canonical_json(content))


def canonical_json(content: dict) -> str:
    """Return one text for one content, with sorted keys, no spaces and only ASCII characters.

    The characters <, > and & are escaped, so the text is safe inside a script element.
    """
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _sha256(text: str) -> str:
    """Return the SHA-256 hash of a text in UTF-8, as hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
