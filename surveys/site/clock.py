"""Return the time for decisions that cannot be undone, and check whether the clock can be right.

A clock can be wrong by years: after a dead battery, a bad time server, or a typing error. So its
time is compared with the end of the last run of “manage.py seal”. A clock that is more than a day
ahead of that, or more than an hour behind it, is not believed at once. A run stores the time that
it saw, and a second run, after the machine has been running for another hour, confirms the clock.
Until then nothing is released, deleted, finished or forgotten because of the time.

Pages, submissions and short waits use `clock_now()`: they are right again as soon as the clock is.
"""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from surveys.models import Run

# The command whose last run is compared with the clock.
COMMAND = "seal"

# How far a clock may be ahead of the last run and behind it, and still be believed.
MOST_AHEAD = timedelta(days=1)
MOST_BEHIND = timedelta(hours=1)

# How long the machine has to run between two runs that see the same clock and so confirm it.
CONFIRMATION_TIME = timedelta(hours=1)

# The seconds after which a process reads the last run again.
READ_INTERVAL = 60

# The most starts of machines whose clocks are stored.
MOST_SIGHTS = 50

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass
class _ClockState:
    """The last run and the confirmation of the clock, as far as this process has read them.

    last_run: the end of the last run; None if no run has ended yet.
    read_at: when `last_run` was read, on the monotonic clock; None if it was not read yet.
    is_confirmed: whether a run in this process has confirmed the clock.
    """

    last_run: datetime | None = None
    read_at: float | None = None
    is_confirmed: bool = False


_state = _ClockState()


def clock_now() -> datetime:
    """Return the time of this machine’s clock, right or wrong."""
    return timezone.now()


def now() -> datetime:
    """Return the time for decisions and dates that cannot be undone.

    This is the time of the clock, or that of the last run if the clock is a little behind it. If
    the clock is not believed, this is the earlier one of these two times. The time of the clock
    alone counts if no run has ended yet, or if a run of this process has confirmed the clock.
    """
    clock = clock_now()
    last = _last_run()
    if last is None or _state.is_confirmed:
        return clock
    if is_plausible(clock, last):
        return max(clock, last)
    return min(clock, last)


def is_believed() -> bool:
    """Return whether the clock of this machine agrees with the last run, or was confirmed.

    If no run has ended yet, the clock is believed.
    """
    last = _last_run()
    return last is None or _state.is_confirmed or is_plausible(clock_now(), last)


def is_plausible(clock: datetime, last: datetime) -> bool:
    """Return whether a clock can be right with this time if the last run ended at `last`.

    It may be up to MOST_BEHIND earlier and up to MOST_AHEAD later.
    """
    return last - MOST_BEHIND <= clock <= last + MOST_AHEAD


def happened(moment: datetime | None) -> datetime | None:
    """Return the stored time of a past event, or None if there is none or it is in the future.

    A time in the future was stored while the clock was ahead, so nobody knows when the event was.
    An hour is allowed for differences between machines and corrections of a clock.
    """
    if moment is None or moment > clock_now() + MOST_BEHIND:
        return None
    return moment


def due_by(moment: datetime, longest_pause: timedelta) -> Q:
    """Return the condition for a query that the field `due` of a row has come at this moment.

    longest_pause: the longest time ahead for which `due` is ever stored. A later time was stored
        while the clock was ahead, so it counts as come.
    """
    return Q(due__lte=moment) | Q(due__gt=moment + longest_pause + MOST_BEHIND)


def disbelief() -> str:
    """Return a message that the clock is not believed, with its time and that of the last run.

    If the clock is believed, the message is "".
    """
    if is_believed():
        return ""
    clock_time = f"{clock_now():%Y-%m-%d %H:%M}"
    last_time = f"{_last_run():%Y-%m-%d %H:%M}"
    return (
        f"The clock shows {clock_time} UTC, but manage.py {COMMAND} last finished at {last_time} "
        "UTC. Until the clock is confirmed, nothing is released or deleted."
    )


REMEDY = (
    "If the clock is wrong, set it: timedatectl set-ntp true. If it is right, let manage.py seal "
    "go on running: it believes the clock after an hour."
)
UNSURE_MESSAGE = (
    "This site’s clock has jumped, so we can’t tell yet whether the survey is over. Try again in "
    "two hours."
)


def confirm() -> bool:
    """Return whether a run of “manage.py seal” may use the clock.

    If it may not, the time of the clock is stored in the row of the last run, which is locked
    meanwhile. A run in an hour can confirm the clock then.

    True is also returned if no run has ended yet.

    Each machine confirms its own clock, because its running time starts anew whenever the machine
    starts. A run that agrees with the last one removes the stored times of all machines.
    """
    forget_known()
    if is_believed():
        return True

    clock = clock_now()
    running = running_time()
    boot = boot_id()
    with transaction.atomic():
        run = Run.objects.select_for_update().get(command=COMMAND)
        sight = run.sights.get(boot)
        if sight is None or not _is_same_clock(sight, clock, running):
            # So many starts are not of machines in use, so all are forgotten.
            sights = run.sights if len(run.sights) < MOST_SIGHTS else {}
            run.sights = sights | {boot: {"clock": clock.isoformat(), "running": running}}
            run.save(update_fields=["sights"])
            return False

    running_since_sight = running - sight["running"]
    _state.is_confirmed = running_since_sight >= CONFIRMATION_TIME.total_seconds()
    return _state.is_confirmed


def _is_same_clock(sight: dict, clock: datetime, running: float) -> bool:
    """Return whether the clock has advanced as much as the running time since a sight.

    If it has not, the clock was set in between. A difference of up to MOST_BEHIND is allowed for
    corrections. The sight is of the present start of the machine, because sights are stored by its
    id; where the system has no such id, a running time that became shorter shows another start.

    sight: an entry of Run.sights, with the time of the clock as "clock", in ISO format, and the
        running time of the machine in seconds as "running".
    clock: the time of the clock now.
    running: the running time of the machine now, in seconds.
    """
    elapsed = timedelta(seconds=running - sight["running"])
    if elapsed < timedelta():
        return False
    expected = datetime.fromisoformat(sight["clock"]) + elapsed
    return abs(clock - expected) <= MOST_BEHIND


def note_run() -> None:
    """Store that a run of “manage.py seal” has ended now, and forget stored times of clocks.

    Only a run that believed the clock may call this.
    """
    Run.objects.update_or_create(command=COMMAND, defaults={"finished": now(), "sights": {}})
    forget_known()


def forget_known() -> None:
    """Forget the last run and the confirmation, so that this process reads them again."""
    _state.last_run = None
    _state.read_at = None
    _state.is_confirmed = False


def _last_run() -> datetime | None:
    """Return when the last run ended, or None if none has. It is read once a minute."""
    if _state.read_at is None or time.monotonic() - _state.read_at > READ_INTERVAL:
        runs = Run.objects.filter(command=COMMAND)
        _state.last_run = runs.values_list("finished", flat=True).first()
        _state.read_at = time.monotonic()
    return _state.last_run


def running_time() -> float:
    """Return the seconds since this machine started. Setting its clock does not change them."""
    # CLOCK_BOOTTIME also counts while the machine is asleep, but only Linux has it.
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def boot_id() -> str:
    """Return the id of this start of this machine, or "" if the system has no such id."""
    return BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""
