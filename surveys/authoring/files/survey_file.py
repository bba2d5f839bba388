"""A survey as a file and back, without losing anything: for copies, for colleagues, for other sites."""

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.drafts.translations import text_of
from surveys.authoring.files import other_tools, survey_file_extras
from surveys.definition import question_subset
from surveys.definition.kinds import kind_of
from surveys.definition.texts import of_draft, stored
from surveys.models import SWITCHES, Membership, Question, Survey, Translated
from surveys.site.errors import Invalid, Refused, Unreadable

FORMAT = 1
LARGEST = 1_500_000  # characters
MOST_QUESTIONS = 500
TEXTS = (*Survey.TEXTS, "language", "project", "limit_reason")
OF_A_QUESTION = ("key", "kind", "text", "help", "section", "design", "mode", "harmless", "statement", "opposite")
OF_SOME = ("unit", "grid")  # texts that stand in a file only where there is one
NUMBERS = ("minimum", "maximum", "step")


def write(survey: Survey) -> dict[str, Any]:
    """Everything an author wrote; nothing about people, times, status or responses."""
    return {
        "candor": FORMAT,
        **{name: getattr(survey, name) for name in TEXTS},
        **translated(survey, Survey.TEXTS, survey.languages),
        **({"languages": list(survey.languages)} if survey.further_languages else {}),
        "limit": f"{Decimal(survey.limit).normalize():f}",
        **{name: getattr(survey, name) for name in SWITCHES},
        "import_only": survey.import_only,
        **({"draw": question_subset.written(survey)} if survey.draw else {}),
        **survey_file_extras.write(survey),
        "questions": [_question(question) for question in survey.questions.prefetch_related("choices")],
    }


def _question(question: Question) -> dict[str, Any]:
    languages = question.survey.languages
    written: dict[str, Any] = {name: getattr(question, name) for name in OF_A_QUESTION}
    written |= translated(question, [name for name in Question.TEXTS if name in OF_A_QUESTION], languages)
    written |= {"decline": question.decline, "parameters": question.parameters}
    written |= {} if kind_of(question).sensitive else {"cut": question.cut}
    written |= {"when": question.when} if question.when else {}
    written |= {"when_section": True} if question.when_section else {}
    written["choices"] = [translated(choice, ["label"], languages)["label"] for choice in question.choices.all()]
    for name in NUMBERS:
        if getattr(question, name) is not None:
            written[name] = getattr(question, name)
    written |= translated(question, [name for name in OF_SOME if getattr(question, name)], languages)
    if question.anchor is not None:
        written["anchor"] = f"{100 * question.anchor:.8g}"
    return written


def translated(row: Translated, names: Sequence[str], languages: Sequence[str]) -> dict[str, str | dict[str, str]]:
    return {name: of_draft(stored(row, name, languages), languages) for name in names}


def as_text(survey: Survey) -> str:
    return json.dumps(write(survey), indent=2, ensure_ascii=False) + "\n"


def parse(text: str) -> dict[str, Any]:
    """The file's content. Raises Unreadable with the line and column where it is no JSON, or no survey of ours."""
    if told := other_tools.recognised(text):
        raise Unreadable(told)
    if len(text) > LARGEST:
        raise Unreadable(f"The file has {len(text):,} characters; at most {LARGEST:,} are allowed.")
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"Line {error.lineno}, column {error.colno}: this is no JSON ({error.msg}).") from None
    except (ValueError, RecursionError):
        raise Unreadable("This is no JSON that can be read.") from None
    if not isinstance(data, dict) or data.get("candor") != FORMAT:
        raise Unreadable(f"This is no survey: a survey’s file starts with “candor”: {FORMAT}.")
    return data


@transaction.atomic
def read(
    data: dict[str, Any],
    *,
    owner: AbstractBaseUser,
    predecessor: Survey | None = None,
    by: AbstractBaseUser | None = None,
) -> Survey:
    """A new draft from what write() made. All or nothing; Unreadable names each question and field that is wrong."""
    allowed = {
        "candor",
        *TEXTS,
        *SWITCHES,
        "limit",
        "languages",
        "import_only",
        "draw",
        *survey_file_extras.NAMES,
        "questions",
    }
    wrong = [*_unknown(data, allowed, "The survey")]
    questions = data.get("questions", [])
    if not isinstance(questions, list) or len(questions) > MOST_QUESTIONS:
        raise Unreadable(f"“questions” must be a list of at most {MOST_QUESTIONS}.")
    languages = data.get("languages", [data.get("language", Survey.Language.ENGLISH)])
    if not isinstance(languages, list) or not languages or not all(isinstance(code, str) for code in languages):
        raise Unreadable("“languages” must be a list of languages, the first one first, as [“en”, “de”].")
    given = {name: data[name] for name in (*TEXTS, "limit") if name in data}
    texts = _read_texts(given, Survey.TEXTS, languages, "The survey", wrong)
    if wrong:
        raise Unreadable(*wrong)
    try:
        switches = {name: data.get(name) is True for name in (*SWITCHES, "import_only")}
        survey = create_survey(owner=owner, by=by, languages=languages, **({"title": ""} | texts), **switches)
    except Invalid as error:
        raise Unreadable(*(f"The survey, {field}: {message}" for field, message in error.errors.items())) from None
    if predecessor:
        survey.predecessor = predecessor
        survey.save(update_fields=["predecessor"])
    wrong += _read_beside(survey, data, by or owner)
    for number, question in enumerate(questions, 1):
        wrong += _read_question(survey, f"Question {number}", question, by or owner)
    if "draw" in data and not wrong:
        wrong += _read_draw(survey, data["draw"], by or owner)
    if wrong:
        raise Unreadable(*wrong)
    return survey


