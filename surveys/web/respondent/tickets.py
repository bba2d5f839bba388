"""Where a ticket is fetched: a code and a blinded text come in, a signature goes out. Nothing of either is logged.

One address, one method: whoever only looks (a scanner of mails, a preview of links) fetches nothing.
"""

import logging

from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from surveys.definition import ticket_key
from surveys.fieldwork.tickets import codes, protocol
from surveys.fieldwork.tickets.blind_signature import Faulty
from surveys.fieldwork.tickets.issuance import NoTicket, Reason, sign_ticket
from surveys.models import SLUG_LETTERS, Survey
from surveys.site.errors import Refused
from surveys.site.outages import try_again
from surveys.site.problems import problem_response
from surveys.web.respondent.rate_limit import (
    count_wrong_code,
    has_too_many_wrong_codes,
    is_rate_limited,
)
from surveys.web.respondent.request_body import (
    MISSING,
    Rejected,
    parse_json_body,
    throttled_response,
)

NO_TICKET = {
    Reason.NO_CODE: (404, "no-such-code", "There is no such code. Check your letter or mail."),
    Reason.FOREIGN: (404, "foreign-code", "This code is for another survey."),
    Reason.TAKEN: (
        *(409, "ticket-fetched", "This code has been used to take a ticket."),
        "If it was not you, or you lost the ticket, ask the people who invited you for a new code.",
    ),
    Reason.OPEN: (403, "fetching-over", "Answers are open. You cannot take a ticket any more."),
    Reason.CLOSED: (
        403,
        "fetching-over",
        "This survey is closed. You cannot take a ticket any more.",
    ),
    Reason.PAUSED: (
        403,
        "fetching-paused",
        "This survey is paused. Try again later, with the same code.",
    ),
}
logger = logging.getLogger(__name__)
AWAY = "We could not sign the ticket. Please try again in a moment."


# Safe from cross-site forgery by having nothing to forge: no cookie is read, and a code is as good from anywhere.
@csrf_exempt
def issue_ticket(request: HttpRequest, slug: str) -> HttpResponse:
    if request.method != "POST":
        response = problem_response(405, "method-not-allowed", "Use POST to take a ticket.")
        response["Allow"] = "POST"
        return response
    if said := _put_off(request):
        return throttled_response(said)
    try:
        return JsonResponse({"signed": ticket_key.text(_signed(request, slug))})
    except Rejected as rejected:
        return rejected.problem
    except Error as error:
        return try_again(error, AWAY)


def _put_off(request: HttpRequest) -> str:
    if is_rate_limited(request):
        return "Too many requests from this connection. Try again in a minute."
    return (
        "Too many wrong codes from this connection. Try again in a minute."
        if has_too_many_wrong_codes(request)
        else ""
    )


def _signed(request: HttpRequest, slug: str) -> bytes:
    """Raises Rejected."""
    survey = Survey.objects.filter(slug=slug, issuer__isnull=False).first()
    if survey is None:
        raise Rejected(*MISSING)
    code, blinded = _read(request)
    try:
        return sign_ticket(survey, code, blinded)
    except NoTicket as wrong:
        if wrong.reason in (Reason.NO_CODE, Reason.FOREIGN):
            count_wrong_code(request)
        raise Rejected(*NO_TICKET[wrong.reason]) from None
    except ValueError as error:
        raise Rejected(422, "invalid", "", f"What is to be signed {error}.") from None
    except (Refused, Faulty) as error:
        logger.error("No ticket could be signed: %s", error)
        raise Rejected(503, "try-again", AWAY) from None


def _read(request: HttpRequest) -> tuple[str, bytes]:
    """Code and blinded text. Raises Rejected."""
    body = parse_json_body(request)
    if not isinstance(body, dict) or body.keys() != {"code", "blinded"}:
        raise Rejected(422, "invalid", "", "The body must have code and blinded, and nothing else.")
    code, blinded = body["code"], body["blinded"]
    if not isinstance(code, str) or not isinstance(blinded, str):
        raise Rejected(422, "invalid", "", "Code and blinded must be text.")
    if len(code) != codes.LENGTH or not set(code) <= set(SLUG_LETTERS):
        said = f"The code must be {codes.LENGTH} letters of {SLUG_LETTERS}, in lower case and with nothing between."
        raise Rejected(422, "invalid", "", said)
    try:
        return code, protocol.unpacked(blinded, protocol.BLINDED)
    except ValueError as error:
        raise Rejected(422, "invalid", "", f"What is to be signed {error}.") from None
