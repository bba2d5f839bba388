"""Whether a program has already what it asks for, or would overwrite what it has not seen: RFC 9110, by Django."""

import hashlib

from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags
from rest_framework.exceptions import APIException
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response


class PreconditionFailed(APIException):
    status_code = 412
    default_code = "precondition_failed"
    default_detail = "It has changed since you read it."


class WrongCondition(APIException):
    status_code = 400
    default_code = "wrong_condition"
    default_detail = "We can’t read the condition of the request."


def etag_of(read: HttpResponseBase) -> str | None:
    """The entity tag of what was read: its own, or one of its data or bytes; None where it is streamed."""
    if read.has_header("ETag"):
        return read["ETag"]
    if read.streaming:
        return None
    content = JSONRenderer().render(read.data) if isinstance(read, Response) else read.content
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def matches(request: Request, etag: str | None) -> bool:
    """Whether the program has it: to be answered with 304.

    Raises PreconditionFailed where If-Match says another, and WrongCondition where no tag can be read: Django drops
    what it does not understand, and something would be changed that nobody has compared.
    """
    for name in ("If-Match",) if request.method in SAFE_METHODS else ("If-Match", "If-None-Match"):
        if name in request.headers and not parse_etags(request.headers[name]):
            raise WrongCondition(
                f'Send {name} with the ETag exactly as you read it, in its quotation marks ({name}: "0a1b").'
            )
    answer = get_conditional_response(request, etag=etag)
    if answer is not None and answer.status_code == PreconditionFailed.status_code:
        raise PreconditionFailed("Read it again. Its ETag differs from the one in your request.")
    return answer is not None