def _read_beside(survey: Survey, data: dict[str, Any], by: AbstractBaseUser) -> list[str]:
    """What is wrong with it."""
    try:
        survey_file_extras.read(survey, data, by)
    except Invalid as error:
        return [f"The survey, {field}: {message}" for field, message in error.errors.items()]
    return []


def _read_question(survey: Survey, name: str, data: Any, by: AbstractBaseUser) -> list[str]:
    """Saves one question; returns what is wrong with it."""
    if not isinstance(data, dict):
        return [f"{name}: must be an object."]
    allowed = {*OF_A_QUESTION, *OF_SOME, "decline", "parameters", "choices", *NUMBERS, "anchor", "cut"}
    allowed |= {"when", "when_section"}
    wrong = _unknown(data, allowed, name)
    given = {field: data[field] for field in (*OF_A_QUESTION, *OF_SOME) if field in data}
    texts = _read_texts(given, Question.TEXTS, survey.languages, name, wrong)
    choices, parameters = data.get("choices", []), data.get("parameters", {})
    if not (isinstance(choices, list) and all(isinstance(label, (str, dict)) for label in choices)):
        wrong.append(f"{name}, choices: must be a list of texts.")
    else:
        numbered = {f"choice {place}": label for place, label in enumerate(choices, 1)}
        choices = list(_read_texts(numbered, tuple(numbered), survey.languages, name, wrong).values())
    if not (isinstance(parameters, dict) and all(isinstance(value, str) for value in parameters.values())):
        wrong.append(f"{name}, parameters: must be texts by name, as “p”: “3/4”.")
    if wrong:
        return wrong
    numbers = {field: str(data[field]) for field in (*NUMBERS, "anchor") if field in data}
    try:
        save_question(
            survey=survey,
            **({"kind": "", "text": ""} | texts),
            **numbers,
            choices=choices,
            parameters=parameters,
            decline=data["decline"] is True if "decline" in data else None,
            cut=data["cut"] is True if "cut" in data else None,
            when=data.get("when"),
            when_section=data.get("when_section") is True,
            unfinished=True,
            by=by,
        )
    except Invalid as error:
        return [f"{name}, {field}: {message}" for field, message in error.errors.items()]
    return []


def _read_texts(
    given: dict[str, Any], translatable: Iterable[str], languages: Sequence[str], name: str, wrong: list[str]
) -> dict[str, str]:
    """The texts of one thing, those that respondents read with their translations; what is wrong is added to a list."""
    texts: dict[str, str] = {}
    translatable = {*translatable}
    for field, value in given.items():
        try:
            texts[field] = text_of(value, languages) if field in translatable else value
        except ValueError as error:
            wrong.append(f"{name}, {field}: {error}")
        else:
            wrong += [] if isinstance(texts[field], str) else [f"{name}, {field}: must be text."]
    return texts


def _read_draw(survey: Survey, data: Any, by: AbstractBaseUser) -> list[str]:
    """What is wrong with it. A lot that a deleted question left wrong is taken as it is, for the author to mend."""
    count, of = (data.get("count"), data.get("of")) if isinstance(data, dict) else (None, None)
    is_number = type(count) is int and 0 < count <= MOST_QUESTIONS
    if not is_number or not isinstance(of, list) or not all(isinstance(key, str) for key in of):
        return ["The survey, draw: must be as {“count”: 2, “of”: [“a”, “b”, “c”]}."]
    try:
        set_draw(survey=survey, count=count, of=of, by=by, unfinished=True)
    except Invalid as error:
        return [f"The survey, draw, {field}: {message}" for field, message in error.errors.items()]
    survey.refresh_from_db(fields=["draw"])
    return []


def _unknown(data: dict[str, Any], allowed: set[str], name: str) -> list[str]:
    # Dropping what is not known here would lose it silently.
    return [f"{name}: “{key}” is not known here." for key in data if key not in allowed]


def duplicate(survey: Survey, owner: AbstractBaseUser, *, import_only: bool = False) -> Survey:
    """A draft of one's own with the same texts and questions.

    import_only: one that takes files, for what is asked on paper with the same questions and designs.
    """
    data = write(survey)
    data["title"] = _renamed(data["title"], "paper" if import_only else "copy")
    data["import_only"] = data["import_only"] or import_only
    if import_only:
        data.pop("tickets", None)  # files invite nobody
    return read(data, owner=owner)


def _renamed(title: str | dict[str, str], what: str) -> str | dict[str, str]:
    if isinstance(title, dict):
        return {code: f"{text[:190]} ({what})" for code, text in title.items()}
    return f"{title[:190]} ({what})"


@transaction.atomic
def new_version(survey: Survey, by: AbstractBaseUser) -> Survey:
    """A draft under a new address that names a published survey as its predecessor, for the same owner and team."""
    survey = survey.locked()
    if survey.is_draft:
        raise Refused("A draft can be changed itself; it needs no new version.")
    fresh = read(write(survey), owner=survey.owner, predecessor=survey, by=by)
    for each in survey.memberships.all():
        Membership.objects.create(survey=fresh, user_id=each.user_id, role=each.role)
    history.record(fresh, by, history.What.CREATED, f"a new version of {survey.slug}")
    return fresh
