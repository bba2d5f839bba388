"""Set the headers that protect each kind of page. docs/threat-model.md explains their purpose."""

import re
from collections.abc import Callable
from functools import cache

from csp.constants import HEADER, NONE
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from surveys.site.page_program import Document
from surveys.site.script_integrity import LEARN, WORKSPACE, import_map_source, script_sources

# The pages for respondents, their previews, and the addresses that receive responses and requests
# for tickets. Error pages at these addresses are included.
RESPONDENT_PATHS = re.compile(
    r"^/(s/|i/|brand/|leave/|help/|trust/|surveys/(ready/)?[^/]+/preview/"
    r"|api/v1/surveys/[^/]+/(responses|tickets)/$)"
)

# The pages that lead to other sites, which the connection allow-list would forbid. They hold no
# answer and run no script.
OUTWARD_PATHS = re.compile(r"^/(leave/$|help/|surveys/(ready/)?[^/]+/preview/help/$)")

# The abilities of browsers that respondents' pages switch off, since they use none of them.
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
    # With the value same-origin other pages of the site would get a handle of this window, and
    # could read answers.
    "Cross-Origin-Opener-Policy": "noopener-allow-popups",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in FEATURES),
    # This stops what no CSP stops in Chromium: navigation, prefetch and STUN to other hosts.
    "Connection-Allowlist": "(response-origin)",
}


@cache
def policy_without_page() -> str:
    """Return the content security policy of a response in place of a respondents' page.

    Such a response, for example an error, runs no script, makes no requests and sends no form. All
    else is as in the settings of the site.
    """
    return build_policy(
        replace={"script-src": [NONE], "connect-src": [NONE], "form-action": [NONE]}
    )


def answer(request: HttpRequest, document: Document, status: int = 200) -> HttpResponse:
    """Return a respondents' page as a response, compressed if the browser accepts gzip.

    Its content security policy is the one in the page itself, and also forbids all frames.
    """
    accepts_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    if accepts_gzip:
        response = HttpResponse(document.small, status=status)
        response["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(document.plain, status=status)
    patch_vary_headers(response, ["Accept-Encoding"])
    # Browsers ignore frame-ancestors in the page itself, so only the header has it.
    response[HEADER] = f"{document.policy}; frame-ancestors {NONE}"
    return response


def headers_of(document: Document) -> dict[str, str]:
    """Return the headers with which the site sends a respondents' page to a browser without gzip.

    Headers that the server adds, such as the date, are not among them.
    """
    # A request without headers does not accept gzip.
    response = answer(HttpRequest(), document)
    return {**response.headers, **RESPONDENT_HEADERS}


def seal_off(response: HttpResponse, request: HttpRequest) -> HttpResponse:
    """Set the headers that protect respondents in a response, and return the response.

    These are RESPONDENT_HEADERS and a content security policy, unless the response already has one.
    Pages that lead to other sites get no connection allow-list.
    """
    for name, value in RESPONDENT_HEADERS.items():
        response[name] = value
    if OUTWARD_PATHS.match(request.path):
        del response["Connection-Allowlist"]
    response.setdefault(HEADER, policy_without_page())
    return response


def allow_public_reuse(response: HttpResponse, style: str = "", script: str = "") -> HttpResponse:
    """Set the headers of a response with public results, and return the response.

    Every site may load and cache public results as pictures and numbers, but may not frame them.
    The content security policy replaces one that the response already has. Everything that it does
    not name, such as frame-ancestors, is as in the settings of the site.

    style: the value of style-src in the policy, for a figure that is opened by itself, or "" for
        that of the settings.
    script: the value of script-src, for the only script that the page runs, or "" for no script.
    """
    for name in ("Referrer-Policy", "X-Content-Type-Options", "Permissions-Policy"):
        response[name] = RESPONDENT_HEADERS[name]
    response["Cross-Origin-Opener-Policy"] = "same-origin"
    # Anyone may store the response, and asks each time whether it has changed.
    response["Cache-Control"] = "public, no-cache"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response["Access-Control-Allow-Origin"] = "*"
    directives = {"script-src": [script or NONE], "connect-src": [NONE], "form-action": [NONE]}
    if style:
        directives["style-src"] = [style]
    response[HEADER] = build_policy(replace=directives)
    return response


def page_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Set the security headers of each response by its address (a Django middleware)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        """Return the response to a request with the headers of its kind of page.

        The content security policy of the settings is changed through attributes that django-csp
        reads: `_csp_replace` replaces or removes directives, and `_csp_update` adds to them.
        """
        response = get_response(request)
        if response.has_header("Content-Disposition"):
            # A downloaded file is stored only where its reader saves it.
            response["Cache-Control"] = "private, no-store"
        if RESPONDENT_PATHS.match(request.path):
            seal_off(response, request)
        elif request.path.startswith("/admin/"):
            # The jQuery of the admin writes HTML as text, which trusted types forbid.
            response._csp_replace = {"require-trusted-types-for": None, "trusted-types": None}
        elif request.path.startswith("/learn/"):
            response._csp_replace = {"script-src": script_sources(LEARN), "form-action": [NONE]}
        elif request.path.startswith("/api/"):
            response.setdefault("Cache-Control", "private, no-cache")
        else:
            response._csp_update = {"script-src": [import_map_source(WORKSPACE)]}
        return response

    return middleware
