"""What an author can do to a draft. Each function is one change: checked whole, then done in one transaction.

What is wrong is raised as surveys.errors.Invalid, with a message for each field; a survey that is no draft any more
as surveys.errors.Refused. Every change holds the survey's row, so that nobody publishes half of it.

`by` is who does it, for the survey's history. `edition` is the number of the version that the author started from:
where somebody has saved another one meanwhile, nothing is stored and the message stands at the field "edition".
"""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import models, transaction

from surveys.authoring.plans import Checks, plan_question
from surveys.authoring.wording import budget, paragraphs, variable_name
from surveys.errors import Invalid
from surveys.models import SWITCHES, Choice, Question, Survey
from surveys.people import history
from surveys.publishing.lifecycle import require_draft

CONFLICT = (
    "Somebody saved a different version while you were writing. Nothing of yours is stored yet, and nothing of theirs "
    "is lost. Look at the survey in another window; if yours is to take its place, save again."
)
What = history.What
PLANNED = (
    *("kind", "decline", "design", "parameters", "mode", "harmless", "statement", "opposite"),
    *("minimum", "maximum", "anchor"),
)
ASKED = ("text", "help", "key", "section", *PLANNED)
WRITTEN = (
    *("title", "introduction", "contact", "consent", "language", "project", "limit", "limit_reason"),
    *SWITCHES,
)


@transaction.atomic
def create_survey(
    *, owner: AbstractBaseUser, by: AbstractBaseUser | None = None, import_only: bool = False, **texts: Any
) -> Survey:
    """by: who writes it, where that is not the owner.

    import_only: its responses will come from files, never from respondents here; that stays so.

    texts: title, introduction, contact, consent, language ("en", "de", ...) and so on, as _save_survey has them.
    """
    survey = _save_survey(Survey(owner=owner, import_only=import_only), **texts)
    history.record(survey, by or owner, What.CREATED)
    return survey


@transaction.atomic
def update_survey(
    *, survey: Survey, by: AbstractBaseUser | None = None, edition: int | None = None, **texts: Any
) -> Survey:
    survey = _draft(survey)
    _require_edition(survey, edition)
    before = _held(survey, WRITTEN)
    survey = _save_survey(survey, **texts)
    history.record(survey, by, What.CHANGED, _changed(before, _held(survey, WRITTEN)) or "nothing")
    return survey


@transaction.atomic
def delete_survey(*, survey: Survey) -> None:
    _draft(survey).delete()


@transaction.atomic
def save_question(
    *,
    survey: Survey,
    question: Question | None = None,
    text: str,
    help: str = "",
    key: str = "",
    section: str = "",
    after: str = "",
    by: AbstractBaseUser | None = None,
    edition: int | None = None,
    **answering: Any,
) -> Question:
    """Add a question, or rewrite `question`. An empty key is made from the text: surveys.authoring.names.

    after: the key of the question that a new one follows; at the end where there is none of that key.

    answering: kind, choices, design and so on, as surveys.authoring.plans.plan_question has them.
    """
    survey = _draft(survey)
    saved = survey.questions.get(pk=question.pk) if question else _new_question(survey)
    before = _held(saved, ASKED) | _choices(saved) if question else {}
    _require_edition(saved, edition)
    taken = survey.questions.exclude(pk=saved.pk).values_list("key", flat=True)
    check = Checks()
    saved.text = check.line("text", text, Question, name="The question", required=True)
    saved.help = check.line("help", help, Question, name="The help text")
    saved.section = check.line("section", section, Question, name="The section")
    saved.key = check.run("key", variable_name, key, taken, saved.text or "")
    plan = check.run("kind", plan_question, **answering, language=survey.language, import_only=survey.import_only)
    check.done()
    for field in PLANNED:
        setattr(saved, field, getattr(plan, field))
    saved.edition += 1
    saved.save()
    _replace_choices(saved, plan.labels)
    if after and question is None:
        _place_after(survey, saved, after)
    what = _changed(before, _held(saved, ASKED) | _choices(saved)) or "nothing" if question else "added"
    history.record(survey, by, What.CHANGED, f"question {saved.key}: {what}")
    return saved


@transaction.atomic
def delete_question(*, survey: Survey, question: Question, by: AbstractBaseUser | None = None) -> None:
    _draft(survey).questions.get(pk=question.pk).delete()
    history.record(survey, by, What.CHANGED, f"question {question.key} deleted")


@transaction.atomic
def move_question(*, survey: Survey, question: Question, steps: int, by: AbstractBaseUser | None = None) -> None:
    """Move a question down by some places, or up by a negative number, as far as it goes."""
    order = list(_draft(survey).questions.all())
    if question not in order:
        raise Question.DoesNotExist
    place = order.index(question)
    order.insert(max(0, place + steps), order.pop(place))
    _number(order)
    if (now := order.index(question)) != place:
        detail = f"question {question.key} moved from place {place + 1} to {now + 1}"
        history.record(survey, by, What.CHANGED, detail)


def _place_after(survey: Survey, question: Question, key: str) -> None:
    order = [other for other in survey.questions.all() if other != question]
    keys = [other.key for other in order]
    order.insert(keys.index(key) + 1 if key in keys else len(order), question)
    _number(order)


def _number(order: list[Question]) -> None:
    for position, question in enumerate(order, 1):
        question.position = position
    Question.objects.bulk_update(order, ["position"])


def _held(stored: Survey | Question, fields: Sequence[str]) -> dict[str, object]:
    """Name as people read it -> value."""
    return {str(stored._meta.get_field(field).verbose_name): getattr(stored, field) for field in fields}


def _choices(question: Question) -> dict[str, object]:
    return {"choices": [choice.label for choice in question.choices.all()]}


def _changed(before: dict[str, object], after: dict[str, object]) -> str:
    """What differs, as the history says it."""
    return ", ".join(name for name, value in after.items() if value != before[name])


def _draft(survey: Survey) -> Survey:
    survey = survey.locked()
    require_draft(survey)
    return survey


def _require_edition(stored: Survey | Question, edition: int | None) -> None:
    if edition is not None and edition != stored.edition:
        raise Invalid({"edition": CONFLICT})


def _save_survey(
    survey: Survey,
    *,
    title: str,
    introduction: str = "",
    contact: str = "",
    consent: str = "",
    language: str = Survey.Language.ENGLISH,
    project: str = "",
    limit: str = "5",
    limit_reason: str = "",
    **switches: bool,
) -> Survey:
    """switches: surveys.models.SWITCHES, each off unless given."""
    check = Checks()
    survey.title = check.line("title", title, Survey, name="The title", required=True)
    survey.introduction = check.run("introduction", _long, introduction, "introduction", "The introduction")
    survey.contact = check.line("contact", contact, Survey, name="The contact")
    survey.consent = check.run("consent", _long, consent, "consent", "The consent text")
    survey.language = check.run("language", _language, language)
    survey.project = check.line("project", project, Survey, name="The project")
    survey.limit_reason = check.line("limit_reason", limit_reason, Survey, name="The reason")
    survey.limit = check.run("limit", budget, limit, survey.limit_reason or "")
    for name in SWITCHES:
        setattr(survey, name, switches.pop(name, False))
    if switches:
        raise TypeError(f"unknown switches: {', '.join(switches)}")
    check.done()
    survey.edition += 1
    survey.save()
    return survey


def _long(text: str, field: str, name: str) -> str:
    return paragraphs(text, name=name, limit=Survey._meta.get_field(field).max_length)


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
