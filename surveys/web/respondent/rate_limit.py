"""Limits on the responses and the wrong ticket codes that one address may send in a minute.

Addresses are counted in memory under a keyed hash, which is forgotten with its key. They are not
stored in the database or in a log. Many people may share one address, such as in a school, so the
limits are generous.

Requests from this machine itself are not counted. Behind a proxy (BEHIND_PROXY) only addresses
that the proxy passes on are counted: the proxy's own address stands for everybody, and nginx with
the documented configuration counts by itself.
"""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

from surveys.site.rate_limits import Limit

# The period of all limits, in seconds.
MINUTE = 60

# The wrong codes that one address may try for tickets in a minute.
WRONG_CODE_LIMIT = Limit(20, MINUTE)


def has_too_many_wrong_codes(request: HttpRequest) -> bool:
    """Return whether too many wrong ticket codes have come from the address of a request.

    Then no more codes are checked until the minute is over. Nothing is counted here: see
    count_wrong_code(). Returns False for a request that is not counted.
    """
    address = _counted_address(request)
    return address is not None and WRONG_CODE_LIMIT.reached(address)


def count_wrong_code(request: HttpRequest) -> None:
    """Count a wrong ticket code for the address of a request, for has_too_many_wrong_codes().

    This count is separate from that of is_rate_limited(). Nothing is counted if the request has no
    address that is counted: see _counted_address().
    """
    address = _counted_address(request)
    if address:
        WRONG_CODE_LIMIT.count(address)


def is_rate_limited(request: HttpRequest) -> bool:
    """Return whether too many requests have come from the address of a request.

    If not, the request is counted. The limit is SUBMISSION_RATE in a minute, for responses and
    requests for tickets together. Returns False if the site has no limit, or if requests from the
    address are not counted.
    """
    limit = _limit_per_minute(settings.SUBMISSION_RATE)
    address = _counted_address(request)
    if limit is None or address is None:
        return False
    if limit.reached(address):
        return True
    limit.count(address)
    return False


# The limit holds the counts, so all requests must share one. The cache returns it to each of them.
# It has room for other values of the setting, as in tests.
@lru_cache(maxsize=8)
def _limit_per_minute(times: int) -> Limit | None:
    """Return the limit that allows each address this many requests in a minute.

    times: the number of requests. If it is 0, there is no limit, and None is returned.
    """
    if times <= 0:
        return None
    return Limit(times, MINUTE)


def _counted_address(request: HttpRequest) -> str | None:
    """Return the address under which a request is counted, or for IPv6 its /64 network.

    Returns None if the request is not counted: it comes from this machine itself, or no address is
    known.
    """
    if settings.BEHIND_PROXY:
        # The proxy adds the address after the last comma. The sender can invent all that is before.
        sender = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    else:
        sender = request.META.get("REMOTE_ADDR", "")
    try:
        address = ip_address(sender)
    except ValueError:
        # There is no address: the request came through a Unix socket, or the proxy passes none on.
        return None

    if address.is_loopback:
        return None
    if isinstance(address, IPv6Address):
        # One subscriber has a whole /64 of IPv6.
        return str(ip_network((address, 64), strict=False))
    return str(address)
