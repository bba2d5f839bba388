"""Surveys for tests, made through the same models and services as real ones."""

import json
import uuid
from collections.abc import Iterable

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.test import Client

from surveys.definition import fields
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork import lifecycle
from surveys.models import Choice, Instrument, Question, Survey

WORDS = {
    "de": "auf Deutsch",
    "fr": "en français",
    "es": "en español",
    "ar": "بالعربية",
    "en": "in English",
}
POINTS = ("Never", "Rarely", "Sometimes", "Often", "Always")
FRUIT = ("Apple", "Pear", "Plum", "Quince")


def create_researcher(name: str = "ada", password: str = "correct horse", **more: object) -> User:
    """Create a user; an existing user with this name is renamed."""
    accounts = get_user_model().objects
    accounts.filter(username=name).update(username=f"{name} {uuid.uuid4()}")
    return accounts.create_user(name, password=password, **more)


def create_draft(owner: User | None = None, **texts: str) -> Survey:
    """Create a draft without a survey-wide protection."""
    return Survey.objects.create(
        owner=owner or create_researcher(), **({"title": "A survey", "protection": ""} | texts)
    )


REASON = "A test needs the answers of all people to all of its questions."


def publish_survey(survey: Survey, by: User | None = None, **more: object) -> Instrument:
    """Publish a survey with all confirmations that its author may need."""
    return lifecycle.publish(survey, by, **({"reason": REASON, "no_number": True} | more))


def add_yes_no(
    survey: Survey, key: str = "tax", design: str = "warner", **more: object
) -> Question:
    """Add a scrambled yes/no question."""
    parameters = more.pop("parameters", {"p": "3/4"} if design == "warner" else {})
    return _question(
        survey, key, Question.Kind.YES_NO, design=design, parameters=parameters, **more
    )


def add_choice(
    survey: Survey,
    key: str = "fruit",
    labels: Iterable[str] = FRUIT,
    design: str = "unary",
    **more: object,
):
    """Add a scrambled single choice."""
    parameters = more.pop("parameters", {"p": "3/4", "q": "1/4"})
    kind = more.pop("kind", Question.Kind.CHOICE)
    question = _question(survey, key, kind, design=design, parameters=parameters, **more)
    return _with_choices(question, labels)


def add_quantity(survey: Survey, key: str = "hours", **more: object) -> Question:
    """Add a number from 0 to 50 hours, asked for its mean."""
    usual = {
        "minimum": 0,
        "maximum": 50,
        "step": 1,
        "unit": "hours",
        "design": "window",
        "parameters": {"epsilon": "2.1973"},
    }
    return _question(survey, key, Question.Kind.QUANTITY, **(usual | more))


def add_scale(
    survey: Survey, key: str = "agrees", labels: Iterable[str] = POINTS, **more: object
) -> Question:
    """Add a rating scale of five points, asked for its mean."""
    usual = {"design": "window", "parameters": {"epsilon": "2.1973"}}
    return _with_choices(_question(survey, key, Question.Kind.SCALE, **(usual | more)), labels)


def add_text_question(
    survey: Survey, key: str = "drug", candidates: Iterable[str] = (), **more: object
) -> Question:
    """Add a short text question."""
    usual = {"design": "written", "parameters": {"epsilon": "2.1973"}}
    return _with_choices(
        _question(survey, key, Question.Kind.WRITTEN, **(usual | more)), candidates
    )


def add_background(
    survey: Survey, key: str = "region", labels: Iterable[str] = ("North", "South"), **more: object
) -> Question:
    """Add a background question."""
    return _with_choices(_question(survey, key, Question.Kind.BACKGROUND, **more), labels)


def _question(survey: Survey, key: str, kind: str, **more: object) -> Question:
    position = survey.questions.count() + 1
    return Question.objects.create(
        survey=survey, key=key, kind=kind, position=position, text=f"About {key}?", **more
    )


def _with_choices(question: Question, labels: Iterable[str]) -> Question:
    Choice.objects.bulk_create(
        Choice(question=question, position=number, label=label)
        for number, label in enumerate(labels, 1)
    )
    return question


def add_translations(survey: Survey, *codes: str) -> Survey:
    """Translate every text of a survey into these languages."""
    for row in [survey, *survey.questions.all(), *Choice.objects.filter(question__survey=survey)]:
        texts = {name: getattr(row, name) for name in fields.texts(type(row)) if getattr(row, name)}
        row.translations = {
            code: {name: f"{text} {WORDS[code]}" for name, text in texts.items()} for code in codes
        }
        row.save(update_fields=["translations"])
    survey.further_languages = list(codes)
    survey.save(update_fields=["further_languages"])
    return survey


def create_published(owner: User | None = None) -> Instrument:
    """Create and publish a survey with the questions tax, fruit and region."""
    survey = create_draft(owner)
    add_yes_no(survey)
    add_choice(survey, decline=True)
    add_background(survey)
    return publish_survey(survey)


REPORTS = {"tax": 1, "fruit": "01001", "region": 0}


def response_body(instrument: Instrument, **changes: object) -> dict:
    """Return the message that the respondents' page sends."""
    return {"instrument": instrument.sha256, "key": str(uuid.uuid4()), "reports": REPORTS} | changes


def post_response(
    instrument: Instrument, content: object, client: Client | None = None, **options: object
):
    """Send a response as the respondents' page does."""
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path = f"/api/v1/surveys/{parse_instrument(instrument).survey}/responses/"
    return (client or Client()).post(path, data, **({"content_type": "application/json"} | options))
