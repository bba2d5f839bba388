"""A survey as one object, as programs and files have it: settings, questions, and which of these are drawn by lot."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.authoring.drafts import conditions, drafts
from surveys.authoring.drafts.question_plan import Checks
from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.drafts.settings import past
from surveys.authoring.drafts.translations import text_of
from surveys.definition import fields, protection, question_subset
from surveys.definition.field import Field
from surveys.definition.kinds import KINDS
from surveys.definition.texts import stored_text, text_to_data
from surveys.models import Question, Survey, Translated
from surveys.site import errors
from surveys.site.errors import Invalid

AS_JSON = {  # of what JSON has no type for
    "protection": lambda level: level or None,
    "values": lambda values: values or None,
    "logo": lambda logo: base64.b64encode(logo.png).decode() if logo else None,
    "delete_on": lambda day: day.isoformat() if day else None,
}
UNKNOWN = "is not a known field."
DROPPED = ("limit", "limit_reason")  # of files and programs from when a survey had a privacy budget
NO_BUDGET = "“limit” and “limit_reason” are ignored: protection is one choice now."


def survey_content(survey: Survey) -> dict[str, Any]:
    """Return everything that an author wrote, as `create` takes it."""
    questions = survey.questions.prefetch_related("choices")
    return {
        **_rows(survey, fields.SURVEY, survey.languages),
        "languages": list(survey.languages),
        "draw": question_subset.subset_settings(survey),
        "questions": [_question(question, survey.languages) for question in questions],
    }


def _question(question: Question, languages: Sequence[str]) -> dict[str, Any]:
    choices = [
        _rows(choice, fields.CHOICE, languages)["label"] for choice in question.choices.all()
    ]
    return {**_rows(question, fields.QUESTION, languages), "choices": choices}


def _rows(row: Translated, rows: Iterable[Field], languages: Sequence[str]) -> dict[str, Any]:
    return {each.name: _value(row, each, languages) for each in rows}


def _value(row: Translated, setting: Field, languages: Sequence[str]) -> Any:
    if setting.translatable:
        return text_to_data(stored_text(row, setting.name, languages), languages)
    value = getattr(row, setting.name)
    return AS_JSON[setting.name](value) if setting.name in AS_JSON else value


@transaction.atomic
def create(
    data: Mapping[str, Any],
    *,
    owner: AbstractBaseUser,
    by: AbstractBaseUser | None = None,
    unfinished: bool = False,
) -> Survey:
    """A new draft; a setting that is not in the data is what its column starts with. All or nothing.

    unfinished: also with conditions and a draw that its author has to mend before it is published. Raises
    surveys.site.errors.Invalid with the place of each mistake, such as questions.2.text.
    """
    data = {
        "languages": [data.get("language", Survey.Language.ENGLISH)],
        "protection": _usual(data),
    } | {**data}
    survey = drafts.create_survey(owner=owner, by=by, **_settings(data, data["languages"]))
    if has_privacy_budget(data):
        history.record(survey, by or owner, history.What.CHANGED, NO_BUDGET)
    _write_questions(survey, data, by or owner, unfinished=unfinished)
    return survey


def _usual(data: Mapping[str, Any]) -> str:
    """The protection of a survey whose author says nothing of it: what is recommended, unless questions are set."""
    is_set = data.get("draw") or any(
        isinstance(question, dict) and question.get("design")
        for question in data.get("questions", ())
    )
    return (
        protection.NO_LEVEL if is_set or data.get("import_only") else protection.RECOMMENDED_LEVEL
    )


def has_privacy_budget(data: Mapping[str, Any]) -> bool:
    """Return whether the data set a privacy budget, which is ignored."""
    return str(data.get("limit", "5")) != "5" or bool(data.get("limit_reason"))


def replace(survey: Survey, data: Mapping[str, Any], by: AbstractBaseUser) -> Survey:
    """All settings of a draft: one that is not in the data becomes what a new survey has, or stays if its row says so.

    Questions in the data take the place of all there are. Raises as create() does.
    """
    start = {row.name: row.default for row in fields.SURVEY if not row.stays} | {"draw": None}
    start["languages"] = [data.get("language", start["language"])]
    return _write(survey, start | {**data}, by)


def change(survey: Survey, data: Mapping[str, Any], by: AbstractBaseUser) -> Survey:
    """These settings of a draft, and of a text by language these languages. Questions and errors as in replace()."""
    if data.get("delete_on") != survey.delete_on and (wrong := past(data.get("delete_on"))):
        raise Invalid(
            {"delete_on": wrong}
        )  # a copy keeps its day, whoever writes one anew means one that comes
    changes = {**data}
    for name in fields.texts(Survey):
        if isinstance(data.get(name), dict):
            text = stored_text(survey, name, survey.languages)
            changes[name] = {survey.language: str(text)} | text.others | data[name]
    if "language" in data and "languages" not in data:
        changes["languages"] = survey.languages if survey.further_languages else [data["language"]]
    if "questions" in data and "draw" not in data and not data.get("protection", survey.protection):
        changes["draw"] = question_subset.subset_settings(survey)
    return _write(survey, changes, by, partial=True)


@transaction.atomic
def _write(
    survey: Survey, data: Mapping[str, Any], by: AbstractBaseUser, *, partial: bool = False
) -> Survey:
    texts = _settings(data, data.get("languages", survey.languages), partial=partial)
    survey = drafts.update_settings(survey, texts, by, edition=data.get("edition"))
    if "questions" in data:
        for question in survey.questions.all():
            drafts.delete_question(survey=survey, question=question, by=by)
    _write_questions(survey, data, by)
    return survey


def _settings(
    data: Mapping[str, Any], languages: Sequence[str], *, partial: bool = False
) -> dict[str, Any]:
    """partial: of a plain text the translations stay."""
    values = {name: data[name] for name in (*fields.names(Survey), "languages") if name in data}
    texts = [
        name for name in fields.texts(Survey) if not (partial and isinstance(values.get(name), str))
    ]
    return _with_texts(values, texts, languages)


def _with_texts(
    data: dict[str, Any], names: Iterable[str], languages: Sequence[str]
) -> dict[str, Any]:
    check = Checks()
    texts = {
        name: check.collect(name, text_of, data[name], languages) for name in names if name in data
    }
    check.raise_errors()
    return data | texts


def _write_questions(
    survey: Survey, data: Mapping[str, Any], by: AbstractBaseUser, *, unfinished: bool = False
) -> None:
    wrong: dict[str, str] = {}
    for number, question in enumerate(data.get("questions", ())):
        try:
            drafts.save_question(
                survey=survey, by=by, unfinished=True, **_answering(question, survey.languages)
            )
        except Invalid as error:
            places = {
                ".".join(filter(None, ("questions", str(number), name))): name
                for name in error.errors
            }
            wrong |= {place: error.errors[name] for place, name in places.items()}
    if wrong:
        raise Invalid(wrong)
    if not unfinished and "questions" in data:
        conditions.require_fits(survey)
    if data.get("draw") and survey.protection:
        raise Invalid({"draw": protection.ONE_CHOICE})
    if "draw" in data and (
        "questions" in data or data["draw"] != question_subset.subset_settings(survey)
    ):
        _draw(survey, data["draw"], by, unfinished)


def _draw(
    survey: Survey, draw: Mapping[str, Any] | None, by: AbstractBaseUser, unfinished: bool
) -> None:
    try:
        set_draw(survey=survey, by=by, unfinished=unfinished, **(draw or {"count": None}))
    except Invalid as error:
        raise Invalid({f"draw.{name}": message for name, message in error.errors.items()}) from None
    survey.refresh_from_db(fields=["draw"])


def _answering(data: Any, languages: Sequence[str]) -> dict[str, Any]:
    """As drafts.save_question takes it: numbers as an author would type them, and what is null left out."""
    if not isinstance(data, dict):
        raise Invalid({"": "must be an object."})
    unknown = errors.unknown_field_errors(
        (name for name in data if name not in (*fields.names(Question), "choices")), UNKNOWN
    )
    values = {"kind": ""} | {name: value for name, value in data.items() if value is not None}
    wrong = unknown | {
        name: said for name, value in values.items() if (said := _type_problem(name, value))
    }
    wrong |= _foreign_settings(values)
    if wrong:
        raise Invalid(wrong)
    values = _with_texts(values, fields.texts(Question), languages)
    values |= {name: str(values[name]) for name in ("minimum", "maximum", "step") if name in values}
    if isinstance(values.get("anchor"), int | float):
        values["anchor"] = f"{100 * values['anchor']:.8g}"
    choices = {f"choices.{place}": label for place, label in enumerate(values.get("choices", ()))}
    return values | {"choices": [*_with_texts(choices, choices, languages).values()]}


def _foreign_settings(values: Mapping[str, Any]) -> dict[str, str]:
    """Return a message for each setting that is set and that the question type does not have.

    What is not set may be there, because whoever reads a survey gets every setting of every question.
    """
    traits = KINDS.get(values["kind"]) if isinstance(values["kind"], str) else None
    if traits is None:
        return {}
    messages = {}
    for name, value in values.items():
        if not traits.has_setting(name) and _is_set(name, value):
            messages[name] = (
                f"A question of type “{traits.key}” has no setting “{name}”. Leave it out."
            )
    return messages


def _is_set(name: str, value: Any) -> bool:
    if isinstance(value, dict):
        return any(value.values())
    if name == "choices":
        return bool(value)
    return value not in ("", fields.field_of(Question, name).default)


def _type_problem(name: str, value: Any) -> str:
    """Return why the type of a value is wrong for its field, or an empty string."""
    if name == "choices":
        return "" if isinstance(value, list) else "must be a list of texts."
    if name == "values":
        is_list = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return "" if is_list else "must be a list of texts."
    if name == "parameters":
        is_right = isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
        return "" if is_right else "must be texts by name, as “p”: “3/4”."
    row = next((row for row in fields.QUESTION if row.name == name), None)
    if row and row.is_switch and not isinstance(value, bool):
        return "must be true or false."
    return (
        "must be text."
        if row and row.is_text and not row.translatable and not isinstance(value, str)
        else ""
    )
