"""What PostgreSQL writes into its log, with its default settings, when a statement of the site fails."""

import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.faults.conftest import Site, migrated_database, serving
from tests.servers.postgres import Postgres

# As it comes, behind a pooler, and behind a pooler as the documentation said before.
ADDRESSES = ["", "?prepare_threshold=None", "?server_side_binding=0"]


@pytest.fixture(params=ADDRESSES, ids=["default", "pooler", "pooler-of-before"])
def site(request: pytest.FixtureRequest, postgres: Postgres, tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path, migrated_database(postgres, tmp_path) + request.param)
    site.environment["DATABASE_PATIENCE"] = "1"
    yield from serving(site)


def test_a_failed_insert_is_logged_without_the_answer_its_key_or_any_value(
    site: Site, postgres: Postgres
) -> None:
    """20. A response that meets a lock comes again later; the log has the statement, with $1 in place of values."""
    survey = site.survey()
    site.start()
    body = survey.body()
    key = json.loads(body)["key"]
    log = postgres.folder / "log"
    before = len(log.read_text())
    with psycopg.connect(site.database.partition("?")[0]) as other:
        other.execute("LOCK TABLE surveys_response IN ACCESS EXCLUSIVE MODE")
        assert survey.send(body)[0] == 503
    logged = log.read_text()[before:]
    assert "lock timeout" in logged
    _, statement = logged.split("STATEMENT:")  # it goes on over several lines
    assert "$1" in statement
    assert "'" not in statement.replace("status = 'open'", "")  # which is the same of every answer
    assert not [form for form in (key, key.replace("-", "")) if form in logged]
    assert survey.send(body)[0] == 201
