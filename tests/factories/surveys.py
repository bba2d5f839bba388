"""Surveys for tests, created with the models and services that create real ones."""

import json
import uuid
from collections.abc import Iterable

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from surveys.definition import fields
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork import lifecycle
from surveys.models import Choice, Instrument, Question, Survey

# The code of a language -> what add_translations() adds to a text.
WORDS = {
    "de": "auf Deutsch",
    "fr": "en français",
    "es": "en español",
    "ar": "بالعربية",
    "en": "in English",
}
# The epsilon that is used here: exp(2.1973) is about 9, so no report is more than 9 times as probable for
# one truth as for another one.
EPSILON = "2.1973"
POINTS = ("Never", "Rarely", "Sometimes", "Often", "Always")
FRUIT = ("Apple", "Pear", "Plum", "Quince")


def create_researcher(name: str = "ada", password: str = "correct horse", **more: object) -> User:
    """Create a user; an existing user with this name is renamed.

    more: further fields of the user.
    """
    accounts = get_user_model().objects
    # User names are unique. So a test can create several owners without naming them.
    accounts.filter(username=name).update(username=f"{name} {uuid.uuid4()}")
    return accounts.create_user(name, password=password, **more)


def create_draft(owner: User | None = None, **texts: str) -> Survey:
    """Create a draft without a survey-wide protection, and so with a design for each question.

    owner: None for a new user "ada".
    texts: further fields of the survey.
    """
    fields = {"title": "A survey", "protection": ""} | texts
    return Survey.objects.create(owner=owner or create_researcher(), **fields)


# Why so little protection is enough. Authors must give a reason if the protection is very weak.
REASON = "A test needs the answers of all people to all of its questions."


def publish_survey(survey: Survey, by: User | None = None, **more: object) -> Instrument:
    """Publish a survey with both confirmations that may be required from its author.

    by: the user who publishes, for the history of the survey; None for no user.
    more: further options of lifecycle.publish(), or other confirmations.
    """
    # With `no_number` the author confirms to know that the target number of responses is too small:
    # the report will probably show no number for any sensitive question.
    options = {"reason": REASON, "no_number": True} | more
    return lifecycle.publish(survey, by, **options)


def add_yes_no(
    survey: Survey, key: str = "tax", design: str = "warner", **more: object
) -> Question:
    """Add a randomized yes/no question; `more` are further fields of the question.

    A design other than "warner" needs its `parameters` among them, if it has any.
    """
    # With "warner", the truth is sent with probability p, and its opposite otherwise.
    default_parameters = {"p": "3/4"} if design == "warner" else {}
    fields = {"design": design, "parameters": default_parameters} | more
    return _create_question(survey, key, Question.Kind.YES_NO, **fields)


def add_choice(
    survey: Survey,
    key: str = "fruit",
    labels: Iterable[str] = FRUIT,
    design: str = "unary",
    **more: object,
) -> Question:
    """Add a randomized single choice; `more` are further fields, such as another kind."""
    # With "unary", the bit of the true answer is 1 with probability p, and each other bit with q.
    kind = more.pop("kind", Question.Kind.CHOICE)
    fields = {"design": design, "parameters": {"p": "3/4", "q": "1/4"}} | more
    question = _create_question(survey, key, kind, **fields)
    return _add_answers(question, labels)


def add_quantity(survey: Survey, key: str = "hours", **more: object) -> Question:
    """Add a question for a number from 0 to 50 hours, whose mean is estimated.

    more: fields of the question that replace or extend the usual ones.
    """
    defaults = {
        "minimum": 0,
        "maximum": 50,
        "step": 1,
        "unit": "hours",
        "design": "window",
        "parameters": {"epsilon": EPSILON},
    }
    fields = defaults | more
    return _create_question(survey, key, Question.Kind.QUANTITY, **fields)


