"""The headers that keep each kind of page to itself. docs/threat-model.md says what they are for."""

import re
from collections.abc import Callable
from functools import cache

from csp.constants import HEADER, NONE
from csp.utils import build_policy
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

from surveys.site.script_integrity import ICON, LEARN, WORKSPACE, import_map_source, published, script_sources

# Respondent pages, their preview, the pages around them, and the address that takes submissions; error pages included.
RESPONDENT_PATHS = re.compile(
    r"^/(s/|i/|brand/|leave/|help/|trust/|surveys/(ready/)?[^/]+/preview/|api/v1/surveys/[^/]+/(responses|tickets)/$)"
)
# Pages that lead to other sites, which the connection allow-list would forbid. They hold no answer and run no script.
OUTWARD_PATHS = re.compile(r"^/(leave/$|help/|surveys/(ready/)?[^/]+/preview/help/$)")

FEATURES = [
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "clipboard-read",
    "clipboard-write",
    "compute-pressure",
    "cross-origin-isolated",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "identity-credentials-get",
    "idle-detection",
    "keyboard-map",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "otp-credentials",
    "payment",
    "picture-in-picture",
    "publickey-credentials-create",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "storage-access",
    "sync-xhr",
    "usb",
    "window-management",
    "xr-spatial-tracking",
]

RESPONDENT_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Integrity-Policy": "blocked-destinations=(script)",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in FEATURES),
    # Closes leaks that no CSP closes in Chromium: navigation, prefetch and STUN to other hosts.
    "Connection-Allowlist": "(response-origin)",
}


@cache
def respondent_policy() -> str:
    """All but the images, built once: the same for every respondent. What runs is one of our scripts, by its hash."""
    return build_policy(replace={"script-src": script_sources(), "form-action": [NONE], "img-src": None})


@cache
def outward_policy() -> str:
    return build_policy(replace={"script-src": [NONE], "connect-src": [NONE], "form-action": [NONE], "img-src": None})


def with_logo(response: HttpResponse, address: str) -> HttpResponse:
    """A respondents' page that shows the logo at this address, if there is one, so that its policy lets it load."""
    response.logo = address
    return response


def image_sources(request: HttpRequest, logo: str) -> str:
    """What the page itself loads, each by its whole address: an image of any other one could tell what is chosen."""
    try:
        origin = f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:  # who asks for a site that this one is not gets no picture
        return NONE
    return " ".join(origin + address for address in (published(ICON)[0], *([logo] if logo else [])))


def seal_off(response: HttpResponse, request: HttpRequest) -> HttpResponse:
    """Give a response for respondents all that keeps it to itself."""
    for name, value in RESPONDENT_HEADERS.items():
        response[name] = value
    is_outward = OUTWARD_PATHS.match(request.path)
    if is_outward:
        del response["Connection-Allowlist"]
    policy = outward_policy() if is_outward else respondent_policy()
    response[HEADER] = f"{policy}; img-src {image_sources(request, getattr(response, 'logo', ''))}"
    return response


def opened_up(response: HttpResponse, style: str = "") -> HttpResponse:
    """Public results: anybody may keep them and show them elsewhere, as pictures and numbers, in no frame.

    style: what a figure that is opened by itself may take its style from, in place of the site's own.
    """
    for name in ("Referrer-Policy", "X-Content-Type-Options", "Cross-Origin-Opener-Policy", "Permissions-Policy"):
        response[name] = RESPONDENT_HEADERS[name]
    response["Cache-Control"] = "public, no-cache"  # kept, and asked for again each time
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response["Access-Control-Allow-Origin"] = "*"
    response[HEADER] = build_policy(
        replace={"script-src": [NONE], "form-action": [NONE]} | ({"style-src": [style]} if style else {})
    )
    return response


def page_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.has_header("Content-Disposition"):
            response["Cache-Control"] = "private, no-store"  # a file goes where its reader puts it, and nowhere else
        if RESPONDENT_PATHS.match(request.path):
            seal_off(response, request)
        elif request.path.startswith("/admin/"):
            # The admin's own jQuery writes HTML as text, which trusted types forbid.
            response._csp_replace = {"require-trusted-types-for": None, "trusted-types": None}
        elif request.path.startswith("/learn/"):
            response._csp_replace = {"script-src": script_sources(LEARN), "form-action": [NONE]}
        elif request.path.startswith("/api/"):
            response.setdefault("Cache-Control", "private, no-cache")
        else:
            response._csp_update = {"script-src": [import_map_source(WORKSPACE)]}
        return response

    return middleware
