"""What is answered where no view answers: problem documents to programs, pages to people. None says what went wrong
inside; that stands in the log.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from surveys.problems import problem

Page = Callable[..., HttpResponse]


def _handler(page: Page, status: int, name: str, title: str) -> Page:
    """A handler as Django calls it: with the exception, but for a failure of the site's own."""

    def handle(request: HttpRequest, **exception: Exception) -> HttpResponse:
        if request.path.startswith("/api/"):
            return problem(status, name, title)
        return page(request, **exception)

    return handle


bad_request = _handler(defaults.bad_request, 400, "bad-request", "The request cannot be read.")
forbidden = _handler(defaults.permission_denied, 403, "permission-denied", "You may not do this.")
not_found = _handler(defaults.page_not_found, 404, "not-found", "There is nothing at this address.")
failed = _handler(
    defaults.server_error, 500, "failed", "The site failed. Look whether your last step was done, then try again."
)
