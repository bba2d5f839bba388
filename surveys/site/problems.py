"""Return errors of the API as problem documents (RFC 9457). They never repeat what was sent.

A problem document is JSON that describes an error to a program. Its `type` is the address of a page
about this kind of problem.
"""

from dataclasses import dataclass

from django.http import JsonResponse
from django.urls import reverse


@dataclass(frozen=True)
class Kind:
    """The text of the page about a kind of problem, to which problem documents lead.

    title: what is wrong, in a few words.
    advice: what the sender of the request can do about it.
    """

    title: str
    advice: str


_SEND_AGAIN = "Send the same request again later."
_SEE_EXAMPLE = "See the example in the API documentation."
KINDS = {
    "authentication-failed": Kind(
        "The token is not valid", "Make a new token in the workspace, under “API tokens”."
    ),
    "bad-request": Kind(
        "The request cannot be read", "Check its address, its headers and its host."
    ),
    "busy": Kind(
        "Another large download or analysis is running",
        "The header “Retry-After” says how many seconds to wait.",
    ),
    "changed-meanwhile": Kind(
        "Someone else has changed the survey",
        "Nothing was stored. Read the survey again, then send your change with its new edition.",
    ),
    "cut-off": Kind("The body is incomplete", _SEND_AGAIN),
    "failed": Kind(
        "Something went wrong on our side",
        "Check whether your last change was saved. If not, try again in a moment.",
    ),
    "gone": Kind(
        "There is no such file any more", "“detail” names the file that holds the same responses."
    ),
    "group-too-small": Kind(
        "Too few people to report",
        "A group needs at least 30 people, and none or at least 30 outside. Choose a larger group.",
    ),
    "instrument-mismatch": Kind(
        "These answers are for another version of the questions",
        "Get the instrument of the survey again.",
    ),
    "fetching-over": Kind(
        "No one can take a ticket any more",
        "In this survey people take their tickets before answers open. Then no time of day shows "
        "whose answer is whose.",
    ),
    "fetching-paused": Kind("No one can take a ticket right now", _SEND_AGAIN),
    "foreign-code": Kind(
        "The code is for another survey", "Use the link or the address in your letter or mail."
    ),
    "invalid": Kind(
        "Something in the request is wrong", "See “errors” for what and where. Nothing was stored."
    ),
    "invalid-json": Kind("The body is not valid JSON", _SEE_EXAMPLE),
    "invalid-response": Kind(
        "The reports do not fit the questions",
        "Each report must be one that the instrument allows.",
    ),
    "key-conflict": Kind(
        "This key was used in another survey",
        "Use a new key for each response.",
    ),
    "method-not-allowed": Kind(
        "This address does not allow the method", "See the header “Allow” for the methods it does."
    ),
    "no-such-code": Kind(
        "There is no such code",
        "Check your letter or mail. A code that was replaced no longer works.",
    ),
    "no-such-survey": Kind(
        "There is no survey at this address", "Check the link for typing errors."
    ),
    "nothing-in-common": Kind(
        "No question of the two versions can be compared",
        "Both need the same key, words, answers, unit and condition, and enough responses.",
    ),
    "not-acceptable": Kind(
        "We can’t answer in this form",
        "Remove “Accept” from the request, or name a documented form.",
    ),
    "not-authenticated": Kind(
        "The request has no token",
        "Send a token as “Authorization: Bearer”. You can make one in the workspace, under "
        "“API tokens”.",
    ),
    "not-found": Kind(
        "Not found",
        "Check the address; it ends with a slash. You get the same answer for what you don’t have "
        "access to.",
    ),
    "not-json": Kind("The body must be application/json", "Name it in the header “Content-Type”."),
    "not-of-the-cut": Kind(
        "Filtering is limited to report groups",
        "Without row access you can filter by report groups, once the survey is closed. “detail” "
        "names them.",
    ),
    "out-of-turn": Kind("This is not the next part", "Send the part with the number in “next”."),
    "overdue": Kind(
        "This took too long and was stopped", "Request less at once, or download the responses."
    ),
    "parse-error": Kind("The body cannot be read", _SEE_EXAMPLE),
    "permission-denied": Kind(
        "You may not do this",
        "Your token lacks a scope, or your role in the team doesn’t allow it. “detail” says which.",
    ),
    "precondition-failed": Kind(
        "It has changed since you read it",
        "Read it again, then decide. Its ETag differs from “If-Match” or “If-None-Match”.",
    ),
    "refused": Kind(
        "The survey’s status does not allow this", "See “detail” for the reason and what to do."
    ),
    "survey-closed": Kind("The survey is paused or closed", "It takes no answers now."),
    "survey-not-open": Kind("The survey is not open yet", "It takes no answers before it opens."),
    "throttled": Kind(
        "Too many requests", "The header “Retry-After” says how many seconds to wait."
    ),
    "ticket-fetched": Kind(
        "This code has been used to take a ticket",
        "The ticket is on the device that took it. If it is lost, the people who invited you can "
        "replace the code. They cannot see which ticket was yours.",
    ),
    "ticket-forged": Kind(
        "The ticket was not signed for this survey",
        "It may be a ticket for another survey or version, or part of it was lost in copying.",
    ),
    "ticket-spent": Kind(
        "This ticket has been used",
        "Answers with this ticket have already arrived: yours, or those of someone else who used "
        "your ticket. Nothing was stored now.",
    ),
    "too-deep": Kind("The body is nested too deeply", _SEE_EXAMPLE),
    "too-few": Kind(
        "Too few people to report", "This needs 100 people who answered all of these questions."
    ),
    "too-few-tickets": Kind(
        "Too few people have taken a ticket for answers to open",
        "At least 20 must. With fewer, taking a ticket could point to a person.",
    ),
    "too-large": Kind("The body is too large", "“detail” says how large it may be."),
    "too-many-cells": Kind(
        "There are too many combinations of answers",
        "Choose questions with fewer answers, or one answer of a question.",
    ),
    "try-again": Kind("The database cannot be used just now", _SEND_AGAIN),
    "unknown-parameter": Kind(
        "The address has an unknown parameter",
        "See “detail” for the allowed ones. We never ignore one silently.",
    ),
    "unreadable": Kind(
        "The file cannot be read", "See “errors” for what is wrong. Nothing was stored."
    ),
    "unsupported-media-type": Kind(
        "The body has an unsupported type", "Use a documented “Content-Type”."
    ),
    "wrong-condition": Kind(
        "We can’t read the condition of the request",
        "“If-Match” and “If-None-Match” need an ETag exactly as you read it, in its quotation "
        "marks, or *.",
    ),
    "wrong-parameter": Kind(
        "A parameter of the address has a wrong value",
        "See “detail” for the allowed values. Some parameters can appear only once.",
    ),
}


def problem_response(
    status: int, name: str, title: str = "", detail: str = "", **more: object
) -> JsonResponse:
    """Return the response to a failed request, with a problem document (RFC 9457) as JSON.

    status: the HTTP status of the response, which the document repeats.
    name: the kind of the problem, a key of KINDS.
    title: a sentence about this problem, or "" for the title of its kind.
    detail: a further sentence, or "" for none.
    more: further members of the document, such as "errors".
    """
    body = {
        "type": reverse("problem", args=[name]),
        "title": title or f"{KINDS[name].title}.",
        "status": status,
    }
    if detail:
        body["detail"] = detail
    return JsonResponse(body | more, status=status, content_type="application/problem+json")
