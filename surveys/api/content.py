"""A survey as the API shows and takes it: texts and questions in one object, written by the workspace's services."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.authoring import drafts
from surveys.errors import Invalid
from surveys.models import SWITCHES, Question, Survey

TEXTS = ("title", "introduction", "contact", "consent", "language", *SWITCHES, "project", "limit_reason")
OF_A_QUESTION = (
    *("key", "kind", "text", "help", "section", "decline", "design", "parameters", "mode", "harmless"),
    *("statement", "opposite"),
    *("minimum", "maximum", "anchor"),
)


def shown(survey: Survey) -> dict[str, Any]:
    instrument = getattr(survey, "instrument", None)
    return {
        "slug": survey.slug,
        "status": survey.status,
        "created": survey.created,
        "edition": survey.edition,
        "instrument": instrument.sha256 if instrument else None,
        **written(survey),
    }


def written(survey: Survey) -> dict[str, Any]:
    """What an author wrote, as it can be sent."""
    questions = survey.questions.prefetch_related("choices")
    return {
        **{name: getattr(survey, name) for name in TEXTS},
        "limit": f"{survey.limit.normalize():f}",
        "import_only": survey.import_only,
        "questions": [
            {name: getattr(question, name) for name in OF_A_QUESTION}
            | {"choices": [choice.label for choice in question.choices.all()]}
            for question in questions
        ],
    }


@transaction.atomic
def create(data: dict[str, Any], owner: AbstractBaseUser) -> Survey:
    """A new draft. All or nothing; raises surveys.errors.Invalid with the place of each mistake."""
    texts = {name: value for name, value in data.items() if name not in ("questions", "edition")}
    survey = drafts.create_survey(owner=owner, **texts)
    _add(survey, data.get("questions", []), owner)
    return survey


@transaction.atomic
def change(survey: Survey, data: dict[str, Any], by: AbstractBaseUser) -> Survey:
    """Replace the draft's texts, and its questions where there are any in the data. All or nothing."""
    texts = {name: value for name, value in data.items() if name not in ("questions", "edition", "import_only")}
    if data.get("import_only", survey.import_only) != survey.import_only:
        raise Invalid({"import_only": "Where the responses come from is fixed once there is a draft. Write a new one."})
    survey = drafts.update_survey(survey=survey, by=by, edition=data.get("edition"), **texts)
    if "questions" in data:
        for question in survey.questions.all():
            drafts.delete_question(survey=survey, question=question, by=by)
        _add(survey, data["questions"], by)
    return survey


def _add(survey: Survey, questions: list[dict[str, Any]], by: AbstractBaseUser) -> None:
    wrong = {}
    for number, question in enumerate(questions):
        try:
            drafts.save_question(survey=survey, by=by, **_arguments(question))
        except Invalid as error:
            wrong |= {f"questions.{number}.{field}": message for field, message in error.errors.items()}
    if wrong:
        raise Invalid(wrong)


def _arguments(question: dict[str, Any]) -> dict[str, Any]:
    """Numbers as an author would type them, which is what the services check; what is null is left out."""
    given = {name: value for name, value in question.items() if value is not None}
    for name in ("minimum", "maximum"):
        if name in given:
            given[name] = str(given[name])
    if "anchor" in given:
        given["anchor"] = f"{100 * given['anchor']:.8g}"
    if question["kind"] in (Question.Kind.YES_NO, Question.Kind.NUMBER):
        given["choices"] = []
    return given
