"""Growing delays for whoever guesses passwords: 1 second after the first wrong one, then 2, 4, 8 ... and at most 60.

Each guess belongs to one *lane*, and waits for the wrong ones of its own lane only: strangers share one for each name,
a browser that has logged in before has its own. So at most 65 guesses in the first hour of an attack and 60 in each
that follows are looked at, for each name, by all processes and nodes together.
"""

import math
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils.crypto import salted_hmac

from surveys.models import Delay
from surveys.site import clock

LONGEST = 60  # seconds
FORGOTTEN = timedelta(hours=1)  # after the end of the last delay; then the next one is short again
WAIT = (
    "Wait %(seconds)s, then try again. The last attempt, perhaps by someone else, was too recent, so this one was not "
    "checked."
)


def reserve_attempt(lane: str) -> int:
    """Count a login attempt; returns the seconds to wait, 0 if it may be checked now.

    It counts as a wrong one until forget() is called. It is counted before anybody looks at it, or many guesses sent at
    the same time would all be looked at.
    """
    now = _now()
    first = {"failures": 1, "until": now + _delay(1)}
    delay, is_first = Delay.objects.get_or_create(key=_key(lane), defaults=first)
    if is_first:
        return 0
    # No delay is that long: such a row was written by a clock that was ahead, and delays nobody.
    is_too_long = delay.until > now + FORGOTTEN
    if delay.until > now and not is_too_long:
        return min(LONGEST, math.ceil((delay.until - now).total_seconds()))
    failures = 1 if is_too_long or delay.until + FORGOTTEN < now else delay.failures + 1
    mine = Delay.objects.filter(pk=delay.pk, until=delay.until)
    if mine.update(failures=failures, until=now + _delay(failures)):
        return 0
    return math.ceil(_delay(failures).total_seconds())  # somebody else was quicker


def clear_failures(lane: str) -> None:
    """Delete the failures after a successful login."""
    Delay.objects.filter(pk=_key(lane)).delete()


def forget_old(most: int) -> int:
    """Delete at most so many rows that delay nobody any more; returns how many."""
    now = _now()
    is_old = Q(until__lt=now - FORGOTTEN) | Q(until__gt=now + FORGOTTEN)
    old = Delay.objects.filter(is_old).values_list("pk", flat=True)
    deleted, _ = Delay.objects.filter(pk__in=list(old[:most])).delete()
    return deleted


def in_words(seconds: int) -> str:
    return "1 second" if seconds == 1 else f"{seconds} seconds"


def _delay(failures: int) -> timedelta:
    return timedelta(seconds=min(LONGEST, 2 ** min(failures - 1, 10)))


def _key(lane: str) -> str:
    return salted_hmac(__name__, lane, algorithm="sha256").hexdigest()


def _now() -> datetime:
    return clock.clock_now()
