"""A survey's settings in six parts: dates and target, results, webhooks, history, copies, end. Each saves alone."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from features.shared_reports import links
from features.shared_reports.publication import set_public
from features.webhooks import subscriptions
from surveys.accounts.access import Right, require, rights
from surveys.accounts.history_wording import chronicle
from surveys.definition.parsing import paper
from surveys.definition.protection import losses_of, versions
from surveys.definition.protection_wording import both_versions
from surveys.fieldwork.schedule import reschedule
from surveys.models import Occasion, Survey
from surveys.web.widgets import Line, Ticks
from surveys.web.workspace.access import survey_page
from surveys.web.workspace.forms import ScheduleForm, TypedForm

EVENTS, LATEST = 100, 3  # of the history: on a page of it, and before it is opened


class WebhookForm(TypedForm):
    url = forms.Field(
        required=False,
        label="Address",
        help_text=(
            "Where your program listens, for example https://example.org/hook. It can contain a key: only people who "
            "can publish this survey see it."
        ),
        widget=Line(type="url"),
    )
    events = forms.Field(
        required=False, label="Send a message when", initial=Occasion.values, widget=Ticks(Occasion.choices)
    )

    def chosen(self) -> list[str]:
        return self.data.getlist("events") if self.is_bound else Occasion.values


@survey_page(Right.SEE)
def settings(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method != "POST":
        return _page(request, survey)
    require(request.user, survey, Right.WRITE)
    save = PARTS.get(request.POST.get("part", ""))
    if save is None:
        raise BadRequest("There are no settings with this name.")
    return save(request, survey)


def _dates(request: HttpRequest, survey: Survey) -> HttpResponse:
    form = ScheduleForm(request.POST)
    typed = {name: form.typed(name) for name in form.fields}
    if form.attempt(reschedule, survey=survey, **typed, by=request.user, zone=timezone.get_current_timezone()):
        messages.success(request, "Dates and target are saved.")
        return _saved(survey, "dates")
    return _page(request, survey, dates=form)


def _results(request: HttpRequest, survey: Survey) -> HttpResponse:
    wanted = request.POST.get("public") == "yes"
    set_public(survey, request.user, public=wanted)
    messages.success(request, "The results are public." if wanted else "The results are no longer public.")
    return _saved(survey, "results")


def _webhook(request: HttpRequest, survey: Survey) -> HttpResponse:
    form = WebhookForm(request.POST)
    asked = {"url": form.typed("url"), "events": form.chosen()}
    made = form.attempt(subscriptions.add, survey=survey, by=request.user, **asked)
    if made is None:
        return _page(request, survey, webhook=form)
    messages.success(request, "The webhook is added. Send a ping to test it.")
    return redirect("workspace:webhook", survey.slug, made.pk)


PARTS: dict[str, Callable[[HttpRequest, Survey], HttpResponse]] = {
    "dates": _dates,
    "results": _results,
    "webhooks": _webhook,
}


def _saved(survey: Survey, part: str) -> HttpResponse:
    return redirect(f"{reverse('workspace:settings', args=[survey.slug])}#{part}")


def _page(request: HttpRequest, survey: Survey, **typed: TypedForm) -> HttpResponse:
    """typed: the form of a part in which something is wrong, by the part's name."""
    may = {right.name.lower(): True for right in rights(request.user, survey)}
    page = Paginator(survey.events.all(), EVENTS).get_page(request.GET.get("page"))
    lines = chronicle(page, request.user)
    context: dict[str, Any] = {
        "survey": survey,
        "may": may,
        "form": next(iter(typed.values()), None),
        "dates": typed.get("dates", ScheduleForm(initial=ScheduleForm.of(survey))),
        "webhook": typed.get("webhook", WebhookForm()),
        "webhooks": [(each, subscriptions.host_of(each)) for each in survey.webhooks.all()] if "write" in may else [],
        "page": page,
        "lines": lines,
        "latest": lines[:LATEST] if page.number == 1 else [],
        "both_versions": _both_versions(survey),
    }
    if survey.is_over:
        context["address"] = request.build_absolute_uri(reverse("results", args=[survey.slug]))
        context["links"] = list(links.alive(survey))
        context["questions"] = paper(survey.instrument).items
    return render(request, "workspace/settings.html", context, status=422 if typed else 200)


def _both_versions(survey: Survey) -> str:
    """What a new version with the same protection means for those who answer both."""
    if survey.is_draft or survey.import_only:
        return ""
    frozen = paper(survey.instrument)
    return both_versions(versions([losses_of(frozen)] * 2)) if frozen.epsilon else ""
