"""The view that accepts a response: it is checked against the instrument and stored in the inbox.

No answer of this view repeats anything of what was sent.
"""

from uuid import UUID

from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from surveys.definition.response_format import ResponseFormat, Tickets, response_format
from surveys.fieldwork.responses import Outcome, store_response
from surveys.fieldwork.responses.records import InvalidReports, encode
from surveys.fieldwork.tickets.redemption import Forged, NotOpen, require_open, verify_ticket
from surveys.models import LEAST_TICKETS, Instrument, Survey
from surveys.site.byte_cache import ByteCache
from surveys.site.outages import Unavailable, try_again
from surveys.site.problems import KINDS, problem_response
from surveys.web.respondent.rate_limit import is_rate_limited
from surveys.web.respondent.request_body import (
    NO_SUCH_SURVEY,
    Rejected,
    parse_json_body,
    throttled_response,
)

# The most bytes of memory that an instrument and its format use for each character of the
# instrument.
BYTES_PER_CHARACTER = 20
# An instrument, and the format of responses to it.
PublishedInstrument = tuple[Instrument, ResponseFormat]
# Slug -> the published instrument. All of them together use at most 64 MB of memory.
PUBLISHED_CACHE: ByteCache[PublishedInstrument] = ByteCache(
    64_000_000, lambda published: BYTES_PER_CHARACTER * len(published[0].content)
)


# This view needs no protection from cross-site forgery, since it has nothing to forge: no cookie
# is read, and anybody may submit.
@csrf_exempt
@require_POST
def submit(request: HttpRequest, slug: str) -> JsonResponse:
    """Store the response that a respondent's device sends, and answer what became of it.

    The status is 201 for a new response, and 200 if a response was stored under the same key
    before, so a device can send a response again. Any other answer is a problem document.

    slug: that of the survey.
    """
    if is_rate_limited(request):
        return throttled_response("Too many answers from this connection. Try again in a minute.")

    try:
        instrument, submission_format = load_published(slug)
        key, record = _parse_response(request, submission_format)
        if not submission_format.tickets:
            return _outcome_response(store_response(instrument, key, record))
        return _accept_with_ticket(instrument, submission_format.tickets, key, record)
    except (Instrument.DoesNotExist, Survey.DoesNotExist):
        # No published survey has this slug, or the survey was destroyed since its instrument was
        # cached.
        return problem_response(404, "no-such-survey", NO_SUCH_SURVEY)
    except Rejected as rejected:
        return rejected.problem
    except (Error, Unavailable) as error:
        # The database may be gone, locked, read-only or full, or the inbox has no private key. In
        # each case the device can send the same bytes again.
        return try_again(error, "We could not store your answers. Please try again in a moment.")


def load_published(slug: str) -> PublishedInstrument:
    """Return the instrument of a published survey, and the format of responses to it.

    Both are read from the database once and then cached, since they never change. Raises
    Instrument.DoesNotExist if the slug is unknown, or if the survey is not published or has no
    respondents' page.
    """

    def read_from_database() -> PublishedInstrument:
        """Return the value for the cache. PUBLISHED_CACHE calls this if it has none."""
        # Only a published survey has an instrument. Its tally is left out, since it changes and can
        # be large.
        instruments = Instrument.objects.defer("tally")
        instrument = instruments.get(survey__slug=slug, survey__import_only=False)
        return instrument, response_format(instrument)

    return PUBLISHED_CACHE.get(slug, read_from_database)


def _accept_with_ticket(
    instrument: Instrument, tickets: Tickets, key: UUID, record: bytes
) -> JsonResponse:
    """Store a response that was sent with a valid ticket, and return the answer to the device.

    If a response with this ticket is stored already, nothing is stored, and the answer says that
    the ticket is spent. In a survey in two steps, where everyone takes a ticket before anyone
    answers, nothing is stored before answers are open. Raises Survey.DoesNotExist if such a survey
    was destroyed.

    tickets: the tickets of the survey.
    key: the key of the ticket, under which its response is stored.
    record: the response in the form in which it is stored.
    """
    if tickets.steps == Survey.Tickets.TWO:
        try:
            require_open(instrument.survey_id)
        except NotOpen as early:
            return _not_open_response(early.survey)

    outcome = store_response(instrument, key, record)
    # The answer is the same whether the response is the stored one (REPEATED) or not (CONFLICT).
    # Otherwise people with a copy of the ticket could find out by trying which response was sent
    # with it.
    if outcome in (Outcome.REPEATED, Outcome.CONFLICT):
        return problem_response(409, "ticket-spent", detail=KINDS["ticket-spent"].advice)
    return _outcome_response(outcome)


