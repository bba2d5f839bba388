"""What has to be true so that the site can do its work: the database, its tables, and the commands of the timers.

Made once, for /readyz, /metrics and `manage.py doctor`.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from surveys.fieldwork.responses import inbox_keys
from surveys.operation import timers
from surveys.site import clock


class Check(NamedTuple):
    """said: what is so. mend: what to do about it, where it is not ok."""

    name: str
    ok: bool
    said: str
    mend: str = ""


def readiness(
    without: frozenset[str] = frozenset(), *, awaits_first_run: bool = False
) -> list[Check]:
    """Return the checks of database, migrations, inbox, timers and clock.

    If the database is away, nothing else can be known.

    without: the names of checks that are left out.
    awaits_first_run: just after the installation a command that has never finished is no fault.
    """
    checked: list[Check] = []
    commands = [_timer(command, awaits_first_run) for command in timers.PATIENCE]
    for check in (database, migrations, inbox, *commands, machine_clock):
        try:
            checked += [one for one in check() if one.name not in without]
        except Error as error:
            return [*checked, _away(error)]
        if check is migrations and not all(
            one.ok for one in checked
        ):  # the tables of the rest may be missing
            break
    return checked


def _away(error: Error) -> Check:
    first = str(error).strip().partition("\n")[0]
    return Check(
        "database", False, f"It does not answer: {first}", "Start it, and check DATABASE_URL."
    )


def database() -> Iterator[Check]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    yield Check("database", True, f"{connection.display_name} answers.")


def migrations() -> Iterator[Check]:
    waiting = waiting_migrations()
    said = (
        f"{len(waiting)} are not applied: {', '.join(waiting)}." if waiting else "All are applied."
    )
    yield Check("migrations", not waiting, said, "Run manage.py migrate.")


def waiting_migrations() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in _ours() - applied.keys())


@lru_cache(maxsize=1)
def _ours() -> frozenset[tuple[str, str]]:
    """All that this program brings along; reading them from the disk takes a moment, and they do not change."""
    return frozenset(MigrationLoader(None).disk_migrations)


def inbox() -> Iterator[Check]:
    """Check that each key of the inbox has its private key, on a node that has the folder."""
    problem = inbox_keys.inbox_problem()
    message = "Each key of the inbox has its private key."
    if settings.INBOX_KEYS is None:
        message = "This node has no private keys of the inbox (INBOX_KEYS=elsewhere)."
    folder = settings.INBOX_KEYS
    remedy = f"If you still have the private keys, put them into {folder}, owned by candor."
    yield Check("inbox", not problem, problem or message, remedy)


def machine_clock() -> Iterator[Check]:
    """Check that this machine’s clock agrees with the last run of “manage.py seal”."""
    clock.forget_known()
    problem = clock.disbelief()
    said = problem or "This machine’s clock agrees with the last run of manage.py seal."
    yield Check("clock", not problem, said, clock.REMEDY)


def _timer(command: str, awaits_first_run: bool) -> Callable[[], Iterator[Check]]:
    def check() -> Iterator[Check]:
        if command not in timers.expected_commands():
            return
        last, mend = (
            timers.finished().get(command),
            f"Check its timer: systemctl status candor-{command}.",
        )
        if last is None and awaits_first_run and timers.has_time_for_first_run(command):
            yield Check(
                command, True, f"manage.py {command} has not finished yet. Its timer will start it."
            )
            return
        if last is None:
            yield Check(command, False, f"manage.py {command} has never finished.", mend)
            return
        if clock.happened(last) is None:
            said = f"manage.py {command} last finished on {last:%Y-%m-%d}, a day that is still to come."
            yield Check(command, False, said, f"{mend} The clock was ahead then.")
            return
        age = clock.clock_now() - last
        said = f"manage.py {command} last finished {age.total_seconds():.0f} seconds ago."
        yield Check(command, age <= timers.PATIENCE[command], said, mend)

    return check
