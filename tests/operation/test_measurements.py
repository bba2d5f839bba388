"""Every measurement still measures: each runs to its end, on little, and finds each page that it asks for."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {file.stem for file in (ROOT / "bench").glob("*.py") if "__main__" in file.read_text()}
NAMES = sorted(PROGRAMS - {"snapshot"})  # which takes commands
LITTLE = {  # what keeps it short; the others have no size
    **{
        "analysis": ["20000"],
        "export": ["20000"],
        "memory": ["20000"],
        "relations": ["20000"],
        "subgroups": ["20000"],
    },
    **{"scale": ["sqlite", "60000"], "lists": ["sqlite", "5000"], "importing": ["sqlite", "20000"]},
    **{
        "submission": ["sqlite", "0.2"],
        "tickets": ["sqlite", "0.2"],
        "holdups": ["sqlite", "2000"],
        "inbox": ["sqlite", "500"],
    },
    **{"batches": ["1000000"], "reports": ["sqlite", "20000", "yes/no"]},
}


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_measurement_runs_to_its_end(name: str) -> None:
    done = subprocesses.run(
        [sys.executable, "-m", f"bench.{name}", *LITTLE.get(name, [])], cwd=ROOT
    )
    assert done.stdout.strip()
    assert not re.search(
        r" answered \d", done.stdout
    )  # as a page does with another status than 200


@pytest.mark.long
def test_two_snapshots_of_one_site_are_nearly_the_same(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "bench.snapshot"]
    database = str(tmp_path / "site.sqlite3")
    first, second = str(tmp_path / "first.json"), str(tmp_path / "second.json")
    environment = os.environ | {"PYTHONHASHSEED": "0"}

    subprocesses.run([*program, "make", database], cwd=ROOT, env=environment)
    for file in (first, second):
        subprocesses.run([*program, "record", database, file], cwd=ROOT, env=environment)
    output = subprocesses.run(
        [*program, "compare", first, second], cwd=ROOT, env=environment
    ).stdout

    same, addresses = map(int, re.search(r"same: (\d+) of (\d+)", output).groups())
    assert addresses > 1_000
    assert same > 0.9 * addresses
