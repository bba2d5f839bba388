"""A lesson about RAPPOR, which needs no login."""

import json

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from mechanisms import Rappor


@require_safe
def rappor(request: HttpRequest) -> HttpResponse:
    """Show one answer through its life: randomized in the browser, by the scripts that randomize in surveys."""
    mechanism = Rappor(32, 2, 8)
    turned = round(100 * mechanism.permanent[0][1] / mechanism.den)
    context = {
        "mechanism": json.dumps(mechanism.spec()),
        "cohorts": mechanism.cohorts,
        "turned": turned,
    }
    return HttpResponse(render_to_string("text_candidates/rappor.html", context))
