"""One request: POST a message to a webhook's address, and say in a word what came of it. Touches no database."""

import asyncio
import socket
import ssl
import time
from functools import cache

import httpx

from features.webhooks.addresses import Forbidden, resolve
from features.webhooks.signatures import headers
from surveys.models import Delivery

TIMEOUT = 10.0  # seconds for everything: name, connection, request, and the answer's headers
PORTS = {"https": 443, "http": 80}


def post_all(deliveries: list[Delivery]) -> list[str]:
    """Post all at once, so that a slow receiver holds up nobody else; an outcome for each, in their order."""
    return asyncio.run(_post_all(deliveries))


def is_success(outcome: str) -> bool:
    return len(outcome) == 3 and outcome.startswith("2")


async def _post_all(deliveries: list[Delivery]) -> list[str]:
    return await asyncio.gather(*map(_post, deliveries))


async def _post(delivery: Delivery) -> str:
    """The answer's status, as "204", or why there is none."""
    try:
        async with asyncio.timeout(TIMEOUT):
            return await _ask(delivery)
    except (TimeoutError, httpx.TimeoutException):
        return "no answer in time"
    except Forbidden:
        return "address in a private network"
    except (socket.gaierror, UnicodeError):
        return "name not found"
    except httpx.ConnectError as error:
        return "certificate not valid" if _is_about_certificate(error) else "no connection"
    except (httpx.HTTPError, httpx.InvalidURL, OSError):
        return "no answer"


async def _ask(delivery: Delivery) -> str:
    """Try the checked addresses one after the other until one takes the connection."""
    url = httpx.URL(delivery.webhook.url)
    addresses = await resolve(_host(url), url.port or PORTS[url.scheme])
    for address in addresses[:-1]:
        try:
            return await _ask_at(address, url, delivery)
        except httpx.ConnectError:
            continue
    return await _ask_at(addresses[-1], url, delivery)


async def _ask_at(address: str, url: httpx.URL, delivery: Delivery) -> str:
    """Connect to the address itself; the certificate must be that of the name. The answer's body is never read."""
    sent = {
        **headers(delivery, int(time.time())),
        "Host": url.netloc.decode("ascii"),
        "Content-Type": "application/json",
        "User-Agent": "Candor",
    }
    options = {
        "timeout": TIMEOUT,
        "verify": _certificates(),
        "trust_env": False,
        "follow_redirects": False,
    }
    async with (
        httpx.AsyncClient(**options) as client,
        client.stream(
            "POST",
            url.copy_with(host=address),
            content=delivery.body.encode(),
            headers=sent,
            extensions={"sni_hostname": _host(url)},
        ) as answer,
    ):
        return f"{answer.status_code}"


def _host(url: httpx.URL) -> str:
    """As it travels: a name in other letters by its ASCII form."""
    return url.raw_host.decode("ascii")


@cache
def _certificates() -> ssl.SSLContext:
    """Return the TLS context with the authorities of certifi, or those that SSL_CERT_FILE names."""
    return httpx.create_ssl_context()


def _is_about_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
