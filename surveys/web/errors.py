"""What is answered where no view answers: problem documents to programs, pages to people. None says what went wrong
inside; that stands in the log.
"""

import sys

from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from surveys.site.outages import log_outage, try_again
from surveys.site.problems import problem_response

FAILED = "Something went wrong on our side. Check whether your last change was saved. If not, try again in a moment."
# What a page of an error says: its title, then its sentences.
UNREADABLE = (
    "We can’t read this request",
    "Go back and shorten what you wrote. The request was too long or damaged, and nothing was changed.",
)
NOT_ALLOWED = (
    "You don’t have access to this page",
    "If you need it, ask the site’s operator.",
)
EXPIRED = (
    "This page has expired",
    "Nothing was changed. That happens when you log in or out in another window, or when your browser blocks cookies.",
    "Go back: what you wrote should still be there. Copy it, reload the page and send it again.",
)
MISSING = (
    "Page not found",
    "Check the address for typing errors. The page may also have been deleted, or you may not have access to it.",
)
BROKEN = (
    "Something went wrong",
    "Something went wrong on our side. Check whether your last change was saved. If not, try again in a moment.",
    "If it happens again, tell the site’s operator what you were doing. Details are in the server log.",
)
AWAY = (
    "Not available right now",
    "Load the page again in a minute. Then check whether your last change was saved. The site’s database can’t be "
    "reached.",
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_program(request):
        return problem_response(400, "bad-request", "We can’t read the request.")
    return _page(request, 400, UNREADABLE)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_program(request):
        return problem_response(403, "permission-denied", "You are not allowed to do this.")
    return _page(request, 403, NOT_ALLOWED, home=True)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without the token of this site."""
    return _page(request, 403, EXPIRED)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_program(request):
        return problem_response(404, "not-found", "Not found.")
    return _page(request, 404, MISSING, home=True)


def failed(request: HttpRequest) -> HttpResponse:
    error = sys.exc_info()[1]
    is_away = isinstance(error, Error)  # of the database: gone, locked, read-only, full
    if _is_program(request):
        return try_again(error) if is_away else problem_response(500, "failed", FAILED)
    if is_away:
        log_outage(error)
        return HttpResponse(_alone(AWAY), status=503, headers={"Retry-After": "5"})
    return HttpResponse(_alone(BROKEN), status=500)


def _is_program(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _page(
    request: HttpRequest, status: int, text: tuple[str, ...], *, home: bool = False
) -> HttpResponse:
    return render(
        request, "error.html", {"title": text[0], "said": text[1:], "home": home}, status=status
    )


def _alone(text: tuple[str, ...]) -> str:
    """Without the request: who is logged in stands in the database."""
    return render_to_string("error.html", {"title": text[0], "said": text[1:]})
