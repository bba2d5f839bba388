"""What is answered where no view answers: problem documents to programs, pages to people. None says what went wrong
inside; that stands in the log.
"""

import sys

from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views import defaults

from surveys.site.outages import tell, try_again
from surveys.site.problems import problem

FAILED = "The site failed. Look whether your last step was done, then try again."


def _is_program(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_program(request):
        return problem(400, "bad-request", "The request cannot be read.")
    return defaults.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_program(request):
        return problem(403, "permission-denied", "You may not do this.")
    return defaults.permission_denied(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_program(request):
        return problem(404, "not-found", "There is nothing at this address.")
    return defaults.page_not_found(request, exception)


def failed(request: HttpRequest) -> HttpResponse:
    error = sys.exc_info()[1]
    if isinstance(error, Error):  # of the database: gone, locked, read-only, full
        return try_again(error) if _is_program(request) else _away(error)
    return problem(500, "failed", FAILED) if _is_program(request) else defaults.server_error(request)


def _away(error: Error) -> HttpResponse:
    tell(error)
    return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": "5"})
