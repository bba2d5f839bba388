"""What all tests share. Helper functions for making surveys are in tests/factories/surveys.py."""

import gc
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, settings

from tests.factories.surveys import create_researcher

pytest.register_assert_rewrite(
    "tests.whole_site.question_kinds.responses",
    "tests.whole_site.question_kinds.authoring",
    "tests.whole_site.question_kinds.cases",
)

# A busy machine is no failure.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

ROOT = Path(__file__).resolve().parents[1]
DATABASE = {"db", "transactional_db", "django_db_reset_sequences", "django_db_serialized_rollback"}
BROWSERS = {"page", "browser", "context"}
STARTED = {"site", "postgres", "server", "stolen", "old", "page", "browser"}
# Walks through everything, the mechanisms' simulations, and whatever takes seconds by itself.
SLOW = {
    "browser",
    "faults",
    "releases",
    "removal",
    "test_fuzz_addresses.py",
    "test_release_shows.py",
    "test_stolen.py",
    "test_sweep.py",
}
SLOW |= {
    "test_every_page.py",
    "test_workspace_access.py",
    "test_coverage.py",
    "test_likelihoods.py",
}
SLOW |= {
    "test_untrusted.py",
    "test_file_memory.py",
    "examples",
    "test_kinds_contract.py",
    "test_documented.py",
    "test_erasure.py",
    "test_vectors.py",
}
SLOW |= {
    "test_import_programs.py",
    "test_doctor.py",
    "test_batches.py",
    "test_audit.py",
    "test_first_request.py",
}
SLOW |= {
    "test_containers.py",
    "test_container.py",
    "test_planning_groups.py",
    "test_roles.py",
    "test_schema.py",
    "test_xlsform_files.py",
}
SLOW |= {
    "test_release.py",
    "test_disclosure.py",
    "test_disclosure_in_time.py",
    "test_differences.py",
    "test_sender.py",
}
SLOW |= {
    "test_tickets.py",
    "test_xlsform.py",
    "test_conventions.py",
    "test_import_workbooks.py",
    "test_import_codes.py",
}
SLOW |= {"test_tables.py", "test_mean_errors.py", "test_planning.py"}


# From the login to the CSV file: these files run once more in a copy from which all features are removed.
CORE = {
    "accounts/test_own_account.py",
    "accounts/test_workspace_team.py",
    "api/test_submission.py",
    "authoring/test_authoring.py",
    "authoring/test_workspace_drafts.py",
    "authoring/test_workspace_questions.py",
    "fieldwork/test_lifecycle_pages.py",
    "fieldwork/test_records.py",
    "fieldwork/test_release.py",
    "fieldwork/test_sealing.py",
    "results/test_downloads.py",
    "results/test_report_page.py",
    "web/test_workspace_pages.py",
}


@pytest.fixture(scope="session", autouse=True)
def _collected_static_files() -> None:
    """Pages carry hashed addresses of scripts and styles, as in production."""
    call_command("collectstatic", verbosity=0, interactive=False)


@pytest.fixture(autouse=True)
def _forgotten_database() -> None:
    """No test knows the last run or the inbox key of another test's database."""
    from surveys.fieldwork.responses import inbox_encryption
    from surveys.site import clock

    clock.forget_known()
    inbox_encryption.forget_public_key()


@pytest.fixture(autouse=True)
def _unmarked_machine() -> None:
    """No test finds the restore mark or the journal of removals of another test's database."""
    from surveys.operation import restore_mark
    from surveys.site import removals

    restore_mark.mark_file().unlink(missing_ok=True)
    removals.journal_file().unlink(missing_ok=True)


@pytest.fixture
def ada(client: Client) -> User:
    """A researcher, logged in."""
    user = create_researcher()
    client.force_login(user)
    return user


@pytest.fixture
def connection_stays_open() -> Iterator[None]:
    """Each request of a real server may end with its connection closed, and the test's data gone with it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of the core, before tests are chosen by their marks."""
    if "/".join(item.path.parts[-2:]) in CORE:
        item.add_marker(pytest.mark.core)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Browsers last: from its first page on, Playwright leaves an event loop beside which Django uses no database.
    Slow files first, then large ones, so that at the end no process has a long one while the others have none.

    Whoever drives a browser gets one second try, which the summary tells of: on a busy machine it can lose a race that
    no person would. What a server or a database keeps through faults gets none.
    """
    size = cache(lambda path: path.stat().st_size)

    def place(item: pytest.Item) -> tuple[object, ...]:
        return "browser" in item.path.parts, item.path.name not in SLOW, -size(item.path), item.path

    items.sort(key=place)
    for item in items:
        if not BROWSERS.isdisjoint(item.fixturenames):
            item.add_marker(pytest.mark.flaky(reruns=1))
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        keep(config, items, depends_on_the_database)
    if config.getoption("--quick"):
        keep(config, items, is_quick)


def keep(
    config: pytest.Config, items: list[pytest.Item], is_kept: Callable[[pytest.Item], bool]
) -> None:
    dropped = [item for item in items if not is_kept(item)]
    items[:] = [item for item in items if is_kept(item)]
    config.hook.pytest_deselected(items=dropped)


def depends_on_the_database(item: pytest.Item) -> bool:
    """Whether a test says more when it runs once more on PostgreSQL. One that uses no database does not, nor one that
    is marked `once`.
    """
    if not {"browser", "faults"}.isdisjoint(item.path.parts):
        return False
    uses = item.get_closest_marker("django_db") or not DATABASE.isdisjoint(item.fixturenames)
    return bool(uses) and not item.get_closest_marker("once")


def is_quick(item: pytest.Item) -> bool:
    """Neither browser nor PostgreSQL nor a server is started, and no simulation takes long."""
    parts = item.path.relative_to(ROOT).parts
    return SLOW.isdisjoint(parts) and STARTED.isdisjoint(item.fixturenames)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-schema",
        action="store_true",
        help="store the API's schema as it is: test_stored_schema.py",
    )
    parser.addoption(
        "--quick",
        action="store_true",
        help="only what needs neither browser nor PostgreSQL: make quick",
    )


def pytest_collection_finish() -> None:
    """Thousands of collected tests live to the end: the garbage collector need not look at them again and again."""
    gc.collect()
    gc.freeze()
