"""Pages to write, move and delete the questions of a draft."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys import authoring
from surveys.models import Question, Survey
from surveys.publishing import require_draft
from surveys.workspace.access import own_question, own_survey
from surveys.workspace.forms import QuestionForm
from surveys.workspace.overview import Protection, protect


@own_survey
def create(request: HttpRequest, survey: Survey) -> HttpResponse:
    return _write(request, survey)


@own_question
def edit(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    return _write(request, survey, question)


def _write(request: HttpRequest, survey: Survey, question: Question | None = None) -> HttpResponse:
    require_draft(survey)
    form = QuestionForm(request.POST if request.method == "POST" else None, question=question)
    context = {"survey": survey, "question": question, "form": form}
    if "show" in form.data:
        context |= _shown(form, survey)
    elif form.is_bound and form.save(survey, question):
        messages.success(request, "The question is saved.")
        return redirect("workspace:survey", survey.slug)
    return render(request, "workspace/question_form.html", context, status=422 if form.errors else 200)


def _shown(form: QuestionForm, survey: Survey) -> dict[str, bool | Protection | None]:
    """What the author asked to see before saving; nothing where a message at a field comes first."""
    plan = form.plan(survey)
    if plan is None:
        return {}
    return {"shown": True, "protection": protect(plan.mechanism, plan.answers) if plan.mechanism else None}


@own_question
def delete(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    require_draft(survey)
    if request.method == "POST":
        authoring.delete_question(survey=survey, question=question)
        messages.success(request, f"The question “{question.text}” is deleted.")
        return redirect("workspace:survey", survey.slug)
    return render(request, "workspace/delete_question.html", {"survey": survey, "question": question})


@own_question
def move(request: HttpRequest, survey: Survey, question: Question, steps: int) -> HttpResponse:
    """POST moves. A visit by address, as after logging in again, only leads back to the survey."""
    if request.method == "POST":
        authoring.move_question(survey=survey, question=question, steps=steps)
        messages.success(request, f"“{question.text}” is moved {'up' if steps < 0 else 'down'}.")
    return redirect("workspace:survey", survey.slug)
