"""Growing delays against guessed passwords: 1 second after the first failure, then 2, 4, 8, ...

A delay is at most 60 seconds. Each attempt belongs to one *lane*, and waits only for the failures
of its lane: strangers share one lane for each user name, and a browser that has logged in before
has a lane of its own. For each name, at most 65 attempts are checked in the first hour of an
attack and 60 in each hour that follows, in all processes and nodes together.
"""

import math
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils.crypto import salted_hmac

from surveys.models import Delay
from surveys.site import clock

# The longest delay, in seconds.
MOST_SECONDS = 60
# Failures are forgotten this long after the end of the last delay. Then the next delay is short.
FAILURE_LIFETIME = timedelta(hours=1)
# What is said of an attempt that has to wait. "seconds" is the text of in_words().
WAIT_MESSAGE = (
    "Wait %(seconds)s, then try again. The last attempt, perhaps by someone else, was too recent, "
    "so this one was not checked."
)


def reserve_attempt(lane: str) -> int:
    """Return the seconds that a login attempt has to wait; 0 if its password may be checked now.

    Call this before the password is checked, and clear_failures() if the password is right. An
    attempt that may be checked counts as a failure at once. Otherwise many guesses that are sent at
    the same time would all be checked. An attempt that has to wait is not counted.

    lane: a text that names whose failures count together.
    """
    now = _now()
    first_failure = {"failures": 1, "until": now + _delay_after(1)}
    delay, is_first = Delay.objects.get_or_create(key=_key(lane), defaults=first_failure)
    if is_first:
        # The lane had no failure, and this attempt is stored as its first one.
        return 0

    # A delay whose end is that far away was stored by a clock that was ahead. It delays no one.
    is_too_long = delay.until > now + FAILURE_LIFETIME
    if delay.until > now and not is_too_long:
        # The clock may have been ahead by less than that, so the result is limited.
        seconds_left = (delay.until - now).total_seconds()
        return min(MOST_SECONDS, math.ceil(seconds_left))

    # The delay is over, so this attempt may be checked and is counted as a failure.
    is_forgotten = is_too_long or delay.until + FAILURE_LIFETIME < now
    failures = 1 if is_forgotten else delay.failures + 1
    # The filter on `until` lets only one of several attempts at the same moment update the delay.
    unchanged = Delay.objects.filter(pk=delay.pk, until=delay.until)
    if unchanged.update(failures=failures, until=now + _delay_after(failures)):
        return 0
    # The delay was changed or deleted meanwhile, so this attempt is not checked. It waits as if it
    # had been counted.
    return math.ceil(_delay_after(failures).total_seconds())


def clear_failures(lane: str) -> None:
    """Delete the failures of a lane, so that its next attempt does not have to wait.

    Call this when the password was right: also this attempt was counted as a failure.

    lane: the text that reserve_attempt() got.
    """
    Delay.objects.filter(pk=_key(lane)).delete()


def forget_old(most: int) -> int:
    """Delete at most `most` delays that no longer count, and return how many were deleted.

    These are delays that ended more than FAILURE_LIFETIME ago, and delays that end later than any
    delay can. The command "seal" calls this until nothing is left. Each call is short, so others
    can write in between.
    """
    now = _now()
    # A delay that ends so late was stored by a clock that was ahead.
    is_old = Q(until__lt=now - FAILURE_LIFETIME) | Q(until__gt=now + FAILURE_LIFETIME)
    old_keys = Delay.objects.filter(is_old).values_list("pk", flat=True)
    # A query that deletes cannot be limited, so the keys are read first.
    deleted, _ = Delay.objects.filter(pk__in=list(old_keys[:most])).delete()
    return deleted


def in_words(seconds: int) -> str:
    """Return a number of seconds in words, such as "1 second", for WAIT_MESSAGE."""
    return "1 second" if seconds == 1 else f"{seconds} seconds"


def _delay_after(failures: int) -> timedelta:
    """Return how long the next attempt has to wait after this number of failures.

    It is 1 second after the first failure, and twice as long after each further one, up to
    MOST_SECONDS.

    failures: at least 1.
    """
    # The number of doublings is limited, or many failures would make a huge number. Ten doublings
    # are far more than MOST_SECONDS.
    doublings = min(failures - 1, 10)
    seconds = min(MOST_SECONDS, 2**doublings)
    return timedelta(seconds=seconds)


def _key(lane: str) -> str:
    """Return the primary key of the delay of a lane: a keyed hash, so that no name is stored."""
    return salted_hmac(__name__, lane, algorithm="sha256").hexdigest()


def _now() -> datetime:
    """Return the time of this machine's clock. Tests replace this function to let time pass."""
    return clock.clock_now()
