"""Whether a program has already what it asks for, or would overwrite what it has not seen: RFC 9110, by Django."""

import hashlib

from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response


class PreconditionFailed(APIException):
    status_code = 412
    default_code = "precondition_failed"
    default_detail = "It is not in the state that you expect."


def etag_of(read: HttpResponseBase) -> str | None:
    """The entity tag of what was read: its own, or one of its data or bytes; None where it is streamed."""
    if read.has_header("ETag"):
        return read["ETag"]
    if read.streaming:
        return None
    content = JSONRenderer().render(read.data) if isinstance(read, Response) else read.content
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def matches(request: Request, etag: str | None) -> bool:
    """Whether the program has it: to be answered with 304. Raises PreconditionFailed where If-Match says another."""
    answer = get_conditional_response(request, etag=etag)
    if answer is not None and answer.status_code == PreconditionFailed.status_code:
        raise PreconditionFailed("Read it again: its ETag is another one than the request names.")
    return answer is not None
