"""Pages around the respondents' link: when it opens and closes, its QR code and poster, and how many have answered."""

import io

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from surveys.ballots.inbox import waiting
from surveys.errors import Refused
from surveys.models import Survey
from surveys.people.access import Right
from surveys.publishing.instruments import paper
from surveys.publishing.schedule import reschedule
from surveys.workspace.access import survey_page
from surveys.workspace.forms import ScheduleForm


def link(request: HttpRequest, survey: Survey) -> str:
    """The respondents' address in full."""
    return request.build_absolute_uri(reverse("answering:survey", args=[survey.slug]))


def received(survey: Survey) -> dict[str, int]:
    """How many have answered, in the report or still waiting. It says nothing about any answer."""
    sealed, unsealed = survey.instrument.tally.get("n", 0), waiting(survey.instrument)
    return {"sealed": sealed, "waiting": unsealed, "received": sealed + unsealed}


@survey_page(Right.WRITE)
def schedule(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        form = ScheduleForm(request.POST)
        typed = {name: form.typed(name) for name in form.fields}
        if form.attempt(reschedule, survey=survey, **typed, by=request.user):
            messages.success(request, "The times and the number wanted are saved.")
            return redirect("workspace:survey", survey.slug)
    else:
        form = ScheduleForm(initial=ScheduleForm.of(survey))
    status = 422 if form.errors else 200
    return render(request, "workspace/schedule.html", {"survey": survey, "form": form}, status=status)


@survey_page(Right.SEE)
@require_safe
def count(request: HttpRequest, survey: Survey) -> JsonResponse:
    if survey.is_draft:
        raise Refused("A draft has no responses.")
    return JsonResponse(received(survey))


@survey_page(Right.SEE)
@require_safe
def qr(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The respondents' link as a QR code that grows without loss."""
    if survey.is_draft:
        raise Refused("A draft has no link for respondents yet.")
    image = io.BytesIO()
    segno.make(link(request, survey), error="m", micro=False).save(
        image, kind="svg", scale=8, border=4, light="#fff", xmldecl=False, svgclass=None, lineclass=None
    )
    return HttpResponse(image.getvalue(), content_type="image/svg+xml")


@survey_page(Right.SEE)
@require_safe
def poster(request: HttpRequest, survey: Survey) -> HttpResponse:
    if survey.is_draft:
        raise Refused("A draft has no link for respondents yet. Publish it first.")
    scrambled = paper(survey.instrument).epsilon > 0
    context = {"survey": survey, "link": link(request, survey), "scrambled": scrambled}
    return render(request, "workspace/poster.html", context)
