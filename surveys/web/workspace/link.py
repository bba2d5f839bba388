"""Pages around the respondents' link: when it opens and closes, its QR code and poster."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from surveys.accounts.access import Right
from surveys.definition.instrument import paper
from surveys.fieldwork.link import QR_CODES, link, qr_code
from surveys.fieldwork.schedule import reschedule
from surveys.models import Survey
from surveys.web.workspace.access import survey_page
from surveys.web.workspace.forms import ScheduleForm


@survey_page(Right.WRITE)
def schedule(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        form = ScheduleForm(request.POST)
        typed = {name: form.typed(name) for name in form.fields}
        if form.attempt(reschedule, survey=survey, **typed, by=request.user, zone=timezone.get_current_timezone()):
            messages.success(request, "The times and the number wanted are saved.")
            return redirect("workspace:survey", survey.slug)
    else:
        form = ScheduleForm(initial=ScheduleForm.of(survey))
    status = 422 if form.errors else 200
    return render(request, "workspace/schedule.html", {"survey": survey, "form": form}, status=status)


@survey_page(Right.SEE)
@require_safe
def qr(request: HttpRequest, survey: Survey, kind: str) -> HttpResponse:
    """The respondents' link as a QR code."""
    return HttpResponse(qr_code(link(request, survey), kind), content_type=QR_CODES[kind])


@survey_page(Right.SEE)
@require_safe
def poster(request: HttpRequest, survey: Survey) -> HttpResponse:
    address = link(request, survey)
    context = {"survey": survey, "link": address, "scrambled": paper(survey.instrument).epsilon > 0}
    return render(request, "workspace/poster.html", context)
