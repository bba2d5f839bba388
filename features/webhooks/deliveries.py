"""Sending what is due, again and again until it is taken or given up.

A sender claims a message by counting its attempt up, in one statement that only one of two can make; the claim also
sets when the next attempt is due. So a sender that dies in the middle delays a message and loses none.
"""

from collections import Counter
from datetime import timedelta

from features.webhooks.announcements import announce_closings
from features.webhooks.request import is_success, post_all
from surveys.models import Delivery
from surveys.site import clock

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
PAUSES = (
    MINUTE,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    12 * HOUR,
    24 * HOUR,
)  # between one attempt and the next
MOST_ATTEMPTS = len(PAUSES) + 1
AT_ONCE = 20
KEPT = timedelta(days=30)
State = Delivery.State


def deliver_due() -> Counter[str]:
    """Announce closing times that have come, then send all that is due; how many came to which state.

    Those counted as waiting failed this time and are tried again.
    """
    announce_closings()
    done: Counter[str] = Counter()
    started = clock.clock_now()
    while claimed := _claim_some(Delivery.objects.filter(clock.due_by(started, max(PAUSES)))):
        done.update(_send(claimed))
    return done


def deliver(delivery: Delivery) -> None:
    """Send this one now, unless somebody else is just doing that."""
    _send(_claim_some(Delivery.objects.filter(pk=delivery.pk)))


def send_again(delivery: Delivery) -> None:
    """Start anew with a message that was given up, is still waiting, or was taken already."""
    Delivery.objects.filter(pk=delivery.pk).update(
        state=State.WAITING, attempts=0, due=clock.clock_now()
    )
    deliver(delivery)


def forget_old() -> int:
    """Delete what is older than 30 days; how many there were."""
    now = clock.now()
    if clock.is_believed():
        # Written by a clock that was ahead: its days begin anew, or it would stay for longer than promised.
        Delivery.objects.filter(created__gt=now + clock.MOST_BEHIND).update(created=now)
    total, _ = Delivery.objects.filter(created__lt=now - KEPT).delete()
    return total


def _claim_some(among: object) -> list[Delivery]:
    found = among.filter(state=State.WAITING).select_related("webhook").order_by("due")[:AT_ONCE]
    return [delivery for delivery in found if _claim(delivery)]


def _claim(delivery: Delivery) -> bool:
    """Whether this attempt is ours. The delivery then has its number."""
    seen = Delivery.objects.filter(
        pk=delivery.pk, state=State.WAITING, attempts=delivery.attempts, due=delivery.due
    )
    if delivery.attempts >= MOST_ATTEMPTS:  # a sender died in the last attempt
        seen.update(state=State.GIVEN_UP)
        return False
    pause = (*PAUSES, MINUTE)[delivery.attempts]
    claimed = seen.update(attempts=delivery.attempts + 1, due=clock.clock_now() + pause)
    delivery.attempts += 1
    return claimed == 1


def _send(claimed: list[Delivery]) -> list[str]:
    return [
        _note(delivery, outcome)
        for delivery, outcome in zip(claimed, post_all(claimed), strict=True)
    ]


def _note(delivery: Delivery, outcome: str) -> str:
    """Write down what came of an attempt, unless somebody started anew meanwhile; returns the state."""
    state = State.DELIVERED if is_success(outcome) else State.WAITING
    # 410 says that nothing will ever be taken there.
    if state == State.WAITING and (delivery.attempts >= MOST_ATTEMPTS or outcome == "410"):
        state = State.GIVEN_UP
    mine = Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts, state=State.WAITING)
    mine.update(state=state, outcome=outcome)
    return str(state)
