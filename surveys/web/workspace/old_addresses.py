"""Addresses of pages that have moved, for links that people kept. Removed with version 0.3."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse

from surveys.accounts.access import Right, survey_for
from surveys.web.workspace.access import own_page

MOVED = {  # address below a survey's own -> URL name, part of the page
    "history/": ("settings", "history"),
    "schedule/": ("settings", "dates"),
    "team/": ("people", "team"),
    "export/": ("files", ""),
    "edit/": ("welcome", ""),
    "sender/": ("welcome", "sender"),
    "data-protection/": ("welcome", "data-protection"),
    "report/groups/": ("compare", ""),
}


@own_page
def moved(request: HttpRequest, slug: str, name: str, part: str) -> HttpResponse:
    """302 for a survey that the reader may see, with the query; what was sent there is not taken."""
    if request.method not in ("GET", "HEAD"):
        raise Http404("This page has moved.")
    survey = survey_for(request.user, slug, Right.SEE)
    query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
    return redirect(
        f"{reverse(f'workspace:{name}', args=[survey.slug])}{query}{f'#{part}' if part else ''}"
    )


def old_address(address: str, name: str, part: str = "") -> URLPattern:
    """Return the pattern of an address below a survey's own that leads to another page.

    name: the URL name of the page. part: the id of a part of it.
    """
    return path(f"<slug:slug>/{address}", moved, {"name": name, "part": part})


routes = [old_address(address, name, part) for address, (name, part) in MOVED.items()]
