"""Surveys that take their responses from files."""

from django.contrib.auth.models import User

from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.fieldwork import lifecycle
from surveys.models import Survey

FRUIT = ["Apple", "Pear", "Plum"]


def add_import_questions(survey: Survey) -> Survey:
    """Add four questions to a draft, and return the draft. Nobody may decline.

    The questions are tax (Warner's design), fruit (a choice of three, unary), region (background)
    and age (a background number from 18 to 99).
    """
    save_question(
        survey=survey,
        text="Taxes?",
        key="tax",
        kind="yes-no",
        design="warner",
        parameters={"p": "3/4"},
        decline=False,
    )
    save_question(
        survey=survey,
        text="Fruit?",
        key="fruit",
        kind="choice",
        design="unary",
        parameters={"p": "3/4", "q": "1/4"},
        choices=FRUIT,
        decline=False,
    )
    save_question(
        survey=survey,
        text="Where?",
        key="region",
        kind="background",
        choices=["North", "South"],
        decline=False,
    )
    save_question(
        survey=survey,
        text="Age?",
        key="age",
        kind="number",
        minimum="18",
        maximum="99",
        decline=False,
    )
    return survey


def create_import_survey(owner: User | None = None, title: str = "On paper") -> Survey:
    """Create a survey with add_import_questions(), and lock its questions, so that it takes files.

    owner: None for a new user "ada".
    """
    owner = owner or User.objects.create_user("ada", password="correct horse")
    survey = add_import_questions(create_survey(owner=owner, title=title, import_only=True))
    lifecycle.lock_questions(survey, owner)
    # lock_questions() changes the status of another object of the same row.
    survey.refresh_from_db()
    return survey


def create_one_question_survey(owner: User | None = None, **question: object) -> Survey:
    """Create a survey with one question, and lock it, so that it takes files.

    owner: None for a new user "ada".
    question: the fields of the question; only its text and its key, "q", have default values.
    """
    owner = owner or User.objects.create_user("ada", password="correct horse")
    survey = create_survey(owner=owner, title="On paper", import_only=True)
    fields = {"text": "Which?", "key": "q"} | question
    save_question(survey=survey, **fields)
    lifecycle.lock_questions(survey, owner)
    # lock_questions() changes the status of another object of the same row.
    survey.refresh_from_db()
    return survey
