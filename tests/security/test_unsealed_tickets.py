"""Before sealing: fewer people than are sealed took a ticket and answered at once, one after the other. What does the
live database tell after a run of the timer that sealed nothing, and what a backup made before any run?

The thief lays the rows of who took a ticket beside the rows of what waits, both as they lie.
"""

from pathlib import Path

from tests.faults.conftest import Site
from tests.security.test_stolen import StolenTickets, parallel
from tests.servers.postgres import Postgres
from tests.servers.subprocesses import run

PEOPLE = 19
BY_CHANCE = 12  # at most so many have one place in two unrelated orders: more happens once in 13! = 6e9 times


def answered(site: Site) -> StolenTickets:
    stolen = StolenTickets(site, PEOPLE)
    site.start()
    stolen.come()
    site.kill()
    assert joined(stolen) == PEOPLE  # what is looked for is there to find
    return stolen


def joined(stolen: StolenTickets) -> int:
    """How many people are matched with their response by the order of rows. All of them wait."""
    assert stolen.ask("SELECT count(*) FROM surveys_response WHERE record IS NOT NULL") == [
        (PEOPLE,)
    ]
    return parallel(stolen.fetchers(), stolen.answerers())


def transactions(stolen: StolenTickets) -> list[int]:
    """How many PostgreSQL names: those that wrote who took a ticket, and those that held the invited people for it."""
    if not stolen.is_postgres:
        return []
    noted = (("surveys_fetched", "xmin"), ("surveys_invitee", "xmax"))
    return [
        len(stolen.ask(f"SELECT DISTINCT {column}::text FROM {table}")) for table, column in noted
    ]


def restored(backup: Path, postgres: Postgres) -> str:
    """The address of a database that holds what the backup holds."""
    if backup.suffix == ".sqlite3":
        return f"sqlite:///{backup}"
    address = postgres.fresh_database()
    run([postgres.bin / "pg_restore", "--no-owner", "--dbname", address, backup])
    return address


def test_a_backup_seals_first(site: Site, postgres: Postgres) -> None:
    """20. Then fewer than twenty responses of a survey are in its inbox."""
    stolen = StolenTickets(site, PEOPLE + 1)
    site.start()
    stolen.come()
    site.kill()
    site.manage("backup", str(site.folder))
    (backup,) = site.folder.glob("candor-*")
    site.database = restored(backup, postgres)
    assert stolen.ask("SELECT count(*) FROM surveys_response WHERE record IS NOT NULL") == [(0,)]


def test_a_run_that_seals_nothing_leaves_no_order_beside_names(site: Site) -> None:
    """31. Nor what PostgreSQL notes at the rows of invited people, `xmax`: for all alike it is that of the mixing."""
    stolen = answered(site)
    before = transactions(stolen)
    site.manage("seal")
    assert joined(stolen) <= BY_CHANCE
    assert (before, transactions(stolen)) == (
        ([PEOPLE, PEOPLE], [1, 1]) if stolen.is_postgres else ([], [])
    )


def test_a_backup_before_any_run_holds_no_order_beside_names(
    site: Site, postgres: Postgres
) -> None:
    """31. What it copies is mixed first."""
    stolen = answered(site)
    site.manage("backup", str(site.folder))
    (backup,) = site.folder.glob("candor-*")
    site.database = restored(backup, postgres)
    assert joined(stolen) <= BY_CHANCE
