"""The page that shows what is published, and how to check it.

It lists each page of a survey as a whole, the parts of its program and style, and the questions,
by their SHA-256 hashes.
"""

from datetime import UTC

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.page import all_pages_of
from surveys.models import Instrument, Survey
from surveys.site import page_sources
from surveys.site.headers import answer
from surveys.site.page_program import build_page, page_parts
from surveys.site.version import VERSION
from surveys.web.respondent.pages import missing_page


@require_safe
def trust(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Serve the page for one survey or, without a slug, for the site."""
    pieces = []
    for name, text in page_parts().items():
        pieces.append({"name": name, "sha256": page_sources.sha256(text.encode())})
    context = {
        "pieces": pieces,
        "site": f"{request.scheme}://{request.get_host()}",
        "version": VERSION,
        "build": page_sources.sources_sha256(),
    }
    if slug:
        instrument = Instrument.objects.select_related("survey").filter(survey__slug=slug).first()
        if instrument is None:
            return missing_page(request)
        context |= _pages_context(instrument.survey)
        context["checked"] = parse_instrument(instrument)
    return answer(request, build_page(render_to_string("respondent/trust.html", context)))


def _pages_context(survey: Survey) -> dict[str, object]:
    """Return the whole pages of a survey, and its times as options of the command that builds them.

    The context is empty for a survey that has no respondents' page.
    """
    if survey.import_only:
        return {}
    # A page only depends on the closing time if it has an opening time.
    closes = survey.closes if survey.opens else None
    times = ""
    for name, time in (("OPENS", survey.opens), ("CLOSES", closes)):
        if time:
            times += f" {name}={time.astimezone(UTC):%Y-%m-%dT%H:%MZ}"
    return {"pages": all_pages_of(survey), "times": times}
