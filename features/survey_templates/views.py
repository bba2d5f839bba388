"""The pages of ready instruments: the list, one of them, and how respondents would see it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from features.survey_templates import catalogue as ready
from surveys.fieldwork.page import PreviewLinks, render_page
from surveys.site.headers import answer
from surveys.site.page_program import PAGE
from surveys.web.workspace.access import own_page


@own_page
def start(request: HttpRequest) -> HttpResponse:
    """The ready instruments; POST starts from one."""
    chosen = ready.READY.get(request.POST.get("ready", ""))
    if request.method == "POST" and chosen:
        survey = ready.start(chosen, request.user)
        messages.success(
            request, "This is your draft. Change anything you like. It is not published."
        )
        return redirect("workspace:survey", survey.slug)
    return render(
        request, "survey_templates/ready_instruments.html", {"ready": ready.READY.values()}
    )


@own_page
@require_safe
def look(request: HttpRequest, key: str) -> HttpResponse:
    """What a ready instrument asks, costs and shows, before anybody starts from it."""
    seen = _look(request, key)
    context = {
        "look": seen,
        "ready": key,
        "survey": seen.survey,
        "overview": seen.overview,
        "wanted": seen.ready.target,
        "preview_links": _links(key),
    }
    return render(request, "survey_templates/ready_instrument.html", context)


@own_page
@require_safe
def look_as_respondent(request: HttpRequest, key: str) -> HttpResponse:
    """The respondents' page that it would have. It sends nothing, and nothing is stored."""
    return _respondents(request, "respondent/survey.html", key, PAGE)


@own_page
@require_safe
def look_at_help(request: HttpRequest, key: str) -> HttpResponse:
    """The page of its help lines."""
    return _respondents(request, "respondent/help.html", key)


def _respondents(request: HttpRequest, template: str, key: str, entry: str = "") -> HttpResponse:
    frozen = _look(request, key).paper
    return answer(
        request, render_page(template, frozen, entry, preview=True, preview_links=_links(key))
    )


def _links(key: str) -> PreviewLinks:
    return PreviewLinks(
        survey=reverse("workspace:ready-look", args=[key]),
        page=reverse("workspace:ready-preview", args=[key]),
        help_lines=reverse("workspace:ready-preview-help", args=[key]),
    )


def _look(request: HttpRequest, key: str) -> ready.Look:
    if key not in ready.READY:
        raise Http404
    return ready.look(ready.READY[key], request.user)
