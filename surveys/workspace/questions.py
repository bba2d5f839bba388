"""Pages to write, move and delete the questions of a draft."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from surveys.authoring import drafts, mending
from surveys.authoring.advice import advise
from surveys.errors import Invalid, Refused
from surveys.models import Question, Survey
from surveys.people.access import Right
from surveys.publishing.lifecycle import require_draft
from surveys.workspace.access import question_page, survey_page
from surveys.workspace.panel import panel
from surveys.workspace.question_form import QuestionForm


@survey_page(Right.WRITE)
def create(request: HttpRequest, survey: Survey) -> HttpResponse:
    return _write(request, survey)


@question_page(Right.WRITE)
def edit(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    return _write(request, survey, question)


def _write(request: HttpRequest, survey: Survey, question: Question | None = None) -> HttpResponse:
    require_draft(survey)
    form = QuestionForm(request.POST if request.method == "POST" else None, survey=survey, question=question)
    context = {"survey": survey, "question": question, "form": form}
    if "show" in form.data:
        context |= _shown(form, survey)
        if "X-Panel" in request.headers:
            return render(request, "workspace/parts/panel.html", context | {"live": True})
    elif form.is_bound and form.save(question, by=request.user):
        messages.success(request, "The question is saved.")
        return redirect("workspace:survey", survey.slug)
    context["edition"] = _edition(form, question)
    return render(request, "workspace/question_form.html", context, status=422 if form.errors else 200)


def _edition(form: QuestionForm, question: Question | None) -> int | str:
    """Of the version that the page starts from. Whoever was told of another one saves over that one next."""
    if question is None:
        return ""
    told = form.is_bound and form.non_field_errors()
    return question.edition if told or not form.is_bound else form.typed("edition")


def _shown(form: QuestionForm, survey: Survey) -> dict[str, Any]:
    """What the author asked to see before saving; nothing where a message at a field comes first."""
    plan = form.plan()
    if plan is None:
        return {}
    advice = advise(form.typed("text"), survey.language)
    shown = panel(plan, form.typed("text"), form.typed("design"), survey.import_only)
    return {"shown": True, "panel": shown, "advice": advice}


@question_page(Right.WRITE)
def delete(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    require_draft(survey)
    if request.method == "POST":
        below = survey.questions.filter(position__gt=question.position).values_list("key", flat=True).first()
        drafts.delete_question(survey=survey, question=question, by=request.user)
        messages.success(request, f"The question “{question.text}” is deleted.")
        return back(survey, below or "add")
    return render(request, "workspace/delete_question.html", {"survey": survey, "question": question})


@question_page(Right.WRITE)
def duplicate(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    """POST copies. A visit by address, as after logging in again, only leads back to the survey."""
    if request.method == "POST":
        copy = drafts.duplicate_question(survey=survey, question=question, by=request.user)
        messages.success(request, f"“{question.text}” is there twice now. Change the copy.")
        return redirect("workspace:question", survey.slug, copy.key)
    return redirect("workspace:survey", survey.slug)


@question_page(Right.WRITE)
def move(request: HttpRequest, survey: Survey, question: Question, steps: int = 0) -> HttpResponse:
    """POST moves: by `steps`, or to the place that dragging chose."""
    if request.method != "POST":
        return redirect("workspace:survey", survey.slug)
    steps = steps or _dragged(request)
    drafts.move_question(survey=survey, question=question, steps=steps, by=request.user)
    messages.success(request, f"“{question.text}” is moved {'up' if steps < 0 else 'down'}.")
    return back(survey, question.key, "up" if steps < 0 else "down")


@question_page(Right.WRITE)
def mend(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    """POST does what the overview offers for a question that would show too little."""
    if request.method != "POST":
        return redirect("workspace:survey", survey.slug)
    try:
        mending.mend(survey=survey, question=question, choice=request.POST.get("choice", ""), by=request.user)
    except Invalid as wrong:
        raise Refused(str(wrong)) from wrong
    messages.success(request, f"“{question.text}” is changed.")
    return back(survey, question.key)


@survey_page(Right.WRITE)
def share(request: HttpRequest, survey: Survey) -> HttpResponse:
    """POST gives every sensitive question the same part of the privacy budget."""
    if request.method != "POST":
        return redirect("workspace:survey", survey.slug)
    epsilon = mending.share_equally(survey=survey, by=request.user)
    messages.success(request, f"The sensitive questions share the privacy budget now: epsilon {epsilon:.2f} each.")
    return back(survey, "")


def back(survey: Survey, key: str, did: str = "") -> HttpResponse:
    """To the overview, where the focus goes to the question that was worked on, and to what was done with it."""
    place = urlencode({"at": key, "did": did})
    return redirect(f"{reverse('workspace:survey', args=[survey.slug])}?{place}")


def _dragged(request: HttpRequest) -> int:
    try:
        return max(-1000, min(1000, int(request.POST.get("steps", ""))))
    except ValueError:
        return 0
