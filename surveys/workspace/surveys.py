"""Pages to list, write and delete surveys, and the overview of one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control

from surveys import authoring
from surveys.access import surveys_of
from surveys.ballots.inbox import waiting
from surveys.models import Survey
from surveys.publishing import require_draft
from surveys.workspace.access import own_survey
from surveys.workspace.forms import SurveyForm
from surveys.workspace.overview import overview


@login_required
@cache_control(private=True, no_cache=True)
def index(request: HttpRequest) -> HttpResponse:
    own = surveys_of(request.user).select_related("instrument").annotate(question_count=Count("questions"))
    return render(request, "workspace/surveys.html", {"surveys": own})


@login_required
@cache_control(private=True, no_cache=True)
def create(request: HttpRequest) -> HttpResponse:
    form = SurveyForm(request.POST if request.method == "POST" else None)
    if form.is_bound:
        survey = form.attempt(authoring.create_survey, owner=request.user, **form.texts())
        if survey:
            messages.success(request, "The draft is saved. Now add questions.")
            return redirect("workspace:survey", survey.slug)
    return _form_page(request, form)


@own_survey
def show(request: HttpRequest, survey: Survey) -> HttpResponse:
    context = {"survey": survey, "overview": overview(survey)}
    if not survey.is_draft:
        context["link"] = request.build_absolute_uri(reverse("answering:survey", args=[survey.slug]))
        context["sealed"] = survey.instrument.tally.get("n", 0)
        context["waiting"] = waiting(survey.instrument)
    return render(request, "workspace/survey.html", context)


@own_survey
def edit(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    if request.method == "POST":
        form = SurveyForm(request.POST)
        if form.attempt(authoring.update_survey, survey=survey, **form.texts()):
            messages.success(request, "The texts are saved.")
            return redirect("workspace:survey", survey.slug)
    else:
        form = SurveyForm(initial={name: getattr(survey, name) for name in SurveyForm.base_fields})
    return _form_page(request, form, survey)


@own_survey
def delete(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    if request.method == "POST":
        authoring.delete_survey(survey=survey)
        messages.success(request, f"The draft “{survey.title}” is deleted.")
        return redirect("workspace:surveys")
    return render(request, "workspace/delete_survey.html", {"survey": survey})


def _form_page(request: HttpRequest, form: SurveyForm, survey: Survey | None = None) -> HttpResponse:
    status = 422 if form.errors else 200
    return render(request, "workspace/survey_form.html", {"form": form, "survey": survey}, status=status)
