"""A survey as the API shows and takes it: texts and questions in one object, written by the workspace's services."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.authoring.drafts import conditions, drafts
from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.drafts.translations import text_of
from surveys.authoring.files import survey_file_extras
from surveys.authoring.files.survey_file import translated
from surveys.definition import question_subset
from surveys.definition.kinds import KINDS
from surveys.definition.texts import Text
from surveys.models import SWITCHES, TOLD, Question, Survey
from surveys.site.errors import Invalid

TEXTS = ("language", *SWITCHES, "project", "limit_reason")
OF_A_QUESTION = (
    *("key", "kind", "text", "help", "section", "decline", "design", "parameters", "mode", "harmless"),
    *("statement", "opposite", "grid"),
    *("minimum", "maximum", "step", "unit", "anchor", "cut", "when", "when_section"),
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
        **translated(survey, Survey.TEXTS, survey.languages),
        **{name: getattr(survey, name) for name in TEXTS},
        "languages": list(survey.languages),
        "limit": f"{survey.limit.normalize():f}",
        "import_only": survey.import_only,
        **survey_file_extras.shown(survey),
        "draw": question_subset.written(survey),
        "questions": [_question(question, survey.languages) for question in questions],
    }


def _question(question: Question, languages: tuple[str, ...]) -> dict[str, Any]:
    return {
        **{name: getattr(question, name) for name in OF_A_QUESTION},
        **translated(question, Question.TEXTS, languages),
        "choices": [translated(choice, ["label"], languages)["label"] for choice in question.choices.all()],
    }


@transaction.atomic
def create(data: dict[str, Any], owner: AbstractBaseUser) -> Survey:
    """A new draft. All or nothing; raises surveys.site.errors.Invalid with the place of each mistake."""
    survey = drafts.create_survey(owner=owner, **_texts(data, "import_only"))
    survey_file_extras.read(survey, data, owner)
    _add(survey, data.get("questions", []), owner)
    _draw(survey, data, owner)
    return survey


@transaction.atomic
def change(survey: Survey, data: dict[str, Any], by: AbstractBaseUser, *, partial: bool = False) -> Survey:
    """Replace the draft's texts, and its questions where there are any in the data. All or nothing.

    partial: texts that are not given stay, in all languages. What stands beside the texts stays either way.
    """
    kept = {name: getattr(survey, name) for name in Survey.TEXTS} if partial else dict.fromkeys(TOLD, "")
    if data.get("import_only", survey.import_only) != survey.import_only:
        raise Invalid({"import_only": "Where the responses come from is fixed once there is a draft. Write a new one."})
    survey = drafts.update_survey(survey=survey, by=by, edition=data.get("edition"), **(kept | _texts(data)))
    survey_file_extras.read(survey, data, by)
    if "questions" in data:
        for question in survey.questions.all():
            drafts.delete_question(survey=survey, question=question, by=by)
        _add(survey, data["questions"], by)
    if "questions" in data or data.get("draw") != question_subset.written(survey):
        _draw(survey, data, by)
    return survey


def _texts(data: dict[str, Any], *more: str) -> dict[str, Any]:
    """What is said of the survey itself; without languages it is in one."""
    names = (*Survey.TEXTS, *TEXTS, "limit", "languages", *more)
    given = {"languages": [data.get("language", Survey.Language.ENGLISH)]} | data
    texts = {name: given[name] for name in names if name in given}
    return texts | _in_languages(texts, Survey.TEXTS, given["languages"])


def _in_languages(data: dict[str, Any], names: Iterable[str], languages: Sequence[str]) -> dict[str, Text]:
    texts, wrong = {}, {}
    for name in names:
        if name in data:
            try:
                texts[name] = text_of(data[name], languages)
            except ValueError as error:
                wrong[name] = f"The text {error}"
    if wrong:
        raise Invalid(wrong)
    return texts


def _draw(survey: Survey, data: dict[str, Any], by: AbstractBaseUser) -> None:
    """After the questions are there. What is not given asks everybody all questions."""
    asked = data.get("draw")
    try:
        set_draw(survey=survey, by=by, **(asked or {"count": None}))
    except Invalid as error:
        raise Invalid({f"draw.{field}": message for field, message in error.errors.items()}) from None
    survey.refresh_from_db(fields=["draw"])


def _add(survey: Survey, questions: list[dict[str, Any]], by: AbstractBaseUser) -> None:
    wrong = {}
    for number, question in enumerate(questions):
        try:
            asked = _arguments(question, survey.languages)
            drafts.save_question(survey=survey, by=by, unfinished=True, **asked)
        except Invalid as error:
            wrong |= {f"questions.{number}.{field}": message for field, message in error.errors.items()}
    if wrong:
        raise Invalid(wrong)
    conditions.require_fits(survey)


def _arguments(question: dict[str, Any], languages: Sequence[str]) -> dict[str, Any]:
    """Numbers as an author would type them, which is what the services check; what is null is left out."""
    given = {name: value for name, value in question.items() if value is not None}
    given |= _in_languages(given, Question.TEXTS, languages)
    for name in ("minimum", "maximum", "step"):
        if name in given:
            given[name] = str(given[name])
    if "anchor" in given:
        given["anchor"] = f"{100 * given['anchor']:.8g}"
    if KINDS[question["kind"]].choices in ("fixed", "numbers"):
        given["choices"] = []
    labels = dict(enumerate(given.get("choices", [])))
    return given | {"choices": list(_in_languages(labels, labels, languages).values())}
