"""Where a response arrives: checked against the instrument, stored in the inbox, answered. Nothing is echoed."""

from uuid import UUID

from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from surveys.definition.response_format import ResponseFormat, Tickets, response_format
from surveys.fieldwork.responses import Outcome, store_response
from surveys.fieldwork.responses.records import InvalidReports, encode
from surveys.fieldwork.tickets.redemption import Forged, NotOpen, require_open, verify_ticket
from surveys.models import LEAST_FETCHED, Instrument, Survey
from surveys.site.byte_cache import ByteCache
from surveys.site.outages import try_again
from surveys.site.problems import KINDS, problem_response
from surveys.web.respondent.rate_limit import is_rate_limited
from surveys.web.respondent.request_body import (
    MISSING,
    Rejected,
    parse_json_body,
    throttled_response,
)

IN_MEMORY = (
    20  # bytes that an instrument and its format take for each character of the instrument, at most
)
Published = tuple[Instrument, ResponseFormat]
PUBLISHED: ByteCache[Published] = ByteCache(
    64_000_000, lambda published: IN_MEMORY * len(published[0].content)
)


# Safe from cross-site forgery by having nothing to forge: no cookie is read and anybody may submit.
@csrf_exempt
@require_POST
def submit(request: HttpRequest, slug: str) -> JsonResponse:
    if is_rate_limited(request):
        return throttled_response("Too many answers from this connection. Try again in a minute.")
    try:
        instrument, form = load_published(slug)
        key, record = _parse_body(request, form)
        if not form.tickets:
            return _answer(store_response(instrument, key, record))
        return _accept_with_ticket(instrument, form.tickets, key, record)
    except (Instrument.DoesNotExist, Survey.DoesNotExist):
        return problem_response(*MISSING)
    except Rejected as rejected:
        return rejected.problem
    except (
        Error
    ) as error:  # gone, locked, read-only, full: whatever it is, the same bytes can come again
        return try_again(error, "We could not store your answers. Please try again in a moment.")


def load_published(slug: str) -> Published:
    """Return a published instrument, cached for good. Raises DoesNotExist."""

    def read() -> Published:
        instrument = Instrument.objects.defer("tally").get(
            survey__slug=slug, survey__import_only=False
        )
        return instrument, response_format(instrument)

    return PUBLISHED.get(slug, read)


def _accept_with_ticket(
    instrument: Instrument, tickets: Tickets, key: UUID, record: bytes
) -> JsonResponse:
    """key: that of a ticket, which stands for one response. Every further message with it gets one and the same answer,
    or whoever has a copy of the ticket could try out what was sent with it.
    """
    if tickets.steps == Survey.Tickets.TWO:
        try:
            require_open(instrument.survey_id)
        except NotOpen as early:
            return _closed_yet(early.survey)
    outcome = store_response(instrument, key, record)
    if outcome in (Outcome.KNOWN, Outcome.CONFLICT):
        return problem_response(409, "ticket-spent", detail=KINDS["ticket-spent"].advice)
    return _answer(outcome)


def _answer(outcome: Outcome) -> JsonResponse:
    if outcome is Outcome.GONE:  # what `published` remembers of it is of before
        return problem_response(*MISSING)
    if outcome is Outcome.EARLY:
        return problem_response(
            403,
            "survey-not-open",
            "This survey is not open yet and takes no answers before it opens.",
        )
    if outcome is Outcome.NOT_OPEN:
        return problem_response(
            403, "survey-closed", "This survey is closed and takes no more answers."
        )
    if outcome is Outcome.CONFLICT:
        return problem_response(409, "key-conflict", "Another response was sent with this key.")
    return JsonResponse({"status": "recorded"}, status=201 if outcome is Outcome.RECORDED else 200)


def _closed_yet(survey: Survey) -> JsonResponse:
    if survey.is_over:
        return _answer(Outcome.NOT_OPEN)
    if timezone.now() < survey.opens:
        return _answer(Outcome.EARLY)
    return problem_response(
        403, "too-few-tickets", f"Answers open once {LEAST_FETCHED} people have taken a ticket."
    )


def _parse_body(request: HttpRequest, form: ResponseFormat) -> tuple[UUID, bytes]:
    """Return the key and the record of the response in the body. Raises Rejected."""
    body, known_by = parse_json_body(request), "ticket" if form.tickets else "key"
    if not isinstance(body, dict) or body.keys() != {"instrument", known_by, "reports"}:
        said = f"The body must have instrument, {known_by} and reports, and nothing else."
        raise Rejected(422, "invalid-response", said)
    if body["instrument"] != form.sha256:
        raise Rejected(
            409, "instrument-mismatch", "These answers are for another version of the questions."
        )
    try:
        record = encode(form, body["reports"])
    except InvalidReports as error:
        raise Rejected(
            422, "invalid-response", "The reports do not fit the questions.", str(error)
        ) from None
    if form.tickets:
        return _key_of_ticket(form.survey, form.tickets, body["ticket"]), record
    return _key(body["key"]), record


def _key_of_ticket(slug: str, tickets: Tickets, text: object) -> UUID:
    """Return the key of a ticket. Raises Rejected."""
    try:
        return verify_ticket(slug, tickets, text if isinstance(text, str) else "")
    except ValueError as error:
        raise Rejected(422, "invalid-response", f"The ticket {error}.") from None
    except Forged:
        raise Rejected(
            403, "ticket-forged", "This ticket was not signed for this survey."
        ) from None


def _key(text: object) -> UUID:
    try:
        key = UUID(text) if isinstance(text, str) else None
    except ValueError:
        key = None
    if key is None or key.version != 4 or str(key) != text:
        raise Rejected(
            422, "invalid-response", "The key must be a random UUID (version 4) in lower case."
        )
    return key
