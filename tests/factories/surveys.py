"""Surveys for tests, made through the same models and services as real ones."""

import json
import uuid
from collections.abc import Iterable

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.test import Client

from surveys.definition import fields
from surveys.definition.parsing import paper
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


def researcher(name: str = "ada", password: str = "correct horse", **more: object) -> User:
    """Who has the name already gives it up: on a site that outlives tests, a second try of one finds nothing there."""
    accounts = get_user_model().objects
    accounts.filter(username=name).update(username=f"{name} {uuid.uuid4()}")
    return accounts.create_user(name, password=password, **more)


def draft(owner: User | None = None, **texts: str) -> Survey:
    """Every question is set by itself, unless `protection` says otherwise."""
    return Survey.objects.create(
        owner=owner or researcher(), **({"title": "A survey", "protection": ""} | texts)
    )


REASON = "A test needs the answers of all people to all of its questions."


def publish(survey: Survey, by: User | None = None, **more: object) -> Instrument:
    """As an author does who gives the reason for it, and knows how little it will show."""
    return lifecycle.publish(survey, by, **({"reason": REASON, "no_number": True} | more))


def yes_no(survey: Survey, key: str = "tax", design: str = "warner", **more: object) -> Question:
    parameters = more.pop("parameters", {"p": "3/4"} if design == "warner" else {})
    return _question(
        survey, key, Question.Kind.YES_NO, design=design, parameters=parameters, **more
    )


def choice(
    survey: Survey,
    key: str = "fruit",
    labels: Iterable[str] = FRUIT,
    design: str = "unary",
    **more: object,
):
    parameters = more.pop("parameters", {"p": "3/4", "q": "1/4"})
    kind = more.pop("kind", Question.Kind.CHOICE)
    question = _question(survey, key, kind, design=design, parameters=parameters, **more)
    return _with_choices(question, labels)


def quantity(survey: Survey, key: str = "hours", **more: object) -> Question:
    """Hours from 0 to 50, asked for their mean."""
    usual = {
        "minimum": 0,
        "maximum": 50,
        "step": 1,
        "unit": "hours",
        "design": "window",
        "parameters": {"epsilon": "2.1973"},
    }
    return _question(survey, key, Question.Kind.QUANTITY, **(usual | more))


def scale(
    survey: Survey, key: str = "agrees", labels: Iterable[str] = POINTS, **more: object
) -> Question:
    """Five points, asked for their mean."""
    usual = {"design": "window", "parameters": {"epsilon": "2.1973"}}
    return _with_choices(_question(survey, key, Question.Kind.SCALE, **(usual | more)), labels)


def written(
    survey: Survey, key: str = "drug", candidates: Iterable[str] = (), **more: object
) -> Question:
    """A short text, with what is counted from the first release on."""
    usual = {"design": "written", "parameters": {"epsilon": "2.1973"}}
    return _with_choices(
        _question(survey, key, Question.Kind.WRITTEN, **(usual | more)), candidates
    )


def background(
    survey: Survey, key: str = "region", labels: Iterable[str] = ("North", "South"), **more: object
) -> Question:
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


def translated(survey: Survey, *codes: str) -> Survey:
    """The same survey, its questions and choices, with every text it has in further languages."""
    for row in [survey, *survey.questions.all(), *Choice.objects.filter(question__survey=survey)]:
        texts = {name: getattr(row, name) for name in fields.texts(type(row)) if getattr(row, name)}
        row.translations = {
            code: {name: f"{text} {WORDS[code]}" for name, text in texts.items()} for code in codes
        }
        row.save(update_fields=["translations"])
    survey.further_languages = list(codes)
    survey.save(update_fields=["further_languages"])
    return survey


def published(owner: User | None = None) -> Instrument:
    """An open survey with a question of each kind: tax (Warner), fruit (unary, with decline), region (background)."""
    survey = draft(owner)
    yes_no(survey)
    choice(survey, decline=True)
    background(survey)
    return publish(survey)


REPORTS = {"tax": 1, "fruit": "01001", "region": 0}


def body(instrument: Instrument, **changes: object) -> dict:
    """What a respondent's page sends to an instrument made by published()."""
    return {"instrument": instrument.sha256, "key": str(uuid.uuid4()), "reports": REPORTS} | changes


def send(instrument: Instrument, content: object, client: Client | None = None, **options: object):
    """POST a body, as the page does; bytes go as they are."""
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path = f"/api/v1/surveys/{paper(instrument).survey}/responses/"
    return (client or Client()).post(path, data, **({"content_type": "application/json"} | options))
