"""The pages that need no survey: what this is, and a sample report of invented answers. Made once by each process."""

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from surveys.answering.kept import Kept, answer, page
from surveys.demo.sample import Sample


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return answer(request, _made("home.html"))


@require_safe
def sample(request: HttpRequest) -> HttpResponse:
    return answer(request, _made("public/sample.html"))


@cache
def _made(template: str) -> Kept:
    """The answers that it is made of are let go of; what stays is the page, and the same compressed."""
    found = Sample()
    return page(render_to_string(template, {"published": found, "report": found.report, "paper": found.paper}))
