"""The life of three surveys on one site, with canaries in all that people send, and a search after
each stage.

Only invited people answer the first survey, and it is destroyed in the end. Anyone answers the
second one, until its day of deletion. The third one takes its responses from a file.
"""

import io
import json
import os
import secrets
import signal
import sqlite3
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import httpx
import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections, transaction
from django.test import Client

from features.invitations import outbox
from surveys.accounts.tokens import issue_token
from surveys.fieldwork.responses.ticket_completion import finish
from surveys.management.commands import seal as seal_command
from surveys.models import Survey
from surveys.site.removals import JOURNAL_NAME
from tests.factories.surveys import create_researcher
from tests.security.nginx import HOST
from tests.servers import subprocesses
from tests.servers.postgres import Postgres
from tests.whole_site.sweep.canaries import Canaries, Canary
from tests.whole_site.sweep.findings import STAGES
from tests.whole_site.sweep.places import (
    Place,
    backup_content,
    files_below,
    files_of_postgres,
    files_of_sqlite,
    memory_of,
)
from tests.whole_site.sweep.surveys import (
    IMPORTED,
    INVITED,
    LEAST_SHARED,
    OPEN,
    SITE,
    Answer,
    ImportedSurvey,
    InvitedSurvey,
    OpenSurvey,
)

COMPRESSED_COLUMNS = """
    SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attstorage IN ('x', 'm')
"""
ROOT = Path(__file__).resolve().parents[3]
# The cure that only a served site has: workers end within an hour.
ENDING_WORKERS = "ending workers"
# The seconds until a server counts as not answering.
PATIENCE = 60
BACKUP_ENDINGS = (".dump", ".sqlite3")

Finding = tuple[str, str, str]


@dataclass
class Servers:
    """The servers of a site that is served.

    url: the address of nginx.
    nginx: the folder of nginx.
    gunicorn: the process id of gunicorn's master.
    is_hour_over: a file. While it exists, each web worker ends with its next request, as after
        an hour.
    """

    url: str
    nginx: Path
    gunicorn: int
    is_hour_over: Path


@dataclass
class Options:
    """What a life needs to know.

    database: the address of the database.
    server: the server of the database, or None for SQLite.
    folder: the folder with the folders “var” (the site's own), “tmp”, “logs” and “backups”.
    people: the number of people who answer each survey.
    receiver: the address to which webhooks are sent.
    without: the name of a cure that is removed (see cures.py), or "". Without one, all places are
        searched only after the last stage.
    last_stage: the stage after which the life ends.
    servers: the servers of a site that is served, or None for a life in one process.
    """

    database: str
    server: Postgres | None
    folder: Path
    people: int
    receiver: str
    without: str = ""
    last_stage: str = STAGES[-1]
    servers: Servers | None = None


