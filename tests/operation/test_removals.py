"""The journal of removals: what it holds, what stays in it, and that nothing of it is lost or doubled."""

import json
import stat
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.transaction import TransactionManagementError
from django.test import Client
from django.utils import timezone

from surveys.accounts.account import removal_id
from surveys.accounts.tokens import issue_token, revoke_all
from surveys.models import AccessToken, Removal
from surveys.site import removals
from surveys.site.removals import JournalLine, Kind
from tests.factories.surveys import create_researcher

DAY = date(2027, 3, 1)


@pytest.fixture
def var(settings: object, tmp_path: Path) -> Path:
    settings.VAR = tmp_path / "var"
    return settings.VAR


def journal_text() -> str:
    return removals.journal_file().read_text()


def write_lines(file: Path, *days: date) -> list[JournalLine]:
    lines = [JournalLine(day, Kind.SURVEY, f"id of {day}") for day in days]
    file.write_bytes(removals._as_bytes(lines))
    return lines


@pytest.mark.django_db(transaction=True)
def test_removal_is_in_the_journal_before_it_is_reported(var: Path) -> None:
    ada = create_researcher()
    issue_token(ada, "notebook")
    token = AccessToken.objects.get()

    revoke_all(ada)

    today = timezone.now().date().isoformat()
    assert journal_text() == f'{{"day": "{today}", "removed": "token", "id": "{token.pk}"}}\n'
    assert not Removal.objects.exists()
    assert stat.S_IMODE(removals.journal_file().stat().st_mode) == 0o600


@pytest.mark.django_db(transaction=True)
def test_removal_that_is_undone_leaves_nothing(var: Path) -> None:
    with transaction.atomic():
        removals.record_removal(Kind.SURVEY, "1")
        transaction.set_rollback(True)

    assert not Removal.objects.exists()
    assert not removals.journal_file().exists()


@pytest.mark.django_db(transaction=True)
def test_removal_is_refused_outside_a_transaction(var: Path) -> None:
    with pytest.raises(TransactionManagementError):
        removals.record_removal(Kind.SURVEY, "1")


@pytest.mark.django_db(transaction=True)
def test_node_without_the_folder_leaves_its_rows_to_the_timers(var: Path, settings: object) -> None:
    folder = settings.INBOX_KEYS
    settings.INBOX_KEYS = None
    with transaction.atomic():
        removals.record_removal(Kind.SURVEY, "1")
    assert Removal.objects.count() == 1
    assert not var.exists()

    settings.INBOX_KEYS = folder
    call_command("deliver")

    assert json.loads(journal_text())["id"] == "1"
    assert not Removal.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_removal_happens_although_the_journal_cannot_be_written(var: Path) -> None:
    var.write_text("a file in place of the folder")
    ada = create_researcher()
    issue_token(ada, "notebook")

    assert revoke_all(ada) == 1
    with pytest.raises(CommandError, match=r"The journal of removals cannot be written: "):
        call_command("deliver")
    assert Removal.objects.count() == 1

    var.unlink()
    call_command("deliver")
    assert journal_text().count("\n") == 1


@pytest.mark.django_db
def test_operators_deletions_are_recorded_too(admin_client: Client) -> None:
    kim = create_researcher("kim")
    lee = create_researcher("lee")
    for user in (kim, lee):
        issue_token(user, "notebook")
    (one, two) = AccessToken.objects.order_by("user__username")
    kept_ids = [removal_id(kim), removal_id(lee)]
    data = {"action": "delete_selected", "post": "yes", "_selected_action": str(two.pk)}

    admin_client.post(f"/admin/surveys/accesstoken/{one.pk}/delete/", {"post": "yes"})
    admin_client.post("/admin/surveys/accesstoken/", data)
    admin_client.post(f"/admin/auth/user/{kim.pk}/delete/", {"post": "yes"})
    admin_client.post("/admin/auth/user/", data | {"_selected_action": str(lee.pk)})

    assert not AccessToken.objects.exists()
    assert User.objects.count() == 1
    recorded = list(Removal.objects.order_by("pk").values_list("kind", "removed_id"))
    tokens = [("token", str(one.pk)), ("token", str(two.pk))]
    assert recorded == [*tokens, *(("account", kept_id) for kept_id in kept_ids)]


@pytest.mark.django_db
def test_many_removals_move_in_steps(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removals, "ROWS_PER_STATEMENT", 2)
    removals.record_removals(Kind.INVITEE, range(5))

    removals.move_rows_to_journal()

    ids = [line.removed_id for line in removals.read_journal(removals.journal_file())]
    assert ids == ["0", "1", "2", "3", "4"]
    assert not Removal.objects.exists()


@pytest.mark.django_db
def test_line_after_half_a_line_of_a_killed_process_is_read(var: Path) -> None:
    var.mkdir()
    (first,) = write_lines(removals.journal_file(), DAY)
    with removals.journal_file().open("a") as journal:
        journal.write('{"day": "2027-03-02", "remo')
    removals.record_removal(Kind.SURVEY, "whole")

    removals.move_rows_to_journal()

    lines = removals.read_journal(removals.journal_file())
    assert lines[0] == first
    assert [line.removed_id for line in lines[1:]] == ["whole"]


@pytest.mark.django_db
def test_foreign_lines_of_a_journal_are_left_out(var: Path, tmp_path: Path) -> None:
    file = tmp_path / "journal"
    file.write_text('[]\nnull\n{"day": 1}\n{"day": "soon", "removed": "survey", "id": "1"}\n\n7\n')

    assert removals.read_journal(file) == []


@pytest.mark.django_db
def test_copy_keeps_the_lines_of_the_oldest_backup(var: Path, tmp_path: Path) -> None:
    var.mkdir()
    before, same, after = write_lines(
        removals.journal_file(), DAY - timedelta(days=1), DAY, DAY + timedelta(days=1)
    )

    removals.copy_journal(tmp_path, None)
    copy = tmp_path / removals.JOURNAL_NAME
    assert removals.read_journal(copy) == [before, same, after]

    removals.copy_journal(tmp_path, DAY)
    assert removals.read_journal(copy) == [same, after]
    assert removals.read_journal(removals.journal_file()) == [same, after]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


@pytest.mark.django_db
def test_copy_is_not_lost_when_the_folder_of_the_site_is(var: Path, tmp_path: Path) -> None:
    """On a new machine the first backup runs perhaps before the restore is completed."""
    copy = tmp_path / removals.JOURNAL_NAME
    lines = write_lines(copy, DAY)

    removals.copy_journal(tmp_path, None)

    assert removals.read_journal(copy) == lines
