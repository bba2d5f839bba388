"""NumPy takes one thread for each request, wherever the site is started from."""

import os
import sys
from pathlib import Path

import pytest

from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[2]
COUNTED = "import config, numpy, os; print(len(os.listdir('/proc/self/task')))"


@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="threads are counted where Linux lists them"
)
def test_numpy_starts_no_threads_of_its_own() -> None:
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    command = [sys.executable, "-c", COUNTED]
    run = subprocesses.run(command, cwd=ROOT, env=free)
    assert run.stdout.strip() == "1"