class Life(ABC):
    """The stages of a life. What they do is done by a subclass, in one process or over HTTP."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.canaries = Canaries()
        self.owner = create_researcher(f"owner{secrets.token_hex(4)}")
        self.token_headers: dict[str, str] = {}
        self.stage_by_survey = dict.fromkeys((INVITED, OPEN, IMPORTED, SITE), STAGES[0])
        # Stage of the survey, place and kind -> the canaries of this kind that were there.
        self.canaries_by_finding: dict[Finding, set[Canary]] = {}
        self.searched_bytes = 0
        self._backup_contents: dict[Path, bytes] = {}
        if options.server:
            self.store_uncompressed()

    def store_uncompressed(self) -> None:
        """Let PostgreSQL store long values as they are. A search finds nothing in compressed ones."""
        with psycopg.connect(self.options.database, autocommit=True) as connection:
            for table, column in connection.execute(COMPRESSED_COLUMNS).fetchall():
                change = f'ALTER COLUMN "{column}" SET STORAGE EXTERNAL'
                connection.execute(f'ALTER TABLE "{table}" {change}')

    def run(self) -> None:
        """Go through all stages up to the last one, with a search after each."""
        works: dict[str, tuple[Callable[[], None], tuple[str, ...]]] = {
            "answering": (self.answer, (INVITED, OPEN, IMPORTED, SITE)),
            "sealed": (self.seal, (INVITED, OPEN, IMPORTED, SITE)),
            "closed": (self.close, (INVITED, SITE)),
            "tickets finished": (self.finish_tickets, (INVITED, SITE)),
            "destroyed": (self.destroy, (INVITED, SITE)),
            "deletion day": (self.reach_deletion_day, (OPEN, SITE)),
            "import finished": (self.finish_import, (IMPORTED, SITE)),
            "restarted": (self.restart, (INVITED, OPEN, IMPORTED, SITE)),
        }
        for stage, (work, surveys) in works.items():
            work()
            self.stage_by_survey |= dict.fromkeys(surveys, stage)
            is_last = stage == self.options.last_stage
            if is_last or not self.options.without:
                self.search()
            if is_last:
                return

    # The stages.

    def answer(self) -> None:
        """Let people get their tickets and answer, and let a file arrive."""
        people_count = self.options.people
        self.use_tokens()
        self.invited = InvitedSurvey(self)
        self.invited.add_webhooks(self.options.receiver, people_count)
        people = self.invited.invite(people_count)
        outbox.invite(self.invited.survey())
        self.command("deliver")
        for number, person in enumerate(people):
            is_half = number == people_count // 2
            self.invited.answer(person, is_killed=is_half)
            if is_half:
                self.analyze()

        self.open = OpenSurvey(self)
        for _ in range(people_count):
            self.open.answer()
        self.imported = ImportedSurvey(self)
        self.imported.begin(people_count)
        self.plant_inbox_keys()
        self.analyze()
        self.copy_database("before sealing")

    def plant_inbox_keys(self) -> None:
        """Plant the private keys under which the inbox is encrypted."""
        for file in settings.INBOX_KEYS.iterdir():
            # One file is empty: it is a lock.
            if file.stat().st_size:
                self.canaries.plant("key of the inbox", file.read_bytes(), INVITED)

    def use_tokens(self) -> None:
        """Issue tokens of the API, and use each once."""
        for number in range(self.options.people):
            token = issue_token(self.owner, f"Token {number}")
            self.canaries.plant("API token", token)
            self.token_headers = {"Authorization": f"Token {token}"}
            answer = self.request("GET", "/api/v1/surveys/", headers=self.token_headers)
            assert answer.status == 200

    def seal(self) -> None:
        """Kill a run of “manage.py seal” after its first work, and run it again."""
        self.kill_seal()
        self.command("seal")
        self.analyze()
        self.back_up("after sealing")

    def close(self) -> None:
        """Close the survey of invited people, and share its report by links if it has one."""
        self.command("close", self.invited.survey().slug)
        self.analyze()
        if self.options.people >= LEAST_SHARED:
            self.invited.share_report()

    def finish_tickets(self) -> None:
        """Finish the tickets, after which nobody is invited any more."""
        finish(self.invited.survey(), self.owner)

    def destroy(self) -> None:
        """Delete the survey of invited people permanently."""
        survey = self.invited.survey()
        self.command("destroy", survey.slug, "--confirm", survey.title)
        self.command("seal")
        self.back_up("after destroying")

    def reach_deletion_day(self) -> None:
        """Let the day come on which the responses to the open survey are deleted."""
        survey = Survey.objects.filter(pk=self.open.instrument.survey_id)
        survey.update(delete_on=date(2020, 1, 1))
        self.command("seal")

    def finish_import(self) -> None:
        """Import one file, and cancel the other one."""
        self.imported.finish()
        self.command("seal")

    # Helpers of all stages.

    def analyze(self) -> None:
        """Let PostgreSQL collect all its statistics."""
        if self.options.server:
            with psycopg.connect(self.options.database, autocommit=True) as connection:
                connection.execute("ANALYZE")

    def back_up(self, moment: str) -> None:
        """Make a backup of this moment, such as “after sealing”."""
        folder = self.options.folder / "backups" / moment
        folder.mkdir(parents=True)
        self.command("backup", str(folder))

    def copy_database(self, moment: str) -> None:
        """Make a backup with another program, which does not seal first."""
        folder = self.options.folder / "backups" / moment
        folder.mkdir(parents=True)
        server = self.options.server
        if server:
            options = ["--format", "custom", "--file", folder / "copy.dump"]
            subprocesses.run([server.bin / "pg_dump", *options, self.options.database])
            return
        with (
            closing(sqlite3.connect(self.sqlite_file)) as source,
            closing(sqlite3.connect(folder / "copy.sqlite3")) as copy,
        ):
            source.backup(copy)

    @property
    def sqlite_file(self) -> Path:
        """The file of a site with SQLite."""
        return Path(self.options.database.removeprefix("sqlite:///"))

    def search(self) -> None:
        """Search all places, and note what was found."""
        for place in self.places():
            self.searched_bytes += len(place.data)
            for canary in self.canaries.search(place.data):
                finding = (self.stage_by_survey[canary.survey], place.name, canary.kind)
                self.canaries_by_finding.setdefault(finding, set()).add(canary)

    def places(self) -> Iterator[Place]:
        """Yield all places of the site."""
        folder = self.options.folder
        journal = {JOURNAL_NAME: "the journal of removals"}
        yield from files_below(folder / "var", "the site's own folder", journal)
        yield from files_below(settings.INBOX_KEYS, "keys of the inbox")
        yield from files_below(folder / "tmp", "temporary folder")
        yield from files_below(folder / "logs", "logs")
        yield from self.backups()
        server = self.options.server
        if server:
            yield from files_of_postgres(server, self.options.database)
        else:
            yield from files_of_sqlite(self.sqlite_file)

    def backups(self) -> Iterator[Place]:
        """Yield each backup with its moment, and the files beside it. Each is read only once."""
        server = self.options.server
        for path in sorted((self.options.folder / "backups").glob("*/*")):
            if path not in self._backup_contents:
                programs = server.bin if server else None
                is_backup = path.suffix in BACKUP_ENDINGS
                content = backup_content(path, programs) if is_backup else path.read_bytes()
                self._backup_contents[path] = content
            name = f"backup {path.parent.name}"
            yield Place(name=name, data=self._backup_contents[path])

    def kill_seal(self) -> None:
        """Run “manage.py seal” in another process, which is killed after the sealing."""
        seal_due = seal_command.seal_due

        def seal_and_die() -> None:
            seal_due()
            os.kill(os.getpid(), signal.SIGKILL)

        def run_seal() -> None:
            seal_command.seal_due = seal_and_die
            call_command("seal")

        run_in_killed_child(run_seal)

    def restart_database(self) -> None:
        """Restart PostgreSQL two hours later, or close SQLite's file.

        By then its write-ahead log has begun a new file, as `archive_timeout` says, and a
        checkpoint has deleted the older ones, as `wal_recycle` says.
        """
        connections.close_all()
        server = self.options.server
        if server:
            with psycopg.connect(self.options.database, autocommit=True) as connection:
                connection.execute("SELECT pg_switch_wal()")
                connection.execute("CHECKPOINT")
            server.stop()
            server.start()

    # What differs between the kinds of lives.

    @abstractmethod
    def request(
        self,
        method: str,
        path: str,
        content: dict | bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Send a request, with a JSON document or a part of a file, and return the answer."""

    @abstractmethod
    def command(self, *arguments: str) -> None:
        """Run a command of manage.py."""

    @abstractmethod
    def kill_worker(self, path: str, content: dict, headers: dict[str, str]) -> None:
        """Kill a worker of the web server while it handles a response."""

    @abstractmethod
    def restart(self) -> None:
        """Restart all servers."""


