"""Pages to write and delete surveys, and the overview of one."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.accounts.access import Right, rights, surveys_of
from surveys.authoring.drafts import drafts
from surveys.authoring.planning.checklist import FINE, points
from surveys.authoring.planning.grids import listed
from surveys.authoring.planning.overview import Overview, overview
from surveys.authoring.planning.precision import wanted
from surveys.authoring.planning.together import together
from surveys.definition import question_subset, short_names
from surveys.definition.status import require_draft
from surveys.fieldwork.link import link, mail
from surveys.fieldwork.page import pages_of
from surveys.fieldwork.responses.progress import is_neglected
from surveys.fieldwork.responses.updates import updates
from surveys.models import Survey
from surveys.web.workspace import protection
from surveys.web.workspace.access import own_page, survey_page
from surveys.web.workspace.forms import SurveyForm


@own_page
def create(request: HttpRequest) -> HttpResponse:
    form = SurveyForm(request.POST if request.method == "POST" else None)
    if form.is_bound:
        survey = form.attempt(drafts.create_survey, owner=request.user, **form.settings_of_new())
        if survey:
            messages.success(request, "The draft is saved. Now add questions.")
            return redirect("workspace:survey", survey.slug)
    return _form_page(request, form)


@survey_page(Right.SEE)
def show(request: HttpRequest, survey: Survey) -> HttpResponse:
    if survey.is_draft:
        return _questions(request, survey)
    context = {"survey": survey, "updates": updates(survey), "neglected": is_neglected(survey)}
    context |= {"may": may(request, survey), "before": _before(request, survey)}
    if not survey.import_only:
        address = link(request, survey)
        context |= {"link": address, "mail": mail(survey, address), "is_new": "published" in request.GET}
    return render(request, "workspace/survey.html", context)


@survey_page(Right.SEE)
def questions(request: HttpRequest, survey: Survey) -> HttpResponse:
    """What is asked: of a draft to be written, of a published survey to be read."""
    return _questions(request, survey)


def _questions(request: HttpRequest, survey: Survey) -> HttpResponse:
    seen = overview(survey)
    context = {
        "survey": survey,
        "overview": seen,
        "may": may(request, survey),
        "together": together(survey, seen.epsilon, surveys_of(request.user)),
        "wanted": wanted(survey),
        "before": _before(request, survey),
    }
    if survey.is_draft:
        return render(request, "workspace/draft.html", context | _around(request, survey, seen))
    names = short_names.of(survey.instrument)
    seen.lines[:] = [replace(line, short=names[line.key]) for line in seen.lines]
    return render(request, "workspace/questions.html", context | {"pages": pages_of(survey)})


def may(request: HttpRequest, survey: Survey) -> dict[str, bool]:
    """What the reader has a right to, by its name."""
    return {right.name.lower(): True for right in rights(request.user, survey)}


def _before(request: HttpRequest, survey: Survey) -> Survey | None:
    """The earlier version, where the reader may see it."""
    return surveys_of(request.user).filter(pk=survey.predecessor_id).first() if survey.predecessor_id else None


def _around(request: HttpRequest, survey: Survey, seen: Overview) -> dict[str, Any]:
    """What stands beside the questions of a draft; at, did: which question was just worked on, to keep the focus."""
    kept = {name: request.GET.get(name, "") for name in ("at", "did")}
    kept |= {"subset_problem": question_subset.problem(survey), "listed": listed(seen)}
    if survey.import_only:
        return kept
    notes = [point for point in points(survey, seen) if point.severity != FINE]
    return kept | {"points": notes} | protection.around(request, survey, seen)


@survey_page(Right.WRITE)
def edit(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    edition = survey.edition
    if request.method == "POST":
        form = SurveyForm(request.POST)
        if form.save(survey, request.user):
            messages.success(request, "The texts are saved.")
            return redirect("workspace:survey", survey.slug)
    else:
        form = SurveyForm.of(survey)
    # Whoever was told of another version saves over that one next.
    if form.is_bound and not form.non_field_errors():
        edition = form.typed("edition")
    return _form_page(request, form, survey, edition)


@survey_page(Right.OWN)
def delete(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    if request.method == "POST":
        drafts.delete_survey(survey=survey)
        messages.success(request, f"The draft “{survey.title}” is deleted.")
        return redirect("workspace:surveys")
    return render(request, "workspace/delete_survey.html", {"survey": survey})


def _form_page(
    request: HttpRequest, form: SurveyForm, survey: Survey | None = None, edition: int | str = ""
) -> HttpResponse:
    context = {"form": form, "survey": survey, "edition": edition}
    return render(request, "workspace/survey_form.html", context, status=422 if form.errors else 200)
