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
    """Serve the page on which respondents answer a published survey.

    Before the survey opens and after it has closed, the page says so instead. A paused survey has
    the page of a closed one. If no published survey has this slug, or if its responses are only
    imported, missing_page() is served, with status 404.
    """
    published = _published_survey(slug)
    if published is None:
        return missing_page(request)
    # Of the request, answer() only uses whether the browser accepts a compressed page.
    return answer(request, current_page(published))


@require_safe
def tickets(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the page on which invited people take their tickets for a survey.

    A ticket lets a person answer once. Opening the page takes none, so a program that scans mails
    and opens their links does no harm. If no published survey with tickets has this slug,
    missing_page() is served, with status 404.
    """
    published = _published_survey(slug)
    if published is None or not published.tickets:
        return missing_page(request)
    return answer(request, current_ticket_page(published))


def _published_survey(slug: str) -> Survey | None:
    """Return the published survey with this slug, with its instrument; None if there is none.

    Returns None also for a survey whose responses are only imported from files, since it has no
    respondents' page.
    """
    surveys = Survey.objects.filter(import_only=False).exclude(status=Survey.Status.DRAFT)
    return surveys.select_related("instrument").filter(slug=slug).first()


@require_safe
def leave(request: HttpRequest) -> HttpResponse:
    """Serve the page to which the quick exit leads, a link that hides a survey from onlookers.

    The page goes on to EXIT_SITE at once, by a refresh in its HTML. The quick exit cannot lead
    there directly, since a respondents' page may connect only to its own site.
    """
    # The page runs no script, so it gets no policy of its own, which answer() would add.
    return HttpResponse(render_to_string("respondent/leave.html", {"exit_site": EXIT_SITE}))


@require_safe
def help_lines(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the page with the help lines of a published survey, where people can find support.

    The respondents' page may not lead to other sites, so it only links to this page, which may. If
    no published survey with help lines has this slug, missing_page() is served, with status 404.
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
    """Serve the page that says that no survey has this address, with status 404.

    Other views of this package call it if they find nothing. It is also the view of /s/ itself, and
    of addresses below /s/ and /i/ that do not have the form of a survey's address.

    rest: the part of such an address after /s/ or /i/. The page does not depend on it.
    """
    # build_page() adds the style and the policy to the rendered template.
    return answer(request, build_page(render_to_string("respondent/missing.html")), status=404)
