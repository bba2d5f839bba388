"""Reading what a respondent's page posts: JSON of few bytes and few levels, and nothing of it is echoed."""

import json

from django.conf import settings
from django.http import HttpRequest, JsonResponse, UnreadablePostError

from surveys.site.json_depth import is_deeper
from surveys.site.problems import problem_response

MISSING = (404, "no-such-survey", "There is no survey at this address.")
LEVELS = 2  # the reports stand in the body, and nothing stands in them


class Rejected(Exception):
    """A body that cannot be accepted, with the problem document that says why."""

    def __init__(self, *args: object) -> None:
        self.problem = problem_response(*args)
        super().__init__()


def throttled_response(title: str) -> JsonResponse:
    response = problem_response(429, "throttled", title)
    response["Retry-After"] = "60"
    return response


def parse_json_body(request: HttpRequest) -> object:
    """Raises Rejected."""
    if request.content_type != "application/json":
        raise Rejected(415, "not-json", "The body must be application/json.")
    if _announced_length(request) > settings.SUBMISSION_LIMIT:
        raise Rejected(
            413, "too-large", f"A response can have at most {settings.SUBMISSION_LIMIT:,} bytes."
        )
    try:
        text = request.body.decode()
        if is_deeper(text, LEVELS):
            raise Rejected(
                400,
                "too-deep",
                "A response is an object with its reports, and nothing nested inside.",
            )
        return json.loads(
            text,
            object_pairs_hook=_without_repeats,
            parse_constant=_no_constant,
            parse_float=_no_constant,
        )
    except ValueError:
        raise Rejected(400, "invalid-json", "The body is not valid JSON.") from None
    except (
        UnreadablePostError
    ):  # the sender has gone: no failure of the site's, so nothing for its log
        raise Rejected(400, "cut-off", "The body is incomplete.") from None


def _announced_length(request: HttpRequest) -> int:
    # The WSGI server never hands over more than the announced length, so this bounds what is read.
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isdecimal() else settings.SUBMISSION_LIMIT + 1


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError("a key appears twice")
    return unique


def _no_constant(text: str) -> None:
    raise ValueError("numbers must be integers")
