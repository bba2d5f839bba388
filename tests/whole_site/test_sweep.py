"""Nothing stays behind: surveys live through all their stages, and then every byte of the site is searched for what
people sent. tests/whole_site/sweep/expected.toml lists what may be found, and docs/threat-model.md shows the list.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from features.webhooks.tests.receiver import Receiver, receiving
from tests.faults.conftest import Site, migrated_database, migrated_file
from tests.servers.postgres import Postgres, create_quiet_server
from tests.servers.smtp_server import Mailbox, run_smtp_server
from tests.whole_site.sweep import expected
from tests.whole_site.sweep.cures import CURES
from tests.whole_site.sweep.findings import Finding
from tests.whole_site.sweep.life import Options
from tests.whole_site.sweep.run import Result, life_of

MANY, FEW = 65, 10
DATABASES = ("sqlite", "postgresql")


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
        folder = self.folders.mktemp("sweep")
        for name in ("var", "tmp", "logs", "backups", "database"):
            (folder / name).mkdir()
        server = self.server if database == "postgresql" else None
        address = migrated_database(server) if server else migrated_file(folder / "database")
        site = Site(folder / "var", address)
        site.environment |= {
            "ALLOWED_HOSTS": "testserver",
            "EMAIL_URL": self.mailbox.url,
            "EMAIL_FROM": "site@example.org",
            "TICKET_KEY": secrets.token_urlsafe(50),
            "TMPDIR": str(folder / "tmp"),
            "WEBHOOKS_TO_PRIVATE_NETWORKS": "1",
        }
        life_options = Options(
            database=address,
            server=server,
            folder=folder,
            people=people,
            receiver=self.receiver.url,
            **options,
        )
        return life_of(site, life_options)


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
