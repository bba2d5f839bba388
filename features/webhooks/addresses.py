"""Where a webhook may lead: to https on the open internet, unless the site is told that its own network is meant.

Otherwise anybody with an account could make the server ask its own machine, its neighbours, or the metadata service
of its host. A name is looked up once and its addresses are connected to as they were checked: looked up again, it
might lead elsewhere (DNS rebinding).
"""

import asyncio
import ipaddress
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
from django.conf import settings

from surveys.site.errors import Invalid

LONGEST = 500
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")  # the only part of IPv6 that was given out
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")  # IPv4 seen through NAT64: its last 32 bits
CARRIERS = [
    ipaddress.IPv6Network(net) for net in ("2001::/32", "2002::/16")
]  # Teredo and 6to4 carry IPv4 inside
SPECIAL = [
    ipaddress.IPv4Network(net) for net in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")
]
# protocols, 6to4 relays, and the address by which machines in one large cloud reach its own services
DOCUMENTATION = ipaddress.IPv6Network("3fff::/20")
HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+", re.IGNORECASE)  # a name, or an address of IPv6
PORTS = (
    None,
    443,
    8443,
)  # others are those of mail, databases and the like, which answer to text that is posted
INSIDE = (
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "home.arpa",
)
NOT_PUBLIC = (
    "Choose a public address. This one is in a private network, where no webhooks are sent."
)


# Not the loop's own threads: the end of a loop waits for those, however long a name server takes.
_LOOK_UPS = ThreadPoolExecutor(max_workers=20, thread_name_prefix="names")


class Forbidden(Exception):
    """The name leads, or also leads, to where webhooks are not sent."""


def check(url: str) -> str:
    """The address as it will be asked. Raises Invalid where it is none, or openly leads where webhooks are not sent."""
    parsed = _parse(url.strip())
    allowed = ("https", "http") if settings.WEBHOOKS_TO_PRIVATE_NETWORKS else ("https",)
    if parsed is None or parsed.scheme not in allowed:
        raise Invalid(
            {
                "url": "Write a full address that starts with https://, for example https://example.org/hook."
            }
        )
    if parsed.userinfo or parsed.fragment:
        raise Invalid(
            {"url": "Leave out the name and password before the @, and what follows a #."}
        )
    if len(str(parsed)) > LONGEST:
        raise Invalid({"url": f"The address must have at most {LONGEST} characters."})
    host = parsed.raw_host.decode("ascii")
    if not all(map(is_allowed, _numeric(host))):
        raise Invalid({"url": NOT_PUBLIC})
    if not settings.WEBHOOKS_TO_PRIVATE_NETWORKS:
        if parsed.port not in PORTS:
            raise Invalid(
                {"url": "Leave out the port, or write :8443. Webhooks use port 443 or 8443."}
            )
        if _is_inside(host):
            raise Invalid({"url": NOT_PUBLIC})
    return str(parsed)


def _is_inside(host: str) -> bool:
    """Whether a name, by itself, is one of a machine or a network of one's own (RFC 6761, 6762, 8375)."""
    name = host.lower().rstrip(".")
    is_single = "." not in name and ":" not in name
    return is_single or any(name == each or name.endswith(f".{each}") for each in INSIDE)


def _parse(url: str) -> httpx.URL | None:
    try:
        parsed = httpx.URL(url)
        is_whole = HOST.fullmatch(parsed.raw_host.decode("ascii")) and (parsed.port or 1) in range(
            1, 65536
        )
    except (httpx.InvalidURL, ValueError):
        return None
    return parsed if is_whole else None


def _numeric(host: str) -> list[str]:
    """The address that a host written in numbers means, also as one decimal, octal or short number."""
    try:
        addresses = socket.getaddrinfo(
            host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST
        )
    except (OSError, UnicodeError):
        return []
    return [str(entry[4][0]) for entry in addresses]


async def resolve(host: str, port: int) -> list[str]:
    """All addresses of a host. Raises Forbidden unless each is allowed, OSError where there is none."""
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    entries = await asyncio.get_running_loop().run_in_executor(_LOOK_UPS, look_up)
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
    if not all(map(is_allowed, addresses)):
        raise Forbidden
    return addresses


def is_allowed(address: str) -> bool:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:  # with a zone, as fe80::1%eth0
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    if ip.is_multicast or ip.is_unspecified:
        return False
    return settings.WEBHOOKS_TO_PRIVATE_NETWORKS or _is_public(ip)


def _is_public(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not ip.is_reserved and not any(ip in net for net in SPECIAL)
    if ip in TRANSLATED:
        return _is_public(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
    reachable = ip.is_global and ip in GLOBAL_UNICAST and ip not in DOCUMENTATION
    return reachable and not any(ip in carrier for carrier in CARRIERS)
