"""The respondents' page of a survey and the pages around it: static documents for everybody.

These views must not depend on who asks: they read no cookie, session, language or address of the
visitor. Templates are rendered without the request, so that no context processor can add any of
these.
"""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.page import current_page, current_ticket_page, render_page
from surveys.models import Survey
from surveys.site.headers import answer
from surveys.site.page_program import build_page

# The quick exit leads to this site, which anybody may have open.
EXIT_SITE = "https://www.wikipedia.org/"


@require_safe
def survey(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the respondents' page of a published survey, for the state that the survey has now.

    Before the survey opens and after it has closed, the page says so. A paused survey has the page
    of a closed one. If no published survey has this slug, or if its responses are only imported,
    missing_page() is served, with status 404.
    """
    published = _published_survey(slug)
    if published is None:
        return missing_page(request)
    # Of the request, answer() only uses whether the browser accepts a compressed page.
    return answer(request, current_page(published))


@require_safe
def tickets(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the page on which invited people take their tickets, with 404 if there are no tickets.

    Opening the page takes no ticket, so a program that scans mails and opens their links does no
    harm.
    """
    published = _published_survey(slug)
    if published is None or not published.tickets:
        return missing_page(request)
    return answer(request, current_ticket_page(published))


def _published_survey(slug: str) -> Survey | None:
    """Return the published survey with this slug, or None if there is none.

    Returns None also for a survey whose responses are only imported, since it has no respondents'
    page.
    """
    surveys = Survey.objects.filter(import_only=False).exclude(status=Survey.Status.DRAFT)
    return surveys.select_related("instrument").filter(slug=slug).first()


@require_safe
def leave(request: HttpRequest) -> HttpResponse:
    """Serve the page through which the quick exit leads to EXIT_SITE.

    The page goes on to that site at once, by a refresh in its HTML. The quick exit cannot lead
    there directly, since a respondents' page may connect only to its own site.
    """
    # This page runs no script, so it needs no policy of its own, which answer() would add.

    return HttpResponse(render_to_string("respondent/leave.html", {"exit_site": EXIT_SITE}))


@require_safe
def help_lines(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the help lines of a published survey as links, with 404 if there are none.

    They have a page of their own, since only from such a page can people go to other sites.
    """
    published = _published_survey(slug)
    if published is None:
        return missing_page(request)
    definition = parse_instrument(published.instrument)
    if not definition.help_lines:
        return missing_page(request)
    return answer(request, render_page("respondent/help.html", definition))


@require_safe
def missing_page(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Serve the page, with status 404, that says that no survey has this address.

    Other views return it if they find nothing. It is also the view of /s/ itself, and of addresses
    below /s/ and /i/ that do not have the form of a survey's address.

    rest: the part of such an address after /s/ or /i/. The page does not depend on it.
    """
    # build_page() adds the style and the policy to the rendered template.
    return answer(request, build_page(render_to_string("respondent/missing.html")), status=404)
