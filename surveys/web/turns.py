"""Whoever asks for heavy work while another's is done is told to come again, on a page with a button."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse

from surveys.site import turn
from surveys.site.problems import problem_response
from surveys.web.said import message_page


def in_turn(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        with turn.request_budget():
            return get_response(request)

    middleware.process_exception = _answer
    return middleware


def as_problem(error: Exception) -> JsonResponse | None:
    """None for any other exception."""
    if isinstance(error, turn.Busy):
        response = problem_response(409, "busy", turn.BUSY_MESSAGE)
        response["Retry-After"] = str(turn.RETRY_AFTER)
        return response
    return (
        problem_response(503, "overdue", turn.OVERDUE_MESSAGE)
        if isinstance(error, turn.Overdue)
        else None
    )


def _answer(request: HttpRequest, error: Exception) -> HttpResponse | None:
    told = as_problem(error)
    if told is None:
        return None
    why = turn.BUSY_MESSAGE if isinstance(error, turn.Busy) else turn.OVERDUE_MESSAGE
    page = message_page(request, "Not possible right now", why, status=told.status_code, again=True)
    if isinstance(error, turn.Busy):
        page["Retry-After"] = told["Retry-After"]
    return page
