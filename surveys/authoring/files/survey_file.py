"""A survey as a file and back, without losing anything: for copies, for colleagues, for other sites."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.authoring.drafts import content, dial
from surveys.authoring.files import other_tools
from surveys.definition import fields, protection
from surveys.definition.kinds import KINDS, kind_of
from surveys.definition.texts import Text, join_texts, stored_text, text_to_data
from surveys.models import Membership, Question, Survey
from surveys.site import errors
from surveys.site.errors import Invalid, Refused, Unreadable
from surveys.site.files.sizes import too_large_message

FORMAT = 1
LARGEST = 1_500_000  # characters
MOST_QUESTIONS = 500
LONGEST_TEXT = fields.field_of(Question, "text").longest


def write(survey: Survey) -> dict[str, Any]:
    """Everything an author wrote; nothing about people, times, status or responses."""
    whole = content.survey_content(survey)
    whole["languages"] = whole["languages"] if survey.further_languages else []
    whole["questions"] = [_question(question) for question in whole["questions"]]
    return {
        "candor": FORMAT,
        **_without(whole, (*fields.names(Survey, sparse=True), "languages", "draw")),
    }


def _question(whole: dict[str, Any]) -> dict[str, Any]:
    if whole["anchor"] is not None:
        whole["anchor"] = f"{100 * whole['anchor']:.8g}"
    makes_groups = not KINDS[whole["kind"]].sensitive
    return _without(whole, fields.names(Question, sparse=True)) | (
        {"cut": whole["cut"]} if makes_groups else {}
    )


def _without(whole: dict[str, Any], sparse: Sequence[str]) -> dict[str, Any]:
    """Of these only what is set; the smallest number can be 0."""
    return {
        name: value
        for name, value in whole.items()
        if name not in sparse or value or type(value) is int
    }


def as_text(survey: Survey) -> str:
    return json.dumps(write(survey), indent=2, ensure_ascii=False) + "\n"


def parse(text: str) -> dict[str, Any]:
    """The file's content. Raises Unreadable with the line and column where it is no JSON, or no survey of ours."""
    if told := other_tools.recognised(text):
        raise Unreadable(told)
    if len(text) > LARGEST:
        raise Unreadable(too_large_message(LARGEST, "characters"))
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"Line {error.lineno}, column {error.colno}: this is not valid JSON ({error.msg})."
        ) from None
    except (ValueError, RecursionError):
        raise Unreadable("This is not valid JSON.") from None
    if not isinstance(data, dict) or data.get("candor") != FORMAT:
        raise Unreadable(
            f"This is not a survey file. A survey file starts with “candor”: {FORMAT}."
        )
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
    allowed = {"candor", *fields.names(Survey), *content.DROPPED, "languages", "draw", "questions"}
    if wrong := errors.unknown_field_errors(
        (name for name in data if name not in allowed), "is not a known field."
    ):
        named = (
            said if name == errors.MORE_KEY else f"“{name}” {said}" for name, said in wrong.items()
        )
        raise Unreadable(*(f"The survey: {each}" for each in named))
    questions = data.get("questions", [])
    if not isinstance(questions, list) or len(questions) > MOST_QUESTIONS:
        raise Unreadable(f"“questions” must be a list of at most {MOST_QUESTIONS}.")
    languages = data.get("languages", [data.get("language", Survey.Language.ENGLISH)])
    if (
        not isinstance(languages, list)
        or not languages
        or not all(isinstance(code, str) for code in languages)
    ):
        raise Unreadable(
            "“languages” must be a list of languages, the first one first, as [“en”, “de”]."
        )
    _check_draw(data.get("draw"))
    whole = {name: value for name, value in data.items() if name != "candor"}
    whole["questions"] = [_typed(question) for question in questions]
    try:
        survey = content.create(whole, owner=owner, by=by, unfinished=True)
    except Invalid as error:
        raise Unreadable(
            *(f"{_place(place)}: {message}" for place, message in error.errors.items())
        ) from None
    if predecessor:
        survey.predecessor = predecessor
        survey.save(update_fields=["predecessor"])
    return survey


def _typed(question: Any) -> Any:
    """A known share is in per cent in files."""
    has_share = isinstance(question, dict) and question.get("anchor") is not None
    return question | {"anchor": str(question["anchor"])} if has_share else question


