"""Measuring inside Django's own process, on a fresh SQLite or PostgreSQL."""

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable

from tests.servers.postgres import Postgres

KINDS = ("sqlite", "postgres")


def run(module: str, measure: Callable[[str, int], None], n: int) -> None:
    """As the arguments say: one database, and how many; unless they name one, both, each with a Django of its own."""
    arguments = sys.argv[1:]
    if arguments:
        _on(arguments[0], measure, int(arguments[1]) if len(arguments) > 1 else n)
        return
    for kind in KINDS:
        subprocess.run([sys.executable, "-m", module, kind], check=True)  # noqa: S603


def _on(kind: str, measure: Callable[[str, int], None], n: int) -> None:
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as folder:
        server = Postgres() if kind == "postgres" else None
        try:
            _set_up(server.url if server else f"sqlite:///{folder}/bench.sqlite3", folder)
            measure(kind, n)
        finally:
            if server:
                server.remove()


def _set_up(database: str, folder: str) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "HTTPS": "0",
        "ALLOWED_HOSTS": "testserver,localhost",
        "DATABASE_URL": database,
        "VAR": folder,
        "STATIC_ROOT": f"{folder}/static",
    }
    import django  # noqa: PLC0415

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
