"""The lists of surveys with ten surveys of a million responses each, beside the same lists while the surveys are empty.

    python -m bench.lists [sqlite|postgres [responses of each survey, default 1000000]]

Of the workspace, the API and the administration. Some of the responses wait and some have left their bare keys, as
on a busy day. The best of 21 requests through Django's request handling, and the queries of one.
"""

import os
import secrets
import subprocess
import sys
import tempfile
import time
import uuid
from datetime import date

from tests.postgres import Postgres

SURVEYS = 10
WAITING, KEYS = 1_000, 20_000  # in each survey's inbox
LISTS = (
    *("/surveys/", "/api/v1/surveys/", "/admin/surveys/survey/", "/admin/surveys/instrument/"),
    *("/admin/surveys/batch/", "/admin/surveys/response/"),
)


def prepare(database: str, folder: str) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "HTTPS": "0",
        "DATABASE_URL": database,
        "STATIC_ROOT": f"{folder}/static",
    }
    import django  # noqa: PLC0415

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)


def measure(client, path: str) -> tuple[float, int]:
    """(milliseconds, queries)."""
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    times = []
    for _ in range(21):
        start = time.perf_counter()
        response = client.get(path)
        times.append(1000 * (time.perf_counter() - start))
        if response.status_code != 200:
            raise SystemExit(f"{path} answered {response.status_code}")
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
    return min(times), len(queries)


def fill_up(instrument, n: int) -> None:
    from surveys.models import Response  # noqa: PLC0415
    from tests.filling import fill  # noqa: PLC0415

    fill(instrument, n - WAITING)
    for number, state in ((WAITING, {"record": b"\0\0\0"}), (KEYS, {"sealed_on": date.today()})):
        rows = [Response(key=uuid.uuid4(), instrument=instrument, **state) for _ in range(number)]
        Response.objects.bulk_create(rows, batch_size=2000)


def run(kind: str, n: int) -> None:
    from django.db import connection  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from tests import making  # noqa: PLC0415

    owner = making.researcher(is_staff=True, is_superuser=True)
    instruments = [making.published(owner) for _ in range(SURVEYS)]
    client = Client(headers={"host": "localhost"})
    client.force_login(owner)
    before = {path: measure(client, path) for path in LISTS}
    for instrument in instruments:
        fill_up(instrument, n)
    if kind == "postgres":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as autovacuum does by itself after a while
    for path in LISTS:
        (empty, few), (full, many) = before[path], measure(client, path)
        print(
            f"{kind}: {path:27} empty {empty:6.1f} ms in {few} queries, "
            f"{SURVEYS} surveys of {n:,} {full:6.1f} ms in {many}, {full / empty:.2f} times"
        )


def main(kind: str, n: int) -> None:
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as temporary:
        server = Postgres() if kind == "postgres" else None
        try:
            prepare(server.url if server else f"sqlite:///{temporary}/bench.sqlite3", temporary)
            run(kind, n)
        finally:
            if server:
                server.remove()


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments:
        main(arguments[0], int(arguments[1]) if len(arguments) > 1 else 1_000_000)
    else:  # each with a Django of its own
        for name in ("sqlite", "postgres"):
            subprocess.run([sys.executable, "-m", "bench.lists", name], check=True)  # noqa: S603
