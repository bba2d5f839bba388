"""The headers that keep each kind of page to itself. docs/threat-model.md says what they are for."""

import re
from collections.abc import Callable
from functools import cache

from csp.constants import HEADER, NONE
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from surveys.site.page_program import Document
from surveys.site.script_integrity import LEARN, WORKSPACE, import_map_source, script_sources

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
    # The value same-origin would leave a handle of this window to other pages of the site, which could read answers.
    "Cross-Origin-Opener-Policy": "noopener-allow-popups",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in FEATURES),
    # Closes leaks that no CSP closes in Chromium: navigation, prefetch and STUN to other hosts.
    "Connection-Allowlist": "(response-origin)",
}


@cache
def policy_without_page() -> str:
    """Of what is answered in place of a respondents' page, such as an error: it runs nothing."""
    return build_policy(
        replace={"script-src": [NONE], "connect-src": [NONE], "form-action": [NONE]}
    )


def answer(request: HttpRequest, made: Document, status: int = 200) -> HttpResponse:
    """A respondents' page, compressed where the browser reads that, with the policy that stands in it too."""
    takes_small = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(made.small if takes_small else made.plain, status=status)
    if takes_small:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    response[HEADER] = f"{made.policy}; frame-ancestors {NONE}"  # who may frame it, no page can say
    return response


def headers_of(made: Document) -> dict[str, str]:
    """Every header of a survey's page, uncompressed, but for those that the connection brings."""
    return {**answer(HttpRequest(), made).headers, **RESPONDENT_HEADERS}


def seal_off(response: HttpResponse, request: HttpRequest) -> HttpResponse:
    """Give a response for respondents all that keeps it to itself."""
    for name, value in RESPONDENT_HEADERS.items():
        response[name] = value
    if OUTWARD_PATHS.match(request.path):
        del response["Connection-Allowlist"]
    response.setdefault(HEADER, policy_without_page())
    return response


def opened_up(response: HttpResponse, style: str = "", script: str = "") -> HttpResponse:
    """Public results: anybody may keep them and show them elsewhere, as pictures and numbers, in no frame.

    style: what a figure that is opened by itself may take its style from, in place of the site's own. script: the one
    script that such a page runs, which can then connect to nothing. Both are sources of a policy.
    """
    for name in ("Referrer-Policy", "X-Content-Type-Options", "Permissions-Policy"):
        response[name] = RESPONDENT_HEADERS[name]
    response["Cross-Origin-Opener-Policy"] = "same-origin"
    response["Cache-Control"] = "public, no-cache"  # kept, and asked for again each time
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response["Access-Control-Allow-Origin"] = "*"
    response[HEADER] = build_policy(
        replace={"script-src": [script or NONE], "connect-src": [NONE], "form-action": [NONE]}
        | ({"style-src": [style]} if style else {})
    )
    return response


def page_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.has_header("Content-Disposition"):
            response["Cache-Control"] = (
                "private, no-store"  # a file goes where its reader puts it, and nowhere else
            )
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
