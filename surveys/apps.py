import contextlib
import logging
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.core.management import CommandError
from django.db import connections
from django.db.models.signals import post_migrate

from surveys.site.outages import is_not_outage_log


class SurveysConfig(AppConfig):
    name = "surveys"

    def ready(self) -> None:
        """An outage is logged where it is met. SQLite's files are for the site alone: nobody else may read answers."""
        # Only now are the models loaded.
        from surveys import checks  # noqa: F401, PLC0415 (registers them)
        from surveys.extensions import load_features  # noqa: PLC0415
        from surveys.site.postgres_tables import remove_statistics  # noqa: PLC0415

        load_features()
        logging.getLogger("django.request").addFilter(is_not_outage_log)
        post_migrate.connect(remove_statistics, sender=self)
        post_migrate.connect(_draw_first_inbox_key, sender=self)
        database = settings.DATABASES["default"]
        if database["ENGINE"].endswith("sqlite3") and not str(database["NAME"]).startswith(
            (":memory:", "file:")
        ):
            _for_us_alone(Path(database["NAME"]))


def _for_us_alone(file: Path) -> None:
    """The log and its index, which lie beside it, get the file's own mode from SQLite."""
    with contextlib.suppress(
        OSError
    ):  # a folder that is missing or read-only is told of where it matters
        file.touch(mode=0o600)
        for one in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
            if one.exists():
                one.chmod(0o600)


def _draw_first_inbox_key(using: str = "default", **_: object) -> None:
    """Draw the first key of the inbox after a migration, unless its table is missing."""
    # The models are not loaded yet when this module is imported.
    from surveys.fieldwork.responses.inbox_keys import draw_first_key  # noqa: PLC0415
    from surveys.models import InboxKey  # noqa: PLC0415

    if InboxKey._meta.db_table not in connections[using].introspection.table_names():
        return
    try:
        draw_first_key()
    except OSError as error:
        raise CommandError(
            f"The private key of the inbox can’t be written: {error}. Set INBOX_KEYS to a folder "
            "that this account can write to, or to “elsewhere” if this machine runs no timers."
        ) from None
