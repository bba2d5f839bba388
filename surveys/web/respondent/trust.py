"""What is published, and how to check it: each page as a whole, its program and style, and the questions by SHA-256."""

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
    context = {
        "pieces": [
            {"name": name, "sha256": page_sources.sha256(text.encode())}
            for name, text in page_parts().items()
        ],
        "site": f"{request.scheme}://{request.get_host()}",
        "version": VERSION,
        "build": page_sources.sources_sha256(),
    }
    if slug:
        instrument = Instrument.objects.select_related("survey").filter(survey__slug=slug).first()
        if instrument is None:
            return missing_page(request)
        context |= _whole(instrument.survey) | {"checked": parse_instrument(instrument)}
    return answer(request, build_page(render_to_string("respondent/trust.html", context)))


def _whole(survey: Survey) -> dict[str, object]:
    """The page as a whole, of a survey that has one, and what to add to the command that makes it again."""
    if survey.import_only:
        return {}
    times = {"OPENS": survey.opens, "CLOSES": survey.opens and survey.closes}
    said = "".join(
        f" {name}={time.astimezone(UTC):%Y-%m-%dT%H:%MZ}" for name, time in times.items() if time
    )
    return {"pages": all_pages_of(survey), "times": said}
