"""The study of the demo as respondents see it, on sites that have not loaded it. It sends nothing."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from features.demo import misconduct, sample
from surveys.fieldwork.page import page, render_page
from surveys.models import Survey
from surveys.site.headers import answer
from surveys.web.respondent import brand, pages


def _is_loaded() -> bool:
    return Survey.objects.filter(slug=misconduct.SLUG).exists()


@require_safe
def survey(request: HttpRequest) -> HttpResponse:
    if _is_loaded():
        return pages.survey(request, misconduct.SLUG)
    study = misconduct.published()
    logo = sample.logo(study.logo.sha256) if study.logo else None
    return answer(request, page("open", study.sha256, study.content, preview="sample", logo=logo))


@require_safe
def help_lines(request: HttpRequest) -> HttpResponse:
    if _is_loaded():
        return pages.help_lines(request, misconduct.SLUG)
    study = misconduct.published()
    logo = sample.logo(study.logo.sha256) if study.logo else None
    return answer(request, render_page("respondent/help.html", study, logo=logo))


@require_safe
def logo(request: HttpRequest, sha256: str) -> HttpResponse:
    png = sample.logo(sha256)
    return (
        HttpResponse(bytes(png), content_type="image/png") if png else brand.logo(request, sha256)
    )
