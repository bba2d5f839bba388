"""The respondent's page: one static document, the same bytes for everybody.

Nothing here may look at who asks: no cookie, no session, no language or address of the visitor. Templates are
rendered without the request, so that no context processor can bring any of it in.
"""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from surveys.models import Survey
from surveys.publishing import paper


@require_safe
def survey(request: HttpRequest, slug: str) -> HttpResponse:
    found = Survey.objects.exclude(status=Survey.Status.DRAFT).select_related("instrument").filter(slug=slug).first()
    if found is None:
        return missing(request)
    context = {"paper": paper(found.instrument), "preview": False}
    if found.state == "scheduled":
        return _page("respond/early.html", context | {"opens": found.opens})
    if found.state != Survey.Status.OPEN:
        return _page("respond/closed.html", context)
    return _page("respond/survey.html", context)


OUTWARD = "https://www.wikipedia.org/"  # a site that anybody may have open


@require_safe
def leave(request: HttpRequest) -> HttpResponse:
    """Quick exit comes through here, because a respondent's page may connect to nothing but its own site."""
    return _page("respond/leave.html", {"outward": OUTWARD})


@require_safe
def missing(request: HttpRequest, rest: str = "") -> HttpResponse:
    return _page("respond/missing.html", status=404)


def _page(template: str, context: dict | None = None, status: int = 200) -> HttpResponse:
    return HttpResponse(render_to_string(template, context), status=status)
