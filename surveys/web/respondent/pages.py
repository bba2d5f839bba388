"""The respondent's page: one static document, the same bytes for everybody.

Nothing here may look at who asks: no cookie, no session, no language or address of the visitor. Templates are
rendered without the request, so that no context processor can bring any of it in.
"""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from surveys.definition.parsing import paper
from surveys.fieldwork.page import page_of, rendered, ticket_page_of
from surveys.models import Survey
from surveys.site.headers import answer
from surveys.site.page_program import document


@require_safe
def survey(request: HttpRequest, slug: str) -> HttpResponse:
    published = _published(slug)
    return answer(request, page_of(published)) if published else missing(request)


@require_safe
def tickets(request: HttpRequest, slug: str) -> HttpResponse:
    """Where invited people take their tickets. Looking at it does nothing, so a mail scanner that does takes none."""
    published = _published(slug)
    if published is None or not published.tickets:
        return missing(request)
    return answer(request, ticket_page_of(published))


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
    frozen = paper(published.instrument) if published else None
    if frozen is None or not frozen.help_lines:
        return missing(request)
    return answer(request, rendered("respondent/help.html", frozen))


@require_safe
def missing(request: HttpRequest, rest: str = "") -> HttpResponse:
    return answer(request, document(render_to_string("respondent/missing.html")), status=404)
