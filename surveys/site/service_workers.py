"""Remove every service worker: this site has none, so one that runs in a browser was planted.

A worker is a script that a browser stores for a host and calls before each page. An attacker who
could change the site for an hour, or an earlier program on the same host name, may have left one,
which goes on reading answers after the site is repaired. Browsers request the script of a worker
again after each visit, with a header that says so. This module responds with a script that removes
the worker.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# The open pages are loaded again, because the worker may have changed them. Without a worker they
# come from the site itself.
REMOVAL_SCRIPT = """\
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(remove()));
async function remove() {
    const pages = await self.clients.matchAll({ type: "window" });
    await self.registration.unregister();
    await Promise.all(pages.map((page) => page.navigate(page.url)));
}
"""
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'",
    # With a smaller scope than that of the planted worker, the browser would refuse the script and
    # keep the worker.
    "Service-Worker-Allowed": "/",
    "X-Content-Type-Options": "nosniff",
}


def is_worker_request(request: HttpRequest) -> bool:
    """Return whether a browser requests the script of a service worker."""
    return request.headers.get("Service-Worker") == "script"


def remove_service_workers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Respond to each request for the script of a service worker with one that removes the worker.

    This Django middleware comes first, because browsers follow no redirect of such a script, and
    keep a worker whose script they cannot load.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        """Return a script that removes the service worker, if a worker's script is requested."""
        if is_worker_request(request):
            return HttpResponse(
                REMOVAL_SCRIPT, content_type="text/javascript; charset=utf-8", headers=HEADERS
            )
        return get_response(request)

    return middleware
