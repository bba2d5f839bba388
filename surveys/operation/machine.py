"""What the machine gives the site: folders to write to, files that nobody else reads, room; for `manage.py doctor`."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

from surveys.operation import restarts, timers
from surveys.operation.health import Check

ROOM = 500_000_000  # bytes that should be free
ENVIRONMENT = Path("/etc/candor/environment")
UNITS = Path("/etc/systemd/system")


def _database() -> Path | None:
    """SQLite’s file, if that is where the data is."""
    name = str(connection.settings_dict["NAME"])
    return (
        None
        if connection.vendor != "sqlite" or name.startswith((":memory:", "file:"))
        else Path(name)
    )


def _folders() -> list[Path]:
    """Where the site writes."""
    file = _database()
    folders = {settings.VAR, file and file.parent}
    if settings.INBOX_KEYS and settings.VAR not in settings.INBOX_KEYS.parents:
        folders.add(settings.INBOX_KEYS)
    return sorted(folder for folder in folders if folder and folder.exists())


def check_account() -> Iterator[Check]:
    """Check that commands do not run as root."""
    if os.geteuid() == 0 and settings.VAR.exists() and settings.VAR.stat().st_uid != 0:
        said = "This runs as root, which can read and write everything. The site can't."
        yield Check(
            "account",
            False,
            said,
            "Run manage.py as the service's account: runuser -u candor -- ...",
        )


def is_read_only(folder: Path) -> bool:
    """Return whether nobody at all can write to the folder, as in a container that is read-only on purpose."""
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def check_folders() -> Iterator[Check]:
    """Check that the site can write to its folders."""
    file = _database()
    for folder in _folders():
        holds_database = file is not None and folder == file.parent
        if is_read_only(folder) and not holds_database:
            yield Check(
                "folders",
                True,
                f"{folder} is read-only. With PostgreSQL nothing has to be written there.",
            )
            continue
        is_ours = os.access(folder, os.W_OK | os.X_OK)
        said = f"{folder} {'can' if is_ours else 'cannot'} be written to."
        mend = f"chown candor:candor {folder}"
        if is_read_only(folder):
            mend = f"Mount {folder} writable: SQLite’s file is there."
        yield Check("folders", is_ours, said, mend)


def check_permissions() -> Iterator[Check]:
    """Check that no other account can read answers or secrets."""
    file, wrong = _database(), False
    kept = (
        [file, *(file.with_name(f"{file.name}{end}") for end in ("-wal", "-shm"))] if file else []
    )
    for one in (*kept, settings.VAR / "secret-key", *_private_keys()):
        if one.exists() and stat.S_IMODE(one.stat().st_mode) & 0o077:
            wrong = True
            yield Check("modes", False, f"Other accounts can read {one}.", f"chmod 600 {one}")
        if one.exists() and not os.access(one, os.R_OK | os.W_OK):
            wrong = True
            yield Check(
                "modes", False, f"This account can't write {one}.", f"chown candor:candor {one}"
            )
    if ENVIRONMENT.exists() and stat.S_IMODE(ENVIRONMENT.stat().st_mode) & 0o007:
        wrong = True
        yield Check(
            "modes", False, f"Every account can read {ENVIRONMENT}.", f"chmod 640 {ENVIRONMENT}"
        )
    if not wrong:
        yield Check("modes", True, "No one else can read the files with answers or secrets.")


def _private_keys() -> list[Path]:
    """Return the files of the private keys of the inbox; none on a node without them."""
    folder = settings.INBOX_KEYS
    return sorted(folder.iterdir()) if folder and folder.exists() else []


def check_restarts() -> Iterator[Check]:
    """Check that the processes of the site stay alive."""
    if settings.VAR.exists() and is_read_only(settings.VAR):
        said = f"Starts are not counted, because {settings.VAR} is read-only. Whatever runs the containers counts them."
        yield Check("starts", True, said)
        return
    recent = restarts.recent()
    said = f"Processes of the site were started {len(recent)} times within the last hour."
    mend = (
        "Something keeps ending them, most often too little memory: journalctl --unit candor --lines 50. Raise "
        "MemoryMax, or start fewer workers."
    )
    yield Check("starts", len(recent) < restarts.MANY, said, mend)


def check_disk_space() -> Iterator[Check]:
    """Check that every folder of the site has enough free space."""
    file = _database()
    size = file.stat().st_size if file and file.exists() else 0
    for folder in _folders():
        if is_read_only(folder):
            continue
        free, wanted = shutil.disk_usage(folder).free, max(ROOM, 2 * size)
        mend = f"Free some space: {wanted / 1e9:.1f} GB should be free."
        yield Check("disk", free >= wanted, f"{free / 1e9:.1f} GB are free in {folder}.", mend)


def enabled_timers() -> Iterator[Check]:
    """A timer that was installed and never enabled. On a node without timers the command has finished elsewhere."""
    finished = timers.finished()
    for command in timers.PATIENCE:
        unit = f"candor-{command}.timer"
        is_installed = (UNITS / unit).exists()
        is_enabled = (UNITS / "timers.target.wants" / unit).is_symlink()
        if is_installed and not is_enabled and command not in finished:
            said = f"{unit} is not enabled, and manage.py {command} has never finished."
            yield Check("timers", False, said, f"systemctl enable --now {unit}")
