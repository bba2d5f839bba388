"""Submissions a second through the whole path, against a bare floor on the same server, database and durability.

python -m bench.submission [sqlite|postgres] [seconds]
"""

import json
import statistics
import sys
import uuid

from bench.serving import Server, press
from tests.postgres import Postgres

MAKE = """
from tests import making
instrument = making.published()
print(instrument.survey.slug, instrument.sha256, instrument.pk.hex, instrument.content)
"""
ROUNDS = 9
CLIENTS = 8


def measure(kind: str, seconds: float) -> None:
    database = Postgres() if kind == "postgres" else None
    url = database.url if database else None
    full = Server("config.wsgi", url)
    full.manage("migrate", "--verbosity", "0")
    full.manage("collectstatic", "--no-input", "--verbosity", "0")
    slug, sha256, pk, content = full.manage("shell", "--no-imports", "-c", MAKE).split(" ", 3)
    length = json.loads(content)["length"]
    floor = Server("bench.floor", full.environment["DATABASE_URL"])
    floor.environment["FLOOR_INSTRUMENT"] = str(uuid.UUID(pk)) if database else pk

    def body() -> bytes:
        reports = {"tax": 1, "fruit": "01001", "region": 0}
        message = {"instrument": sha256, "key": str(uuid.uuid4()), "reports": reports}
        return json.dumps(message, separators=(",", ":")).ljust(length).encode()

    full.start()
    floor.start()
    try:
        report(kind, *compare(full, floor, f"/api/v1/surveys/{slug}/responses/", body, seconds))
    finally:
        full.stop()
        floor.stop()
        if database:
            database.remove()


def compare(full, floor, path, body, seconds):
    """Rounds in turn, so that both meet the same machine."""
    ratios, latencies = [], []
    press(full.port, path, body, 1, CLIENTS)
    press(floor.port, "/floor/", body, 1, CLIENTS)
    for _ in range(ROUNDS):
        ours = press(full.port, path, body, seconds, CLIENTS)
        bare = press(floor.port, "/floor/", body, seconds, CLIENTS)
        ratios.append((len(ours) / seconds, len(bare) / seconds))
        latencies += ours
    return ratios, latencies


def report(kind, ratios, latencies):
    ours, bare = (statistics.median(column) for column in zip(*ratios, strict=True))
    ratio = statistics.median(a / b for a, b in ratios)
    cuts = statistics.quantiles(latencies, n=100)
    print(f"{kind}: {ours:.0f} submissions/s, floor {bare:.0f}/s, ratio {ratio:.2f} (median of {ROUNDS} rounds)")
    print(f"{kind}: latency p50 {1000 * cuts[49]:.1f} ms, p99 {1000 * cuts[98]:.1f} ms with {CLIENTS} clients")


if __name__ == "__main__":
    kinds = sys.argv[1:2] or ["sqlite", "postgres"]
    for name in kinds:
        measure(name, float(sys.argv[2]) if len(sys.argv) > 2 else 3)
