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

    This is the time of the clock, or the end of the last run of “manage.py seal” if the clock is a
    little behind it. If the clock is not believed, this is the earlier one of these two times. The
    time of the clock alone counts if no run has ended yet, or if this process has confirmed it.
    """
    clock = clock_now()
    last = _last_run()
    if last is None or _state.is_confirmed:
        return clock
    if is_plausible(clock, last):
        return max(clock, last)
    return min(clock, last)


def is_believed() -> bool:
    """Return whether the clock of this machine is taken to be right.

    It is if it agrees with the end of the last run of “manage.py seal”, if no run has ended yet, or
    if `confirm` has confirmed the clock in this process.
    """
    last = _last_run()
    return last is None or _state.is_confirmed or is_plausible(clock_now(), last)


def is_plausible(clock: datetime, last: datetime) -> bool:
    """Return whether the time of a clock can be right, if the last run ended at `last`.

    It can if it is at most MOST_BEHIND earlier than `last`, and at most MOST_AHEAD later.
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
    """Return the condition of a query for rows that are due at this moment, by their field `due`.

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
    """Return whether a run of “manage.py seal”, which calls this as it begins, may use the clock.

    It may if the clock is believed, or if an earlier run saw the same clock an hour or more ago. If
    no earlier run saw this clock, its time is stored as a *sight*, by which a later run can confirm
    it. The sights are in the row of the last run, which is locked meanwhile.

    Each machine confirms its own clock, because its running time starts again whenever the machine
    starts. `note_run` removes the sights of all machines.
    """
    # What this process has read may be a minute old, and another machine may have finished a run.
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
            # Each start of a machine leaves one sight. Machines that are in use do not start so
            # often, so all sights are forgotten.
            sights = run.sights if len(run.sights) < MOST_SIGHTS else {}
            run.sights = sights | {boot: {"clock": clock.isoformat(), "running": running}}
            run.save(update_fields=["sights"])
            return False

    # The sight is of this clock, which was not set since. It is confirmed if it is old enough.
    running_since_sight = running - sight["running"]
    _state.is_confirmed = running_since_sight >= CONFIRMATION_TIME.total_seconds()
    return _state.is_confirmed


def _is_same_clock(sight: dict, clock: datetime, running: float) -> bool:
    """Return whether a clock was not set since a run of “manage.py seal” saw it.

    It was not if it has advanced by as much time as the machine has been running since. A
    difference of up to MOST_BEHIND is allowed for small corrections of the clock.

    sight: what the run saw, an entry of Run.sights: the time of the clock as "clock", in ISO
        format, and the running time of the machine in seconds as "running".
    clock: the time of the clock now.
    running: the running time of the machine now, in seconds.
    """
    elapsed = timedelta(seconds=running - sight["running"])
    # Sights are stored by the id of the start of the machine. Where the system has no such id, a
    # shorter running time shows that the machine was started again since.
    if elapsed < timedelta():
        return False
    expected = datetime.fromisoformat(sight["clock"]) + elapsed
    return abs(clock - expected) <= MOST_BEHIND


def note_run() -> None:
    """Store that a run of “manage.py seal” has ended now.

    Only a run that `confirm` has allowed to use the clock may call this. The sights that `confirm`
    has stored are removed.
    """
    Run.objects.update_or_create(command=COMMAND, defaults={"finished": now(), "sights": {}})
    forget_known()


def forget_known() -> None:
    """Forget the last run and the confirmation of the clock, as far as this process knows them.

    The last run is read again when it is needed, and only `confirm` can confirm the clock again. A
    run of “manage.py seal” begins with this, and so do tests.
    """
    _state.last_run = None
    _state.read_at = None
    _state.is_confirmed = False


def _last_run() -> datetime | None:
    """Return when “manage.py seal” last ended, or None if it never has.

    A process reads this from the database at most once a minute.
    """
    if _state.read_at is None or time.monotonic() - _state.read_at > READ_INTERVAL:
        runs = Run.objects.filter(command=COMMAND)
        _state.last_run = runs.values_list("finished", flat=True).first()
        _state.read_at = time.monotonic()
    return _state.last_run


def running_time() -> float:
    """Return the seconds since this machine started, which setting its clock does not change."""
    # CLOCK_BOOTTIME also counts while the machine is asleep, but only Linux has it.
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def boot_id() -> str:
    """Return the id of this start of this machine, or "" if the system has no such id."""
    return BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""