def _place(place: str) -> str:
    """questions.0.choices.1 -> Question 1, choice 2"""
    question = re.fullmatch(r"questions\.(\d+)\.?(.*)", place)
    where, name = (
        (f"Question {int(question[1]) + 1}", question[2]) if question else ("The survey", place)
    )
    name = re.sub(r"^choices\.(\d+)", lambda choice: f"choice {int(choice[1]) + 1}", name).replace(
        "draw.", "draw, "
    )
    return f"{where}, {name}" if name else where


def _check_draw(draw: Any) -> None:
    count, of = (draw.get("count"), draw.get("of")) if isinstance(draw, dict) else (None, None)
    is_number = type(count) is int and 0 < count <= MOST_QUESTIONS
    if draw is not None and not (
        is_number and isinstance(of, list) and all(isinstance(key, str) for key in of)
    ):
        raise Unreadable("The survey, draw: must be as {“count”: 2, “of”: [“a”, “b”, “c”]}.")


def duplicate(survey: Survey, owner: AbstractBaseUser, *, import_only: bool = False) -> Survey:
    """A draft of one's own with the same texts and questions.

    import_only: one that takes files, for what is asked on paper with the same questions and designs. What can then
    not stand on a printed sheet says not_on_a_sheet().
    """
    data = write(survey)
    data["title"] = _renamed(data["title"], "paper" if import_only else "copy")
    data["import_only"] = data["import_only"] or import_only
    if import_only:
        data.pop("tickets", None)  # files invite nobody
        data |= {"protection": None, "questions": [*_set_by_itself(survey, data["questions"])]}
    return read(data, owner=owner)


def _set_by_itself(survey: Survey, written: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The questions of a file, each with the method that it gets. Under a level people draw for Yes and No by hand.

    All others keep the method that was derived for a device, and none of them says who draws.
    """
    for question, each in zip(survey.questions.prefetch_related("choices"), written, strict=True):
        if survey.protection in protection.LEVELS and _may_be_by_hand(question, survey.languages):
            question.mode = Question.Mode.BY_HAND
            each.update(_out_of_its_grid(question, survey.languages))
        elif survey.protection and not question.design:
            question.mode = Question.Mode.AUTOMATIC
        try:
            design, parameters = dial.method_at_level(question, survey.protection)
        except Invalid:  # has no answers yet, and so cannot be published either
            design, parameters = each["design"], each["parameters"]
        yield each | {"design": design, "parameters": parameters, "mode": question.mode}


def _may_be_by_hand(question: Question, languages: Sequence[str]) -> bool:
    """Whether coins, a die or slips draw for it with the chances of a level; what has its own method keeps it."""
    whole = _whole(question, languages)
    is_short = all(len(text) <= LONGEST_TEXT for text in (whole, *whole.others.values()))
    return is_short and kind_of(question).has_yes and not (question.decline or question.design)


def _out_of_its_grid(question: Question, languages: Sequence[str]) -> dict[str, Any]:
    """By hand each question stands alone, so a row of a grid takes the heading into its text."""
    return (
        {"grid": "", "text": text_to_data(_whole(question, languages), languages)}
        if question.grid
        else {}
    )


def _whole(question: Question, languages: Sequence[str]) -> Text:
    return join_texts(" – ", (stored_text(question, name, languages) for name in ("grid", "text")))


def not_on_a_sheet(copy: Survey) -> str:
    """Of a copy for paper answers: which questions keep a method that no sheet can have, if there are any."""
    sensitive = [question for question in copy.questions.all() if kind_of(question).sensitive]
    kept = [
        f"“{question.whole}”" for question in sensitive if question.mode == Question.Mode.AUTOMATIC
    ]
    return (
        f"No printed sheet can have these questions, which keep their methods: {', '.join(kept)}."
        if kept
        else ""
    )


def _renamed(title: str | dict[str, str], what: str) -> str | dict[str, str]:
    if isinstance(title, dict):
        return {code: f"{text[:190]} ({what})" for code, text in title.items()}
    return f"{title[:190]} ({what})"


@transaction.atomic
def new_version(survey: Survey, by: AbstractBaseUser) -> Survey:
    """A draft under a new address that names a published survey as its predecessor, for the same owner and team."""
    survey = survey.locked()
    if survey.is_draft:
        raise Refused("Change the draft itself. It needs no new version.")
    fresh = read(write(survey), owner=survey.owner, predecessor=survey, by=by)
    for each in survey.memberships.all():
        Membership.objects.create(survey=fresh, user_id=each.user_id, role=each.role)
    history.record(fresh, by, history.What.CREATED, f"a new version of {survey.slug}")
    return fresh
