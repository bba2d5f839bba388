"""Every measurement still measures: each runs to its end, on little, and finds each page that it asks for."""

import re
import sys
from pathlib import Path

import pytest

from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(file.stem for file in (ROOT / "bench").glob("*.py") if "__main__" in file.read_text())
LITTLE = {  # what keeps it short; the others have no size
    **{"analysis": ["20000"], "export": ["20000"], "memory": ["20000"], "relations": ["20000"], "subgroups": ["20000"]},
    **{"scale": ["sqlite", "60000"], "lists": ["sqlite", "5000"], "importing": ["sqlite", "20000"]},
    **{"submission": ["sqlite", "0.2"], "tickets": ["sqlite", "0.2"], "holdups": ["sqlite", "2000"]},
    **{"batches": ["1000000"], "reports": ["sqlite", "20000", "yes/no"]},
}


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_measurement_runs_to_its_end(name: str) -> None:
    done = subprocesses.run([sys.executable, "-m", f"bench.{name}", *LITTLE.get(name, [])], cwd=ROOT)
    assert done.stdout.strip()
    assert not re.search(r" answered \d", done.stdout)  # as a page does with another status than 200
