"""What an author can do to a draft. Each function is one change: checked whole, then done in one transaction.

What is wrong is raised as surveys.designs.Invalid, with a message for each field; a survey that is no draft any more
as surveys.publishing.Refused. Every change holds the survey's row, so that nobody publishes half of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import models, transaction

from mechanisms import Mechanism
from surveys.designs import DESIGNS, Invalid, build
from surveys.models import Choice, Question, Survey
from surveys.modes import UNRELATED, wrong_mode
from surveys.publishing import answers, locked, require_draft
from surveys.publishing import decline as added_answer
from surveys.wording import choice_labels, one_line, paragraphs, variable_name


def create_survey(*, owner: AbstractBaseUser, **texts: Any) -> Survey:
    """texts: title, introduction, contact, language ("en", "de", ...) and comprehension, as _save_survey has them."""
    return _save_survey(Survey(owner=owner), **texts)


@transaction.atomic
def update_survey(*, survey: Survey, **texts: Any) -> Survey:
    return _save_survey(_draft(survey), **texts)


@transaction.atomic
def delete_survey(*, survey: Survey) -> None:
    _draft(survey).delete()


@dataclass(frozen=True)
class Plan:
    """How a question is answered and how its answers are randomized. No mechanism: sent as they are."""

    kind: str
    decline: bool
    labels: tuple[str, ...]
    design: str
    parameters: dict[str, str]
    mechanism: Mechanism | None
    mode: str = Question.Mode.AUTOMATIC
    harmless: str = ""
    language: str = Survey.Language.ENGLISH

    @property
    def answers(self) -> tuple[str, ...]:
        """Everything a respondent can choose."""
        return answers(Question(kind=self.kind, decline=self.decline), list(self.labels), self.language)


def plan_question(
    *,
    kind: str,
    decline: bool = False,
    choices: Sequence[str] = (),
    design: str = "",
    parameters: Mapping[str, str] | None = None,
    mode: str = Question.Mode.AUTOMATIC,
    harmless: str = "",
    language: str = Survey.Language.ENGLISH,
) -> Plan:
    """Check how a question is to be answered, without storing anything. Choices of a yes/no question are ignored."""
    if kind not in Question.Kind.values:
        raise Invalid({"kind": "Choose what kind of question this is."})
    sensitive = kind != Question.Kind.BACKGROUND
    declines = decline and sensitive
    check = _Checks()
    added = added_answer(language) if declines else ""
    labels = () if kind == Question.Kind.YES_NO else check.run("choices", choice_labels, choices, decline=added)
    # Two answers stand in for choices that are wrong, so that the numbers are checked all the same.
    size = 2 if labels is None else len(answers(Question(kind=kind, decline=declines), list(labels), language))
    letters = DESIGNS[design].parameters if design in DESIGNS and sensitive else ()
    numbers = {letter: str((parameters or {}).get(letter, "")).strip() for letter in letters}
    mechanism = check.run("design", build, design, size, numbers) if sensitive else None
    mode = mode if sensitive else Question.Mode.AUTOMATIC
    harmless = check.line("harmless", harmless, Question, name="The harmless question") or ""
    harmless = harmless if (mode, design) == (Question.Mode.BY_HAND, UNRELATED) else ""
    check.errors |= wrong_mode(mode=mode, kind=kind, design=design, mechanism=mechanism, harmless=harmless)
    check.done()
    design = design if sensitive else ""
    return Plan(kind, declines, labels or (), design, numbers, mechanism, mode, harmless, language)


@transaction.atomic
def save_question(
    *,
    survey: Survey,
    question: Question | None = None,
    kind: str,
    text: str,
    help: str = "",
    key: str = "",
    decline: bool = False,
    choices: Sequence[str] = (),
    design: str = "",
    parameters: Mapping[str, str] | None = None,
    mode: str = Question.Mode.AUTOMATIC,
    harmless: str = "",
) -> Question:
    """Add a question at the end, or rewrite `question`. An empty key is filled: q1, q2, ..."""
    survey = _draft(survey)
    saved = survey.questions.get(pk=question.pk) if question else _new_question(survey)
    taken = survey.questions.exclude(pk=saved.pk).values_list("key", flat=True)
    check = _Checks()
    saved.text = check.line("text", text, Question, name="The question", required=True)
    saved.help = check.line("help", help, Question, name="The help text")
    saved.key = check.run("key", variable_name, key, taken)
    answered = {"kind": kind, "decline": decline, "choices": choices, "mode": mode, "harmless": harmless}
    randomized = {"design": design, "parameters": parameters, "language": survey.language}
    plan = check.run("kind", plan_question, **answered, **randomized)
    check.done()
    for field in ("kind", "decline", "design", "parameters", "mode", "harmless"):
        setattr(saved, field, getattr(plan, field))
    saved.save()
    _replace_choices(saved, plan.labels)
    return saved


@transaction.atomic
def delete_question(*, survey: Survey, question: Question) -> None:
    _draft(survey).questions.get(pk=question.pk).delete()


@transaction.atomic
def move_question(*, survey: Survey, question: Question, steps: int) -> None:
    """Move a question down by some places, or up by a negative number, as far as it goes."""
    order = list(_draft(survey).questions.all())
    if question not in order:
        raise Question.DoesNotExist
    place = order.index(question)
    order.insert(max(0, place + steps), order.pop(place))
    for position, moved in enumerate(order, 1):
        moved.position = position
    Question.objects.bulk_update(order, ["position"])


class _Checks:
    """Runs every check, so that an author sees at once all that is wrong."""

    def __init__(self) -> None:
        self.errors: dict[str, str] = {}

    def run(self, field: str, check: Callable[..., Any], *args: object, **options: object) -> Any:
        """What the check returns, or None with its message kept for the field."""
        try:
            return check(*args, **options)
        except Invalid as wrong:
            self.errors |= wrong.errors
        except ValueError as wrong:
            self.errors[field] = str(wrong)

    def line(self, field: str, text: str, model: type[models.Model], **options: object) -> Any:
        limit = model._meta.get_field(field).max_length
        return self.run(field, one_line, text, limit=limit, **options)

    def done(self) -> None:
        if self.errors:
            raise Invalid(self.errors)


def _draft(survey: Survey) -> Survey:
    survey = locked(survey)
    require_draft(survey)
    return survey


def _save_survey(
    survey: Survey,
    *,
    title: str,
    introduction: str = "",
    contact: str = "",
    language: str = Survey.Language.ENGLISH,
    comprehension: bool = False,
) -> Survey:
    limit = Survey._meta.get_field("introduction").max_length
    check = _Checks()
    survey.title = check.line("title", title, Survey, name="The title", required=True)
    survey.introduction = check.run("introduction", paragraphs, introduction, name="The introduction", limit=limit)
    survey.contact = check.line("contact", contact, Survey, name="The contact")
    survey.language = check.run("language", _language, language)
    survey.comprehension = comprehension
    check.done()
    survey.save()
    return survey


def _language(code: str) -> str:
    if code not in Survey.Language.values:
        raise ValueError("Choose one of these languages.")
    return code


def _new_question(survey: Survey) -> Question:
    last = survey.questions.aggregate(last=models.Max("position"))["last"]
    return Question(survey=survey, position=(last or 0) + 1)


def _replace_choices(question: Question, labels: Sequence[str]) -> None:
    question.choices.all().delete()
    Choice.objects.bulk_create(
        Choice(question=question, position=position, label=label) for position, label in enumerate(labels, 1)
    )
