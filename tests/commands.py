"""The commands of a site, without starting Python and Django anew for each.

One process with the site's environment loads everything once. Every command then runs in a fork of it, as separate from
the last one as a process of its own, and connects to the database itself.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import traceback
import weakref
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]


class Commands:
    """manage.py in one environment. The process starts with the first command, and ends when nobody refers to it."""

    def __init__(self, environment: dict[str, str], folder: Path = ROOT, before: tuple[str, ...] = ()) -> None:
        """before: what starts the process, as another user say."""
        self.environment, self.folder, self.before = environment, folder, before
        self._lock = threading.Lock()
        self._started_in: dict[str, str] = {}

    def run(self, *arguments: str) -> str:
        """What the command printed; fails with what it complained of."""
        code, printed, complaint = self.ask(*arguments)
        assert code == 0, complaint
        return printed

    def ask(self, *arguments: str) -> tuple[int, str, str]:
        """How the command ended, what it printed, and what it complained of."""
        with self._lock:
            if self._started_in != self.environment:
                self._start()
            print(json.dumps(arguments), file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
        assert answer, f"the process of the commands has ended: {arguments}"
        return tuple(json.loads(answer))

    def _start(self) -> None:
        self._started_in = dict(self.environment)
        command = [*self.before, sys.executable, "-m", "tests.commands"]
        self._process = subprocess.Popen(
            command, cwd=self.folder, env=self._started_in, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        weakref.finalize(self, _end, self._process)


def _end(process: subprocess.Popen) -> None:
    process.stdin.close()
    process.stdout.close()
    process.wait()


def _serve() -> None:
    import django

    django.setup()
    import config.urls  # noqa: F401 (and with it all that pages and commands need)

    for line in sys.stdin:
        print(json.dumps(_in_a_fork(json.loads(line))), flush=True)


def _in_a_fork(arguments: list[str]) -> tuple[int, str, str]:
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as complaint:
        child = os.fork()
        if child == 0:
            _run(arguments, printed.fileno(), complaint.fileno())
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status), *(_text(file) for file in (printed, complaint))


def _text(file: object) -> str:
    file.seek(0)
    return file.read().decode()


def _run(arguments: list[str], printed: int, complaint: int) -> NoReturn:
    from django.core.management import execute_from_command_line
    from django.db import connections

    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(printed, 1)
        os.dup2(complaint, 2)
        execute_from_command_line(["manage.py", *arguments])
        connections.close_all()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve()
