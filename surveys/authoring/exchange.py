"""A survey as a file and back, without losing anything: for copies, for colleagues, for other sites."""

import json
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.authoring import neighbours
from surveys.authoring.drafts import create_survey, save_question
from surveys.errors import Invalid, Refused, Unreadable
from surveys.models import SWITCHES, Membership, Question, Survey
from surveys.people import history

FORMAT = 1
LARGEST = 1_000_000  # characters
MOST_QUESTIONS = 500
TEXTS = ("title", "introduction", "contact", "consent", "language", "project", "limit_reason")
OF_A_QUESTION = ("key", "kind", "text", "help", "section", "design", "mode", "harmless", "statement", "opposite")


def write(survey: Survey) -> dict[str, Any]:
    """Everything an author wrote; nothing about people, times, status or responses."""
    return {
        "candor": FORMAT,
        **{name: getattr(survey, name) for name in TEXTS},
        "limit": f"{Decimal(survey.limit).normalize():f}",
        **{name: getattr(survey, name) for name in SWITCHES},
        "import_only": survey.import_only,
        "questions": [_question(question) for question in survey.questions.prefetch_related("choices")],
    }


def _question(question: Question) -> dict[str, Any]:
    written: dict[str, Any] = {name: getattr(question, name) for name in OF_A_QUESTION}
    written |= {"decline": question.decline, "parameters": question.parameters}
    written["choices"] = [choice.label for choice in question.choices.all()]
    for name in ("minimum", "maximum"):
        if getattr(question, name) is not None:
            written[name] = getattr(question, name)
    if question.anchor is not None:
        written["anchor"] = f"{100 * question.anchor:.8g}"
    return written


def as_text(survey: Survey) -> str:
    return json.dumps(write(survey), indent=2, ensure_ascii=False) + "\n"


def parse(text: str) -> dict[str, Any]:
    """The file's content. Raises Unreadable with the line and column where it is no JSON, or no survey of ours."""
    if told := neighbours.recognised(text):
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
    wrong = [*_unknown(data, {"candor", *TEXTS, *SWITCHES, "limit", "import_only", "questions"}, "The survey")]
    questions = data.get("questions", [])
    if not isinstance(questions, list) or len(questions) > MOST_QUESTIONS:
        raise Unreadable(f"“questions” must be a list of at most {MOST_QUESTIONS}.")
    texts = {name: data[name] for name in (*TEXTS, "limit") if name in data}
    wrong += [f"The survey, {name}: must be text." for name, value in texts.items() if not isinstance(value, str)]
    if wrong:
        raise Unreadable(*wrong)
    try:
        switches = {name: data.get(name) is True for name in (*SWITCHES, "import_only")}
        survey = create_survey(owner=owner, by=by, **({"title": ""} | texts), **switches)
    except Invalid as error:
        raise Unreadable(*(f"The survey, {field}: {message}" for field, message in error.errors.items())) from None
    if predecessor:
        survey.predecessor = predecessor
        survey.save(update_fields=["predecessor"])
    for number, question in enumerate(questions, 1):
        wrong += _read_question(survey, f"Question {number}", question, by or owner)
    if wrong:
        raise Unreadable(*wrong)
    return survey


def _read_question(survey: Survey, name: str, data: Any, by: AbstractBaseUser) -> list[str]:
    """Saves one question; returns what is wrong with it."""
    if not isinstance(data, dict):
        return [f"{name}: must be an object."]
    allowed = {*OF_A_QUESTION, "decline", "parameters", "choices", "minimum", "maximum", "anchor"}
    wrong = _unknown(data, allowed, name)
    texts = {field: data[field] for field in OF_A_QUESTION if field in data}
    wrong += [f"{name}, {field}: must be text." for field, value in texts.items() if not isinstance(value, str)]
    choices, parameters = data.get("choices", []), data.get("parameters", {})
    if not (isinstance(choices, list) and all(isinstance(label, str) for label in choices)):
        wrong.append(f"{name}, choices: must be a list of texts.")
    if not (isinstance(parameters, dict) and all(isinstance(value, str) for value in parameters.values())):
        wrong.append(f"{name}, parameters: must be texts by name, as “p”: “3/4”.")
    if wrong:
        return wrong
    numbers = {field: str(data[field]) for field in ("minimum", "maximum", "anchor") if field in data}
    try:
        save_question(
            survey=survey,
            **({"kind": "", "text": ""} | texts),
            **numbers,
            choices=choices,
            parameters=parameters,
            decline=data.get("decline") is True,
            by=by,
        )
    except Invalid as error:
        return [f"{name}, {field}: {message}" for field, message in error.errors.items()]
    return []


def _unknown(data: dict[str, Any], allowed: set[str], name: str) -> list[str]:
    # Dropping what is not known here would lose it silently.
    return [f"{name}: “{key}” is not known here." for key in data if key not in allowed]


def duplicate(survey: Survey, owner: AbstractBaseUser, *, import_only: bool = False) -> Survey:
    """A draft of one's own with the same texts and questions.

    import_only: one that takes files, for what is asked on paper with the same questions and designs.
    """
    data = write(survey)
    data["title"] = f"{data['title'][:190]} ({'paper' if import_only else 'copy'})"
    data["import_only"] = data["import_only"] or import_only
    return read(data, owner=owner)


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
