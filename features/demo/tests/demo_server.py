"""The demo as people start it: manage.py demo, with nothing decided for it, in a folder where nothing is yet."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import ports, subprocesses

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 240  # seconds; other tests keep the machine busy meanwhile
END = "Press Ctrl-C to stop."
LABELS = ["Answer as a respondent", "See the report", "Log in", "API token"]
LINE = re.compile(r"^([^:]+): +(\S.*)$")


@contextmanager
def running(
    folder: Path,
    *options: str,
    program: Path = ROOT,
    before: tuple[str, ...] = (),
    **environment: str,
) -> Iterator[dict[str, str]]:
    """What it prints, label -> text, while it runs. folder: for its log, and for what it writes unless VAR is "".

    program: where manage.py is. before: what starts it, as another user say. Its environment is the one given here,
    with nothing of the tests' own.
    """
    log, port = folder / "demo.log", ports.find_free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "VAR": str(folder / "var"),
        "PYTHONDONTWRITEBYTECODE": "1",
    } | environment
    environment = {name: value for name, value in environment.items() if value}
    command = [*before, sys.executable, "manage.py", "demo", "--port", str(port), *options]
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=program, env=environment, stdout=out, stderr=out)
    try:
        end = time.monotonic() + PATIENCE
        while END not in log.read_text():
            subprocesses.expect_running(process, log)
            assert time.monotonic() < end, (
                f"The demo is not there after {PATIENCE} s:\n{log.read_text()}"
            )
            time.sleep(0.1)
        *lines, last = log.read_text().splitlines()
        assert last == END
        yield dict(LINE.fullmatch(line).groups() for line in lines)
        subprocesses.expect_running(process, log)
    finally:
        process.terminate()
        process.wait()
