"""One sender at a time, over all processes and nodes. A turn is held for a short while and taken again and again, so
that whoever was killed holds up the others for a minute, and nobody for good.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q

from surveys.models import Turn
from surveys.site import clock

LENGTH = timedelta(minutes=1)  # longer than one mail can take: settings.EMAIL_TIMEOUT


@dataclass(frozen=True)
class SenderLock:
    """A lock on sending that other processes respect."""

    name: str
    holder: uuid.UUID

    def renew(self) -> bool:
        """Extend the lock; returns whether it is still ours."""
        mine = Turn.objects.filter(name=self.name, holder=self.holder)
        return bool(mine.update(until=clock.clock_now() + LENGTH))


@contextmanager
def sender_lock(name: str) -> Iterator[SenderLock | None]:
    """Take the lock on sending; yields None if another process has it."""
    held = SenderLock(name, uuid.uuid4())
    now = clock.clock_now()
    # Of whoever was killed, or noted by a clock that was ahead. Clocks of several machines are allowed a minute.
    ended = Q(until__lt=now) | Q(until__gt=now + 2 * LENGTH)
    Turn.objects.filter(ended, name=name).delete()
    try:
        with transaction.atomic():
            Turn.objects.create(name=name, holder=held.holder, until=now + LENGTH)
    except IntegrityError:
        yield None
        return
    try:
        yield held
    finally:
        Turn.objects.filter(name=name, holder=held.holder).delete()
