"""Whether a program has already what it asks for."""

from django.utils.http import parse_etags, quote_etag
from rest_framework.request import Request


def matches(request: Request, etag: str) -> bool:
    """Whether the request's If-None-Match names this entity tag; compared weakly, as RFC 9110 says for GET."""
    asked = parse_etags(request.headers.get("If-None-Match", ""))
    plain = quote_etag(etag).removeprefix("W/")
    return "*" in asked or plain in (each.removeprefix("W/") for each in asked)
