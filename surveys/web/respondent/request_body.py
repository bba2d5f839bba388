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
    """The error for a request that cannot be accepted, with the problem document that says why.

    status, name, title, detail: as surveys.site.problems.problem_response() takes them.
    """

    def __init__(self, status: int, name: str, title: str, detail: str = "") -> None:
        self.problem = problem_response(status, name, title, detail)
        super().__init__()


def throttled_response(title: str) -> JsonResponse:
    """Return a problem document with status 429: the sender may try again in a minute."""
    response = problem_response(429, "throttled", title)
    response["Retry-After"] = "60"
    return response


def parse_json_body(request: HttpRequest) -> object:
    """Return the JSON value in the body of a request. Raises Rejected if it is not acceptable.

    Rejected bodies: a wrong content type, too many bytes or levels, invalid or incomplete JSON,
    repeated keys, and numbers that are not integers.
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
        # The bytes are no UTF-8 or no JSON, or one of the two functions refused a part.
        raise Rejected(400, "invalid-json", "The body is not valid JSON.") from None
    except UnreadablePostError:
        # The sender has gone. That is no failure of the site, so it does not enter the log.
        raise Rejected(400, "cut-off", "The body is incomplete.") from None


def _announced_length(request: HttpRequest) -> int:
    """Return the announced length of the body; 0 if none is announced.

    Returns one above the limit if the length is not a number, so that the body is refused.

    The WSGI server never passes on more than the announced length, so this bounds what is read.
    """
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal():
        return settings.SUBMISSION_LIMIT + 1
    return int(length)


def _object_without_repeated_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object as a dictionary. Raises ValueError if a key is repeated.

    pairs: the keys and values of the object, as json.loads() passes them.
    """
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError("a key appears twice")
    return unique


def _refuse_number(text: str) -> None:
    """Raise ValueError for a number that is not an integer.

    text: the number as it is in the body, or NaN, Infinity or -Infinity. No message repeats it.
    """
    raise ValueError("numbers must be integers")
