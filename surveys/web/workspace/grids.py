"""Pages to write, move and delete the grids of a draft. The address of a grid names one of its rows."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.accounts.access import Right
from surveys.authoring.drafts import grids
from surveys.authoring.drafts.conditions import condition_problems
from surveys.authoring.planning.overview import survey_overview
from surveys.definition.status import require_draft
from surveys.models import Question, Survey
from surveys.web.confirm import confirm
from surveys.web.workspace.access import post_only, question_page, survey_page
from surveys.web.workspace.grid_form import GridForm, of_question, starting_grid
from surveys.web.workspace.question_panel import panel
from surveys.web.workspace.questions import back, said_of_change, up_to, warn


@survey_page(Right.WRITE)
def create(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    is_from_question = "statements" in request.POST
    typed = request.POST if request.method == "POST" and not is_from_question else None
    start = starting_grid(survey) | (of_question(request.POST) if is_from_question else {})
    form = GridForm(typed, survey=survey, initial=start, before=up_to(survey))
    return _saved(request, form) or _page(request, form, [])


@question_page(Right.WRITE)
def edit(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    require_draft(survey)
    if not question.grid:
        return redirect("workspace:question", survey.slug, question.key)
    rows = grids.rows_of(survey, question)
    data = request.POST if request.method == "POST" else None
    form = GridForm(
        data, survey=survey, initial=starting_grid(survey, rows), before=up_to(survey, rows[0])[:-1]
    )
    return _saved(request, form, question) or _page(request, form, rows)


def _saved(
    request: HttpRequest, form: GridForm, first: Question | None = None
) -> HttpResponse | None:
    """None where there is nothing to save, or something is wrong."""
    if not form.is_bound or "show" in form.data:
        return None
    known, seen = condition_problems(form.survey), survey_overview(form.survey)
    rows = form.save_rows(first, by=request.user)
    if rows is None:
        return None
    messages.success(request, f"The grid is saved.{said_of_change(form.survey, seen)}")
    warn(request, form.survey, known)
    return back(form.survey, rows[0].key)


def _page(request: HttpRequest, form: GridForm, rows: list[Question]) -> HttpResponse:
    """rows: as they are stored."""
    told = form.is_bound and form.non_field_errors()
    edition = grids.grid_edition(rows) if told or not form.is_bound else form.typed("edition")
    context: dict[str, Any] = {
        "survey": form.survey,
        "form": form,
        "rows": rows,
        "edition": edition,
    }
    context |= {"asked": "show" in form.data}
    if "show" in form.data or not form.is_bound:
        context |= _shown(form, rows)
    if "X-Panel" in request.headers:
        return render(request, "workspace/parts/grid_live.html", context | {"live": True})
    return render(request, "workspace/grid_form.html", context, status=422 if form.errors else 200)


def _shown(form: GridForm, rows: list[Question]) -> dict[str, Any]:
    """What the author sees before saving; nothing where a message at a field comes first."""
    plan, texts = form.plan(), form.texts()
    if plan is None or not texts:
        return {}
    survey, count = form.survey, len(texts)
    heading = " ".join(form.typed("heading").split()) or "The heading"
    written = Question(survey=survey, text=texts[0], grid=heading, help=form.typed("help"))
    shown = panel(survey, plan, form.typed("design"), written, instead=rows, rows=count)
    return {"panel": shown, "count": count}


@question_page(Right.WRITE)
def delete(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    require_draft(survey)
    if not question.grid:
        return redirect("workspace:delete-question", survey.slug, question.key)
    if request.method == "POST":
        known, seen = condition_problems(survey), survey_overview(survey)
        grids.delete_grid(survey=survey, question=question, by=request.user)
        messages.success(
            request, f"The grid “{question.grid}” is deleted.{said_of_change(survey, seen)}"
        )
        warn(request, survey, known)
        return back(survey, "add")
    rows = grids.rows_of(survey, question)
    asked, things = f"Delete this grid and its {len(rows)} rows?", [row.text for row in rows]
    return confirm(
        request,
        survey,
        asked,
        f"{question.grid}:",
        "This cannot be undone.",
        things=things,
        do="Delete the grid",
        stay="Keep it",
    )


@question_page(Right.WRITE)
@post_only
def move(request: HttpRequest, survey: Survey, question: Question, steps: int) -> HttpResponse:
    known = condition_problems(survey)
    grids.move_grid(survey=survey, question=question, steps=steps, by=request.user)
    messages.success(
        request, f"The grid “{question.grid}” is moved {'up' if steps < 0 else 'down'}."
    )
    warn(request, survey, known)
    return back(survey, question.key, "up" if steps < 0 else "down")


@question_page(Right.WRITE)
@post_only
def take_out(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    known = condition_problems(survey)
    grids.take_out(survey=survey, question=question, by=request.user)
    messages.success(request, f"“{question.text}” is a separate question now.")
    warn(request, survey, known)
    return back(survey, question.key)