class LifeInOneProcess(Life):
    """A life whose requests and commands are all handled by this process."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        # Each new client loads the whole middleware again.
        self._client = Client()

    def request(
        self,
        method: str,
        path: str,
        content: dict | bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Handle a request in this process, from the address that X-Forwarded-For names."""
        headers = headers or {}
        address = headers.get("X-Forwarded-For", "127.0.0.1")
        is_bytes = isinstance(content, bytes)
        response = self._client.generic(
            method,
            path,
            content if is_bytes else json.dumps(content or {}),
            content_type="text/csv" if is_bytes else "application/json",
            headers=headers,
            REMOTE_ADDR=address,
        )
        is_json = response.headers.get("Content-Type", "").startswith("application/")
        document = json.loads(response.content) if is_json and response.content else {}
        return Answer(status=response.status_code, document=document)

    def command(self, *arguments: str) -> None:
        """Run a command in this process. Its output goes to the logs."""
        output = io.StringIO()
        call_command(*arguments, stdout=output)
        with (self.options.folder / "logs" / "commands").open("a") as log:
            log.write(output.getvalue())

    def kill_worker(self, path: str, content: dict, headers: dict[str, str]) -> None:
        """Handle the response in another process, which is killed before the commit."""

        def store_without_commit() -> None:
            with transaction.atomic():
                self.request("POST", path, content, headers)
                os.kill(os.getpid(), signal.SIGKILL)

        run_in_killed_child(store_without_commit)

    def restart(self) -> None:
        """Restart the database."""
        self.restart_database()


