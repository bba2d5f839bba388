"""A machine whose clock and running time a test sets.

Everything that reads Django's time or the running time of the machine gets these values.
"""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from surveys.site import clock

REAL_NOW = timezone.now
TWO_YEARS = timedelta(days=730)


class Machine:
    """A machine with a clock, which may be wrong, and a running time, which is always right.

    Neither of them advances by itself, so a test never sees a minute or a day end.

    ahead: how far the clock is ahead of the right time.
    running: the seconds since the machine was started.
    boot: the id of this start of the machine, a text that differs for each start.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.start = REAL_NOW()
        self.ahead = timedelta()
        # Any number will do: only differences of running times count.
        self.running = 1_000.0
        self.boot = "first start"
        monkeypatch.setattr(timezone, "now", self.now)
        monkeypatch.setattr(clock, "running_time", lambda: self.running)
        monkeypatch.setattr(clock, "boot_id", lambda: self.boot)

    def now(self) -> datetime:
        """Return the time that the clock shows."""
        return self.start + self.ahead

    def set_ahead(self, ahead: timedelta) -> None:
        """Set how far the clock is ahead, and forget what this process knows of the clock.

        That is the state of a process that has just started, as each run of "manage.py seal" is.
        """
        self.ahead = ahead
        clock.forget_known()

    def run_on(self, elapsed: timedelta) -> None:
        """Let this time pass, on the clock and in the running time."""
        self.set_ahead(self.ahead + elapsed)
        self.running += elapsed.total_seconds()

    def restart(self) -> None:
        """Start the machine again: it gets another boot id, and its running time is 10 seconds.

        The clock stays as it is.
        """
        self.boot += " and again"
        # The running time begins anew, and is shorter than before.
        self.running = 10.0
