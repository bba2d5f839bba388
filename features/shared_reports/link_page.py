"""A closed survey's report under a secret link: the page of public results, but sealed off, and kept by nobody."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from features.shared_reports.links import find_link
from features.shared_reports.public_page import KEPT, page_text
from features.shared_reports.publication import Publication
from surveys.site.version import VERSION
from surveys.web.respondent.caching import CachedContent


@require_safe
def page(request: HttpRequest, secret: str) -> HttpResponse:
    link = find_link(secret)
    if link is None:
        return ended(request)
    published = Publication(link.survey)
    asked = (VERSION, published.tag, "link", str(link.until), link.survey.pk)
    return _answer(
        KEPT.get(asked, lambda: CachedContent(page_text(published, until=link.until).encode())).body
    )


@require_safe
def ended(request: HttpRequest, rest: str = "") -> HttpResponse:
    """The same for a link that has ended, is wrong, or never was."""
    return _answer(render_to_string("shared_reports/link_ended.html").encode(), status=404)


def _answer(body: bytes, status: int = 200) -> HttpResponse:
    return HttpResponse(body, status=status, headers={"X-Robots-Tag": "noindex"})