def _outcome_response(outcome: Outcome) -> JsonResponse:
    """Return the answer to the device for an outcome of store_response().

    The status is 201 if the response is stored now, and 200 if it was stored before. For all other
    outcomes the answer is a problem document.
    """
    if outcome is Outcome.GONE:
        # The survey was destroyed after load_published() cached its instrument.
        return problem_response(404, "no-such-survey", NO_SUCH_SURVEY)
    if outcome is Outcome.EARLY:
        title = "This survey is not open yet and takes no answers before it opens."
        return problem_response(403, "survey-not-open", title)
    if outcome is Outcome.NOT_OPEN:
        title = "This survey is paused or closed, and takes no answers now."
        return problem_response(403, "survey-closed", title)
    if outcome is Outcome.CONFLICT:
        return problem_response(409, "key-conflict", "This key was used in another survey.")
    # Only RECORDED and REPEATED are left.
    status = 201 if outcome is Outcome.RECORDED else 200
    return JsonResponse({"status": "recorded"}, status=status)


def _not_open_response(survey: Survey) -> JsonResponse:
    """Return the problem document that says why a survey in two steps takes no answers now.

    In such a survey everyone takes a ticket first. Answers open at the opening time, or later if
    fewer than LEAST_TICKETS people have a ticket then.

    survey: a survey for which require_open() raised NotOpen.
    """
    if survey.is_over:
        return _outcome_response(Outcome.NOT_OPEN)
    if survey.is_before_opening:
        return _outcome_response(Outcome.EARLY)
    # The opening time has passed, so the survey waits for tickets.
    title = f"Answers open once {LEAST_TICKETS} people have taken a ticket."
    return problem_response(403, "too-few-tickets", title)


def _parse_response(request: HttpRequest, submission_format: ResponseFormat) -> tuple[UUID, bytes]:
    """Return the response in the body of a request: its key, and the record to be stored.

    If the survey has tickets, the body has a ticket, from which the key is made. Otherwise it has
    a random key of the device. Raises Rejected if the body is not of the required form or is for
    another instrument, or if the reports, the key or the ticket are not valid.

    submission_format: the format that the instrument of the survey requires.
    """
    body = parse_json_body(request)
    key_name = "ticket" if submission_format.tickets else "key"
    if not isinstance(body, dict) or body.keys() != {"instrument", key_name, "reports"}:
        title = f"The body must have instrument, {key_name} and reports, and nothing else."
        raise Rejected(422, "invalid-response", title)
    # The device may have an old page, with other questions.
    if body["instrument"] != submission_format.sha256:
        title = "These answers are for another version of the questions."
        raise Rejected(409, "instrument-mismatch", title)

    try:
        record = encode(submission_format, body["reports"])
    except InvalidReports as error:
        title = "The reports do not fit the questions."
        raise Rejected(422, "invalid-response", title, str(error)) from None

    tickets = submission_format.tickets
    if tickets:
        return _key_of_ticket(submission_format.survey, tickets, body["ticket"]), record
    return _parse_key(body["key"]), record


def _key_of_ticket(slug: str, tickets: Tickets, text: object) -> UUID:
    """Return the key under which the response with a ticket is stored.

    The key is made from the ticket, so one ticket gives one response. Raises Rejected if the text
    is no ticket, or if the ticket was not signed for this survey.

    slug, tickets: those of the survey.
    text: what the body has as the ticket, of any type.
    """
    # A value of another type is passed on as "", which verify_ticket() refuses.
    ticket = text if isinstance(text, str) else ""
    try:
        return verify_ticket(slug, tickets, ticket)
    except ValueError as error:
        # The error completes a sentence, such as "The ticket must be 384 letters of base64url."
        raise Rejected(422, "invalid-response", f"The ticket {error}.") from None
    except Forged:
        title = "This ticket was not signed for this survey."
        raise Rejected(403, "ticket-forged", title) from None


def _parse_key(text: object) -> UUID:
    """Return the random key that a device has made for its response.

    Raises Rejected unless the text is a random UUID (version 4) as Python writes it. Other ways to
    write the same key are refused.

    text: what the body has as the key, of any type.
    """
    key = None
    if isinstance(text, str):
        try:
            key = UUID(text)
        except ValueError:
            key = None
    if key is None or key.version != 4 or str(key) != text:
        title = "The key must be a random UUID (version 4) in lower case."
        raise Rejected(422, "invalid-response", title)
    return key
