"""The logo of a sender as a file.

Public results show it. People who build a respondents' page again to compare it need it, too.
"""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from surveys.models import Logo
from surveys.web.respondent.pages import missing_page


@require_safe
def logo(request: HttpRequest, sha256: str) -> HttpResponse:
    """Serve the logo with this hash as a PNG file.

    It may be the logo of any survey or draft. If there is none with this hash, missing_page() is
    served, with status 404.
    """
    png = Logo.objects.filter(sha256=sha256).values_list("png", flat=True).first()
    if not png:
        return missing_page(request)
    return HttpResponse(bytes(png), content_type="image/png")
