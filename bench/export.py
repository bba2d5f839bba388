"""Rows a second and memory above idle of exporting a million responses, each file in a process of its own.

python -m bench.export [rows]
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

FILES = (
    "responses.csv",
    "responses-excel.csv",
    "responses.parquet",
    "everything.zip",
)
WHOLE = ("responses.xlsx", "responses.sav", "responses.dta")  # with a limit
LIMIT = 100_000
MAKE = """
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
survey = surveys.create_draft()
surveys.add_yes_no(survey, "tax")
surveys.add_choice(survey, "fruit", decline=True)
surveys.add_background(survey, "region")
{more}
from surveys.fieldwork.lifecycle import publish
add_invented_responses(publish(survey, reason="A measurement, which nobody answers."), {n})
print(survey.slug)
"""
MORE = """
for number in range(4):
    surveys.add_yes_no(survey, f"more{number}", design="two-coin")
surveys.add_choice(survey, "direct", design="direct", parameters={"epsilon": "1"})
surveys.add_choice(survey, "wide", [f"Choice {v}" for v in range(20)], parameters={"p": "1/2", "q": "1/4"})
surveys.add_choice(survey, "subset", [f"Choice {v}" for v in range(12)], design="subset", parameters={"epsilon": "1"})
survey.limit = 20
survey.save()
"""
WRITE = """
import resource, time
from pathlib import Path
from surveys.export import find_file
from surveys.models import Instrument
instrument = Instrument.objects.get(survey__slug={slug!r})
file = find_file({name!r})
idle = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
started, size = time.perf_counter(), 0
with open("/dev/null", "wb") as sink:
    for piece in file.stream(instrument):
        sink.write(piece)
        size += len(piece)
seconds = time.perf_counter() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(seconds, peak - idle, size)
"""


def shell(environment: dict[str, str], code: str) -> str:
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)  # noqa: S603
    return done.stdout.strip()


def measure(n: int, title: str, more: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "SECRET_KEY": "only-for-this-bench",
            "HTTPS": "0",
            "DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}",
            "VAR": folder,
        }
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, env=environment, check=True)  # noqa: S603
        slug = shell(environment, MAKE.format(n=n, more=more))
        for name in (*FILES, *(WHOLE if n <= LIMIT else ())):
            seconds, memory, size = map(
                float, shell(environment, WRITE.format(slug=slug, name=name)).split()
            )
            print(
                f"{title}, {n:,} rows, {name}: {n / seconds:,.0f} rows/s, "
                f"peak {memory / 1e6:.0f} MB above idle, {size / 1e6:.1f} MB written"
            )


if __name__ == "__main__":
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    measure(rows, "3 questions", "")
    measure(rows, "10 questions", MORE)
    if rows > LIMIT:
        measure(LIMIT, "10 questions", MORE)
