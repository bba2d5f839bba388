"""The page that lists surveys, and the steps into the archive and out of it."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys import extensions
from surveys.accounts.access import Right
from surveys.fieldwork import lifecycle
from surveys.models import Survey
from surveys.web.workspace.access import own_page, post_only, survey_page
from surveys.web.workspace.sections import rendered
from surveys.web.workspace.survey_rows import ALL, SHELVES, SORTS, listing, with_margins

A_PAGE = 100  # surveys
LONGEST = 200  # characters to look for
SHELF_NAMES = dict(zip(SHELVES, ("Active", "Open", "Drafts", "Closed", "Archive"), strict=True))
HEADS = {
    "title": "Survey",
    "state": "State",
    "responses": "Responses",
    "changed": "Last change",
    "role": "You are",
}
FALLING = ("responses", "changed")  # sorted from the largest down at first


@own_page
def index(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("search", "").replace("\x00", "").strip()[:LONGEST]
    shelf, sort = request.GET.get("state", ALL), request.GET.get("sort", "-changed")
    shelf = shelf if shelf in SHELVES else ALL
    sort = sort if sort.removeprefix("-") in SORTS else "-changed"
    listed = listing(request.user, text=text, shelf=shelf, sort=sort)
    page = Paginator(listed.rows, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "rows": with_margins(list(page)),
        "page": page,
        "text": text,
        "shelf": shelf,
        "sort": sort,
        "shelves": [(name, SHELF_NAMES[name], n) for name, n in listed.counts.items()],
        "heads": [_head(name, sort) for name in HEADS],
        "is_empty": not text and not any(listed.counts.values()),
    }
    if context["is_empty"]:
        context["survey_formats"] = list(extensions.survey_formats)
        context["starts"] = rendered("starts", request, None, context)
        context["about_files"] = rendered("starts.file", request, None, context)
    return render(request, "workspace/survey_list.html", context)


def _head(name: str, sort: str) -> dict[str, str]:
    """A column's name, how it is sorted now, as screen readers say it, and the sort that a press on it asks for."""
    is_falling = sort.startswith("-")
    if sort.removeprefix("-") != name:
        return {"label": HEADS[name], "now": "", "next": f"-{name}" if name in FALLING else name}
    return {
        "label": HEADS[name],
        "now": "descending" if is_falling else "ascending",
        "next": name if is_falling else f"-{name}",
    }


@survey_page(Right.MANAGE)
@post_only
def archive(request: HttpRequest, survey: Survey) -> HttpResponse:
    lifecycle.archive(survey, request.user)
    messages.success(request, "The survey is archived. Nothing else changes.")
    return redirect("workspace:survey", survey.slug)


@survey_page(Right.MANAGE)
@post_only
def unarchive(request: HttpRequest, survey: Survey) -> HttpResponse:
    lifecycle.unarchive(survey, request.user)
    messages.success(request, "The survey is no longer archived.")
    return redirect("workspace:survey", survey.slug)
