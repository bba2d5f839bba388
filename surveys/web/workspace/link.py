"""The respondents' link on paper: its QR code and poster."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.accounts.access import Right
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.link import QR_CODES, qr_code, survey_url
from surveys.models import Survey
from surveys.web.workspace.access import survey_page


@survey_page(Right.SEE)
@require_safe
def qr(request: HttpRequest, survey: Survey, kind: str) -> HttpResponse:
    """The respondents' link as a QR code."""
    return HttpResponse(qr_code(survey_url(request, survey), kind), content_type=QR_CODES[kind])


@survey_page(Right.SEE)
@require_safe
def poster(request: HttpRequest, survey: Survey) -> HttpResponse:
    address = survey_url(request, survey)
    context = {
        "survey": survey,
        "link": address,
        "scrambled": parse_instrument(survey.instrument).epsilon > 0,
    }
    return render(request, "workspace/poster.html", context)
