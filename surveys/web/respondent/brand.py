"""A sender's logo as a file, for public results and for whoever makes a respondents' page again to compare it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from surveys.models import Logo
from surveys.web.respondent.pages import missing_page


@require_safe
def logo(request: HttpRequest, sha256: str) -> HttpResponse:
    png = Logo.objects.filter(sha256=sha256).values_list("png", flat=True).first()
    return HttpResponse(bytes(png), content_type="image/png") if png else missing_page(request)
