"""The respondent's page: one static document, the same bytes for everybody.

Nothing here may look at who asks: no cookie, no session, no language or address of the visitor. Templates are
rendered without the request, so that no context processor can bring any of it in.
"""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.page import current_page, current_ticket_page, render_page
from surveys.models import Survey
from surveys.site.headers import answer
from surveys.site.page_program import build_page


@require_safe
def survey(request: HttpRequest, slug: str) -> HttpResponse:
    published = _published(slug)
    return answer(request, current_page(published)) if published else missing_page(request)


@require_safe
def tickets(request: HttpRequest, slug: str) -> HttpResponse:
    """Where invited people take their tickets. Looking at it does nothing, so a mail scanner that does takes none."""
    published = _published(slug)
    if published is None or not published.tickets:
        return missing_page(request)
    return answer(request, current_ticket_page(published))


def _published(slug: str) -> Survey | None:
    published = Survey.objects.filter(import_only=False).exclude(status=Survey.Status.DRAFT)
    return published.select_related("instrument").filter(slug=slug).first()


OUTWARD = "https://www.wikipedia.org/"  # a site that anybody may have open


@require_safe
def leave(request: HttpRequest) -> HttpResponse:
    """Quick exit comes through here, because a respondent's page may connect to nothing but its own site."""
    return HttpResponse(render_to_string("respondent/leave.html", {"outward": OUTWARD}))


@require_safe
def help_lines(request: HttpRequest, slug: str) -> HttpResponse:
    """The help lines of a survey as links: a page of their own, from which people can go to other sites."""
    published = _published(slug)
    frozen = parse_instrument(published.instrument) if published else None
    if frozen is None or not frozen.help_lines:
        return missing_page(request)
    return answer(request, render_page("respondent/help.html", frozen))


@require_safe
def missing_page(request: HttpRequest, rest: str = "") -> HttpResponse:
    return answer(request, build_page(render_to_string("respondent/missing.html")), status=404)
