"""A server that docs/deployment.md makes, in a folder that stands for its root."""

import configparser
import fnmatch
import json
import os
import re
import secrets
import shlex
import shutil
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

from tests.operation import fake_programs
from tests.servers import ports, subprocesses
from tests.servers.commands import Commands
from tests.servers.postgres import Postgres

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/deployment.md"
HOST = "survey.example.org"
# The server needs no more of the program's folder. The tests come along for tests/servers and tests/factories.
LEFT_OUT = shutil.ignore_patterns(
    ".git",
    ".venv",
    "var",
    "__pycache__",
    ".*_cache",
    "test_*",
    "releases",
    "vectors",
    "*.png",
    "bench",
)


def blocks(section: str) -> list[list[str]]:
    """The commands for root under a heading, as they stand there, block by block."""
    text = re.search(rf"(?ms)^## {re.escape(section)}$(.*?)(?=^## |\Z)", PAGE.read_text())[1]
    found = [re.findall(r"(?m)^    # (.*)$", block) for block in re.split(r"(?m)^(?=\S)", text)]
    return [commands for commands in found if commands]


class Server:
    def __init__(self, postgres: Postgres | None, database: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="candor-operation-"))
        self.folder.chmod(0o755)
        self.port, self.database = ports.find_free_port(), database
        self.before = fake_programs.AS_ACCOUNT if fake_programs.can_act_as_account() else ()
        self.values: dict[str, str] = {"<where you got it from>": str(self.folder / "origin")}
        self.at = self.folder
        self._commands: dict[str, Commands] = {}
        self._units: set[str] = set()
        self.active: dict[str, subprocess.Popen | None] = {}
        self._prepare(postgres)

    def _prepare(self, postgres: Postgres | None) -> None:
        for place in (
            "opt",
            "etc/systemd/system",
            "etc/nginx/sites-available",
            "etc/nginx/sites-enabled",
            "stand-ins",
        ):
            (self.folder / place).mkdir(parents=True)
        for place in ("var/backups", "usr/local/sbin"):
            (self.folder / place).mkdir(parents=True)
        heard = self.folder / "socket"
        fake_programs.write(
            self.folder / "stand-ins",
            heard,
            owner=f"-o {fake_programs.ACCOUNT}" if self.before else "",
            group=f"-g {fake_programs.GROUP}" if self.before else "",
            as_account=" ".join(self.before),
            pghost=postgres.folder if postgres else "",
            pgport=postgres.port if postgres else "",
        )
        path = f"{self.folder}/stand-ins:{self.folder}/usr/local/sbin:{postgres.bin if postgres else ''}"
        path += f":{os.environ['PATH']}"
        self.environment = {"PATH": path, "HOME": str(self.folder), "GIT_CONFIG_GLOBAL": os.devnull}
        self._listener = socketserver.ThreadingUnixStreamServer(str(heard), self._handler())
        heard.chmod(0o777)
        threading.Thread(target=self._listener.serve_forever, daemon=True).start()
        self._make_origin()

    def _make_origin(self) -> None:
        """A repository of what lies here, whose examples name the test's own places."""
        origin = self.folder / "origin"
        shutil.copytree(ROOT, origin, ignore=LEFT_OUT, symlinks=True)
        for file in (origin / "docs/deploy").iterdir():
            file.write_text(self.here(file.read_text()))
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit("A release")
        self.git("repack", "-adq")  # a clone of few files is made, and deleted, sooner

    def git(self, *arguments: str, at: str = "origin") -> str:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        return subprocesses.run(["git", *who, *arguments], cwd=self.folder / at).stdout.strip()

    def commit(self, message: str) -> None:
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--message", message)

    def here(self, text: str) -> str:
        """Documented text with the test's own places, ports, and one worker, which starts sooner than three."""
        text = re.sub(
            "|".join(fake_programs.PLACES), lambda place: f"{self.folder}{place[0]}", text
        )
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{self.port}").replace(
            "--workers 3", "--workers 1"
        )
        for name, value in self.values.items():
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", value, text)
        return text

    def run(self, section: str, block: int | None = None) -> str:
        """Root types what stands under a heading, or one block of it. What was printed; fails as commands do."""
        found = blocks(section)
        chosen = found if block is None else [found[block]]
        return self.type("\n".join(line for commands in chosen for line in commands))

    def type(self, commands: str) -> str:
        # A hardened server's root has this umask.
        script = f"umask 077; set -e; trap 'pwd > {self.folder}/at' EXIT\n{self.here(commands)}\n"
        typed = f"{self.password}\n{self.password}\n"
        run = subprocesses.run(
            ["bash", "-c", script],
            **{"cwd": self.at, "env": self.environment, "input": typed},
            start_new_session=True,  # who asks for a password finds no terminal
        )
        self.at = Path((self.folder / "at").read_text().strip())
        return run.stdout

    password = secrets.token_urlsafe(12)

    def _handler(self) -> type:
        server = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                told = json.loads(self.rfile.readline())
                try:
                    answer = getattr(server, f"_play_{told.pop('program')}")(**told)
                except Exception as error:
                    answer = (1, "", repr(error))
                self.wfile.write(json.dumps(answer).encode() + b"\n")

        return Handler

    def _play_editor(self, arguments: list[str], **_: object) -> tuple[int, str, str]:
        """Fills in the environment; the name of the site may stay as it is."""
        file = Path(arguments[0])
        text = file.read_text()
        secret = "put-the-output-of-the-command-in-deployment.md-here"
        text = (
            text.replace(secret, secrets.token_urlsafe(50)) if file.name == "environment" else text
        )
        file.write_text(
            re.sub(
                "postgres://.*(?=')", self.here(self.database.format(password=self.password)), text
            )
        )
        return 0, "", ""

    def _play_python(
        self, arguments: list[str], environment: dict[str, str], umask: int
    ) -> tuple[int, str, str]:
        program, *arguments = arguments
        assert Path(program).name == "manage.py"
        return self._manage(environment, umask, arguments)

    def _manage(
        self, environment: dict[str, str], umask: int, arguments: list[str]
    ) -> tuple[int, str, str]:
        """In a process for each environment and each state of the program, which is told by its last commit."""
        environment = {
            name: value
            for name, value in environment.items()
            if name not in ("_", "PWD", "OLDPWD", "SHLVL")
        }
        environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
        key = json.dumps(
            [self.git("rev-parse", "HEAD", at="opt/candor"), umask, sorted(environment.items())]
        )
        if key not in self._commands:
            before = ("sh", "-c", f'umask {umask:o}; exec "$@"', "-", *self.before)
            self._commands[key] = Commands(environment, self.folder / "opt/candor", before)
        return self._commands[key].run_unchecked(*arguments)

    def _play_systemctl(self, arguments: list[str], **_: object) -> tuple[int, str, str]:
        verb, *names = [argument for argument in arguments if argument != "--now"]
        if verb == "daemon-reload":
            self._units = {file.name for file in (self.folder / "etc/systemd/system").iterdir()}
        elif verb == "stop":
            for name in [
                one
                for one in self.active
                if any(fnmatch.fnmatch(one, pattern) for pattern in names)
            ]:
                self._stop(name)
        elif verb in ("enable", "start"):
            for name in names:
                self.start(name)
        return 0, "", ""

    def start(self, name: str) -> tuple[int, str, str]:
        """A unit as its file says: a timer is only noted, a service of type oneshot is waited for."""
        assert name in self._units, f"{name} is not there, or systemd has not read it"
        unit = configparser.RawConfigParser(delimiters="=", strict=False)
        unit.read(self.folder / "etc/systemd/system" / name)
        if name.endswith(".timer"):
            self.active[name] = None
            return 0, "", ""
        service = unit["Service"]
        environment = self.environment | _environment(Path(service["EnvironmentFile"]))
        _, *arguments = shlex.split(service["ExecStart"])
        if arguments[0] == "manage.py":
            return self._manage(environment, int(service["UMask"], 8), arguments[1:])
        command = [*self.before, sys.executable, *arguments]
        with (self.folder / "log").open("ab") as log:
            self.active[name] = subprocess.Popen(
                command,
                cwd=service["WorkingDirectory"],
                env=environment,
                umask=0o077,
                stdout=log,
                stderr=log,
            )
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return 0, "", ""
            subprocesses.expect_running(self.active[name], self.folder / "log")
            time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text())

    def _stop(self, name: str) -> None:
        process = self.active.pop(name)
        if process:
            process.terminate()
            process.wait()

    def candor(self, *arguments: str) -> str:
        """The command of root's."""
        return self.type(shlex.join(["candor", *arguments]))

    def complaint(self, *arguments: str) -> str:
        """What the command refuses to do, in one line; fails where it does it."""
        return (
            self.type(f"! {shlex.join(['candor', *arguments])} 2>&1")
            .removeprefix("CommandError: ")
            .rstrip()
        )

    def shell(self, code: str) -> str:
        return self.candor("shell", "--no-imports", "-c", code).strip()

    def post(self, path: str, body: bytes) -> tuple[int, dict, dict]:
        """As nginx hands it on. Status, headers, document. Raises OSError or HTTPException where nobody answers."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Host": HOST, "X-Forwarded-Proto": "https", "Content-Type": "application/json"}
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), json.loads(answer.read() or b"{}")
        finally:
            connection.close()

    def remove(self) -> None:
        for name in list(self.active):
            self._stop(name)
        self._commands.clear()
        self._listener.shutdown()
        self._listener.server_close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _environment(file: Path) -> dict[str, str]:
    """As systemd reads it: no variable is put in, and quotes around a value are taken off."""
    lines = [line for line in file.read_text().splitlines() if line and not line.startswith("#")]
    pairs = [line.split("=", 1) for line in lines]
    return {name: "".join(shlex.split(value)) for name, value in pairs}
