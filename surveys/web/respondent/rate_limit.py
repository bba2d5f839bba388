"""So many responses a minute from one address, and so many wrong codes, counted in memory under a keyed hash that is
forgotten with its key.

The address goes nowhere else: not into the database, not into a log. Many people may share one, such as a school, so
the limit is generous. Requests from this machine itself are not counted. Behind a proxy (BEHIND_PROXY) only addresses
that the proxy hands on are: its own address stands for everybody, and nginx as documented counts by itself.
"""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

from surveys.site.rate_limits import Limit

MINUTE = 60


WRONG_CODES = Limit(20, MINUTE)  # tried for a ticket, from one address


def has_too_many_wrong_codes(request: HttpRequest) -> bool:
    """Whether its address has tried so many wrong codes that no further one is looked at for a while."""
    address = _address(request)
    return address is not None and WRONG_CODES.reached(address)


def count_wrong_code(request: HttpRequest) -> None:
    """A wrong code came from its address."""
    if address := _address(request):
        WRONG_CODES.count(address)


def is_rate_limited(request: HttpRequest) -> bool:
    """Counts the request; whether its address has sent more than the limit allows."""
    limit, address = _limit(settings.SUBMISSION_RATE), _address(request)
    if limit is None or address is None:
        return False
    if limit.reached(address):
        return True
    limit.count(address)
    return False


@lru_cache(maxsize=8)
def _limit(times: int) -> Limit | None:
    return Limit(times, MINUTE) if times > 0 else None


def _address(request: HttpRequest) -> str | None:
    """Return the address that a request is counted under, or None if it is not counted."""
    if settings.BEHIND_PROXY:
        # What stands before the last comma is for the sender to invent.
        sender = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    else:
        sender = request.META.get("REMOTE_ADDR", "")
    try:
        address = ip_address(sender)
    except ValueError:  # A Unix socket has no address, and most proxies hand none on.
        return None
    if address.is_loopback:
        return None
    # One subscriber has a whole /64 of IPv6.
    return (
        str(ip_network((address, 64), strict=False))
        if isinstance(address, IPv6Address)
        else str(address)
    )
