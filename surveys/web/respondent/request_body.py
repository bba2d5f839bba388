"""The bodies that respondents' pages post: JSON with few bytes and few levels.

No error message repeats anything of a body.
"""

import json

from django.conf import settings
from django.http import HttpRequest, JsonResponse, UnreadablePostError

from surveys.site.json_depth import is_deeper
from surveys.site.problems import problem_response

NO_SUCH_SURVEY = "There is no survey at this address."
# The most levels of a body: it is an object that holds the object of the reports, which holds no
# further objects.
MOST_LEVELS = 2


class Rejected(Exception):
    """The error for a request that cannot be accepted. Views return its problem document.

    problem: the response with the problem document (RFC 9457), which says why.
    status, name, title, detail: as surveys.site.problems.problem_response() takes them.
    """

    def __init__(self, status: int, name: str, title: str, detail: str = "") -> None:
        self.problem = problem_response(status, name, title, detail)
        super().__init__()


def throttled_response(title: str) -> JsonResponse:
    """Return the answer to a request over a rate limit: a problem document with status 429.

    It asks to try again in a minute.

    title: the sentence that the page shows.
    """
    response = problem_response(429, "throttled", title)
    response["Retry-After"] = "60"
    return response


def parse_json_body(request: HttpRequest) -> object:
    """Return the JSON value in the body of a request, of any type.

    Raises Rejected if the body has a wrong content type or too many bytes or levels, is not
    complete or not valid JSON, or has a key twice or a number that is not an integer.
    """
    if request.content_type != "application/json":
        raise Rejected(415, "not-json", "The body must be application/json.")
    if _announced_length(request) > settings.SUBMISSION_LIMIT:
        raise Rejected(
            413, "too-large", f"A response can have at most {settings.SUBMISSION_LIMIT:,} bytes."
        )
    try:
        text = request.body.decode()
        # Levels are counted first, since very many of them would use up the stack of the parser.
        if is_deeper(text, MOST_LEVELS):
            title = "A response is an object with its reports, and nothing nested inside."
            raise Rejected(400, "too-deep", title)
        return json.loads(
            text,
            object_pairs_hook=_object_without_repeated_keys,
            parse_constant=_refuse_number,
            parse_float=_refuse_number,
        )
    except ValueError:
        # The bytes are no UTF-8 or no JSON, or one of the two functions below refused a part.
        raise Rejected(400, "invalid-json", "The body is not valid JSON.") from None
    except UnreadablePostError:
        # The connection ended early. That is no failure of the site, so it does not enter the log.
        raise Rejected(400, "cut-off", "The body is incomplete.") from None


def _announced_length(request: HttpRequest) -> int:
    """Return the length of the body in bytes, as the header Content-Length announces it.

    Returns 0 if no length is announced, and a length above the limit if the announcement is not a
    number. The server never passes on more bytes than announced, so a body that is too large can be
    refused before it is read.
    """
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal():
        # With a length above the limit, the caller refuses the body.
        return settings.SUBMISSION_LIMIT + 1
    return int(length)


def _object_without_repeated_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object as a dictionary. Raises ValueError if a key is repeated.

    json.loads() calls this for each object that it reads. By itself it would keep the last value.

    pairs: the keys and values of the object.
    """
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError("a key appears twice")
    return unique


def _refuse_number(text: str) -> None:
    """Raise ValueError. json.loads() calls this for each number that is not an integer.

    text: the number as it is in the body, or NaN, Infinity or -Infinity. No message repeats it.
    """
    raise ValueError("numbers must be integers")
