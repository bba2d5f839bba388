"""The button of a demo that fills a survey's report with invented answers."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from features.demo import invented
from surveys.accounts.access import Right
from surveys.fieldwork.responses.updates import update_times
from surveys.models import Survey
from surveys.site.number_format import format_count
from surveys.web.workspace.access import post_only, survey_page


@survey_page(Right.WRITE)
def send(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Where “manage.py demo” did not make the owner's account, there is no such page."""
    if not invented.is_demo(survey):
        raise Http404("This survey is not part of a demo.")
    return _send(request, survey)


@post_only
def _send(request: HttpRequest, survey: Survey) -> HttpResponse:
    if invented.send(survey, request.user):
        survey.instrument.refresh_from_db()
        messages.success(
            request, f"{format_count(invented.N)} invented answers are sent. {_known(survey)}"
        )
    return redirect("workspace:report", survey.slug)


def _known(survey: Survey) -> str:
    if survey.results_after_closing:
        return "Results appear after closing."
    return f"{format_count(update_times(survey).n)} are in the report. While a survey is open, the last 20 stay hidden."
