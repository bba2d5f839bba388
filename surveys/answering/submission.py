"""Where a response arrives: checked against the instrument, stored in the inbox, answered. Nothing is echoed."""

import json
from functools import lru_cache
from uuid import UUID

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, JsonResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from surveys.answering.rate import too_many
from surveys.ballots import Outcome, accept
from surveys.ballots.records import InvalidReports, encode
from surveys.models import Instrument
from surveys.nesting import is_deeper
from surveys.outages import try_again
from surveys.problems import problem
from surveys.publishing.instruments import Paper, paper

KEYS = {"instrument", "key", "reports"}
LEVELS = 2  # the reports stand in the body, and nothing stands in them


class Rejected(Exception):
    """A body that cannot be accepted, with the problem document that says why."""

    def __init__(self, *args: object) -> None:
        self.problem = problem(*args)
        super().__init__()


# Safe from cross-site forgery by having nothing to forge: no cookie is read and anybody may submit.
@csrf_exempt
@require_POST
def submit(request: HttpRequest, slug: str) -> JsonResponse:
    if too_many(request):
        response = problem(429, "throttled", "Too many answers came from this connection. Send them again in a minute.")
        response["Retry-After"] = "60"
        return response
    try:
        instrument, frozen = published(slug)
        key, record = _read(request, frozen)
        return _answer(accept(instrument, key, record))
    except Instrument.DoesNotExist:
        return _missing()
    except Rejected as rejected:
        return rejected.problem
    except Error as error:  # gone, locked, read-only, full: whatever it is, the same bytes can come again
        return try_again(error, "The answers could not be stored just now. Send them again in a moment.")


@lru_cache(maxsize=1024)
def published(slug: str) -> tuple[Instrument, Paper]:
    """An instrument never changes, so one read serves this process for good. Raises Instrument.DoesNotExist."""
    instrument = Instrument.objects.defer("tally").get(survey__slug=slug, survey__import_only=False)
    return instrument, paper(instrument)


def _missing() -> JsonResponse:
    return problem(404, "no-such-survey", "There is no survey at this address.")


def _answer(outcome: Outcome) -> JsonResponse:
    if outcome is Outcome.GONE:  # what `published` remembers of it is of before
        return _missing()
    if outcome is Outcome.EARLY:
        return problem(403, "survey-not-open", "This survey is not open yet and takes no answers before it opens.")
    if outcome is Outcome.NOT_OPEN:
        return problem(403, "survey-closed", "This survey is closed and takes no more answers.")
    if outcome is Outcome.CONFLICT:
        return problem(409, "key-conflict", "Another response was sent under this key already.")
    return JsonResponse({"status": "recorded"}, status=201 if outcome is Outcome.RECORDED else 200)


def _read(request: HttpRequest, frozen: Paper) -> tuple[UUID, bytes]:
    """The body as (key, record). Raises Rejected."""
    body = _json(request)
    if not isinstance(body, dict) or body.keys() != KEYS:
        raise Rejected(422, "invalid-response", "The body must hold instrument, key and reports, and nothing else.")
    if body["instrument"] != frozen.sha256:
        raise Rejected(409, "instrument-mismatch", "These answers are for another version of the questions.")
    try:
        return _key(body["key"]), encode(frozen, body["reports"])
    except InvalidReports as error:
        raise Rejected(422, "invalid-response", "The reports do not fit the questions.", str(error)) from None


def _key(text: object) -> UUID:
    try:
        key = UUID(text) if isinstance(text, str) else None
    except ValueError:
        key = None
    if key is None or key.version != 4 or str(key) != text:
        raise Rejected(422, "invalid-response", "The key must be a random UUID (version 4) in lower case.")
    return key


def _json(request: HttpRequest) -> object:
    if request.content_type != "application/json":
        raise Rejected(415, "not-json", "The body must be application/json.")
    if _announced_length(request) > settings.SUBMISSION_LIMIT:
        raise Rejected(413, "too-large", f"A response has at most {settings.SUBMISSION_LIMIT:,} bytes.")
    try:
        text = request.body.decode()
        if is_deeper(text, LEVELS):
            raise Rejected(400, "too-deep", "A response holds an object with its reports, and nothing inside that.")
        return json.loads(
            text, object_pairs_hook=_without_repeats, parse_constant=_no_constant, parse_float=_no_constant
        )
    except ValueError:
        raise Rejected(400, "invalid-json", "The body is not valid JSON.") from None
    except UnreadablePostError:  # the sender has gone: no failure of the site's, so nothing for its log
        raise Rejected(400, "cut-off", "The body ended too early.") from None


def _announced_length(request: HttpRequest) -> int:
    # The WSGI server never hands over more than the announced length, so this bounds what is read.
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isdecimal() else settings.SUBMISSION_LIMIT + 1


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(text: str) -> None:
    raise ValueError("only integers are numbers here")
