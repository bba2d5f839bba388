"""A report filtered, and compared, by a background answer over 1,000,000 responses, from the batches, and its memory.

    python -m bench.subgroups [responses]

Ten questions of up to 20 choices, in batches of 10,000 in a temporary SQLite. Every figure is the best of three.
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path[0] = str(
    Path(__file__).resolve().parents[1]
)  # not this folder, whose mechanisms.py is a bench
FOLDER = tempfile.TemporaryDirectory()
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": "only-for-this-run",
    "DATABASE_URL": f"sqlite:///{Path(FOLDER.name) / 'bench.sqlite3'}",
    "VAR": FOLDER.name,
}

import django  # noqa: E402

django.setup()

import numpy as np  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402

from surveys.authoring.drafts import drafts  # noqa: E402
from surveys.definition.parsing import parse_instrument  # noqa: E402
from surveys.fieldwork.lifecycle import publish  # noqa: E402
from surveys.fieldwork.responses.records import count_reports, record_dtype  # noqa: E402
from surveys.models import Batch, Instrument  # noqa: E402
from surveys.results.analysis.groups.page import groups_page  # noqa: E402
from surveys.results.disclosure.access import ReaderView  # noqa: E402
from surveys.results.disclosure.kept import KEPT  # noqa: E402
from surveys.results.disclosure.subgroups import Group  # noqa: E402
from surveys.results.estimates.report import report  # noqa: E402
from surveys.results.report.quality import check_rows  # noqa: E402

SLICE = 10_000
GROUP = Group((("region", (1, 2)),))


def survey() -> Instrument:
    owner = get_user_model().objects.create_user("bench")
    made = drafts.create_survey(owner=owner, title="Bench")
    for number in range(4):
        drafts.save_question(
            survey=made, key=f"yes{number}", text="?", kind="yes-no", design="two-coin"
        )
    for number, size in enumerate((5, 10, 20, 20)):
        labels = [f"Choice {v}" for v in range(size)]
        design = {"design": "unary", "parameters": {"p": "3/4", "q": "1/4"}}
        drafts.save_question(
            survey=made, key=f"one{number}", text="?", kind="choice", choices=labels, **design
        )
    regions = [f"Region {v}" for v in range(4)]
    drafts.save_question(survey=made, key="region", text="?", kind="background", choices=regions)
    drafts.save_question(
        survey=made, key="age", text="?", kind="number", minimum="18", maximum="97"
    )
    return publish(made, reason="A measurement, which nobody answers.")


def fill(instrument: Instrument, n: int) -> None:
    frozen, rng = parse_instrument(instrument), np.random.default_rng(1)
    total: dict[str, np.ndarray] = {
        item.key: np.zeros(item.size, dtype=np.int64) for item in frozen.items
    }
    for start in range(0, n, SLICE):
        rows = np.zeros(min(SLICE, n - start), record_dtype(frozen))
        for item in frozen.items:
            truths = rng.integers(item.size, size=len(rows))
            if item.mechanism is None:
                rows[item.key] = truths
            elif item.is_string:
                rows[item.key] = item.mechanism.randomize_packed(truths, rng)
            else:
                rows[item.key] = item.mechanism.randomize(truths, rng)
        added = count_reports(frozen, rows)
        Batch.objects.create(instrument=instrument, n=len(rows), records=rows.tobytes())
        for key, values in added.items():
            total[key] += values
    instrument.tally = {"n": n, "counts": {key: values.tolist() for key, values in total.items()}}
    instrument.save()


def best(act: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        KEPT.clear()  # the cold case
        start = time.perf_counter()
        act()
        times.append(time.perf_counter() - start)
    return min(times)


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(n: int) -> None:
    call_command("migrate", verbosity=0)
    instrument = survey()
    fill(instrument, n)
    width = record_dtype(parse_instrument(instrument)).itemsize
    print(
        f"{n:,} responses of {len(parse_instrument(instrument).items)} questions, {width} bytes each"
    )
    report(instrument)
    print(
        f"report of everybody, from the tally   {1000 * best(lambda: report(instrument)):8.1f} ms"
    )
    filtered = best(lambda: report(instrument, group=GROUP, seen=ReaderView(instrument)))
    print(
        f"report of two regions of four         {1000 * filtered:8.1f} ms, {n / filtered / 1e6:.1f} million rows/s"
    )
    compared = best(lambda: groups_page(ReaderView(instrument), "region").headline)
    print(f"all questions compared by region      {1000 * compared:8.1f} ms")
    checked = best(lambda: check_rows(parse_instrument(instrument), instrument))
    print(f"marks and repeats, from the rows      {1000 * checked:8.1f} ms")
    print(f"memory at its peak, everything in it  {megabytes():8.1f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    FOLDER.cleanup()
