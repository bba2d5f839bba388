"""Requests to the organization's OpenID provider, with limits of time and size.

The documents that describe the provider are cached for a minute.
"""

import asyncio
import json
import ssl
import time
from functools import cache

import httpx

# The seconds for each step of a request, and for all requests of one login.
STEP_SECONDS = 5.0
LOGIN_SECONDS = 10.0
# The most bytes of an answer.
MOST_BYTES = 200_000
# With a longer time, people would be sent to a provider that has stopped meanwhile.
CACHE_SECONDS = 60

# Address -> when its document was fetched (monotonic seconds), and the document.
_document_cache: dict[str, tuple[float, dict]] = {}


class Unreachable(Exception):
    """The error for a provider that does not answer in time, or not as OpenID Connect prescribes.

    The text is for the log, so it names no person.
    """


def deadline() -> float:
    """Return the deadline for all requests of a login that begins now, in monotonic seconds."""
    return time.monotonic() + LOGIN_SECONDS


def read_document(url: str, until: float, *, refetch: bool = False) -> dict:
    """Return the JSON document at an address of the provider, cached for CACHE_SECONDS.

    These documents describe the provider: its addresses and its keys. Raises Unreachable if the
    document has to be fetched and the answer is no JSON object.

    until: the deadline, in monotonic seconds.
    refetch: True to fetch the document even if it is cached.
    """
    fetched_at, document = _document_cache.get(url, (0.0, {}))
    is_old = time.monotonic() - fetched_at > CACHE_SECONDS
    # An empty document stands for one that is not cached.
    if refetch or not document or is_old:
        document = document_of(send_request("GET", url, until))
        _document_cache[url] = time.monotonic(), document
    return document


def send_request(method: str, url: str, until: float, **options: object) -> httpx.Response:
    """Send a request to the provider and return the answer, whatever its status.

    Redirects are not followed. Raises Unreachable if there is no answer before the deadline, if the
    connection fails, or if the answer is too large.

    until: the deadline, in monotonic seconds.
    options: further arguments of a request of httpx, such as `data` and `auth`.
    """
    seconds_left = until - time.monotonic()
    try:
        # The views are not asynchronous. Only asyncio can bound the time of a whole request.
        return asyncio.run(_fetch(method, url, seconds_left, options))
    except TimeoutError as error:
        raise Unreachable(f"{url} took too long") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        # OSError comes from the certificates and the network, and ValueError from a host name that
        # cannot be encoded. An answer that is too large raises Unreachable in _fetch().
        raise Unreachable(f"{url}: {type(error).__name__}") from error


def document_of(answer: httpx.Response, *statuses: int) -> dict:
    """Return the JSON object in an answer of the provider.

    Raises Unreachable if the answer has another status or holds no JSON object.

    statuses: the statuses that the answer may have; only 200 if none is passed.
    """
    allowed_statuses = statuses or (200,)
    if answer.status_code not in allowed_statuses:
        raise Unreachable(f"{answer.url} answered {answer.status_code}")
    try:
        document = json.loads(answer.content)
    except (ValueError, RecursionError):
        # The content is no JSON, or has so many levels that the parser gives up.
        document = None
    if not isinstance(document, dict):
        raise Unreachable(f"{answer.url} answered no JSON object")
    return document


async def _fetch(method: str, url: str, seconds: float, options: dict) -> httpx.Response:
    """Send a request and return its answer, of whose headers only `Date` is kept.

    Raises TimeoutError if the answer is not complete after this number of seconds, and Unreachable
    if it is too large.

    options: as send_request() takes them.
    """
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    async with (
        # The timeout of httpx starts again with each byte that arrives, so it bounds no request.
        asyncio.timeout(seconds),
        httpx.AsyncClient(
            timeout=STEP_SECONDS, verify=_certificates(), follow_redirects=False
        ) as client,
        client.stream(method, url, headers=headers, **options) as answer,
    ):
        content = bytearray()
        # The raw bytes are read and not decompressed, since a few bytes could become very many.
        async for chunk in answer.aiter_raw():
            content += chunk
            if len(content) > MOST_BYTES:
                raise Unreachable(f"{url} answered more than {MOST_BYTES} bytes")

        # clock_difference() reads `Date`. No other header is kept: with Content-Encoding, httpx
        # would decompress the content after all.
        kept_headers = {}
        if "Date" in answer.headers:
            kept_headers["Date"] = answer.headers["Date"]
        return httpx.Response(
            answer.status_code,
            headers=kept_headers,
            content=bytes(content),
            request=answer.request,
        )


@cache
def _certificates() -> ssl.SSLContext:
    """Return the TLS settings for requests to the provider, with the authorities that are trusted.

    The settings are made once in each process, since that takes long. By default httpx trusts the
    certificate authorities of the package certifi, and not those of the machine. Instead, the
    environment variable SSL_CERT_FILE can name a file of them, or SSL_CERT_DIR a folder, such as
    for an organization's own authority.
    """
    return httpx.create_ssl_context()
