"""Pages show times in the zone of whoever is logged in. Programs get them in UTC, and so does the administration."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from surveys.people.zones import zone_of

IN_UTC = ("/api/", "/admin/")


def in_ones_own_zone(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(IN_UTC) or not request.user.is_authenticated:
            return get_response(request)
        with timezone.override(zone_of(request.user)):
            return get_response(request)

    return middleware
