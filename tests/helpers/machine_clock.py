"""A machine whose clock and running time a test sets, for all that reads Django’s time or the running time."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from surveys.site import clock

REAL_NOW = timezone.now
TWO_YEARS = timedelta(days=730)


class Machine:
    """A machine with a clock, which may be wrong, and a running time, which is always right.

    Both stand still until a test moves them on: a test never sees a minute or a day end.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.start = REAL_NOW()
        self.ahead = timedelta()
        self.running = 1_000.0
        self.boot = "first start"
        monkeypatch.setattr(timezone, "now", self.now)
        monkeypatch.setattr(clock, "running_time", lambda: self.running)
        monkeypatch.setattr(clock, "boot_id", lambda: self.boot)

    def now(self) -> datetime:
        return self.start + self.ahead

    def set_ahead(self, ahead: timedelta) -> None:
        """Set how far the clock is ahead of the right time; a process that starts then knows of no run yet."""
        self.ahead = ahead
        clock.forget_known()

    def run_on(self, elapsed: timedelta) -> None:
        """Let this time pass, on the clock and in the running time."""
        self.set_ahead(self.ahead + elapsed)
        self.running += elapsed.total_seconds()

    def restart(self) -> None:
        """Start the machine again."""
        self.boot += " and again"
        self.running = 10.0
