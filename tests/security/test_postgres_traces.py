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
from tests.servers.postgres import Postgres, create_quiet_server

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
CLOSE_AND_ERASE_PEOPLE = """
from surveys.models import Survey
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.destruction import erase_people
close_survey(Survey.objects.get())
erase_people(Survey.objects.get())
"""
REWRITE_NOTES = "SELECT command, finished FROM surveys_run WHERE command LIKE 'rewrite%' ORDER BY 1"
# A ticket key leads to no record once the response is sealed, so the inbox is not rewritten.
MAY_HOLD_TICKET_KEYS = {"surveys_response", "surveys_response_pkey", "pg_statistic"}
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
    server = create_quiet_server()
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


def relation_path(site: Site, table: str) -> str:
    ((path,),) = execute(site, f"SELECT pg_relation_filepath('{table}')")
    return path


def assert_only_ticket_keys_are_left(stolen: StolenTickets, server: Postgres) -> None:
    relations_by_kind = canaries_in_files(stolen, server)
    assert relations_by_kind.pop("key", set()) <= MAY_HOLD_TICKET_KEYS
    assert relations_by_kind == {}


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
    assert_only_ticket_keys_are_left(answered, quiet_server)


def test_sealing_rewrites_no_table(answered: StolenTickets) -> None:
    """31. No respondent waits for it. What it leaves behind is encrypted under a key that is gone."""
    tables = ("surveys_response", "surveys_fetched", "surveys_invitee")
    before = [relation_path(answered.site, table) for table in tables]

    answered.site.manage("seal")

    assert [relation_path(answered.site, table) for table in tables] == before
    assert execute(answered.site, REWRITE_NOTES) == []


def test_deletion_day_leaves_no_canary_in_any_file(
    answered: StolenTickets, quiet_server: Postgres
) -> None:
    """31. The timer's run of that day deletes and rewrites."""
    answered.site.manage("seal")
    answered.site.shell(DELETE_RESPONSES)
    answered.site.manage("seal")
    assert_only_ticket_keys_are_left(answered, quiet_server)


def test_table_that_is_busy_is_left_to_the_next_run(
    answered: StolenTickets, quiet_server: Postgres
) -> None:
    """31. Nobody who answers waits behind a rewriting that waits for somebody else."""
    answered.site.manage("seal")
    answered.site.shell(CLOSE_AND_ERASE_PEOPLE)
    with psycopg.connect(answered.site.database) as reader:
        reader.execute("SELECT count(*) FROM surveys_invitee")
        printed = answered.site.manage("seal")
        assert "tables that were busy (invitee)" in printed
        assert "name" in canaries_in_files(answered, quiet_server)
    answered.site.manage("seal")
    assert_only_ticket_keys_are_left(answered, quiet_server)


def test_rows_that_an_older_transaction_can_read_go_at_the_next_run(
    answered: StolenTickets, quiet_server: Postgres
) -> None:
    """31. A rewriting keeps them, so it is not the last one."""
    answered.site.manage("seal")
    with psycopg.connect(answered.site.database) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM auth_group")
        answered.site.shell(CLOSE_AND_ERASE_PEOPLE)
        assert "were busy" in answered.site.manage("seal")
    assert "were busy" not in answered.site.manage("seal")
    assert_only_ticket_keys_are_left(answered, quiet_server)


def test_kill_before_the_rewriting_is_followed_by_the_next_run(
    answered: StolenTickets, quiet_server: Postgres
) -> None:
    """31. That a table is due is stored with what was deleted, without a time."""
    answered.site.shell(CLOSE_AND_ERASE_PEOPLE)
    due = execute(answered.site, REWRITE_NOTES)
    assert [(command, time.year) for command, time in due] == [
        ("rewrite fetched", 1970),
        ("rewrite invitee", 1970),
        ("rewrite mail", 1970),
    ]
    answered.site.manage("seal")
    assert execute(answered.site, REWRITE_NOTES) == []
    assert_only_ticket_keys_are_left(answered, quiet_server)


def test_large_table_is_left_to_an_operator(answered: StolenTickets) -> None:
    """31. It would be closed to everybody for long; one option of the command rewrites it all the same."""
    answered.site.shell(CLOSE_AND_ERASE_PEOPLE)
    run = "from surveys.fieldwork.responses.erasure import wipe_closed; print(wipe_closed(1000))"
    printed = answered.site.shell(run)
    assert "large tables (" in printed
    assert "invitee" in printed
    answered.site.manage("seal", "--rewrite")
    assert execute(answered.site, REWRITE_NOTES) == []


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
    assert "surveys_response" not in tables
    assert not [row for row in targets if row[0] not in tables and row[2] == 0]


def test_statistics_of_the_inbox_are_switched_on_again(site: Site) -> None:
    """An earlier version had switched them off."""
    execute(site, "ALTER TABLE surveys_response ALTER COLUMN key SET STATISTICS 0")
    site.manage("migrate", "--verbosity", "0")
    statement = "SELECT attname FROM pg_attribute WHERE attrelid = 'surveys_response'::regclass "
    assert execute(site, statement + "AND attstattarget = 0 AND attnum > 0") == []
