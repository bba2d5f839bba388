"""Requests to the organization’s provider, bounded in time and size. What it says of itself is kept for a minute."""

import asyncio
import json
import ssl
import time
from functools import cache

import httpx

STEP, WHOLE = 5.0, 10.0  # seconds for each step of a request, and for all requests of one login
LARGEST = 200_000  # bytes of an answer
CACHE_SECONDS = (
    60  # seconds; any longer, and people are sent to a provider that has stopped meanwhile
)

_document_cache: dict[
    str, tuple[float, dict]
] = {}  # address -> when it was read (monotonic), its document


class Unreachable(Exception):
    """The provider does not answer, or not as OpenID Connect says. The text is for the log: it names no person."""


def deadline() -> float:
    """When the requests of a login that begins now have to be done (monotonic seconds)."""
    return time.monotonic() + WHOLE


def read_document(url: str, until: float, *, again: bool = False) -> dict:
    """The document at this address, at most KEPT seconds old; `again`: as it is now. Raises Unreachable."""
    when, document = _document_cache.get(url, (0.0, {}))
    if again or not document or time.monotonic() - when > CACHE_SECONDS:
        document = document_of(send_request("GET", url, until))
        _document_cache[url] = time.monotonic(), document
    return document


def send_request(method: str, url: str, until: float, **options: object) -> httpx.Response:
    """An answer of whatever status. Follows no redirect. Raises Unreachable."""
    try:
        return asyncio.run(_request(method, url, until - time.monotonic(), options))
    except TimeoutError as error:
        raise Unreachable(f"{url} took too long") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise Unreachable(f"{url}: {type(error).__name__}") from error


def document_of(answer: httpx.Response, *statuses: int) -> dict:
    """The JSON object of an answer with one of these statuses, 200 if none is given. Raises Unreachable."""
    if answer.status_code not in (statuses or (200,)):
        raise Unreachable(f"{answer.url} answered {answer.status_code}")
    try:
        document = json.loads(answer.content)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise Unreachable(f"{answer.url} answered no JSON object")
    return document


async def _request(method: str, url: str, seconds: float, options: dict) -> httpx.Response:
    """httpx starts to count again with each byte that comes, so the whole has a limit around it. Nothing is unpacked,
    or a few bytes could become very many.
    """
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    async with (
        asyncio.timeout(seconds),
        httpx.AsyncClient(timeout=STEP, verify=_certificates(), follow_redirects=False) as client,
        client.stream(method, url, headers=headers, **options) as answer,
    ):
        pieces = bytearray()
        async for piece in answer.aiter_raw():
            pieces += piece
            if len(pieces) > LARGEST:
                raise Unreachable(f"{url} answered more than {LARGEST} bytes")
        date = {"Date": answer.headers["Date"]} if "Date" in answer.headers else {}
        return httpx.Response(
            answer.status_code, headers=date, content=bytes(pieces), request=answer.request
        )


@cache
def _certificates() -> ssl.SSLContext:
    """Those that the machine trusts; SSL_CERT_FILE names others, for an authority of one's own."""
    return httpx.create_ssl_context()
