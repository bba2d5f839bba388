"""What PostgreSQL keeps of people and answers that were deleted: its statistics and its files, byte by byte.

Nothing is waited for. Autovacuum is off, so that dead rows stay as long as they ever can, and ANALYZE is called when
the tables are fullest, so that statistics hold as much as they ever can.
"""

import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from surveys.site.postgres_tables import erased_models
from tests.faults.conftest import Site, migrated_database, serving
from tests.security.test_stolen import StolenTickets
from tests.servers.postgres import Postgres

PEOPLE = 30
NAME_PEOPLE = """
from surveys.models import Invitee
for number, invitee in enumerate(Invitee.objects.order_by("pk")):
    invitee.label, invitee.email = f"Zoë Canary {number:03}", f"canary{number:03}@example.org"
    invitee.save()
"""
DESTROY = """
from surveys.models import Survey
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.destruction import destroy
from surveys.fieldwork.responses.ticket_completion import finish
survey = Survey.objects.get()
close_survey(survey)
finish(Survey.objects.get())
print(destroy(Survey.objects.get(), confirm=survey.title))
"""
DELETE_RESPONSES = """
from datetime import date
from surveys.models import Survey
Survey.objects.update(delete_on=date(2020, 1, 1))
"""
STORED_STATISTICS = """
    SELECT tablename, attname, most_common_vals::text, histogram_bounds::text FROM pg_stats
    WHERE schemaname = 'public'
"""
FILES = """
    SELECT c.relname, pg_relation_filepath(c.oid) FROM pg_class c
    WHERE c.relkind IN ('r', 't', 'i') AND pg_relation_filepath(c.oid) IS NOT NULL
"""


@pytest.fixture(scope="module")
def quiet_server() -> Iterator[Postgres]:
    """A server of its own that vacuums and analyzes nothing by itself."""
    server = Postgres()
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET autovacuum = off")
        connection.execute("SELECT pg_reload_conf()")
    yield server
    server.remove()


@pytest.fixture
def site(quiet_server: Postgres, tmp_path: Path) -> Iterator[Site]:
    yield from serving(Site(tmp_path, migrated_database(quiet_server, tmp_path)))


@pytest.fixture
def answered(site: Site) -> StolenTickets:
    """Each invited person has taken a ticket and answered at once, and the tables were analyzed when fullest."""
    stolen = StolenTickets(site, PEOPLE)
    site.shell(NAME_PEOPLE)
    site.start()
    stolen.come()
    site.kill()
    analyze(site)
    return stolen


