"""Pages to write and delete surveys, and the overview of one."""

import math
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from surveys.accounts.access import Right, rights, surveys_of
from surveys.accounts.history import What
from surveys.authoring.drafts import drafts
from surveys.authoring.planning.grids import listed
from surveys.authoring.planning.overview import Overview, survey_overview
from surveys.authoring.planning.precision import target_or_default
from surveys.authoring.planning.together import together
from surveys.definition import question_subset
from surveys.definition.parsing import parse_instrument
from surveys.definition.protection import definition_losses
from surveys.definition.status import require_draft
from surveys.fieldwork.link import invitation_text, survey_url
from surveys.fieldwork.page import all_pages_of
from surveys.fieldwork.responses.progress import is_neglected
from surveys.fieldwork.responses.updates import update_times
from surveys.fieldwork.tickets import invitees
from surveys.models import Survey
from surveys.site.errors import Invalid
from surveys.web.confirm import confirm
from surveys.web.workspace import protection
from surveys.web.workspace.access import own_page, post_only, survey_page
from surveys.web.workspace.edges import edges
from surveys.web.workspace.forms import NewSurveyForm
from surveys.web.workspace.next_steps import next_steps
from surveys.web.workspace.sections import rendered


@own_page
def create(request: HttpRequest) -> HttpResponse:
    form = NewSurveyForm(request.POST if request.method == "POST" else None)
    if form.is_bound:
        survey = form.attempt(drafts.create_survey, owner=request.user, **form.settings())
        if survey:
            messages.success(request, "The draft is saved. Now add questions.")
            return redirect("workspace:survey", survey.slug)
    context: dict[str, Any] = {"form": form}
    context["settings"] = rendered("new.settings", request, None, context)
    context["ways"] = rendered("new.ways", request, None, context)
    return render(request, "workspace/new_survey.html", context, status=422 if form.errors else 200)


@survey_page(Right.SEE)
def show(request: HttpRequest, survey: Survey) -> HttpResponse:
    if survey.is_draft:
        return _questions(request, survey)
    has, frozen, told = (
        rights(request.user, survey),
        parse_instrument(survey.instrument),
        update_times(survey),
    )
    names = dict(Survey.Language.choices)
    context = {
        "survey": survey,
        "may": may(request, survey),
        "neglected": is_neglected(survey),
        "updates": told,
        "reached": min(100.0, 100 * told.n / survey.target) if survey.target else 0,
        "protection": definition_losses(frozen),
        "proves": math.isinf(frozen.epsilon),
        "languages": [names[code] for code in survey.languages],
        "before": _before(request, survey),
        "fixed_on": _fixed_on(survey),
        "steps": next_steps(survey, has, told.n),
        "counts": invitees.counts(survey) if survey.tickets else None,
        "closing_only": bool(frozen.cut) and Right.ROWS not in has and not survey.is_over,
    }
    if not survey.import_only:
        address = survey_url(request, survey)
        context |= {
            "link": address,
            "mail": invitation_text(survey, address),
            "is_new": "published" in request.GET,
        }
    return render(request, "workspace/survey.html", context)


@survey_page(Right.SEE)
def questions(request: HttpRequest, survey: Survey) -> HttpResponse:
    """What is asked: of a draft to be written, of a published survey to be read."""
    return _questions(request, survey)


def _questions(request: HttpRequest, survey: Survey) -> HttpResponse:
    seen = survey_overview(survey)
    context = {
        "survey": survey,
        "overview": seen,
        "may": may(request, survey),
        "together": together(survey, seen.epsilon, surveys_of(request.user)),
        "wanted": target_or_default(survey),
        "before": _before(request, survey),
    }
    if survey.is_draft:
        return render(request, "workspace/draft.html", context | _around(request, survey, seen))
    frozen = {"pages": all_pages_of(survey), "fixed_on": _fixed_on(survey), "edges": edges(survey)}
    frozen["protection"] = definition_losses(parse_instrument(survey.instrument))
    return render(request, "workspace/questions.html", context | frozen)


def _fixed_on(survey: Survey) -> date | None:
    """The day on which it was published, or prepared for files."""
    event = survey.events.filter(what__in=(What.PUBLISHED, What.PREPARED)).order_by("pk").first()
    return timezone.localtime(event.when).date() if event else None


def may(request: HttpRequest, survey: Survey) -> dict[str, bool]:
    """What the reader has a right to, by its name."""
    return {right.name.lower(): True for right in rights(request.user, survey)}


def _before(request: HttpRequest, survey: Survey) -> Survey | None:
    """The earlier version, where the reader may see it."""
    return (
        surveys_of(request.user).filter(pk=survey.predecessor_id).first()
        if survey.predecessor_id
        else None
    )


def _around(request: HttpRequest, survey: Survey, seen: Overview) -> dict[str, Any]:
    """What stands beside the questions of a draft; at, did: which question was just worked on, to keep the focus."""
    kept = {name: request.GET.get(name, "") for name in ("at", "did")}
    kept |= {
        "subset_problem": question_subset.publishing_problem(survey),
        "listed": listed(seen),
        "edges": edges(survey),
    }
    kept["claimed"] = [line.protection.item for line in seen.lines if line.protection]
    return kept if survey.import_only else kept | protection.around(request, survey, seen)


@survey_page(Right.WRITE)
@post_only
def target(request: HttpRequest, survey: Survey) -> HttpResponse:
    """POST says how many responses are expected of a draft."""
    try:
        drafts.update_settings(survey, {"target": request.POST.get("target", "")}, request.user)
        messages.success(request, "The target is saved.")
    except Invalid as wrong:
        messages.error(request, str(wrong))
    return redirect("workspace:survey", survey.slug)


@survey_page(Right.MANAGE)
def delete(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    if request.method == "POST":
        drafts.delete_survey(survey=survey)
        messages.success(request, f"The draft “{survey.title}” is deleted.")
        return redirect("workspace:surveys")
    said = "The draft and all its questions are deleted. This cannot be undone."
    return confirm(
        request, survey, f"Delete “{survey.title}”?", said, do="Delete the draft", stay="Keep it"
    )
