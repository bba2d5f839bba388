"""A survey's settings in parts: dates and target, those of features, history, copies, end. Each saves alone."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from surveys.accounts.access import Right, require_right, rights
from surveys.accounts.history_wording import history_lines
from surveys.definition.parsing import parse_instrument
from surveys.definition.protection import combine_versions, definition_losses
from surveys.definition.protection_wording import both_versions
from surveys.fieldwork.schedule import set_schedule
from surveys.models import Survey
from surveys.web.workspace.access import survey_page
from surveys.web.workspace.forms import ScheduleForm, TypedForm
from surveys.web.workspace.sections import rendered, sections_of

EVENTS, LATEST = 100, 3  # of the history: on a page of it, and before it is opened


@survey_page(Right.SEE)
def settings(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method != "POST":
        return _page(request, survey)
    require_right(request.user, survey, Right.WRITE)
    part = request.POST.get("part", "")
    saves = {each.name: each.save for each in sections_of("settings") if each.save} | {
        "dates": _dates
    }
    if part not in saves:
        raise BadRequest("There are no settings with this name.")
    done = saves[part](request, survey)
    return _page(request, survey, **{part: done}) if isinstance(done, TypedForm) else done


def _dates(request: HttpRequest, survey: Survey) -> HttpResponse:
    form = ScheduleForm(request.POST)
    typed = {name: form.typed(name) for name in form.fields}
    if form.attempt(
        set_schedule, survey=survey, **typed, by=request.user, zone=timezone.get_current_timezone()
    ):
        messages.success(request, "Dates and target are saved.")
        return redirect(f"{reverse('workspace:settings', args=[survey.slug])}#dates")
    return _page(request, survey, dates=form)


def _page(request: HttpRequest, survey: Survey, **typed: TypedForm) -> HttpResponse:
    """typed: the form of a part in which something is wrong, by the part's name."""
    may = {right.name.lower(): True for right in rights(request.user, survey)}
    page = Paginator(survey.events.all(), EVENTS).get_page(request.GET.get("page"))
    lines = history_lines(page, request.user)
    context: dict[str, Any] = {
        "survey": survey,
        "may": may,
        "form": next(iter(typed.values()), None),
        "dates": typed.get("dates", ScheduleForm(initial=ScheduleForm.of(survey))),
        "page": page,
        "lines": lines,
        "latest": lines[:LATEST] if page.number == 1 else [],
        "both_versions": _both_versions(survey),
    }
    context["sections"] = rendered("settings", request, survey, context, typed)
    return render(request, "workspace/settings.html", context, status=422 if typed else 200)


def _both_versions(survey: Survey) -> str:
    """What a new version with the same protection means for those who answer both."""
    if survey.is_draft or survey.import_only:
        return ""
    frozen = parse_instrument(survey.instrument)
    return (
        both_versions(combine_versions([definition_losses(frozen)] * 2)) if frozen.epsilon else ""
    )
