"""What an author can do to a draft. Each function is one change: checked whole, then done in one transaction.

What is wrong is raised as site.errors.Invalid, with a message for each field; a survey that is no draft any more
as surveys.site.errors.Refused. Every change holds the survey's row, so that nobody publishes half of it.

`by` is who does it, for the survey's history. `edition` is the number of the version that the author started from:
where somebody has saved another one meanwhile, nothing is stored and the message stands at the field "edition".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import models, transaction

from surveys.accounts import history
from surveys.authoring.drafts import conditions, dial, settings, translations
from surveys.authoring.drafts.background_groups import makes_report_groups
from surveys.authoring.drafts.question_plan import Checks, plan_question
from surveys.authoring.drafts.text_checks import variable_name
from surveys.definition import fields, grids, protection
from surveys.definition.kinds import KINDS, is_background, kind_of
from surveys.definition.routing.filters import build_branching
from surveys.definition.sender import forget_unused_logos
from surveys.definition.status import require_draft
from surveys.models import Choice, Question, Survey
from surveys.site.errors import Invalid
from surveys.site.removals import Kind, record_removal

CONFLICT = (
    "Look at the survey in another window. Someone saved changes while you were writing. Yours are not stored yet. To "
    "replace theirs, save again."
)
What = history.What
NOTHING = "nothing"  # was changed, as the history says it
PLANNED = fields.names(Question, part="answer")
TEXTS = ("text", "help", "section")  # empty where they are not given
OWN = fields.names(Question, part="question")
HISTORY = (*fields.names(Question), "translations")


@transaction.atomic
def create_survey(
    *, owner: AbstractBaseUser, by: AbstractBaseUser | None = None, **data: Any
) -> Survey:
    """by: who writes it, where that is not the owner. data: as write() has it; without `protection` every question is
    set by itself.
    """
    survey, check = Survey(owner=owner, protection=protection.NO_LEVEL), Checks()
    settings.put(check, survey, {"title": ""} | settings.with_logo(check, data))
    check.raise_errors()
    survey.edition += 1
    survey.save()
    history.record(survey, by or owner, What.CREATED)
    return survey


def update_settings(
    survey: Survey,
    data: Mapping[str, Any],
    by: AbstractBaseUser | None = None,
    *,
    edition: int | None = None,
) -> Survey:
    """Set these settings of a draft. Raises Invalid.

    Raises surveys.site.errors.Invalid with a message for each field, and stores nothing then. edition: the one that
    its author started from. What the values are: authoring.drafts.settings.put.
    """
    check = Checks()
    data = settings.with_logo(check, data)
    columns = [name for name in fields.names(Survey) if name in data]
    with locked_draft(survey, (*columns, "further_languages", "translations"), by, edition) as held:
        before = held.protection
        settings.put(check, held, data)
        check.raise_errors()
        dial.sync_question_methods(held, before)
    if "logo" in data:
        forget_unused_logos()
    return held


@transaction.atomic
def delete_survey(*, survey: Survey) -> None:
    draft = _lock_draft(survey)
    record_removal(Kind.SURVEY, draft.pk)
    draft.delete()
    forget_unused_logos()


@transaction.atomic
def save_question(
    *,
    survey: Survey,
    question: Question | None = None,
    key: str = "",
    grid: str | None = None,
    after: str = "",
    cut: bool | None = None,
    everyone: bool | None = None,
    decline: bool | None = None,
    when: dict[str, Any] | None = None,
    when_section: bool = False,
    unfinished: bool = False,
    by: AbstractBaseUser | None = None,
    edition: int | None = None,
    **answering: Any,
) -> Question:
    """Add a question, or rewrite `question`. An empty key is made from the short name, or else
    from the text: authoring.drafts.variable_names.

    grid: the heading of the grid in which it is a row, empty for none; None leaves that as it is.

    after: the key of the question that a new one follows; at the end where there is none of that key.

    cut: whether the report makes groups by it: surveys.authoring.drafts.background_groups.

    everyone: whether it is asked of all, whatever else a device picks; None leaves it.

    decline: whether “Prefer not to say” is offered; None leaves it, and lets a new background question offer it.

    when: whom it is asked, as authoring.drafts.conditions.validate_condition takes it; with
    when_section all questions of the
    section that starts here. unfinished: also where that does not fit the questions before it, as when these come
    from a file whose author has not mended it.

    answering: text, help, section, and the other rows of definition.fields.QUESTION of their part, which stay where
    they are not there; kind, choices, design and so on, as authoring.drafts.question_plan.plan_question has them.

    Texts, the choices' too, may be surveys.definition.texts.Text: then they bring their translations.
    """
    survey = _lock_draft(survey)
    saved = survey.questions.get(pk=question.pk) if question else _new_question(survey)
    before = _values_by_label(saved, HISTORY) | _choices(saved) if question else {}
    known = (
        saved.key,
        saved.when,
        [choice.label for choice in saved.choices.all()] if question else [],
    )
    _require_edition(saved, edition)
    taken = survey.questions.exclude(pk=saved.pk).values_list("key", flat=True)
    check = Checks()
    own = dict.fromkeys(TEXTS, "") | {
        name: answering.pop(name) for name in OWN if name in answering
    }
    own["grid"] = saved.grid if grid is None else grid
    settings.put_rows(check, saved, own)
    saved.key = check.collect("key", variable_name, key, taken, saved.short or saved.text or "")
    answering["decline"] = offers_decline(saved, answering.get("kind", ""), decline)
    saved.when = check.collect("when", conditions.validate_condition, when)
    saved.when_section = bool(saved.when and saved.section and when_section)
    of_survey = {"import_only": survey.import_only, "protection": survey.protection}
    plan = check.collect("kind", plan_question, **answering, language=survey.language, **of_survey)
    if plan and KINDS[plan.kind].choices != "author":
        saved.none = ""
    elif plan and saved.none and saved.none not in plan.labels:
        check.errors["none"] = (
            f"“{saved.none}” is not one of the answers. Write one of them, or leave this empty."
        )
    if (
        plan
        and saved.grid
        and (wrong := grids.grid_row_problem(plan.kind, plan.mode, len(plan.answers)))
    ):
        check.errors["grid"] = wrong
    saved.cut = check.collect(
        "cut",
        makes_report_groups,
        survey,
        saved,
        plan.kind if plan else "",
        cut,
        len(plan.labels) if plan else 0,
    )
    if plan:
        texts = {
            name: answering.get(name, "") if getattr(plan, name) else ""
            for name in fields.texts(Question)
            if name in PLANNED
        }
        saved.translations = check.collect("translations", translations.carried, saved, texts)
        choices = check.collect(
            "choices", translations.choices, saved, plan.labels, answering.get("choices", ())
        )
    check.raise_errors()
    for field in PLANNED:
        setattr(saved, field, getattr(plan, field))
    saved.everyone = kind_of(saved).sensitive and (saved.everyone if everyone is None else everyone)
    saved.drawn = saved.drawn and not is_background(saved.kind)
    saved.edition += 1
    saved.save()
    if _same_choices(choices) != before.get("choices"):  # a list can have thousands
        saved.choices.all().delete()
        Choice.objects.bulk_create(choices)
    if after and question is None:
        _place_after(survey, saved, after)
    if question:
        conditions.update_conditions(survey, saved, known[0], known[2])
    if saved.when != known[1] and not unfinished:
        conditions.require_fit(survey, saved)
    if saved.everyone:
        _require_everyone(survey, saved)
    what = (
        _changed(before, _values_by_label(saved, HISTORY) | _choices(saved)) or NOTHING
        if question
        else "added"
    )
    if (
        what != NOTHING or not saved.grid
    ):  # a grid saves all its rows, and says those that are changed
        history.record(survey, by, What.CHANGED, f"question {saved.key}: {what}")
    return saved


def _require_everyone(survey: Survey, saved: Question) -> None:
    questions = list(survey.questions.prefetch_related("choices"))
    others = [question for question in questions if question != saved]
    has_condition = saved.key in build_branching(questions).written
    if wrong := protection.everyone_problem(saved, others, has_condition=has_condition):
        raise Invalid({"everyone": wrong})


@transaction.atomic
def delete_question(
    *, survey: Survey, question: Question, by: AbstractBaseUser | None = None
) -> None:
    order = list(_lock_draft(survey).questions.all())
    if question not in order:
        raise Question.DoesNotExist
    rows = grids.grid_of(order, question)
    move_section_start([row for row in rows if row != question], rows[0])
    save_order([row for row in order if row != question])
    question.delete()
    history.record(survey, by, What.CHANGED, f"question {question.key} deleted")


@transaction.atomic
def accept_margin(*, survey: Survey, question: Question, margin: str) -> None:
    """Store that the author accepts the margin of a question."""
    _lock_draft(survey).questions.filter(pk=question.pk).update(accepted=margin)


@transaction.atomic
def move_question(
    *, survey: Survey, question: Question, steps: int, by: AbstractBaseUser | None = None
) -> None:
    """Move a question down by some places, or up by a negative number, as far as it goes.

    A row of a grid goes as far as its grid; any other question never comes to stand inside one.
    """
    order = list(_lock_draft(survey).questions.all())
    if question not in order:
        raise Question.DoesNotExist
    place, rows = order.index(question), grids.grid_of(order, question)
    order = grids.move_question(order, order[place], steps)
    move_section_start(sorted(rows, key=order.index), rows[0])
    save_order(order)
    if (now := order.index(question)) != place:
        detail = f"question {question.key} moved from place {place + 1} to {now + 1}"
        history.record(survey, by, What.CHANGED, detail)


@contextmanager
def locked_draft(
    survey: Survey, columns: Sequence[str], by: AbstractBaseUser | None, edition: int | None = None
) -> Iterator[Survey]:
    """Lock a draft while it is changed, then save it and record the change."""
    with transaction.atomic():
        survey = _lock_draft(survey)
        _require_edition(survey, edition)
        before = _values_by_label(survey, columns)
        yield survey
        survey.edition += 1
        survey.save()
        history.record(
            survey, by, What.CHANGED, _changed(before, _values_by_label(survey, columns)) or NOTHING
        )


def _place_after(survey: Survey, question: Question, key: str) -> None:
    order = [other for other in survey.questions.all() if other != question]
    before = next((other for other in order if other.key == key), None)
    order.insert(
        order.index(grids.grid_of(order, before)[-1]) + 1 if before else len(order), question
    )
    save_order(order)


def move_section_start(rows: Sequence[Question], first: Question) -> None:
    """Let a section start at the first row of a grid."""
    section, when, whole = first.section, first.when, first.when_section
    for place, row in enumerate(rows):
        row.section = "" if place else section
        if whole:  # its condition is that of all rows anyway
            row.when, row.when_section = (None, False) if place else (when, True)


def save_order(order: list[Question]) -> None:
    """Store the order of all questions of a survey."""
    for position, question in enumerate(order, 1):
        question.position = position
    Question.objects.bulk_update(order, ["position", "section", "when", "when_section"])


def _values_by_label(stored: Survey | Question, columns: Sequence[str]) -> dict[str, object]:
    """Return the values of columns by their labels."""
    return {fields.label(type(stored), name): getattr(stored, name) for name in columns}


def _choices(question: Question) -> dict[str, object]:
    return {"choices": _same_choices(question.choices.all())}


def _same_choices(choices: Iterable[Choice]) -> list[tuple[str, dict[str, Any]]]:
    """What two lists have alike that are the same."""
    return [(choice.label, choice.translations) for choice in choices]


def _changed(before: dict[str, object], after: dict[str, object]) -> str:
    """What differs, as the history says it."""
    said = {"protection": dial.in_words}
    return ", ".join(
        f"{name}: {said[name](before[name])} → {said[name](value)}" if name in said else name
        for name, value in after.items()
        if value != before[name]
    )


def _lock_draft(survey: Survey) -> Survey:
    """Lock and return the survey. Raises Refused if it is not a draft."""
    survey = survey.locked()
    require_draft(survey)
    return survey


def _require_edition(stored: Survey | Question, edition: int | None) -> None:
    if edition is not None and edition != stored.edition:
        raise Invalid({"edition": CONFLICT})


def _new_question(survey: Survey) -> Question:
    last = survey.questions.aggregate(last=models.Max("position"))["last"]
    return Question(survey=survey, position=(last or 0) + 1)


def offers_decline(question: Question, kind: str, wanted: bool | None) -> bool:
    """Return whether “Prefer not to say” is offered.

    wanted: the value of the request. With None a stored value stays, and a new background question
        offers it.
    """
    if wanted is not None or not is_background(kind):
        return bool(wanted)
    return question._state.adding or not is_background(question.kind) or question.decline
