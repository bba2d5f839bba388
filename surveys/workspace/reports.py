"""The report page, and the same survey's responses as a file."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from surveys import access, export, history
from surveys.ballots.sealing import seal
from surveys.models import Instrument
from surveys.reporting.drawings import dot_plot
from surveys.reporting.report import report as make_report


@login_required
@require_safe
def report(request: HttpRequest, slug: str) -> HttpResponse:
    instrument = get_object_or_404(
        Instrument.objects.select_related("survey"),
        survey__in=access.readable_by(request.user),
        survey__slug=slug,
    )
    seal(instrument)
    result = make_report(instrument)
    context = {
        "report": result,
        "questions": [(question, dot_plot(question) if result.n else "") for question in result.questions],
        "is_owner": instrument.survey.owner_id == request.user.pk,
        "minimum": settings.SEAL_MINIMUM,
        "nbsp": "\N{NO-BREAK SPACE}",
    }
    return render(request, "report/report.html", context)


@login_required
@require_safe
def csv(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    survey = access.survey_for(request.user, slug, access.Right.ROWS)
    instrument = get_object_or_404(Instrument, survey=survey)
    history.record(survey, request.user, history.What.EXPORTED, "csv")
    response = StreamingHttpResponse(export.as_csv(instrument), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}.csv"'
    return response
