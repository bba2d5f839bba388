"""The commands and servers of sites, without starting Python and Django anew for each.

One process loads everything once. Every command and every server is then a fork of it, which first takes over the
environment of its site: as separate from all others as a process of its own, with settings and connections of its own.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path

from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[2]
NOBODYS = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": "of nobody",
    "DATABASE_URL": "sqlite://:memory:",
}
STREAMS = ("stdout", "stderr")


class Loader:
    """The process that has everything loaded. It ends when nobody refers to it any more."""

    def __init__(self, folder: Path = ROOT, before: tuple[str, ...] = ()) -> None:
        self._lock = threading.Lock()
        self._complaint = tempfile.TemporaryFile("w+")  # noqa: SIM115 (open as long as the process)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._complaint}
        command = [*before, sys.executable, "-m", "tests.servers.fork_server"]
        self._process = subprocess.Popen(
            command, cwd=folder, env=os.environ | NOBODYS, text=True, **pipes
        )
        weakref.finalize(self, _end, self._process)

    def send_order(self, *order: object) -> int | None:
        with self._lock:
            with suppress(BrokenPipeError):  # it has ended, and has no answer
                print(json.dumps(order), file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
        if not answer:
            self._complaint.seek(0)
            subprocesses.expect_exit_code(
                self._process.args, self._process.wait(), None, stderr=self._complaint.read()
            )
        return json.loads(answer)


def _end(process: subprocess.Popen) -> None:
    process.stdin.close()
    process.stdout.close()
    process.wait()


class ForkedProgram:
    """A fork, to be handled like a subprocess.Popen. It leads a process group of its own."""

    def __init__(
        self,
        loader: Loader,
        program: list[str],
        environment: dict[str, str],
        log: Path | None,
        largest_file: int | None,
    ) -> None:
        """log: a file for both streams; without it each has one of its own."""
        self.args, self.returncode, self._loader = program, None, loader
        self._own = {name: tempfile.NamedTemporaryFile() for name in STREAMS if not log}  # noqa: SIM115 (read later)
        out = [file.name for file in self._own.values()] or [str(log)] * 2
        for path in out if self._own else ():
            os.chmod(path, 0o666)  # for whoever the program runs as
        self.pid = loader.send_order("fork", program, environment, out, largest_file)

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._loader.send_order("look", self.pid)
        return self.returncode

    def wait(self) -> int:
        while self.poll() is None:
            time.sleep(0.005)
        return self.returncode

    def streams(self) -> dict[str, str]:
        """What it has said so far, by stream; nothing where a log has both."""
        return {
            name: Path(file.name).read_text(errors="replace") for name, file in self._own.items()
        }

    def finish(self) -> str:
        """What it printed; fails unless it ends well."""
        self.wait()
        streams = self.streams()
        subprocesses.expect_exit_code(self.args, self.returncode, **streams)
        return streams["stdout"]

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


class Commands:
    """manage.py and gunicorn in the environment of one site."""

    _shared: Loader | None = None  # one for all sites of this process

    def __init__(
        self, environment: dict[str, str], folder: Path = ROOT, before: tuple[str, ...] = ()
    ) -> None:
        """folder: where another copy of the program lies; before: what starts it there, as another user say."""
        self.environment = environment
        self._own = Loader(folder, before) if before else None

    @property
    def _loader(self) -> Loader:
        if self._own is None and Commands._shared is None:
            Commands._shared = Loader()
        return self._own or Commands._shared

    def start(
        self,
        program: str,
        *arguments: str,
        log: Path | None = None,
        largest_file: int | None = None,
    ) -> ForkedProgram:
        """program: manage.py or gunicorn. largest_file: bytes beyond which it can write no file, as on a full disk."""
        return ForkedProgram(
            self._loader, [program, *arguments], self.environment, log, largest_file
        )

    def run(self, *arguments: str) -> str:
        """What manage.py printed; fails unless it ends well."""
        return self.start("manage.py", *arguments).finish()

    def run_unchecked(self, *arguments: str) -> tuple[int, str, str]:
        """How manage.py ended, what it printed, and what it complained of."""
        started = self.start("manage.py", *arguments)
        return started.wait(), *started.streams().values()
