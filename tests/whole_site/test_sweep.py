"""Nothing stays behind: surveys live through all their stages, and then every byte of the site is searched for what
people sent. tests/whole_site/sweep/expected.toml lists what may be found, and docs/threat-model.md shows the list.
"""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from features.webhooks.tests.receiver import Receiver, receiving
from tests.faults.conftest import Site, migrated_database, migrated_file
from tests.security.nginx import HOST, PROGRAM, running
from tests.servers.postgres import Postgres, create_quiet_server
from tests.servers.smtp_server import Mailbox, run_smtp_server
from tests.whole_site.sweep import expected
from tests.whole_site.sweep.cures import CURES
from tests.whole_site.sweep.findings import Finding
from tests.whole_site.sweep.life import ENDING_WORKERS, Options, Servers
from tests.whole_site.sweep.places import can_read_memory
from tests.whole_site.sweep.run import Result, life_of

MANY, FEW, SERVED = 65, 10, 40
DATABASES = ("sqlite", "postgresql")
# Workers end with their next request while a file exists.
GUNICORN = """
import runpy
from pathlib import Path

configuration = runpy.run_path("gunicorn.conf.py")
globals().update(configuration)

def post_request(worker, request, environ, response):
    if Path({is_hour_over!r}).exists():
        constants = configuration["post_request"].__globals__
        constants["LIFETIME"] = constants["LONGEST_LIFETIME"] = 0
    configuration["post_request"](worker, request, environ, response)
"""


def needs_servers(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test with the long ones, where nginx is there and the memory of processes can be read."""
    has_no_nginx = pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed")
    is_memory_closed = not can_read_memory(os.getppid())
    reason = "this account cannot read the memory of processes"
    return pytest.mark.long(has_no_nginx(pytest.mark.skipif(is_memory_closed, reason=reason)(test)))


@dataclass
class Sweeps:
    """The sweeps of this file, each of which takes place only once.

    server: a server that vacuums and analyzes nothing by itself.
    folders: makes folders.
    """

    server: Postgres
    folders: pytest.TempPathFactory
    mailbox: Mailbox
    receiver: Receiver
    results: dict[tuple[str, int], Result] = field(default_factory=dict)

    def result(self, database: str, people: int) -> Result:
        """Return the result of the life of surveys with so many people."""
        if (database, people) not in self.results:
            self.results[database, people] = self.run(database, people)
        return self.results[database, people]

    def run(self, database: str, people: int, **options: str) -> Result:
        """Let surveys with so many people live on a new site, and return the result.

        options: further fields of Options.
        """
        site, life_options = self.create_site(database, people)
        return life_of(site, replace(life_options, **options))

    def run_served(self, database: str, people: int, **options: str) -> Result:
        """Do the same behind nginx and gunicorn."""
        site, life_options = self.create_site(database, people)
        with serve(site, life_options.folder) as servers:
            return life_of(site, replace(life_options, servers=servers, **options))

    def create_site(self, database: str, people: int) -> tuple[Site, Options]:
        """Create a site, with the options of a life in one process."""
        folder = self.folders.mktemp("sweep")
        for name in ("var", "tmp", "logs", "backups", "database", "nginx"):
            (folder / name).mkdir()
        server, home = None, folder / "database"
        if database == "postgresql":
            server = self.server
        address = migrated_database(server, home) if server else migrated_file(home)
        site = Site(folder / "var", address)
        site.environment |= {
            "ALLOWED_HOSTS": f"testserver,{HOST}",
            "EMAIL_URL": self.mailbox.url,
            "EMAIL_FROM": "site@example.org",
            "TICKET_KEY": secrets.token_urlsafe(50),
            "INBOX_KEYS": str(folder / "database" / "inbox-keys"),
            "TMPDIR": str(folder / "tmp"),
            "WEBHOOKS_TO_PRIVATE_NETWORKS": "1",
        }
        options = Options(
            database=address,
            server=server,
            folder=folder,
            people=people,
            receiver=self.receiver.url,
        )
        return site, options


@contextmanager
def serve(site: Site, folder: Path) -> Iterator[Servers]:
    """Serve a site by nginx and gunicorn, as documented."""
    is_hour_over = folder / "hour-over"
    configuration = folder / "gunicorn.conf.py"
    configuration.write_text(GUNICORN.format(is_hour_over=str(is_hour_over)))
    site.environment |= {"HTTPS": "1", "BEHIND_PROXY": "1"}
    options = ("--bind", f"127.0.0.1:{site.port}", "--workers", "2", "--config", str(configuration))
    log = folder / "logs" / "gunicorn"
    gunicorn = site.commands.start("gunicorn", "config.wsgi", *options, log=log)
    try:
        with running(folder / "nginx", site.port) as front:
            yield Servers(
                url=f"https://127.0.0.1:{front.https}",
                nginx=folder / "nginx",
                gunicorn=gunicorn.pid,
                is_hour_over=is_hour_over,
            )
    finally:
        gunicorn.terminate()
        gunicorn.wait()


@pytest.fixture(scope="module")
def sweeps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sweeps]:
    server = create_quiet_server()
    with run_smtp_server() as mailbox, receiving() as receiver:
        yield Sweeps(server, tmp_path_factory, mailbox, receiver)
    server.remove()


def assert_expected(findings: list[Finding], database: str) -> None:
    unexpected = expected.unexpected_findings(findings, database)
    assert not unexpected, "\n".join(map(str, unexpected))


@pytest.mark.parametrize("people", [MANY, FEW])
@pytest.mark.parametrize("database", DATABASES)
def test_sweep_finds_nothing_that_is_not_on_the_list(
    sweeps: Sweeps, database: str, people: int
) -> None:
    """20, 31 and 35. Wherever a site keeps bytes, at every stage of a survey, with many people and with few."""
    result = sweeps.result(database, people)
    assert_expected(result.findings, database)


@needs_servers
@pytest.mark.parametrize("database", DATABASES)
def test_sweep_behind_nginx_finds_nothing_that_is_not_on_the_list(
    sweeps: Sweeps, database: str
) -> None:
    """20, 31 and 35. Also in the memory of workers and of nginx, while a worker and a run of seal are killed."""
    result = sweeps.run_served(database, SERVED)
    assert_expected(result.findings, database)
    assert expected.needless_served_entries(result.findings) == []


def test_threat_model_shows_the_list() -> None:
    assert expected.PAGE.read_text() == expected.page_with_table(), (
        "python -m tests.whole_site.sweep.expected"
    )


def test_everything_on_the_list_is_found_by_some_sweep(sweeps: Sweeps) -> None:
    """A permission that nothing needs would hide what comes later."""
    findings = {
        database: [*sweeps.result(database, MANY).findings, *sweeps.result(database, FEW).findings]
        for database in DATABASES
    }
    assert list(expected.needless_permissions(findings)) == []


@pytest.mark.parametrize("name", CURES)
def test_without_a_cure_the_sweep_fails(sweeps: Sweeps, name: str) -> None:
    cure = CURES[name]
    result = sweeps.run(cure.database, FEW, without=name, last_stage=cure.last_stage)
    assert expected.unexpected_findings(result.findings, cure.database)


@needs_servers
def test_where_workers_live_on_the_sweep_fails(sweeps: Sweeps) -> None:
    result = sweeps.run_served("sqlite", SERVED, without=ENDING_WORKERS)
    unexpected = expected.unexpected_findings(result.findings, "sqlite")
    assert {finding.place for finding in unexpected} == {"memory of a web worker"}
