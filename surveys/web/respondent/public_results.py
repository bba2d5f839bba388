"""Public results: one page, its figures and its numbers, the same bytes for everybody and without a cookie.

As on respondents' pages nothing here looks at who asks.
"""

import base64
import hashlib
import json
import re
from functools import lru_cache
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from surveys.models import Survey
from surveys.results.report.publication import Publication, public_survey
from surveys.site.version import VERSION
from surveys.web.respondent.caching import Kept, answer
from surveys.web.respondent.pages import missing

KEPT = 128  # pages, figures and numbers in memory, so that many readers cost one rendering
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
        return missing(request)
    published = Publication(survey)
    if key and key not in {item.key for item in published.paper.items}:
        return missing(request)
    kept = _made(f"{VERSION} {published.tag}", what, key, survey.pk)
    return answer(request, kept, _style(kept.body) if what == "figure" else "")


@lru_cache(maxsize=KEPT)
def _made(tag: str, what: str, key: str, pk: UUID) -> Kept:
    """tag: of everything that is shown, so that nothing of before is found again."""
    published = Publication(Survey.objects.select_related("instrument").get(pk=pk))
    return Kept(_text(published, what, key).encode(), TYPES[what])


def _text(published: Publication, what: str, key: str) -> str:
    if what == "figure":
        return published.figure(key)
    if what == "numbers":
        return f"{json.dumps(published.as_json(), indent=1, ensure_ascii=False)}\n"
    context = {"published": published, "report": published.report, "paper": published.paper}
    return render_to_string("public/results.html", context)


def _style(svg: bytes) -> str:
    """What the policy of a figure allows that is opened by itself: the one style that stands in it."""
    found = STYLE.search(svg)
    return f"'sha256-{base64.b64encode(hashlib.sha256(found[1]).digest()).decode()}'" if found else "'none'"
