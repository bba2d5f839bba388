"""The pages that need no survey: what this is, and a sample report of invented answers. Made once by each process."""

import json
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from mechanisms import Rappor
from surveys.demo.sample import Sample
from surveys.web.respondent.caching import Kept, answer, page


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return answer(request, _made("public/home.html"))


@require_safe
def sample(request: HttpRequest) -> HttpResponse:
    return answer(request, _made("public/sample.html"))


@require_safe
def rappor(request: HttpRequest) -> HttpResponse:
    """One answer through its life: drawn in the browser, by what draws in surveys."""
    mechanism = Rappor(32, 2, 8)
    turned = round(100 * mechanism.permanent[0][1] / mechanism.den)
    context = {"mechanism": json.dumps(mechanism.spec()), "cohorts": mechanism.cohorts, "turned": turned}
    return HttpResponse(render_to_string("public/rappor.html", context))


@cache
def _made(template: str) -> Kept:
    """The answers that it is made of are let go of; what stays is the page, and the same compressed."""
    found = Sample()
    return page(render_to_string(template, {"published": found, "report": found.report, "paper": found.paper}))
