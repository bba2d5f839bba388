"""A sender's logo and colours: files at addresses that hold their hash, the same bytes for everybody.

They are as little cached as the page that shows them: a device would go on telling whose survey was opened on it.
"""

import re

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from surveys.definition import accent
from surveys.demo import sample
from surveys.models import Logo
from surveys.web.respondent.pages import missing

NAMED = re.compile(r"([0-9a-f]{6})-([0-9a-f]{6})-[0-9a-f]{16}")


@require_safe
def logo(request: HttpRequest, sha256: str) -> HttpResponse:
    found = Logo.objects.filter(sha256=sha256).values_list("png", flat=True).first() or sample.logo(sha256)
    return HttpResponse(bytes(found), content_type="image/png") if found else missing(request)


@require_safe
def colours(request: HttpRequest, name: str) -> HttpResponse:
    """The stylesheet whose name says what is in it; under no other name."""
    found = NAMED.fullmatch(name)
    pair = (f"#{found[1]}", f"#{found[2]}") if found else ("", "")
    if not found or accent.name(*pair) != name:
        return missing(request)
    return HttpResponse(accent.stylesheet(*pair), content_type="text/css; charset=utf-8")
