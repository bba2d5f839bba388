"""The pages that need no survey: what this is, and a sample report of invented answers. Made once by each process."""

import json
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from features.demo.sample import Sample
from surveys.site.page_program import program
from surveys.site.script_integrity import digest
from surveys.web.respondent.caching import CachedContent, cached_page, cached_response

TRY = "demo/home.js"  # the respondents' own try, without the rest of their page


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return cached_response(
        request, _made("demo/home.html", TRY), script=f"'{digest(program(TRY).encode())}'"
    )


@require_safe
def sample(request: HttpRequest) -> HttpResponse:
    return cached_response(request, _made("demo/sample.html"))


@cache
def _made(template: str, entry: str = "") -> CachedContent:
    """The answers that it is made of are let go of; what stays is the page, and the same compressed."""
    published = Sample()
    context = {"published": published, "report": published.report, "paper": published.paper}
    if entry:
        tried = [{"mechanism": published.first.basis.mechanism.spec()}]
        context |= {"questions": json.dumps(tried), "script": program(entry)}
    return cached_page(render_to_string(template, context))
