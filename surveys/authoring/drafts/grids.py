"""Writing a grid: its rows are ordinary questions that are written, moved and deleted together.

What is wrong is raised as site.errors.Invalid with a message for each field, as in authoring.drafts.drafts.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.question_plan import Checks, plan_question
from surveys.authoring.drafts.text_checks import one_line
from surveys.definition import grids
from surveys.definition.kinds import kind_of
from surveys.definition.status import require_draft
from surveys.definition.texts import Text, stored_text
from surveys.models import Question, Survey
from surveys.site.errors import Invalid

LEAST, MOST = 2, 50  # rows
TEXT_LENGTH = Question._meta.get_field("text").max_length
BESIDE = "Choose another heading, or start a section with this grid. The grid next to it has the same heading."


@transaction.atomic
def save_grid(
    *,
    survey: Survey,
    heading: str,
    rows: Iterable[str],
    first: Question | None = None,
    help: str = "",
    section: str = "",
    decline: bool | None = None,
    when: dict[str, Any] | None = None,
    when_section: bool = False,
    by: AbstractBaseUser | None = None,
    edition: int | None = None,
    **answering: Any,
) -> list[Question]:
    """Add a grid at the end, or rewrite the one in which the question `first` is a row. Returns its rows.

    heading, rows: what is asked, and the text of each row; empty ones are passed over. A row whose text stays keeps its
    key, wherever it stands now; of the other texts each takes over the next row that is left. Rows for which there is
    no text any more are deleted.

    section: starts with the grid. edition: as grid_edition() of what the author started from.

    decline: whether “Prefer not to say” is one more column. when: whom all rows are asked; with when_section the whole
    section that starts with the grid. Both as surveys.authoring.drafts.drafts.save_question has them.

    answering: kind, choices, design and so on, as authoring.drafts.question_plan.plan_question has them, once for all
    rows.
    """
    survey = survey.locked()
    require_draft(survey)
    before = rows_of(survey, first) if first else []
    if edition is not None and edition != grid_edition(before):
        raise Invalid({"edition": drafts.CONFLICT})
    answering["decline"] = drafts.offers_decline(
        before[0] if before else Question(), answering.get("kind", ""), decline
    )
    said = {"heading": heading, "help": help, "section": section}
    texts = _checked(survey, said, rows, answering)
    placed = _matched(texts, before)
    shared = {"survey": survey, "by": by, "grid": heading, "help": help} | answering
    shared |= _translated(survey, before, shared) if before else {}
    for row in before:
        if row not in dict(placed).values():
            drafts.delete_question(survey=survey, question=row, by=by)
    values = shared.pop("values", ())
    whole = bool(when and section.strip() and when_section)
    heads = {"section": section, "when": when, "when_section": whole}
    rest = {"section": "", "when": None if whole else when}
    saved = [
        drafts.save_question(
            text=text,
            values=_row_values(row, before[0] if before else None, values),
            **(rest if place else heads),
            **_own(row),
            **shared,
        )
        for place, (text, row) in enumerate(placed)
    ]
    _stand(survey, saved, before)
    if before and all(
        row.drawn for row in before
    ):  # a new row is one of those that are drawn by lot
        survey.questions.filter(pk__in=[row.pk for row in saved if kind_of(row).sensitive]).update(
            drawn=True
        )
    return saved


def _own(row: Question | None) -> dict[str, Any]:
    """What a row keeps as it is; a new one does not make groups."""
    if row is None:
        return {"cut": False}
    return {"question": row, "key": row.key} | (
        {"anchor": f"{100 * row.anchor:.8g}"} if row.anchor is not None else {}
    )


def _row_values(
    row: Question | None, first: Question | None, typed: Sequence[str]
) -> Sequence[str]:
    """Return the values of the answers in a row: its own ones while those of the grid stay.

    The rows of a grid may have different values, as in a file of another tool. The form has those
    of the first row.

    typed: the values that the form has, one for each line.
    """
    if row is None or first is None:
        return typed
    is_unchanged = [value for value in typed if value] == first.values
    fits = not typed or len(row.values) in (0, len(typed))
    return row.values if is_unchanged and fits else typed


def _translated(
    survey: Survey, before: Sequence[Question], shared: dict[str, Any]
) -> dict[str, Any]:
    """What all rows share, with the translations that the first row has: new rows get them too."""
    first, codes = before[0], survey.languages
    labels = {choice.label: stored_text(choice, "label", codes) for choice in first.choices.all()}
    said = {
        name: Text(shared[name], stored_text(first, name, codes).others)
        for name in ("grid", "help")
    }
    choices = [labels.get(" ".join(label.split()), label) for label in shared.get("choices", ())]
    return {name: text if text.strip() else "" for name, text in said.items()} | {
        "choices": choices
    }


def _checked(
    survey: Survey, said: dict[str, str], rows: Iterable[str], answering: dict[str, Any]
) -> list[str]:
    """The texts of the rows. Raises Invalid with everything that is wrong."""
    check = Checks()
    check.collect(
        "heading", one_line, said["heading"], name="The heading", limit=TEXT_LENGTH, required=True
    )
    texts = check.collect("rows", _texts, rows)
    check.collect_line("help", said["help"], Question, name="The help text")
    check.collect_line("section", said["section"], Question, name="The section")
    wanted = {
        "language": survey.language,
        "import_only": survey.import_only,
        "protection": survey.protection,
    }
    plan = check.collect("kind", plan_question, **answering, **wanted)
    if plan and (wrong := grids.grid_row_problem(plan.kind, plan.mode, len(plan.answers))):
        check.errors["choices" if kind_of(plan).in_grid else "kind"] = wrong
    check.raise_errors()
    return texts


def _texts(lines: Iterable[str]) -> list[str]:
    """Of lines as typed, without empty ones. ValueError counts lines, as the author sees them."""
    lines_by_text: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, 1):
        text = one_line(line, name=f"The row on line {number}", limit=TEXT_LENGTH)
        same = unicodedata.normalize("NFKC", text).casefold()
        if same in lines_by_text:
            raise ValueError(
                f"“{text}” appears twice, on lines {lines_by_text[same][0]} and {number}. Remove one of them."
            )
        if text:
            lines_by_text[same] = number, text
    if len(lines_by_text) < LEAST:
        raise ValueError(f"Write at least {LEAST} rows, each on its own line.")
    if len(lines_by_text) > MOST:
        raise ValueError(f"These are {len(lines_by_text)} rows; at most {MOST} are allowed.")
    return [text for _, text in lines_by_text.values()]


def _matched(texts: Sequence[str], before: Sequence[Question]) -> list[tuple[str, Question | None]]:
    """Each text with the row that it rewrites, None for a new one."""
    same = {row.text: row for row in before}
    left = iter([row for row in before if row.text not in texts])
    return [(text, same.get(text) or next(left, None)) for text in texts]


def _stand(survey: Survey, rows: Sequence[Question], before: Sequence[Question]) -> None:
    """Together, where the grid stood or at the end."""
    order = [other for other in survey.questions.all() if other not in rows]
    place = sum(other.position < before[0].position for other in order) if before else len(order)
    order[place:place] = rows
    drafts.save_order(order)
    if len(grids.grid_of(order, rows[0])) > len(rows):
        raise Invalid({"heading": BESIDE})


def rows_of(survey: Survey, question: Question) -> list[Question]:
    """The rows of the grid in which the question is one, as they are stored now."""
    return grids.grid_of(survey.questions.prefetch_related("choices"), question)


def grid_edition(rows: Sequence[Question]) -> int:
    """Changes with every change of a row, and with their number."""
    return sum(row.edition for row in rows) * (MOST + 1) + len(rows)


@transaction.atomic
def move_grid(
    *, survey: Survey, question: Question, steps: int, by: AbstractBaseUser | None = None
) -> None:
    """Move the grid of this row past so many questions or other grids, up where that is negative, as far as it goes."""
    require_draft(survey.locked())
    runs = grids.group_by_grid(survey.questions.all())
    place = next(place for place, run in enumerate(runs) if question in run)
    runs.insert(max(0, place + steps), runs.pop(place))
    drafts.save_order([row for run in runs for row in run])
    if question not in runs[place]:
        history.record(survey, by, history.What.CHANGED, f"grid “{question.grid}” moved")


@transaction.atomic
def take_out(*, survey: Survey, question: Question, by: AbstractBaseUser | None = None) -> None:
    """Make a row an ordinary question with the same answers, right after its grid."""
    require_draft(survey.locked())
    order = list(survey.questions.all())
    rows = grids.grid_of(order, question)
    question, heading = order[order.index(question)], question.grid
    rest = [row for row in rows if row != question]
    if rest:
        drafts.move_section_start(rest, rows[0])
        question.section = ""
        question.when, question.when_section = (
            (None if question.when_section else question.when),
            False,
        )
    order.remove(question)
    order.insert(order.index(rest[-1]) + 1 if rest else len(order), question)
    question.grid = ""
    question.edition += 1
    question.save(update_fields=["grid", "edition"])
    drafts.save_order(order)
    history.record(
        survey,
        by,
        history.What.CHANGED,
        f"question {question.key} taken out of the grid “{heading}”",
    )


@transaction.atomic
def delete_grid(*, survey: Survey, question: Question, by: AbstractBaseUser | None = None) -> None:
    """Delete all rows of the grid in which the question is one."""
    require_draft(survey.locked())
    for row in rows_of(survey, question):
        drafts.delete_question(survey=survey, question=row, by=by)
