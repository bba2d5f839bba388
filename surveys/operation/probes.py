"""What other programs watch the site by: is it alive, is it ready, and its numbers for those who may see them.

They come before everything else: no session, account or host name is looked at, and no redirect is in the way of a
probe that asks a process directly. Nobody's visit is counted.
"""

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from surveys.operation.health import Check, readiness
from surveys.operation.metrics import CONTENT_TYPE, metrics

FORWARDED = ("X-Forwarded-Proto", "X-Forwarded-For", "X-Real-IP", "Forwarded", "Via")
PLAIN = "text/plain; charset=utf-8"


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """The process answers. Nothing is touched, so a database that is away restarts no process."""
    return HttpResponse("ok\n", PLAIN)


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """200 or 503, and the reasons for those who may see them. ?exclude=seal (as often as wanted) leaves a check out."""
    checks = readiness(frozenset(request.GET.getlist("exclude")))
    is_ready = all(check.ok for check in checks)
    status = 200 if is_ready else 503
    if not may_see(request):
        return HttpResponse("ok\n" if is_ready else "not ok\n", PLAIN, status)
    return JsonResponse(
        {"ready": is_ready, "checks": [_told(check) for check in checks]}, status=status
    )


def _told(check: Check) -> dict[str, object]:
    return check._replace(mend="" if check.ok else check.mend)._asdict()


@require_safe
def numbers(request: HttpRequest) -> HttpResponse:
    if not may_see(request):
        return HttpResponse(
            "You can’t read this. METRICS_TOKEN and METRICS_ADDRESSES decide who can.\n", PLAIN, 403
        )
    return HttpResponse(metrics(), CONTENT_TYPE)


def may_see(request: HttpRequest) -> bool:
    """Whoever has the token, or asks from a listed address directly: behind a proxy everybody has the proxy's."""
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    if (
        settings.METRICS_TOKEN
        and kind == "Bearer"
        and constant_time_compare(given, settings.METRICS_TOKEN)
    ):
        return True
    if any(name in request.headers for name in FORWARDED):
        return False
    return _is_listed(request.META.get("REMOTE_ADDR", ""))


def _is_listed(text: str) -> bool:
    try:
        address = ip_address(text)
    except ValueError:  # a Unix socket has none
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return any(address in network for network in settings.METRICS_ADDRESSES)


PROBES = {"healthz": alive, "readyz": ready, "metrics": numbers}


def probes_first(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        probe = PROBES.get(request.path_info.removeprefix("/"))
        if probe is None:
            return get_response(request)
        response = probe(request)
        response["Cache-Control"], response["X-Content-Type-Options"] = "no-store", "nosniff"
        response._has_been_logged = True  # an outage would be in the log as often as somebody asks
        return response

    return middleware
