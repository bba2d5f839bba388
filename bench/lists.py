"""The lists of surveys with ten surveys of a million responses each, beside the same lists while the surveys are empty.

    python -m bench.lists [sqlite|postgres [responses of each survey, default 1000000]]

Of the workspace, the API and the administration. Some of the responses wait and some have left their bare keys, as
on a busy day. The best of 21 requests through Django's request handling, and the queries of one.
"""

import time
import uuid
from datetime import date

from bench import inside

SURVEYS = 10
WAITING, KEYS = 1_000, 20_000  # in each survey's inbox
LISTS = ("/surveys/", "/api/v1/surveys/", "/admin/surveys/survey/", "/admin/surveys/instrument/")


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
    from tests.factories.many_responses import add_invented_responses  # noqa: PLC0415

    add_invented_responses(instrument, n - WAITING)
    for number, state in ((WAITING, {"record": b"\0\0\0"}), (KEYS, {"sealed_on": date.today()})):
        rows = [Response(key=uuid.uuid4(), instrument=instrument, **state) for _ in range(number)]
        Response.objects.bulk_create(rows, batch_size=2000)


def compare(kind: str, n: int) -> None:
    from django.db import connection  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from tests.factories import surveys  # noqa: PLC0415

    owner = surveys.create_researcher(is_staff=True, is_superuser=True)
    instruments = [surveys.create_published(owner) for _ in range(SURVEYS)]
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


if __name__ == "__main__":
    inside.run("bench.lists", compare, 1_000_000)
