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

# How the command that builds the pages takes a time. Seconds are left out.
TIME_FORMAT = "%Y-%m-%dT%H:%MZ"


@require_safe
def trust(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Serve the page with which people can check that respondents' pages are the published ones.

    It shows the hashes of the program and style of all respondents' pages and, with a slug, the
    pages and the questions of that survey. If no published survey has this slug, missing_page() is
    served, with status 404.

    slug: that of a survey, or "" for the page about the whole site.
    """
    # The parts of the program and style are the same in all surveys.
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
    """Return what the template needs to show the respondents' pages of a survey with their hashes.

    "pages" has all pages that respondents can see. "times" has the times that the pages depend on,
    as options of the command that builds the pages again for a comparison, such as
    " OPENS=2026-05-01T08:00Z". The context is empty for a survey whose responses are only imported,
    since it has no respondents' page.
    """
    if survey.import_only:
        return {}

    times = ""
    if survey.opens:
        times += f" OPENS={survey.opens.astimezone(UTC):{TIME_FORMAT}}"
        # A page only depends on the closing time if it has an opening time.
        if survey.closes:
            times += f" CLOSES={survey.closes.astimezone(UTC):{TIME_FORMAT}}"
    return {"pages": all_pages_of(survey), "times": times}
