"""Submissions a second through the whole path, against a bare floor on the same server, database and durability.

    python -m bench.submission [sqlite|postgres [seconds of a round, default 2]]

Every submission comes on a connection of its own, as through nginx. Waiting times are corrected for coordinated
omission; processor seconds are those of master and workers, clients not counted. And the first request that a worker
answers.
"""

import json
import statistics
import sys
import uuid

from bench.serving import Server, corrected, press
from tests.servers.postgres import Postgres

MAKE = """
from tests.factories import surveys
instrument = surveys.create_published()
print(instrument.survey.slug, instrument.sha256, instrument.pk.hex, instrument.content)
"""
ROUNDS = 9
CLIENTS = (1, 4, 8)
STARTS = 5


def measure(kind: str, seconds: float) -> None:
    database = Postgres() if kind == "postgres" else None
    full = Server("config.wsgi", database.url if database else None)
    full.manage("migrate", "--verbosity", "0")
    full.manage("collectstatic", "--no-input", "--verbosity", "0")
    slug, sha256, pk, content = full.manage("shell", "--no-imports", "-c", MAKE).split(" ", 3)
    length = json.loads(content)["length"]
    floor = Server("bench.floor", full.environment["DATABASE_URL"])
    floor.environment["FLOOR_INSTRUMENT"] = str(uuid.UUID(pk)) if database else pk
    path = f"/api/v1/surveys/{slug}/responses/"

    def body() -> bytes:
        reports = {"tax": 1, "fruit": "01001", "region": 0}
        message = {"instrument": sha256, "key": str(uuid.uuid4()), "reports": reports}
        return json.dumps(message, separators=(",", ":")).ljust(length).encode()

    full.start()
    floor.start()
    try:
        for clients in CLIENTS:
            compare(kind, full, floor, path=path, body=body, seconds=seconds, clients=clients)
        for what, first in (
            ("submission", lambda: full.first("POST", path, body())),
            ("page", lambda: full.first("GET", f"/s/{slug}/")),
        ):
            took = [1000 * first() for _ in range(STARTS)]
            print(
                f"{kind}: first {what} of a worker {statistics.median(took):.0f} ms (slowest {max(took):.0f} ms)"
            )
    finally:
        full.stop()
        floor.stop()
        if database:
            database.remove()


def compare(kind, full, floor, *, path, body, seconds, clients):
    """Rounds in turn, so that both meet the same machine."""
    rates, ours, bares, costs = [], [], [], []
    press(full.port, path, body, 1, clients)
    press(floor.port, "/floor/", body, 1, clients)
    for _ in range(ROUNDS):
        before = full.processor(), floor.processor()
        our = press(full.port, path, body, seconds, clients)
        bare = press(floor.port, "/floor/", body, seconds, clients)
        costs.append(
            ((full.processor() - before[0]) / len(our), (floor.processor() - before[1]) / len(bare))
        )
        rates.append((len(our) / seconds, len(bare) / seconds))
        ours.append(our)
        bares.append(bare)
    rate, least = (statistics.median(column) for column in zip(*rates, strict=True))
    ratio = statistics.median(a / b for a, b in rates)
    print(
        f"{kind}, {clients} at once: {rate:.0f} submissions/s, floor {least:.0f}/s, "
        f"ratio {ratio:.2f} (median of {ROUNDS} rounds)"
    )
    cost, least = (1000 * statistics.median(column) for column in zip(*costs, strict=True))
    part = statistics.median(b / a for a, b in costs)
    print(
        f"{kind}, {clients} at once: {cost:.2f} ms of the server’s processor each, floor {least:.2f}, ratio {part:.2f}"
    )
    for name, rounds in (("waits", ours), ("floor", bares)):
        print(f"{kind}, {clients} at once: {name} {latency(rounds)}")


def latency(rounds):
    """Medians over the rounds, so that one hiccup of the machine does not decide; and the slowest of all."""
    found = [statistics.quantiles(corrected(times), n=100) for times in rounds]
    p50, p90, p99 = (1000 * statistics.median(cuts[at] for cuts in found) for at in (49, 89, 98))
    slowest = 1000 * max(max(times) for times in rounds)
    return f"p50 {p50:.1f}, p90 {p90:.1f}, p99 {p99:.1f} ({p99 / p50:.1f} times p50), slowest {slowest:.0f} ms"


if __name__ == "__main__":
    kinds = sys.argv[1:2] or ["sqlite", "postgres"]
    for name in kinds:
        measure(name, float(sys.argv[2]) if len(sys.argv) > 2 else 2)