def add_scale(
    survey: Survey, key: str = "agrees", labels: Iterable[str] = POINTS, **more: object
) -> Question:
    """Add a rating scale, whose mean is estimated; `more` are further fields of the question."""
    fields = {"design": "window", "parameters": {"epsilon": EPSILON}} | more
    question = _create_question(survey, key, Question.Kind.SCALE, **fields)
    return _add_answers(question, labels)


def add_text_question(
    survey: Survey, key: str = "drug", candidates: Iterable[str] = (), **more: object
) -> Question:
    """Add a question for a short text; `more` are further fields of the question.

    candidates: the texts that are counted; they can also be named after the survey.
    """
    fields = {"design": "written", "parameters": {"epsilon": EPSILON}} | more
    question = _create_question(survey, key, Question.Kind.WRITTEN, **fields)
    return _add_answers(question, candidates)


def add_background(
    survey: Survey, key: str = "region", labels: Iterable[str] = ("North", "South"), **more: object
) -> Question:
    """Add a background question, whose answers are not randomized.

    more: further fields of the question, such as another kind.
    """
    kind = more.pop("kind", Question.Kind.BACKGROUND)
    question = _create_question(survey, key, kind, **more)
    return _add_answers(question, labels)


def _create_question(survey: Survey, key: str, kind: str, **more: object) -> Question:
    """Create a question after the present ones; `more` are further fields of the question."""
    position = survey.questions.count() + 1
    return Question.objects.create(
        survey=survey, key=key, kind=kind, position=position, text=f"About {key}?", **more
    )


def _add_answers(question: Question, labels: Iterable[str]) -> Question:
    """Create the answers of a question, and return the question."""
    Choice.objects.bulk_create(
        Choice(question=question, position=number, label=label)
        for number, label in enumerate(labels, 1)
    )
    return question


def add_translations(survey: Survey, *codes: str) -> Survey:
    """Translate every text of a survey into these languages, and return the survey.

    A translation is the text with the words of WORDS behind it. Empty texts have none.

    codes: codes of languages in WORDS.
    """
    choices = Choice.objects.filter(question__survey=survey)
    for record in [survey, *survey.questions.all(), *choices]:
        texts = {name: getattr(record, name) for name in fields.texts(type(record))}
        record.translations = {}
        for code in codes:
            translations = {name: f"{text} {WORDS[code]}" for name, text in texts.items() if text}
            record.translations[code] = translations
        record.save(update_fields=["translations"])
    survey.further_languages = list(codes)
    survey.save(update_fields=["further_languages"])
    return survey


def create_published(owner: User | None = None) -> Instrument:
    """Create and publish a survey with the questions tax, fruit and region.

    They are a yes/no question, a choice with "Prefer not to say", and a background question.

    owner: None for a new user "ada".
    """
    survey = create_draft(owner)
    add_yes_no(survey)
    add_choice(survey, decline=True)
    add_background(survey)
    return publish_survey(survey)


# A possible response to a survey of create_published(): Yes, a bit for each of the five answers to
# "fruit" (the last one is "Prefer not to say"), and North.
REPORTS = {"tax": 1, "fruit": "01001", "region": 0}


def response_body(instrument: Instrument, **changes: object) -> dict:
    """Return what the respondents' page sends for a survey of create_published().

    changes: values that replace or extend the usual ones.
    """
    body = {"instrument": instrument.sha256, "key": str(uuid.uuid4()), "reports": REPORTS}
    return body | changes


def post_response(
    instrument: Instrument, content: object, client: Client | None = None, **options: object
) -> HttpResponse:
    """Send a response as the respondents' page does, and return the answer of the site.

    content: the body, as bytes or as an object for JSON.
    client: None for a client without a session.
    options: further options of Client.post().
    """
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path = f"/api/v1/surveys/{parse_instrument(instrument).survey}/responses/"
    client = client or Client()
    options = {"content_type": "application/json"} | options
    return client.post(path, data, **options)
