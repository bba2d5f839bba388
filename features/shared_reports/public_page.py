"""Public results: one page, its figures and its numbers, the same bytes for everybody and without a cookie.

As on respondents' pages nothing here looks at who asks.
"""

import base64
import hashlib
import json
import re

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from features.shared_reports.publication import Publication, public_survey
from surveys.site.byte_cache import ByteCache
from surveys.site.version import VERSION
from surveys.web.respondent.caching import CachedContent, cached_response
from surveys.web.respondent.pages import missing_page

# Pages, figures and numbers, so that many readers cost one rendering.
KEPT: ByteCache[CachedContent] = ByteCache(
    16_000_000, lambda kept: len(kept.body) + len(kept.compressed)
)
STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)
TYPES = {"page": "text/html", "numbers": "application/json", "figure": "image/svg+xml"}


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    return _answer(request, slug, "page")


@require_safe
def numbers(request: HttpRequest, slug: str) -> HttpResponse:
    return _answer(request, slug, "numbers")


@require_safe
def figure(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    return _answer(request, slug, "figure", key)


def _answer(request: HttpRequest, slug: str, what: str, key: str = "") -> HttpResponse:
    """key: of the question, where one is asked for."""
    survey = public_survey(slug)
    if survey is None:
        return missing_page(request)
    published = Publication(survey)
    if key and key not in {result.question.key for result in published.results}:
        return missing_page(request)
    # By a tag of everything that is shown, so that nothing of before is found again.
    asked = (VERSION, published.tag, what, key, survey.pk)
    kept = KEPT.get(asked, lambda: CachedContent(_text(published, what, key).encode(), TYPES[what]))
    return cached_response(request, kept, _style(kept.body) if what == "figure" else "")


def _text(published: Publication, what: str, key: str) -> str:
    if what == "figure":
        return published.figure(key)
    if what == "numbers":
        return f"{json.dumps(published.told(), indent=1, ensure_ascii=False)}\n"
    return page_text(published, is_public=True)


def page_text(published: Publication, **about: object) -> str:
    """about: is_public, whether figures and numbers have addresses of their own; or until, the last day of a link."""
    context = {"published": published, "report": published.report, "paper": published.paper}
    return render_to_string("shared_reports/results.html", context | about)


def _style(svg: bytes) -> str:
    """What the policy of a figure allows that is opened by itself: the one style that stands in it."""
    found = STYLE.search(svg)
    return (
        f"'sha256-{base64.b64encode(hashlib.sha256(found[1]).digest()).decode()}'"
        if found
        else "'none'"
    )
