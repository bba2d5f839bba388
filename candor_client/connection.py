"""One site over HTTP, in the name of a token's person: requests, pages of lists, and what the site refuses."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, Self

import httpx

KEPT = 50  # answers that are asked for only if they have changed
WAITS = (1, 2, 4)  # seconds before a part is sent again
# How often a request is repeated that came too soon, and the longest time that is waited for each.
MOST_REPEATS = 3
LONGEST_WAIT = 60


class Problem(Exception):
    """The site refused something. `status`, `type`, `title`, `detail`, `errors` are those of its problem document.

    codes: where an import asks what codes mean, question key -> code of the file -> rows with it.
    """

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        self.status = status
        self.type = document.get("type", "")
        self.title = document.get("title", "")
        self.detail = document.get("detail", "")
        self.errors: dict[str, str] = document.get("errors", {})
        self.codes: dict[str, dict[str, int]] = document.get("codes", {})
        parts = [
            f"{status} {self.title}",
            self.detail,
            *(f"{place}: {what}" for place, what in self.errors.items()),
        ]
        super().__init__("\n".join(part for part in parts if part))


class RepeatingClient(httpx.Client):
    """A client that repeats requests of which the site says that they came too soon (429).

    It waits as long as the header Retry-After says, but at most `LONGEST_WAIT` seconds each, and
    repeats a request at most `MOST_REPEATS` times.
    """

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        response = super().send(request, **options)
        for _ in range(MOST_REPEATS):
            seconds = seconds_to_wait(response)
            if seconds is None:
                return response
            response.close()
            time.sleep(seconds)
            response = super().send(request, **options)
        return response


def seconds_to_wait(response: httpx.Response) -> float | None:
    """Return the seconds after which a request can be repeated.

    None if it was not refused for coming too soon, if the site does not say how long to wait, or if
    that is longer than `LONGEST_WAIT`.
    """
    if response.status_code != httpx.codes.TOO_MANY_REQUESTS:
        return None
    wait = response.headers.get("Retry-After", "")
    if wait.isdecimal():
        seconds = float(wait)
    else:
        try:
            moment = parsedate_to_datetime(wait)
        except ValueError:
            return None
        seconds = max(moment.timestamp() - time.time(), 0.0)
    if seconds > LONGEST_WAIT:
        return None
    return seconds


class Connection:
    """What every part of the client is reached through. close() ends its connections."""

    transport: httpx.BaseTransport | None = None  # another way to reach the site, for tests

    def __init__(self, address: str, token: str, *, timeout: float = 60) -> None:
        self._http = RepeatingClient(
            base_url=f"{address.rstrip('/')}/api/v1/",
            headers={"Authorization": f"Token {token}"},
            timeout=timeout,
            transport=self.transport,
        )
        self._known: dict[
            str, tuple[str, bytes]
        ] = {}  # address -> (entity tag, body); last what was asked for last

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def _get(self, path: str, asked: Mapping[str, Any] | None = None) -> Any:
        """What is there; not sent again where it is known and has not changed."""
        request = self._http.build_request("GET", path, params=asked)
        tag, body = self._known.pop(str(request.url), ("", b""))
        if tag:
            request.headers["If-None-Match"] = tag
        response = self._http.send(request)
        if response.status_code != httpx.codes.NOT_MODIFIED:
            tag, body = response.headers.get("ETag", ""), checked(response).content
        if tag:
            self._known[str(request.url)] = (tag, body)
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        return json.loads(body)

    def _pages(self, path: str, asked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for page in self._whole_pages(path, asked):
            yield from page["results"]

    def _whole_pages(
        self, path: str, asked: Mapping[str, Any] | None = None
    ) -> Iterator[dict[str, Any]]:
        page = self._get(path, asked)
        yield page
        while page["next"]:
            page = self._get(page["next"])
            yield page

    def _put(self, path: str, part: bytes) -> Any:
        """One part of a file; sent again where the connection fails, which does no more than once."""
        kind = {"Content-Type": "text/csv"}
        for seconds in WAITS:
            with suppress(httpx.TransportError):
                response = self._http.put(path, content=part, headers=kind)
                if response.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    return checked(response).json()
            time.sleep(seconds)
        return checked(self._http.put(path, content=part, headers=kind)).json()

    def _send(self, method: str, path: str, data: Mapping[str, Any] | None = None) -> Any:
        return checked(self._http.request(method, path, json=dict(data or {}))).json()


def checked(response: httpx.Response) -> httpx.Response:
    if response.is_error:
        is_problem = response.headers.get("Content-Type", "").startswith("application/problem+json")
        raise Problem(
            response.status_code,
            response.json() if is_problem else {"title": response.reason_phrase},
        )
    return response
