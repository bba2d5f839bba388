"""How long one submission can be held up by sealing, a report, an export, or another survey that closes.

    python -m bench.holdups [sqlite|postgres [responses waiting, default 100000]]

Four clients send at an even, gentle pace, so that what is measured is waiting for the database, not for the processor.
"""

import json
import statistics
import sys
import threading
import time
import uuid
from collections.abc import Callable
from http.client import HTTPConnection

from bench.serving import Server
from tests.servers.postgres import Postgres

LIMIT = 0.250  # seconds
PACE = 0.020  # seconds between two submissions of one client
CLIENTS = 4
MAKE = """
from surveys.accounts.tokens import issue_token
from tests.factories import surveys
owner = surveys.create_researcher()
instruments = [surveys.create_published(owner) for _ in range(2)]
print(issue_token(owner, "bench"))
for instrument in instruments:
    print(instrument.survey.slug, instrument.sha256)
"""
FILL = """
import uuid
from surveys.fieldwork.responses.inbox_encryption import current_public_key, encrypt
from surveys.models import Instrument, Response
instrument = Instrument.objects.get(survey__slug={slug!r})
public_key = current_public_key()
for _ in range(0, {n}, 5000):
    rows = []
    for number in range(5000):
        row = Response(key=uuid.uuid4(), instrument=instrument, inbox_key_id=public_key.id)
        row.record = encrypt(public_key, row.key, bytes([number % 2, 72, 0]))
        rows.append(row)
    Response.objects.bulk_create(rows)
"""
AGE = """
from datetime import date, timedelta
from surveys.models import Response
Response.objects.filter(record=None).update(sealed_on=date.today() - timedelta(days=2))
"""


class Site(Server):
    """A served site with two surveys of one researcher: one to submit to, and a busy neighbour."""

    def __init__(self, database: str | None) -> None:
        super().__init__("config.wsgi", database)
        self.manage("migrate", "--verbosity", "0")
        self.manage("collectstatic", "--no-input", "--verbosity", "0")
        token, first, second = self.manage("shell", "--no-imports", "-c", MAKE).splitlines()
        self.token, (self.slug, self.sha256), self.neighbour = (
            token,
            first.split(),
            second.split()[0],
        )

    def fill(self, slug: str, n: int) -> None:
        self.manage("shell", "--no-imports", "-c", FILL.format(slug=slug, n=n))

    def ask(self, method: str, path: str) -> None:
        """One request of a researcher's program, read to its end."""
        connection = HTTPConnection("127.0.0.1", self.port)
        connection.request(
            method, f"/api/v1/surveys/{path}", headers={"Authorization": f"Token {self.token}"}
        )
        answer = connection.getresponse()
        while answer.read(65_536):
            pass
        if answer.status != 200:
            raise RuntimeError(f"{method} {path} answered {answer.status}")

    def body(self) -> bytes:
        reports = {"tax": 1, "fruit": "01001", "region": 0}
        return json.dumps(
            {"instrument": self.sha256, "key": str(uuid.uuid4()), "reports": reports}
        ).encode()


class Clients:
    """Respondents who send evenly until told to stop; `times` has the seconds that each submission took."""

    def __init__(self, site: Site) -> None:
        self.site, self.times, self._stop = site, [], threading.Event()
        self._threads = [threading.Thread(target=self._send_on) for _ in range(CLIENTS)]

    def _send_on(self) -> None:
        connection = HTTPConnection("127.0.0.1", self.site.port)
        while not self._stop.wait(PACE):
            body, start = self.site.body(), time.perf_counter()
            connection.request(
                "POST",
                f"/api/v1/surveys/{self.site.slug}/responses/",
                body,
                {"Content-Type": "application/json"},
            )
            answer = connection.getresponse()
            answer.read()
            self.times.append(time.perf_counter() - start)
            if answer.status != 201:
                raise RuntimeError(f"answered {answer.status}")

    def __enter__(self) -> "Clients":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


def during(kind: str, name: str, site: Site, act: Callable[[], object]) -> None:
    start = time.perf_counter()
    with Clients(site) as clients:
        act()
    took, times = time.perf_counter() - start, sorted(clients.times)
    cuts, late = statistics.quantiles(times, n=100), sum(seconds > LIMIT for seconds in times)
    print(
        f"{kind}: {name:30} {took:5.1f} s, {len(times):5} submissions, p50 {1000 * cuts[49]:.1f} ms, "
        f"p99 {1000 * cuts[98]:.0f} ms, slowest {1000 * times[-1]:.0f} ms, {late} over {1000 * LIMIT:.0f} ms"
    )


def for_seconds(seconds: float, act: Callable[[], object]) -> Callable[[], None]:
    def repeat() -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            act()

    return repeat


def measure(kind: str, n: int) -> None:
    database = Postgres() if kind == "postgres" else None
    site = Site(database.url if database else None)
    site.start()
    try:
        with Clients(site):
            time.sleep(2)  # the first ones meet a server that has not read its own modules yet
        during(kind, "nothing else", site, lambda: time.sleep(5))
        for slug, name in (
            (site.neighbour, "sealing another survey"),
            (site.slug, "sealing the same survey"),
        ):
            site.fill(slug, n)
            during(kind, f"{name}, {n:,}", site, lambda: site.manage("seal"))
        during(
            kind,
            "reading its report",
            site,
            for_seconds(5, lambda: site.ask("GET", f"{site.slug}/report/")),
        )
        during(
            kind,
            f"exporting {n:,} rows",
            site,
            for_seconds(5, lambda: site.ask("GET", f"{site.slug}/responses/")),
        )
        site.fill(site.neighbour, n)
        during(
            kind,
            f"closing another, {n:,}",
            site,
            lambda: site.ask("POST", f"{site.neighbour}/close/"),
        )
        site.manage("shell", "--no-imports", "-c", AGE)
        during(kind, f"forgetting {3 * n:,} keys", site, lambda: site.manage("seal"))
    finally:
        site.stop()
        if database:
            database.remove()


if __name__ == "__main__":
    arguments = sys.argv[1:]
    for database_kind in arguments[:1] or ["sqlite", "postgres"]:
        measure(database_kind, int(arguments[1]) if len(arguments) > 1 else 100_000)
