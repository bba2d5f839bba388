"""The commands and servers of sites, without starting Python and Django for each of them.

One process, the loader, loads everything once. Every command and every server is a fork of it that
first takes over the environment of its site. So it is as separate from the others as a process of
its own, with its own settings and connections.
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
# The environment of the loader, which belongs to no site: its secret key protects nothing, and its
# database is never used.
ENVIRONMENT_OF_LOADER = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": "of nobody",
    "DATABASE_URL": "sqlite://:memory:",
}
STREAMS = ("stdout", "stderr")


class Loader:
    """The process that has loaded everything. It ends when nothing refers to this object."""

    def __init__(self, folder: Path = ROOT, launcher: tuple[str, ...] = ()) -> None:
        """Start the process.

        folder: the folder of the program.
        launcher: a command that runs Python, for example as another user; () to run it directly.
        """
        # Tests may send orders from several threads. Each must read the answer to its own order.
        self._lock = threading.Lock()
        # The file stays open as long as the process runs. A pipe that nobody reads could fill up.
        self._stderr = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._process = subprocess.Popen(
            [*launcher, sys.executable, "-m", "tests.servers.fork_server"],
            cwd=folder,
            env=os.environ | ENVIRONMENT_OF_LOADER,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        # _end() is called when nothing refers to this object any longer.
        weakref.finalize(self, _end, self._process)

    def send_order(self, order: list[object]) -> int | None:
        """Send an order, as tests.servers.fork_server describes it, and return the answer.

        The answer is a process id, an exit code, or None if a program still runs. The test fails if
        the loader has ended.
        """
        with self._lock:
            # A process that has ended takes no order. Its answer is empty below.
            with suppress(BrokenPipeError):
                print(json.dumps(order), file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
        if not answer:
            exit_code = self._process.wait()
            self._stderr.seek(0)
            subprocesses.fail_with_output(
                self._process.args, exit_code, "running on", stderr=self._stderr.read()
            )
        return json.loads(answer)


def _end(process: subprocess.Popen) -> None:
    """End a loader, which stops when its orders end, and wait for that.

    It gets the process, not the object: a reference to the Loader would keep it from being deleted.
    """
    process.stdin.close()
    process.stdout.close()
    process.wait()


class ForkedProgram:
    """A running command or server. It is handled like a subprocess.Popen.

    The process leads a process group of its own, so that a test can end its workers with it.

    args: the name of the program and its arguments.
    pid: the process id.
    returncode: the exit code, or None as long as poll() has not seen the program end.
    """

    def __init__(
        self,
        loader: Loader,
        arguments: list[str],
        environment: dict[str, str],
        *,
        log: Path | None,
        largest_file: int | None,
    ) -> None:
        """Start the program.

        arguments: the name of the program and its arguments.
        log: a file for both streams, or None to store each stream in a temporary file.
        largest_file: the bytes beyond which no file can grow, or None for no limit.
        """
        self.args = arguments
        self.returncode = None
        self._loader = loader
        # The name of a stream -> its file, if there is no log.
        self._files = {}
        if log:
            paths = [str(log), str(log)]
        else:
            for name in STREAMS:
                # The files are read later, and deleted with this object.
                self._files[name] = tempfile.NamedTemporaryFile()  # noqa: SIM115
            paths = [file.name for file in self._files.values()]
            for path in paths:
                # The program may run as another user, who must be able to write.
                os.chmod(path, 0o666)
        self.pid = loader.send_order(["fork", arguments, environment, paths, largest_file])

    def poll(self) -> int | None:
        """Return the exit code, or None while the program runs."""
        # The loader can be asked for an exit code only once: then the process is gone.
        if self.returncode is None:
            self.returncode = self._loader.send_order(["poll", self.pid])
        return self.returncode

    def wait(self) -> int:
        """Wait until the program ends, and return its exit code."""
        # The program is a child of the loader, so this process can only ask for its end.
        while self.poll() is None:
            time.sleep(0.005)
        return self.returncode

    def streams(self) -> dict[str, str]:
        """Return what the program has printed so far, by stream; empty if it has a log."""
        texts = {}
        for name, file in self._files.items():
            texts[name] = Path(file.name).read_text(errors="replace")
        return texts

    def finish(self) -> str:
        """Wait until a program without a log ends, and return what it printed to stdout.

        The test fails if the exit code is not 0.
        """
        self.wait()
        streams = self.streams()
        subprocesses.expect_exit_code(self.args, self.returncode, **streams)
        return streams["stdout"]

    def send_signal(self, number: int) -> None:
        """Send a signal to the program, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the program to end."""
        self.send_signal(signal.SIGTERM)


class Commands:
    """The programs manage.py and gunicorn in the environment of one site."""

    # The loader of all sites of this process that need no loader of their own.
    _shared: Loader | None = None

    def __init__(
        self, environment: dict[str, str], folder: Path = ROOT, launcher: tuple[str, ...] = ()
    ) -> None:
        """Prepare the commands of a site.

        environment: the environment variables of the site.
        folder: the folder of another copy of the project; used only with a launcher.
        launcher: a command that runs Python, for example as another user; () to run it directly.
        """
        self.environment = environment
        self._separate_loader = Loader(folder, launcher) if launcher else None

    @property
    def _loader(self) -> Loader:
        """The loader of this site, if it needs its own one, or else the shared one.

        The shared loader is started when it is first used.
        """
        if self._separate_loader:
            return self._separate_loader
        if Commands._shared is None:
            Commands._shared = Loader()
        return Commands._shared

    def start(
        self,
        program: str,
        *arguments: str,
        log: Path | None = None,
        largest_file: int | None = None,
    ) -> ForkedProgram:
        """Start a program and return it while it runs.

        program: "manage.py" or "gunicorn".
        log: a file for both streams, or None to store each stream in a temporary file.
        largest_file: the bytes beyond which no file can grow, as on a full disk; None for no limit.
        """
        return ForkedProgram(
            self._loader,
            [program, *arguments],
            self.environment,
            log=log,
            largest_file=largest_file,
        )

    def run(self, *arguments: str) -> str:
        """Run manage.py and return what it printed to stdout.

        The test fails if the exit code is not 0.
        """
        return self.start("manage.py", *arguments).finish()

    def run_unchecked(self, *arguments: str) -> tuple[int, str, str]:
        """Run manage.py and return its exit code, and what it printed to stdout and stderr."""
        program = self.start("manage.py", *arguments)
        exit_code = program.wait()
        streams = program.streams()
        return exit_code, streams["stdout"], streams["stderr"]
