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
from surveys.definition.parsing import Unhashed, parse
from surveys.definition.response_format import QuestionSubset
from surveys.definition.routing import conditions
from surveys.definition.routing.filters import build_branching, iter_condition_problems
from surveys.definition.texts import stored_text, text_to_instrument, zip_languages
from surveys.definition.values import draft_values, values_to_store
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
    """Return the answers that a question type itself has, such as No and Yes.

    The result is empty for the types whose answers come from the author or the respondent.

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
    """Return every answer that a respondent can choose, in the order of their codes 0, 1, 2, …

    If the question can be declined, “Prefer not to say” is the last answer. The result is empty
    for a question that people answer with a text of their own.

    labels: the choices, if they are not stored yet. Without them, stored choices are read.
    language: the only language of the answers; "" for all languages of the survey.
    """
    languages = (language,) if language else question.survey.languages
    traits = kind_of(question)
    if traits.choices == "none":
        return ()

    answers: tuple[str, ...]
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
    # The end of a range is not part of it, so the largest number needs the 1.
    numbers = range(question.minimum, question.maximum + 1, step)
    return tuple(str(number) for number in numbers)


def build_question_definition(question: Question) -> QuestionDefinition:
    """Return one question as it would be published now, but without its condition.

    Raises Invalid, with messages by field, if the question cannot be published.
    """
    survey = question.survey
    traits = kind_of(question)
    choices = answer_labels(question)
    # People write the answer to a text question themselves, so it has no choices.
    if len(choices) < 2 and traits.choices != "none":
        raise Invalid({"choices": "At least two choices are needed."})

    has_separate_decline = question.decline and traits.keeps_declining_apart
    mechanism = _build_mechanism(question, len(choices), separate_decline=has_separate_decline)

    texts = {
        name: stored_text(question, name, survey.languages)
        for name in fields.instrument_texts(Question)
    }
    # A step may still be stored from a time when the question had another type.
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
        values=draft_values(question, choices),
    )


def _build_mechanism(
    question: Question, n_answers: int, *, separate_decline: bool
) -> Mechanism | None:
    """Return the mechanism that randomizes the answers to a question; None if nothing does.

    Raises Invalid, with messages by field, if the settings of the question allow no mechanism, or
    if the question cannot be asked with it.

    n_answers: the number of answers, “Prefer not to say” included.
    separate_decline: True if “Prefer not to say” is separate from the other answers.
    """
    survey = question.survey
    traits = kind_of(question)
    design, parameters = protection.question_method(question, n_answers, survey.protection)
    # The answer to a background question is sent as it is, so only sensitive ones have a mechanism.
    mechanism = None
    if traits.sensitive:
        mechanism = build(
            design,
            n_answers,
            parameters,
            traits.select,
            import_only=survey.import_only,
            separate_decline=separate_decline,
        )
    _check_question(question, design, mechanism, n_answers)
    return mechanism


def _check_question(
    question: Question, design: str, mechanism: Mechanism | None, n_answers: int
) -> None:
    """Raise Invalid if the grid, the mode or the protection of a question is not possible.

    The mode says who randomizes the answer.

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
    _check_survey(survey, items)
    items = grids.unify_grids(items, survey.languages)
    subset = question_subset.question_subset(survey)

    # Every response is padded to the length of the longest one.
    length = body_length(tuple(items), subset, tickets=bool(survey.tickets))
    limit = settings.SUBMISSION_LIMIT
    if length > limit:
        raise Refused(f"An answer would be {length:,} bytes long, more than {limit:,}.")

    content = _instrument_content(survey, items, length, subset)
    _check_size(content)
    text = canonical_json(content)

    return parse(_sha256(text), text, unhashed_settings(survey, questions))


def unhashed_settings(survey: Survey, questions: Sequence[Question]) -> Unhashed:
    """Return what publishing stores beside the JSON of the instrument.

    questions: all questions of the survey with their choices.
    """
    return Unhashed(
        names=short_names.short_names_to_store(survey, questions),
        nones=none_of_these.none_codes(questions),
        values=values_to_store(survey, questions),
    )


def _check_survey(survey: Survey, items: Sequence[QuestionDefinition]) -> None:
    """Raise Refused if the questions of a survey, each without a problem, do not fit together.

    There must be a question, not too many of them may make report groups, and the device must be
    able to pick from those that the author chose for this.

    items: all questions of the survey.
    """
    if not items:
        raise Refused("Add at least one question, then publish.")
    if survey.questions.filter(cut=True).count() > MOST_GROUP_QUESTIONS:
        raise Refused(f"Choose at most {MOST_GROUP_QUESTIONS} questions for report groups.")
    subset_problem = question_subset.publishing_problem(survey)
    if subset_problem:
        raise Refused(subset_problem)


