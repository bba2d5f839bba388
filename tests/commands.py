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
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOBODYS = {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "of nobody", "DATABASE_URL": "sqlite://:memory:"}


class Loader:
    """The process that has everything loaded. It ends when nobody refers to it any more."""

    def __init__(self, folder: Path = ROOT, before: tuple[str, ...] = ()) -> None:
        self._lock = threading.Lock()
        command = [*before, sys.executable, "-m", "tests.forks"]
        self._process = subprocess.Popen(
            command, cwd=folder, env=os.environ | NOBODYS, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        weakref.finalize(self, _end, self._process)

    def ask(self, *order: object) -> int | None:
        with self._lock:
            print(json.dumps(order), file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
        assert answer, f"the process of the commands has ended: {order}"
        return json.loads(answer)


def _end(process: subprocess.Popen) -> None:
    process.stdin.close()
    process.stdout.close()
    process.wait()


class Started:
    """A fork, to be handled like a subprocess.Popen. It leads a process group of its own."""

    def __init__(self, loader: Loader, pid: int) -> None:
        self.pid, self.returncode, self._loader = pid, None, loader

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._loader.ask("look", self.pid)
        return self.returncode

    def wait(self) -> int:
        while self.poll() is None:
            time.sleep(0.005)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


class Commands:
    """manage.py and gunicorn in the environment of one site."""

    _shared: Loader | None = None  # one for all sites of this process

    def __init__(self, environment: dict[str, str], folder: Path = ROOT, before: tuple[str, ...] = ()) -> None:
        """folder: where another copy of the program lies; before: what starts it there, as another user say."""
        self.environment = environment
        self._own = Loader(folder, before) if before else None

    @property
    def _loader(self) -> Loader:
        if self._own is None and Commands._shared is None:
            Commands._shared = Loader()
        return self._own or Commands._shared

    def start(self, program: str, *arguments: str, log: Path | None = None, largest_file: int | None = None) -> Started:
        """program: manage.py or gunicorn. largest_file: bytes beyond which it can write no file, as on a full disk."""
        loader, out = self._loader, [str(log or os.devnull)] * 2
        return Started(loader, loader.ask("fork", [program, *arguments], self.environment, out, largest_file))

    def run(self, *arguments: str) -> str:
        """What manage.py printed; fails with what it complained of."""
        code, printed, complaint = self.ask(*arguments)
        assert code == 0, complaint
        return printed

    def ask(self, *arguments: str) -> tuple[int, str, str]:
        """How manage.py ended, what it printed, and what it complained of."""
        loader = self._loader
        with tempfile.NamedTemporaryFile() as printed, tempfile.NamedTemporaryFile() as complaint:
            out = [printed.name, complaint.name]
            for path in out:
                os.chmod(path, 0o666)  # for whoever the program runs as
            code = Started(loader, loader.ask("fork", ["manage.py", *arguments], self.environment, out, None)).wait()
            return code, printed.read().decode(), complaint.read().decode()