class ServedLife(Life):
    """A life whose requests go over HTTP through nginx and gunicorn, with commands of their own.

    The memory of their processes is searched, too.
    """

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._servers = options.servers
        self._client = httpx.Client(
            base_url=self._servers.url, verify=False, headers={"Host": HOST}, timeout=PATIENCE
        )

    def request(
        self,
        method: str,
        path: str,
        content: dict | bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Send a request, again and again until a worker answers it."""
        is_bytes = isinstance(content, bytes)
        content_type = "text/csv" if is_bytes else "application/json"
        data = content if is_bytes else json.dumps(content or {})
        end = time.monotonic() + PATIENCE
        while True:
            response = self._client.request(
                method,
                path,
                content=data,
                headers={"Content-Type": content_type, **(headers or {})},
            )
            # nginx says so where a worker was killed, or is not there yet.
            if response.status_code not in (502, 503) or time.monotonic() > end:
                break
            time.sleep(0.1)
        is_json = response.headers.get("Content-Type", "").startswith("application/")
        document = response.json() if is_json and response.content else {}
        return Answer(status=response.status_code, document=document)

    def command(self, *arguments: str) -> None:
        """Run a command in a process of its own. Its output goes to the logs."""
        output = subprocesses.run([sys.executable, "manage.py", *arguments], cwd=ROOT).stdout
        with (self.options.folder / "logs" / "commands").open("a") as log:
            log.write(output)

    def kill_worker(self, path: str, content: dict, headers: dict[str, str]) -> None:
        """Kill one of the workers. Whoever it was answering tries again."""
        worker, *_ = children_of(self._servers.gunicorn)
        os.kill(worker, signal.SIGKILL)

    def places(self) -> Iterator[Place]:
        """Yield all places of the site, with the files of nginx and the memory of the servers."""
        yield from super().places()
        yield from files_below(self._servers.nginx, "spool and logs of nginx")
        for process in children_of(self._servers.gunicorn):
            yield from memory_of(process, "memory of a web worker")
        yield from memory_of(self._servers.gunicorn, "memory of gunicorn's master")
        for process in self._nginx_processes():
            yield from memory_of(process, "memory of nginx")

    def _nginx_processes(self) -> list[int]:
        master = int((self._servers.nginx / "pid").read_text())
        return [master, *children_of(master)]

    def restart(self) -> None:
        """Let the time of the web workers be over, and restart the database and nginx."""
        if self.options.without != ENDING_WORKERS:
            workers = set(children_of(self._servers.gunicorn))
            self._servers.is_hour_over.touch()
            wait_until(lambda: self._has_other_workers(workers))
            self._servers.is_hour_over.unlink()
        self.restart_database()

        master, *workers = self._nginx_processes()
        os.kill(master, signal.SIGHUP)
        wait_until(lambda: set(workers).isdisjoint(children_of(master)))

    def _has_other_workers(self, workers: set[int]) -> bool:
        """Return whether all of these workers are gone. Each ends with its next request."""
        self.request("GET", "/healthz")
        current = children_of(self._servers.gunicorn)
        return bool(current) and workers.isdisjoint(current)


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "This takes too long."
        time.sleep(0.05)


def children_of(process: int) -> list[int]:
    """Return the ids of the child processes of a process."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in children.split()]


def run_in_killed_child(work: Callable[[], None]) -> None:
    """Run a function that kills its process, in a child of this process."""
    # The child may neither use nor close the connections of this process.
    connections.close_all()
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "The process was not killed."
