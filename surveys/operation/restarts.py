"""The starts of processes of the site on this machine within the last hour.

A worker that is killed is replaced at once, and a service that ends is started again, so a site
that dies every minute looks well between two deaths. gunicorn.conf.py notes each start, but not
that of a worker in place of one that ended because of its age.
"""

from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

KEPT = 100  # starts
MANY = 5  # within the hour: an update starts a site once
WITHIN = timedelta(hours=1)


def note() -> None:
    """Note that a process is starting. Where nothing can be written, nothing is noted."""
    with suppress(OSError):
        times = [*_times(), timezone.now()][-KEPT:]
        (settings.VAR / "starts").write_text("".join(f"{time.isoformat()}\n" for time in times))


def recent() -> list[datetime]:
    """Return the times of the noted starts within the last hour."""
    now = timezone.now()
    return [time for time in _times() if now - WITHIN < time < now + WITHIN]


def _times() -> list[datetime]:
    try:
        return [
            datetime.fromisoformat(line)
            for line in (settings.VAR / "starts").read_text().splitlines()
        ]
    except (OSError, ValueError):  # none yet, or of a machine that went off while it was written
        return []
