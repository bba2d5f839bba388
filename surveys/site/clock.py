"""The time by which everything is decided that cannot be taken back, and whether this machine’s clock is believed.

A clock can be wrong by years: after a dead battery, a bad time server, or a typing error. What it shows is therefore
compared with the end of the last run of “manage.py seal”. A clock that is more than a day later or an hour earlier is
not believed at once: a run stores that it saw it, and a further run, at least an hour of the machine’s running time
later, confirms it. Until then nothing is released, deleted, finished or forgotten because of the time.

Pages, submissions and short waits go by `clock_now()`: they are right again as soon as the clock is.
"""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from surveys.models import Run

COMMAND = "seal"  # whose runs are compared with the clock
LATER = timedelta(days=1)  # than the last run: further ahead, the clock is not believed
EARLIER = timedelta(hours=1)  # than the last run: further back, the clock is not believed
CONFIRMING = timedelta(hours=1)  # of running time, between two runs that see the same clock
READ_EACH = 60  # seconds, after which a process reads the last run again
MOST_SIGHTS = 50  # starts of machines that are remembered
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass
class _Known:
    """What this process knows: when the last run ended, when that was read, and whether the clock is confirmed."""

    last: datetime | None = None
    read_at: float | None = None
    is_confirmed: bool = False


_known = _Known()


def clock_now() -> datetime:
    """Return what this machine’s clock shows, right or wrong."""
    return timezone.now()


def now() -> datetime:
    """Return the time by which everything is decided and dated that cannot be taken back.

    This is the clock’s time, or that of the last run where the clock is a little earlier. While the clock is not
    believed it is the earlier of both times.
    """
    clock, last = clock_now(), _last_run()
    if last is None or _known.is_confirmed:
        return clock
    if is_plausible(clock, last):
        return max(clock, last)
    return min(clock, last)


def is_believed() -> bool:
    """Return whether this machine’s clock agrees with the last run, or was confirmed, or no run has ended yet."""
    last = _last_run()
    return last is None or _known.is_confirmed or is_plausible(clock_now(), last)


def is_plausible(clock: datetime, last: datetime) -> bool:
    """Return whether a clock may show this time when the last run ended at `last`."""
    return last - EARLIER <= clock <= last + LATER


def happened(moment: datetime | None) -> datetime | None:
    """Return the stored time of something that has happened, or None where it lies in the future.

    Nothing that has happened can lie there: the clock was ahead when it was stored. Clocks of several machines and
    corrections of a clock are allowed an hour.
    """
    if moment is None or moment > clock_now() + EARLIER:
        return None
    return moment


def due_by(moment: datetime, longest_pause: timedelta) -> Q:
    """Return the condition that a row's time `due` has come at this moment.

    longest_pause: the longest time from now at which anything is stored as due. A later time was stored by a clock that
    was ahead, so it counts as come.
    """
    return Q(due__lte=moment) | Q(due__gt=moment + longest_pause + EARLIER)


def disbelief() -> str:
    """Return what is wrong with the clock, with both times, or "" where it is believed."""
    if is_believed():
        return ""
    return (
        f"The clock shows {clock_now():%Y-%m-%d %H:%M} UTC, but manage.py {COMMAND} last finished at "
        f"{_last_run():%Y-%m-%d %H:%M} UTC. Until the clock is confirmed, nothing is released or deleted."
    )


REMEDY = (
    "If the clock is wrong, set it: timedatectl set-ntp true. If it is right, let manage.py seal go on running: it "
    "believes the clock after an hour."
)
UNSURE = "This site’s clock has jumped, so we can’t tell yet whether the survey is over. Try again in two hours."


def confirm() -> bool:
    """Return whether a run of “manage.py seal” may go by the clock. Store that it was seen where it may not yet.

    Each machine confirms its own clock: the running time begins anew with each start of a machine, and a run that
    agrees with the last one forgets what others saw.
    """
    forget_known()
    if is_believed():
        return True
    clock, running, boot = clock_now(), running_time(), boot_id()
    with transaction.atomic():
        run = Run.objects.select_for_update().get(command=COMMAND)
        sight = run.sights.get(boot)
        if sight is None or not _is_same_clock(sight, clock, running):
            others = run.sights if len(run.sights) < MOST_SIGHTS else {}
            run.sights = others | {boot: {"clock": clock.isoformat(), "running": running}}
            run.save(update_fields=["sights"])
            return False
    _known.is_confirmed = running - sight["running"] >= CONFIRMING.total_seconds()
    return _known.is_confirmed


def _is_same_clock(sight: dict, clock: datetime, running: float) -> bool:
    """Return whether the clock has moved since it was seen as far as the machine has been running."""
    elapsed = timedelta(seconds=running - sight["running"])
    expected = datetime.fromisoformat(sight["clock"]) + elapsed
    return elapsed >= timedelta() and abs(clock - expected) <= EARLIER


def note_run() -> None:
    """Store that a run of “manage.py seal” that believed the clock has ended now."""
    Run.objects.update_or_create(command=COMMAND, defaults={"finished": now(), "sights": {}})
    forget_known()


def forget_known() -> None:
    """Let this process read the last run again, and confirm the clock again."""
    _known.last, _known.read_at, _known.is_confirmed = None, None, False


def _last_run() -> datetime | None:
    if _known.read_at is None or time.monotonic() - _known.read_at > READ_EACH:
        _known.last = Run.objects.filter(command=COMMAND).values_list("finished", flat=True).first()
        _known.read_at = time.monotonic()
    return _known.last


def running_time() -> float:
    """Return for how many seconds this machine has been running, which no setting of its clock changes."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def boot_id() -> str:
    """Return what tells one start of one machine from all others, or "" where the system has no such name."""
    return BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""
