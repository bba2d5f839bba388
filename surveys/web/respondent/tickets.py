"""The view that issues tickets: it takes a code and a blinded text, and returns a signature.

An invited person has the code. The text is that of the ticket, which the device has chosen at
random and has hidden behind a random number, so the site signs it without reading it. The device
makes the ticket of this signature. So no one can tell whose ticket it is (a blind signature).

Neither the code nor the text is logged. Only POST issues a ticket, so a program that merely opens
links, such as a scanner of mails, takes none.
"""

import logging
from typing import NamedTuple

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
    NO_SUCH_SURVEY,
    Rejected,
    parse_json_body,
    throttled_response,
)


class Refusal(NamedTuple):
    """The words that say why no ticket is issued: a row of REFUSALS.

    The fields are the arguments of Rejected, which makes the problem document of them.
    """

    status: int
    name: str
    title: str
    detail: str = ""


# Reason why no ticket is issued -> the words that the page shows.
REFUSALS = {
    Reason.NO_CODE: Refusal(
        404, "no-such-code", "There is no such code. Check your letter or mail."
    ),
    Reason.FOREIGN: Refusal(404, "foreign-code", "This code is for another survey."),
    Reason.CODE_USED: Refusal(
        409,
        "ticket-fetched",
        "This code has been used to take a ticket.",
        "If it was not you, or you lost the ticket, ask the people who invited you for a new code.",
    ),
    Reason.OPEN: Refusal(
        403, "fetching-over", "Answers are open. You cannot take a ticket any more."
    ),
    Reason.CLOSED: Refusal(
        403, "fetching-over", "This survey is closed. You cannot take a ticket any more."
    ),
    Reason.PAUSED: Refusal(
        403, "fetching-paused", "This survey is paused. Try again later, with the same code."
    ),
}
logger = logging.getLogger(__name__)
# What is said if the site, and not the person, is the reason that there is no ticket.
NOT_SIGNED = "We could not sign the ticket. Please try again in a moment."


# This view needs no protection from cross-site forgery, since it has nothing to forge: no cookie
# is read, and a code works from any page.
@csrf_exempt
def issue_ticket(request: HttpRequest, slug: str) -> HttpResponse:
    """Issue a ticket for a survey to the device of an invited person.

    The body of the request has the code of the person and the blinded text of the ticket, which the
    site cannot read. The answer has its signature, of which the device makes the ticket, or is
    a problem document that says why there is none.
    """
    # The decorator require_POST would answer without a problem document.
    if request.method != "POST":
        response = problem_response(405, "method-not-allowed", "Use POST to take a ticket.")
        response["Allow"] = "POST"
        return response
    if is_rate_limited(request):
        return throttled_response("Too many requests from this connection. Try again in a minute.")
    # Wrong codes have a limit of their own, so that nobody can try many.
    if has_too_many_wrong_codes(request):
        return throttled_response(
            "Too many wrong codes from this connection. Try again in a minute."
        )

    try:
        signature = _signature(request, slug)
        return JsonResponse({"signed": ticket_key.to_base64url(signature)})
    except Rejected as rejected:
        return rejected.problem
    except Error as error:
        # The database may be gone, locked, read-only or full. The device can send the same request
        # again, which takes no second ticket.
        return try_again(error, NOT_SIGNED)


def _signature(request: HttpRequest, slug: str) -> bytes:
    """Return the signature of the blinded text in the body of a request.

    Raises Rejected if no published survey with tickets has this slug, if the body is not of the
    required form, if there is no ticket for the code in the body, or if the site cannot sign.
    A wrong code is counted, since it may be a guess.
    """
    # A survey with tickets gets its issuer, the key that signs them, when it is published.
    survey = Survey.objects.filter(slug=slug, issuer__isnull=False).first()
    if survey is None:
        raise Rejected(404, "no-such-survey", NO_SUCH_SURVEY)

    code, blinded = _parse_request(request)
    try:
        return sign_ticket(survey, code, blinded)
    except NoTicket as error:
        # With these two reasons the code is wrong, and may be a guess. With the others it is right,
        # or the answer does not depend on it.
        if error.reason in (Reason.NO_CODE, Reason.FOREIGN):
            count_wrong_code(request)
        refusal = REFUSALS[error.reason]
        raise Rejected(refusal.status, refusal.name, refusal.title, refusal.detail) from None
    except ValueError as error:
        # The blinded text is not a number that the key of this survey can sign. The error completes
        # the sentence.
        raise _invalid_request(f"What is to be signed {error}.") from None
    except (Refused, Faulty) as error:
        # The site lacks its TICKET_KEY, or the computer made a mistake in the signature.
        logger.error("No ticket could be signed: %s", error)
        raise Rejected(503, "try-again", NOT_SIGNED) from None


def _parse_request(request: HttpRequest) -> tuple[str, bytes]:
    """Return the code in the body, and the blinded text as bytes.

    Raises Rejected if the body is not JSON with these two texts and nothing else, or if one of them
    has a wrong length or wrong characters.
    """
    body = parse_json_body(request)
    if not isinstance(body, dict) or body.keys() != {"code", "blinded"}:
        raise _invalid_request("The body must have code and blinded, and nothing else.")

    code = body["code"]
    blinded = body["blinded"]
    if not isinstance(code, str) or not isinstance(blinded, str):
        raise _invalid_request("Code and blinded must be text.")
    if len(code) != codes.CODE_LENGTH or not set(code) <= set(SLUG_LETTERS):
        raise _invalid_request(
            f"The code must be {codes.CODE_LENGTH} letters of {SLUG_LETTERS}, in lower case and with "
            "nothing between."
        )
    try:
        # The keys of all surveys have the same size, so the text always has this length.
        blinded_bytes = protocol.decode_base64url(blinded, protocol.BLINDED_LETTERS)
    except ValueError as error:
        # The error completes the sentence.
        raise _invalid_request(f"What is to be signed {error}.") from None
    return code, blinded_bytes


def _invalid_request(detail: str) -> Rejected:
    """Return the error for a request for a ticket that does not have the required form.

    The caller raises it. Its problem document has the status 422 and is of the kind "invalid".

    detail: a sentence that says what is wrong.
    """
    # The empty title stands for the title of the kind.
    return Rejected(422, "invalid", title="", detail=detail)
