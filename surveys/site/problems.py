"""Errors of the API as problem documents (RFC 9457): what went wrong, never what was sent."""

from dataclasses import dataclass

from django.http import JsonResponse
from django.urls import reverse


@dataclass(frozen=True)
class Kind:
    """A kind of problem, as the page says it to which its type leads."""

    title: str
    advice: str


_AGAIN = "Send the same request again a little later."
_BODY = "Look at the example of the operation in the documentation of the API."
KINDS = {
    "authentication-failed": Kind("The token is not valid", "Make a new one in the workspace, under “API tokens”."),
    "bad-request": Kind("The request cannot be read", "Look at its address, its headers and its host."),
    "busy": Kind(
        "Another large download or analysis is running", "The header “Retry-After” says how many seconds to wait."
    ),
    "changed-meanwhile": Kind(
        "The survey was changed meanwhile",
        "Nothing of yours is stored. Read the survey again, and send your change with its new edition.",
    ),
    "cut-off": Kind("The body ended too early", _AGAIN),
    "failed": Kind("The site failed", "The fault is ours. Look whether your last step was done, then try again."),
    "group-too-small": Kind(
        "So few people are not reported on",
        "A group has at least 30 people, and leaves none or at least 30 outside. Pick a larger one.",
    ),
    "instrument-mismatch": Kind(
        "These answers are for another version of the questions", "Read the instrument of the survey again."
    ),
    "fetching-over": Kind(
        "No more tickets are given out",
        "In two steps everybody takes a ticket before answers open, so that no time tells whose answer is whose.",
    ),
    "fetching-paused": Kind("No tickets are given out just now", _AGAIN),
    "foreign-code": Kind("The code is for another survey", "Follow the link or the address in your letter or mail."),
    "invalid": Kind("Something in the request is wrong", "“errors” says what and where. Nothing is stored."),
    "invalid-json": Kind("The body is not valid JSON", _BODY),
    "invalid-response": Kind(
        "The reports do not fit the questions", "Each report must be one that the instrument allows."
    ),
    "key-conflict": Kind(
        "Another response was sent under this key", "A response that is sent again has to be the same. Draw a new key."
    ),
    "method-not-allowed": Kind(
        "This address does not take the method", "The header “Allow” of the answer says which it takes."
    ),
    "no-such-code": Kind(
        "There is no such code", "Look at your letter or mail again; a code that was replaced is gone."
    ),
    "no-such-survey": Kind("There is no survey at this address", "Look at the link again."),
    "nothing-in-common": Kind(
        "No question of the two versions can be compared",
        "Both need the same key, words, answers, unit and condition, and enough responses.",
    ),
    "not-acceptable": Kind(
        "The answer cannot be given in this form",
        "Take “Accept” out of the request, or name a form that is documented.",
    ),
    "not-authenticated": Kind(
        "The request names nobody",
        "Send a token as “Authorization: Bearer”. The workspace makes them, under “API tokens”.",
    ),
    "not-found": Kind(
        "There is nothing at this address",
        "Addresses of the API end with a slash. What you have no right to see is not there for you either.",
    ),
    "not-json": Kind("The body must be application/json", "Name it in the header “Content-Type”."),
    "not-of-the-cut": Kind(
        "People are picked by groups of the cut only",
        "Without the right to rows there are the groups of the survey’s cut, from its closing on. “detail” names them.",
    ),
    "out-of-turn": Kind("This is not the part that comes next", "“next” has the number of the part that does."),
    "overdue": Kind("This took too long and was stopped", "Ask for less at once, or download the responses."),
    "parse-error": Kind("The body cannot be read", _BODY),
    "permission-denied": Kind(
        "You may not do this",
        "The token may be good for other things only, or your role in the team for less. “detail” says which.",
    ),
    "precondition-failed": Kind(
        "It is not in the state that you expect",
        "Its ETag is another one than “If-Match” or “If-None-Match” says. Read it again, then decide.",
    ),
    "refused": Kind("The state of the survey does not allow this", "“detail” says why, and what would."),
    "survey-closed": Kind("The survey is closed", "It takes no more answers."),
    "survey-not-open": Kind("The survey is not open yet", "It takes no answers before it opens."),
    "throttled": Kind("Too many requests", "The header “Retry-After” says how many seconds to wait."),
    "ticket-fetched": Kind(
        "A ticket was taken with this code already",
        "It is on the device that took it. If it is lost, whoever invited you can replace the code, and cannot see "
        "which ticket was yours.",
    ),
    "ticket-forged": Kind(
        "The ticket was not signed for this survey",
        "It may be a ticket for another survey or another version of it, or a part of it was lost while copying.",
    ),
    "ticket-spent": Kind(
        "This ticket has been used",
        "Answers with this ticket have already arrived: yours from an earlier message, or those of someone else who "
        "used your ticket. Nothing was stored now.",
    ),
    "too-deep": Kind("The body is nested too deeply", _BODY),
    "too-few": Kind("Too few people for a statement", "It takes 100 people who answered all that is asked for."),
    "too-few-tickets": Kind(
        "Too few people have taken a ticket for answers to open",
        "In two steps at least 20 have to, so that nobody can be told from the others by having come.",
    ),
    "too-large": Kind("The body is too large", "“detail” says how large it may be."),
    "too-many-cells": Kind(
        "There are too many combinations of answers", "Take questions with fewer answers, or one answer of a question."
    ),
    "try-again": Kind("The database cannot be used just now", _AGAIN),
    "unknown-parameter": Kind(
        "The address has a parameter that is not known",
        "“detail” names those that there are. None is dropped silently.",
    ),
    "unreadable": Kind("The file cannot be read", "“errors” says what is wrong with it. Nothing is stored."),
    "unsupported-media-type": Kind(
        "The body is of a type that is not read here", "Name one in “Content-Type” that the operation documents."
    ),
    "wrong-condition": Kind(
        "The condition of the request cannot be read",
        "“If-Match” and “If-None-Match” take an ETag as it was read, in its quotation marks, or *.",
    ),
    "wrong-parameter": Kind(
        "A parameter of the address has a value that is not allowed",
        "“detail” says which are, and where it may stand once.",
    ),
}


def problem(status: int, name: str, title: str = "", detail: str = "", **more: object) -> JsonResponse:
    """name: one of KINDS, a stable word that programs can test for. title: where it says more than its kind's."""
    body = {
        "type": reverse("problem", args=[name]),
        "title": title or f"{KINDS[name].title}.",
        "status": status,
    }
    if detail:
        body["detail"] = detail
    return JsonResponse(body | more, status=status, content_type="application/problem+json")