def _check_size(content: dict[str, Any]) -> None:
    """Raise Refused if an instrument is longer than LARGEST_TEXT bytes, as JSON in UTF-8.

    Everything in the instrument counts, not only the texts of the author.
    """
    # Canonical JSON writes a letter that is not ASCII as six characters. If these were counted, a
    # survey in Arabic could have only a sixth of the letters of one in English.
    size = len(json.dumps(content, ensure_ascii=False).encode())
    if size > LARGEST_TEXT:
        raise Refused(
            f"The survey has {size:,} bytes of text, more than {LARGEST_TEXT:,}. "
            "Shorten its lists of choices."
        )


def _build_items(questions: Sequence[Question]) -> list[QuestionDefinition]:
    """Return all questions of a draft as they would be published, with their conditions.

    Raises Refused, with the number and text of the first question that cannot be published.
    Conditions are checked last: a broken one is named only if there is no other problem.
    """
    branching = build_branching(questions)
    # Two rules concern several questions together: the rows of a grid must agree, and only one
    # question, which has no condition, can be asked of everyone. `written` has all conditions,
    # while `conditions` lacks those that are broken.
    problem_by_key = grids.grid_problems(questions, answer_labels)
    problem_by_key |= protection.everyone_problems(questions, branching.written)

    items = []
    for number, question in enumerate(questions, start=1):
        name = f"Question {number} (“{question.text}”)"
        try:
            item = build_question_definition(question)
        except Invalid as error:
            raise Refused(f"{name}: {error}") from error
        if question.key in problem_by_key:
            raise Refused(f"{name}: {problem_by_key[question.key]}")
        # A broken condition is missing here. It is refused below.
        condition = branching.conditions.get(question.key)
        items.append(replace(item, when=condition))

    condition_problem = next(iter_condition_problems(questions), None)
    if condition_problem:
        number, question, message = condition_problem
        raise Refused(f"Question {number} (“{question.text}”), condition: {message}")
    return items


def _instrument_content(
    survey: Survey,
    items: Sequence[QuestionDefinition],
    length: int,
    subset: QuestionSubset | None,
) -> dict[str, Any]:
    """Return the content of the instrument of a survey, as a dictionary for canonical JSON.

    The names of its keys never change, because published instruments have them.

    items: all questions of the survey, in their order.
    length: the number of bytes to which every response is padded.
    subset: the questions from which each device picks, or None.
    """
    languages = survey.languages

    def survey_text(name: str) -> str:
        """Return a text of the survey in all its languages."""
        return stored_text(survey, name, languages)

    # Conditions in an instrument have the numbers themselves, and those of an item have codes.
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
    """Return the entries of an instrument's content that are left out if a survey lacks them.

    An example is the subset of questions, which many surveys do not have.

    subset: the questions from which each device picks, or None.
    """
    content: dict[str, Any] = {}
    for field in fields.SURVEY:
        is_optional_switch = field.is_switch and field.since >= FIRST_SPARSE_FORMAT
        if is_optional_switch and getattr(survey, field.name):
            content[field.name] = True

    # Only a new version of an earlier survey stores its series, the slug of the first version.
    if survey.predecessor:
        content["series"] = survey.series

    # The questions that make report groups are called “cut” in instruments.
    group_keys = []
    for question in survey.questions.all():
        if question.cut and not kind_of(question).sensitive:
            group_keys.append(question.key)
    if group_keys:
        content["cut"] = group_keys

    # The question subset is called “draw” in instruments.
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

    # Instruments have these entries only if they are not the usual ones.
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

    model: Survey or Question.
    text_of: a function that returns a text by its name.
    languages: the codes of the languages of the survey, the first one first.
    """
    texts = {}
    for field in fields.rows(model, translatable=True):
        is_stored = field.since > 0
        if not is_stored:
            continue
        text = text_of(field.name)
        if text or field.since < FIRST_SPARSE_FORMAT:
            texts[field.name] = text_to_instrument(text, languages)
    return texts


def add_ticket_key(definition: SurveyDefinition, modulus: str) -> SurveyDefinition:
    """Return the definition of a survey with the public key of its tickets, and so a new hash.

    The key that signs tickets is created when the survey is published. The author's short names,
    the codes of “none of these” and the written values are not in the result.

    modulus: the public modulus of the key.
    """
    content = json.loads(definition.content)
    # The letter n is the usual symbol of a modulus.
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
