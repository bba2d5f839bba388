import contextlib
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings


class SurveysConfig(AppConfig):
    name = "surveys"

    def ready(self) -> None:
        """SQLite's files are for the site alone: whoever else has an account on the machine may not read answers."""
        database = settings.DATABASES["default"]
        if database["ENGINE"].endswith("sqlite3") and not str(database["NAME"]).startswith((":memory:", "file:")):
            _for_us_alone(Path(database["NAME"]))


def _for_us_alone(file: Path) -> None:
    """The log and its index, which lie beside it, get the file's own mode from SQLite."""
    with contextlib.suppress(OSError):  # a folder that is missing or read-only is told of where it matters
        file.touch(mode=0o600)
        for one in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
            if one.exists():
                one.chmod(0o600)
