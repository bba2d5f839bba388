"""The respondent's page: one static document, the same bytes for everybody.

Nothing here may look at who asks: no cookie, no session, no language or address of the visitor. Templates are
rendered without the request, so that no context processor can bring any of it in.
"""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from surveys.definition.instrument import paper
from surveys.demo import misconduct
from surveys.fieldwork.page import Page, page, page_of, ticket_page_of
from surveys.models import Survey
from surveys.site.headers import with_logo


@require_safe
def survey(request: HttpRequest, slug: str) -> HttpResponse:
    found = _published(slug)
    if found is None:
        return _sample(request) if slug == misconduct.SLUG else missing(request)
    return _document(request, page_of(found))


@require_safe
def tickets(request: HttpRequest, slug: str) -> HttpResponse:
    """Where invited people take their tickets. Looking at it does nothing, so a mail scanner that does takes none."""
    found = _published(slug)
    if found is None or not found.tickets:
        return missing(request)
    return _document(request, ticket_page_of(found))


def _sample(request: HttpRequest) -> HttpResponse:
    """The study of the demo where it was not loaded: to look at as a respondent does. It sends nothing."""
    study = misconduct.published()
    return _document(request, page("open", study.sha256, study.content, preview="sample"))


def _published(slug: str) -> Survey | None:
    published = Survey.objects.filter(import_only=False).exclude(status=Survey.Status.DRAFT)
    return published.select_related("instrument").filter(slug=slug).first()


def _document(request: HttpRequest, made: Page) -> HttpResponse:
    """The page of a survey, compressed where the browser reads that: smaller than a picture, however many questions."""
    takes_small = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(made.small if takes_small else made.plain)
    if takes_small:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return with_logo(response, made.logo)


OUTWARD = "https://www.wikipedia.org/"  # a site that anybody may have open


@require_safe
def leave(request: HttpRequest) -> HttpResponse:
    """Quick exit comes through here, because a respondent's page may connect to nothing but its own site."""
    return _page("respondent/leave.html", {"outward": OUTWARD})


@require_safe
def help_lines(request: HttpRequest, slug: str) -> HttpResponse:
    """The help lines of a survey as links: a page of their own, from which people can go to other sites."""
    found = _published(slug)
    frozen = paper(found.instrument) if found else misconduct.published() if slug == misconduct.SLUG else None
    if frozen is None or not frozen.help_lines:
        return missing(request)
    return with_logo(_page("respondent/help.html", {"paper": frozen, "preview": ""}), frozen.logo_address)


@require_safe
def missing(request: HttpRequest, rest: str = "") -> HttpResponse:
    return _page("respondent/missing.html", status=404)


def _page(template: str, context: dict | None = None, status: int = 200) -> HttpResponse:
    return HttpResponse(render_to_string(template, context), status=status)
