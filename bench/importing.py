"""Importing a file of a million responses: rows a second, memory, and how long others wait meanwhile.

    python -m bench.importing [sqlite|postgres [rows, default 1000000]]

The first lines are the work itself, in one process, beside pandas.read_csv of the same file in the same run. Then the
client sends the file to a served site while four respondents submit to another survey.
"""

import sys
import tempfile
import time
from pathlib import Path

from bench.holdups import Site, during
from candor_client import Candor
from tests.servers.postgres import Postgres

FILES = (
    (0, 0, "3 questions"),
    (1, 0, "10 questions"),
    (1, 0.1, "10 questions, a tenth of the cells empty"),
)
MAKE = """
import numpy as np
from django.contrib.auth import get_user_model
from surveys.export.text import Csv
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses.records import mark_missing, record_dtype
from tests.factories import surveys
from tests.factories.many_responses import random_reports
survey = surveys.create_draft(get_user_model().objects.get(), import_only=True)
surveys.add_yes_no(survey, "tax")
surveys.add_choice(survey, "fruit", decline=True)
surveys.add_background(survey, "region")
if {many}:
    for number in range(4):
        surveys.add_yes_no(survey, f"more{{number}}", design="two-coin")
    surveys.add_choice(survey, "direct", design="direct", parameters={{"epsilon": "1"}})
    surveys.add_choice(survey, "wide", [f"Choice {{v}}" for v in range(20)], parameters={{"p": "1/2", "q": "1/4"}})
    labels = [f"Choice {{v}}" for v in range(12)]
    surveys.add_choice(survey, "group", labels, design="subset", parameters={{"epsilon": "1"}})
frozen, rng = parse_instrument(lock_questions(survey)), np.random.default_rng(1)
with open({path!r}, "wb") as file:
    out = Csv(frozen, file)
    for _ in range({n} // 10_000):
        rows = np.zeros(10_000, record_dtype(frozen))
        for item in frozen.items:
            rows[item.key] = random_reports(item, 10_000, rng)
        if {missing}:
            mark_missing(frozen, rows, {{item.key: rng.random(10_000) < {missing} for item in frozen.items}})
        out.write(rows)
print(survey.slug)
"""
MEASURE = """
import resource, time
from pathlib import Path
import pandas as pd
from features.response_import import staging
from surveys.models import Survey
survey = Survey.objects.get(slug={slug!r})
idle = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
start, parts = time.perf_counter(), 0
file = staging.begin(survey, None, {{"version": 2}})
with open({path!r}, "rb") as opened:
    while part := opened.read(1_000_000):
        parts += 1
        file = staging.add(file, parts, part)
checked = time.perf_counter()
file = staging.finish(file, parts, None)
end = time.perf_counter()
assert file.state == "done", file.problems
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - idle
again = time.perf_counter()
pd.read_csv({path!r}, dtype={{"fruit": str, "wide": str, "group": str}})
print(file.rows, end - start, end - checked, peak / 1e6, time.perf_counter() - again)
"""


def alone(kind: str, site: Site, slug: str, path: Path, title: str) -> None:
    printed = site.manage("shell", "--no-imports", "-c", MEASURE.format(slug=slug, path=str(path)))
    rows, seconds, end, peak, pandas = map(float, printed.split())
    print(
        f"{kind}: {title}, {rows:,.0f} rows, {path.stat().st_size / 1e6:.1f} MB: {rows / seconds:,.0f} rows/s, "
        f"{seconds / pandas:.1f} times pandas.read_csv ({pandas:.2f} s); finishing {1000 * end:.0f} ms; "
        f"peak {peak:.0f} MB above idle"
    )


def by_client(site: Site, slug: str, path: Path) -> None:
    with Candor(f"http://127.0.0.1:{site.port}", site.token) as candor:
        candor.import_responses(slug, path, {"version": 2})


def measure(kind: str, n: int) -> None:
    database = Postgres() if kind == "postgres" else None
    with tempfile.TemporaryDirectory() as folder:
        site = Site(database.url if database else None)
        path = Path(folder) / "responses.csv"
        site.start()
        try:
            during(kind, "nothing else", site, lambda: time.sleep(5))
            for many, missing, title in FILES:
                made = MAKE.format(n=n, path=str(path), many=many, missing=missing)
                slug = site.manage("shell", "--no-imports", "-c", made)
                alone(kind, site, slug, path, title)
                during(
                    kind,
                    f"importing {n:,}, {title}",
                    site,
                    lambda slug=slug: by_client(site, slug, path),
                )
        finally:
            site.stop()
            if database:
                database.remove()


if __name__ == "__main__":
    arguments = sys.argv[1:]
    for database_kind in arguments[:1] or ["sqlite", "postgres"]:
        measure(database_kind, int(arguments[1]) if len(arguments) > 1 else 1_000_000)
