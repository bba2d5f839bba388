"""The section “Results” of a survey's settings: who can read them besides the team."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from features.shared_reports import links
from features.shared_reports.publication import set_public
from surveys.definition.parsing import parse_instrument
from surveys.extensions import Section
from surveys.models import Survey


def context(request: HttpRequest, survey: Survey) -> dict[str, Any]:
    if not survey.is_over:
        return {}
    return {
        "address": request.build_absolute_uri(reverse("results", args=[survey.slug])),
        "links": list(links.active_links(survey)),
        "questions": parse_instrument(survey.instrument).items,
    }


def save_publication(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Make the results public, or take them back."""
    is_public = request.POST.get("public") == "yes"
    set_public(survey, request.user, public=is_public)
    messages.success(
        request, "The results are public." if is_public else "The results are no longer public."
    )
    return redirect(f"{reverse('workspace:settings', args=[survey.slug])}#results")


RESULTS = Section("settings", "results", "shared_reports/section.html", context, save_publication)
