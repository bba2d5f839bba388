"""How often processes of the site were started on this machine within the last hour, as gunicorn.conf.py notes it.

A worker that is killed is replaced at once, and a service that ends is started anew: without this a site that dies
every minute looks well between two deaths. A worker that ends because of its age, as each does within an hour, is not
counted.
"""

from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

KEPT = 100  # starts
MANY = 5  # within the hour: an update starts a site once
WITHIN = timedelta(hours=1)


def note() -> None:
    """A master, or a worker in the place of another, is starting. Nothing is noted where nothing can be written."""
    with suppress(OSError):
        times = [*_times(), timezone.now()][-KEPT:]
        (settings.VAR / "starts").write_text("".join(f"{time.isoformat()}\n" for time in times))


def recent() -> list[datetime]:
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
