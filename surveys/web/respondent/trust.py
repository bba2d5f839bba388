"""What is published, and how to check it: scripts and stylesheet of respondents' pages by SHA-256, and the questions.

The list has the form that `sha256sum --check` reads, with the files' paths in the repository, which are also their
addresses on this site.
"""

import base64
from datetime import UTC

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from surveys.definition.instrument import paper
from surveys.fieldwork.page import pages_of
from surveys.models import Instrument, Survey
from surveys.site import page_sources
from surveys.site.script_integrity import RESPONDENT, STYLESHEET, published, scripts
from surveys.site.version import VERSION
from surveys.web.respondent.pages import missing


@require_safe
def trust(request: HttpRequest, slug: str = "") -> HttpResponse:
    context = {
        "files": _files(),
        "site": f"{request.scheme}://{request.get_host()}",
        "version": VERSION,
        "build": page_sources.number(),
    }
    if slug:
        instrument = Instrument.objects.select_related("survey").filter(survey__slug=slug).first()
        if instrument is None:
            return missing(request)
        context |= _whole(instrument.survey) | {"checked": paper(instrument)}
    return HttpResponse(render_to_string("public/trust.html", context))


def _whole(survey: Survey) -> dict[str, object]:
    """The page as a whole, of a survey that has one, and what to add to the command that makes it again."""
    if survey.import_only:
        return {}
    times = {"OPENS": survey.opens, "CLOSES": survey.opens and survey.closes}
    said = "".join(f" {name}={time.astimezone(UTC):%Y-%m-%dT%H:%MZ}" for name, time in times.items() if time)
    return {"pages": pages_of(survey), "times": said}


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    lines = [f"{one['sha256']}  {one['path']}\n" for one in _files()]
    return HttpResponse("".join(lines), content_type="text/plain; charset=utf-8")


def _files() -> list[dict[str, str]]:
    """path in the repository, address as the page loads it, integrity as the page states it, and the same in hex."""
    return [
        {
            "path": f"static/{name}",
            "address": address,
            "integrity": integrity,
            "sha256": base64.b64decode(integrity.removeprefix("sha256-")).hex(),
        }
        for name, (address, integrity) in (scripts(RESPONDENT) | {STYLESHEET: published(STYLESHEET)}).items()
    ]