def execute(site: Site, statement: str) -> list[tuple]:
    with psycopg.connect(site.database, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def analyze(site: Site) -> None:
    execute(site, "ANALYZE")


def canaries(stolen: StolenTickets) -> dict[str, list[bytes]]:
    """What names a person or leads from one to a response, as PostgreSQL writes it."""
    invitees, signed, keys = zip(*stolen.people, strict=True)
    return {
        "name": [f"Zoë Canary {number:03}".encode() for number in range(PEOPLE)],
        "address": [f"canary{number:03}@example.org".encode() for number in range(PEOPLE)],
        "invitee": [uuid.UUID(invitee).bytes for invitee in invitees],
        "signed": [digest.encode() for digest in signed],
        "key": [key.bytes for key in keys],
    }


def canaries_in_files(stolen: StolenTickets, server: Postgres) -> dict[str, set[str]]:
    """Kind of canary -> the tables and indexes in whose files one of them stands."""
    execute(stolen.site, "CHECKPOINT")
    relations_by_kind: dict[str, set[str]] = {}
    for relation, path in execute(stolen.site, FILES):
        content = b"".join(file.read_bytes() for file in server.data.glob(f"{path}*"))
        for kind, values in canaries(stolen).items():
            if any(value in content for value in values):
                relations_by_kind.setdefault(kind, set()).add(relation)
    return relations_by_kind


def waiting_rows_in_files(stolen: StolenTickets, server: Postgres) -> int:
    """How many rows of the inbox, dead ones included, hold a record."""
    execute(stolen.site, "CHECKPOINT")
    ((path,),) = execute(stolen.site, "SELECT pg_relation_filepath('surveys_response')")
    content = (server.data / path).read_bytes()
    return sum(content.count(key.bytes) for _, _, key in stolen.people)


def test_no_statistics_hold_people_or_answers(answered: StolenTickets) -> None:
    """31. They would hold names and addresses, who took a ticket, and whole records, also after a deletion."""
    tables = {model._meta.db_table for model in erased_models()}
    stored = execute(answered.site, STORED_STATISTICS)
    assert stored  # of other tables, so that the analysis took place
    assert not [row for row in stored if row[0] in tables]
    answered.site.manage("seal")
    analyze(answered.site)
    answered.site.shell(DESTROY)
    analyze(answered.site)
    assert not [row for row in execute(answered.site, STORED_STATISTICS) if row[0] in tables]


def test_destroyed_survey_leaves_no_canary_in_any_file(
    answered: StolenTickets, quiet_server: Postgres
) -> None:
    """31. Neither dead rows nor indexes, statistics or TOAST tables hold a name, a ticket or a key."""
    before = canaries_in_files(answered, quiet_server)
    assert before["name"] >= {"surveys_invitee"}
    assert before["key"] >= {"surveys_response"}
    assert before["invitee"] >= {"surveys_invitee", "surveys_fetched"}
    answered.site.manage("seal")
    assert answered.site.shell(DESTROY) == ""
    assert canaries_in_files(answered, quiet_server) == {}


def test_sealing_with_tickets_leaves_no_dead_row_of_the_inbox(
    answered: StolenTickets, quiet_server: Postgres
) -> None:
    """31. Dead rows lie in the order of arrival, beside those that say in which order tickets were taken."""
    answered.site.manage("seal")
    assert (
        waiting_rows_in_files(answered, quiet_server) == PEOPLE
    )  # each key once, written anew at the sealing
    ((path,),) = execute(answered.site, "SELECT pg_relation_filepath('surveys_fetched')")
    content = (quiet_server.data / path).read_bytes()
    assert [content.count(uuid.UUID(invitee).bytes) for invitee, _, _ in answered.people] == [
        1
    ] * PEOPLE
    assert (
        execute(answered.site, "SELECT command FROM surveys_run WHERE command LIKE 'rewrite%'")
        == []
    )


def test_deletion_day_leaves_no_canary_in_any_file(
    answered: StolenTickets, quiet_server: Postgres
) -> None:
    """31. The timer's run of that day deletes and rewrites."""
    answered.site.manage("seal")
    answered.site.shell(DELETE_RESPONSES)
    answered.site.manage("seal")
    assert canaries_in_files(answered, quiet_server) == {}


def test_table_that_is_busy_is_left_to_the_next_run(
    answered: StolenTickets, quiet_server: Postgres
) -> None:
    """31. Nobody who answers waits behind a rewriting that waits for somebody else."""
    with psycopg.connect(answered.site.database) as reader:
        reader.execute("SELECT count(*) FROM surveys_response")
        printed = answered.site.manage("seal")
        assert "tables that were busy (response)" in printed
        assert waiting_rows_in_files(answered, quiet_server) > PEOPLE
    answered.site.manage("seal")
    assert waiting_rows_in_files(answered, quiet_server) == PEOPLE


def test_rows_that_an_older_transaction_can_read_go_at_the_next_run(
    answered: StolenTickets, quiet_server: Postgres
) -> None:
    """31. A rewriting keeps them, so it is not the last one."""
    with psycopg.connect(answered.site.database) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM auth_group")
        assert "were busy" in answered.site.manage("seal")
    assert "were busy" not in answered.site.manage("seal")
    assert waiting_rows_in_files(answered, quiet_server) == PEOPLE


def test_kill_before_the_rewriting_is_followed_by_the_next_run(
    answered: StolenTickets, quiet_server: Postgres
) -> None:
    """31. That a table is due is stored with what was deleted, without a time."""
    answered.site.shell(
        "from surveys.models import Instrument; from surveys.fieldwork.responses.sealing import seal_due; seal_due()"
    )
    due = execute(
        answered.site, "SELECT command, finished FROM surveys_run WHERE command LIKE 'rewrite%'"
    )
    assert [(command, time.year) for command, time in due] == [("rewrite response", 1970)]
    answered.site.manage("seal")
    assert waiting_rows_in_files(answered, quiet_server) == PEOPLE


def test_large_table_is_left_to_an_operator(answered: StolenTickets) -> None:
    """31. It would be closed to everybody for long; one option of the command rewrites it all the same."""
    limit = "from surveys.fieldwork.responses import erasure; erasure.LARGEST_REWRITTEN = 1000; "
    run = "from surveys.fieldwork.responses.sealing import seal_due; seal_due(); print(erasure.wipe_closed(1000))"
    assert "large tables (response" in answered.site.shell(limit + run)
    answered.site.manage("seal", "--rewrite")
    assert (
        execute(answered.site, "SELECT command FROM surveys_run WHERE command LIKE 'rewrite%'")
        == []
    )


def test_statistics_that_an_earlier_version_left_go_with_the_next_migration(
    answered: StolenTickets,
) -> None:
    """31. Sites that were updated have them, and an analysis of an empty table does not replace them."""
    columns = "ALTER COLUMN label SET STATISTICS 100, ALTER COLUMN email SET STATISTICS 100"
    execute(answered.site, f"ALTER TABLE surveys_invitee {columns}")
    analyze(answered.site)
    stored = execute(answered.site, STORED_STATISTICS)
    assert "Canary" in repr([row for row in stored if row[0] == "surveys_invitee"])
    answered.site.manage("migrate", "--verbosity", "0")
    analyze(answered.site)
    assert not [
        row for row in execute(answered.site, STORED_STATISTICS) if row[0] == "surveys_invitee"
    ]


def test_every_table_that_refers_to_a_survey_has_no_statistics(site: Site) -> None:
    """31. The list is made of the models, and a new table is on it by itself."""
    tables = {model._meta.db_table for model in erased_models()}
    assert tables >= {
        *(
            "surveys_survey",
            "surveys_instrument",
            "surveys_response",
            "surveys_held",
            "surveys_batch",
            "surveys_mail",
        ),
        *("surveys_invitee", "surveys_fetched", "surveys_issuer", "surveys_piece", "surveys_part"),
    }
    targets = execute(
        site,
        "SELECT c.relname, a.attname, a.attstattarget FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
        "WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND c.relname LIKE 'surveys_%'",
    )
    assert not [row for row in targets if row[0] in tables and row[2] != 0]
    assert [row for row in targets if row[0] not in tables]
