"""Surveys that take their responses from files."""

from django.contrib.auth.models import User

from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.fieldwork import lifecycle
from surveys.models import Survey

FRUIT = ["Apple", "Pear", "Plum"]


def add_import_questions(survey: Survey) -> Survey:
    """tax (Warner), fruit (unary, three choices), region (background), age (18 to 99); nobody may decline."""
    background = {"kind": "background", "choices": ["North", "South"], "decline": False}
    save_question(
        survey=survey,
        text="Taxes?",
        key="tax",
        kind="yes-no",
        design="warner",
        parameters={"p": "3/4"},
    )
    marks = {"design": "unary", "parameters": {"p": "3/4", "q": "1/4"}, "choices": FRUIT}
    save_question(survey=survey, text="Fruit?", key="fruit", kind="choice", **marks)
    save_question(survey=survey, text="Where?", key="region", **background)
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
    """A survey with these questions that takes files."""
    owner = owner or User.objects.create_user("ada", password="correct horse")
    survey = add_import_questions(create_survey(owner=owner, title=title, import_only=True))
    lifecycle.lock_questions(survey, owner)
    survey.refresh_from_db()
    return survey


def create_one_question_survey(owner: User | None = None, **question: object) -> Survey:
    """A survey with one question that takes files."""
    owner = owner or User.objects.create_user("ada", password="correct horse")
    survey = create_survey(owner=owner, title="On paper", import_only=True)
    save_question(survey=survey, **({"text": "Which?", "key": "q"} | question))
    lifecycle.lock_questions(survey, owner)
    survey.refresh_from_db()
    return survey
