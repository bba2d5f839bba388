"""Memory that each stage takes above idle, in a process of its own, for a survey and for one ten times as large.

    python -m bench.memory [responses of the larger survey, default 1000000]

On SQLite, with ten questions of up to 20 answers. Sealing is measured with a tenth as many waiting responses.
"""

import json
import os
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from bench.scale import SIZES
from bench.serving import Server, press

MAKE = """
import os
from surveys.models import Response
from surveys.fieldwork.lifecycle import publish
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
survey = surveys.create_draft()
surveys.add_background(survey, "region")
for number, size in enumerate({sizes}):
    if size == 2:
        surveys.add_yes_no(survey, f"q{{number}}")
    else:
        surveys.add_choice(survey, f"q{{number}}", map(str, range(size)))
instrument = publish(survey, reason="A measurement, which nobody answers.")
add_invented_responses(instrument, {n})
record = bytes(instrument.batches.first().records[: len(instrument.batches.first().records) // 10_000])
import uuid
for _ in range({waiting} // 1000):
    Response.objects.bulk_create(
        [Response(key=uuid.uuid4(), instrument=instrument, record=record) for _ in range(1000)]
    )
print(survey.slug)
"""
MEASURE = """
import resource
from pathlib import Path
from surveys.fieldwork.responses.release import release
from surveys.fieldwork.responses.sealing import seal_rest
from surveys.export import find_file
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.report import report
from surveys.results.disclosure.subgroups import Group
NORTH = Group((("region", (1,)),))
instrument = Instrument.objects.get(survey__slug={slug!r})
def export(name):
    with open("/dev/null", "wb") as sink:
        for piece in find_file(name).stream(instrument):
            sink.write(piece)
idle = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
{act}
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - idle) / 1e6)
"""
STAGES = {
    "sealing and releasing": "seal_rest(instrument); release(instrument, at_once=True)",
    "report": "report(instrument)",
    "report filtered by a background answer": "report(instrument, group=NORTH, seen=ReaderView(instrument))",
    **{
        f"export {name}": f"export({name!r})"
        for name in ("responses.csv", "responses.parquet", "everything.zip")
    },
}
WHOLE = {
    f"export {name}": f"export({name!r})"
    for name in ("responses.xlsx", "responses.sav", "responses.dta")
}  # up to their limit
LIMIT = 100_000


def shell(environment: dict[str, str], code: str) -> str:
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)  # noqa: S603
    return done.stdout.strip()


def stages(n: int) -> dict[str, float]:
    """Megabytes above idle at the peak of each stage."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "SECRET_KEY": "only-for-this-bench",
            "HTTPS": "0",
            "DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}",
            "VAR": folder,
        }
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            env=environment,
            check=True,
        )
        slug = shell(environment, MAKE.format(sizes=SIZES, n=n, waiting=n // 10))
        return {
            name: float(shell(environment, MEASURE.format(slug=slug, act=act)).split()[-1])
            for name, act in (STAGES | (WHOLE if n <= LIMIT else {})).items()
        }


SURVEY = """
from tests.factories import surveys
instrument = surveys.create_published()
print(instrument.survey.slug, instrument.sha256)
"""


def submission(goals: tuple[int, int]) -> list[float]:
    """Megabytes that a server's largest process has grown by when so many responses have been taken."""
    site = Server("config.wsgi", workers=1)
    site.manage("migrate", "--verbosity", "0")
    site.manage("collectstatic", "--no-input", "--verbosity", "0")
    slug, sha256 = site.manage("shell", "--no-imports", "-c", SURVEY).split()

    def body() -> bytes:
        reports = {"tax": 1, "fruit": "01001", "region": 0}
        return json.dumps(
            {"instrument": sha256, "key": str(uuid.uuid4()), "reports": reports}
        ).encode()

    site.start()
    found, sent = [], 0
    try:
        sent += len(
            press(site.port, f"/api/v1/surveys/{slug}/responses/", body, 1, 4)
        )  # every thread has begun
        idle = largest(site.process.pid)
        for goal in goals:
            while sent < goal:
                sent += len(press(site.port, f"/api/v1/surveys/{slug}/responses/", body, 1, 4))
            found.append(largest(site.process.pid) - idle)
    finally:
        site.stop()
    return found


def largest(parent: int) -> float:
    """Peak resident megabytes of the largest child."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return max(peak(int(child)) for child in children)


def peak(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1000


def main(n: int) -> None:
    goals = (n // 500, n // 50)
    for goal, megabytes in zip(goals, submission(goals), strict=True):
        print(f"{'submission':40} {goal:>9,} responses {megabytes:6.1f} MB more")
    small, large = stages(n // 10), stages(n)
    for name in small:
        more = f", {n:>9,} {large[name]:6.1f} MB" if name in large else ""
        print(f"{name:40} {n // 10:>9,} responses {small[name]:6.1f} MB{more} above idle")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
