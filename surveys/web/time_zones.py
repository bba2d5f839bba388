"""Pages of the workspace show times in the zone of whoever is logged in. Everything else has them in UTC."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from surveys.accounts.time_zones import zone_of

PAGES = ("/surveys/", "/account/")


def in_ones_own_zone(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(PAGES) or not request.user.is_authenticated:
            return get_response(request)
        with timezone.override(zone_of(request.user)):
            return get_response(request)

    return middleware
