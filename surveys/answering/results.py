"""Public results: one page, its figures and its numbers, the same bytes for everybody and without a cookie.

As on respondents' pages nothing here looks at who asks. But these may be kept by browsers and proxies, which ask each
time whether they are still the same, so that what is taken back is gone at once.
"""

import base64
import hashlib
import json
import re
from functools import lru_cache
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from config.headers import opened_up
from config.version import VERSION
from surveys.answering.views import missing
from surveys.models import Survey
from surveys.reporting.publication import Publication, public_survey

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
    body = _made(f"{VERSION} {published.tag}", what, key, survey.pk)
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(status=304) if _is_known(request, etag) else HttpResponse(body)
    response["Content-Type"] = f"{TYPES[what]}; charset=utf-8"
    response["ETag"] = etag
    return opened_up(response, _style(body) if what == "figure" else "")


def _is_known(request: HttpRequest, etag: str) -> bool:
    asked = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in asked or etag in (each.removeprefix("W/") for each in asked)


@lru_cache(maxsize=KEPT)
def _made(tag: str, what: str, key: str, pk: UUID) -> bytes:
    """tag: of everything that is shown, so that nothing of before is found again."""
    published = Publication(Survey.objects.select_related("instrument").get(pk=pk))
    if what == "figure":
        return published.figure(key).encode()
    if what == "numbers":
        return f"{json.dumps(published.as_json(), indent=1, ensure_ascii=False)}\n".encode()
    context = {"published": published, "report": published.report, "paper": published.paper}
    return render_to_string("public/results.html", context).encode()


def _style(svg: bytes) -> str:
    """What the policy of a figure allows that is opened by itself: the one style that stands in it."""
    found = STYLE.search(svg)
    return f"'sha256-{base64.b64encode(hashlib.sha256(found[1]).digest()).decode()}'" if found else "'none'"
