"""Keys of the inbox: what is encrypted under them, and how they are drawn, replaced and deleted."""

import uuid
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from surveys.fieldwork.responses import Outcome, inbox_encryption, inbox_keys, store_response
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.held import count_pending
from surveys.fieldwork.responses.inbox import count_inbox
from surveys.fieldwork.responses.inbox_encryption import (
    ENCRYPTION_LENGTH,
    PrivateKeys,
    PublicKey,
    Unreadable,
    current_public_key,
    encrypt,
    private_key_file,
)
from surveys.fieldwork.responses.inbox_keys import (
    drop_unreadable,
    inbox_problem,
    replace_due_key,
    replace_inbox_key,
)
from surveys.fieldwork.responses.sealing import seal, seal_due
from surveys.models import InboxKey, Instrument, Response, Run
from surveys.site.outages import Unavailable
from tests.factories.inbox import submit_responses
from tests.factories.surveys import create_published
from tests.helpers.ticket_device import survey_with_tickets

# Files are deleted only outside of transactions.
pytestmark = pytest.mark.django_db(transaction=True)

MISSING = "The private key of the inbox is missing. After a restore, run candor restored."


@pytest.fixture(autouse=True)
def folder(settings: object, tmp_path: Path) -> Path:
    """A folder of private keys for one test, with the key of an empty inbox."""
    settings.INBOX_KEYS = tmp_path / "inbox-keys"
    InboxKey.objects.all().delete()
    inbox_keys.draw_first_key()
    return settings.INBOX_KEYS


def key_files(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()} - {"lock"}


def key_rows() -> set[str]:
    return {key.hex for key in InboxKey.objects.values_list("pk", flat=True)}


def delete_files(folder: Path) -> None:
    """As on another machine after a restore."""
    for name in key_files(folder):
        (folder / name).unlink()
    inbox_encryption.forget_public_key()


def read_inbox(instrument: Instrument) -> dict[uuid.UUID, bytes]:
    """Return the encrypted records of a survey by the keys of their responses."""
    waiting = Response.objects.filter(instrument=instrument)
    return {response.pk: bytes(response.record) for response in waiting}


# Encryption


def test_reference_value_is_decrypted(folder: Path) -> None:
    """A second implementation has computed it. It must stay readable in every later version."""
    inbox_key = uuid.uuid4()
    private_key_file(inbox_key).write_bytes(bytes(range(32)))
    key = uuid.UUID("6f1c2f0e-8a53-4c0e-9f6e-3b1d5a7c9e21")
    encrypted = bytes.fromhex(
        "3794879d59e3207c28bfae14421071d8a976bb9929ff27e3bafb094af9112d55"
        "7011d768e2cf78c088eb92dee011e55c81d8c1"
    )

    assert PrivateKeys().decrypt(inbox_key, key, encrypted) == bytes.fromhex("014800")
    with pytest.raises(Unreadable):
        PrivateKeys().decrypt(inbox_key, uuid.uuid4(), encrypted)


def test_encrypted_record_has_a_fixed_number_of_further_bytes() -> None:
    for length in (0, 1, 700):
        encrypted = encrypt(current_public_key(), uuid.uuid4(), bytes(length))
        assert len(encrypted) == length + ENCRYPTION_LENGTH


def test_record_of_an_earlier_version_is_read_as_it_is() -> None:
    assert PrivateKeys().decrypt(None, uuid.uuid4(), b"ab") == b"ab"


def test_stored_response_holds_no_record_in_plain_text() -> None:
    instrument = create_published()
    record = b"a record that would be recognized"
    store_response(instrument, uuid.uuid4(), record)

    response = Response.objects.get()
    assert record not in bytes(response.record)
    assert response.inbox_key.is_current


def test_rows_of_the_inbox_cannot_take_each_others_place() -> None:
    instrument = create_published()
    submit_responses(instrument, 2)
    first, second = Response.objects.all()
    Response.objects.filter(pk=first.pk).update(record=second.record)

    close_survey(instrument.survey)

    assert count_inbox(instrument) == 2
    assert count_pending(instrument) == 0
    with pytest.raises(CommandError, match="About 20 responses in the inbox can’t be read"):
        call_command("seal")
    call_command("seal", "--drop-unreadable")
    assert (count_inbox(instrument), count_pending(instrument)) == (0, 1)


# Files


def test_private_key_is_readable_by_its_account_only(folder: Path) -> None:
    (name,) = key_files(folder)

    assert {name} == key_rows()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / name).stat().st_mode & 0o777 == 0o600
    private_key = X25519PrivateKey.from_private_bytes((folder / name).read_bytes())
    public = private_key.public_key().public_bytes_raw()
    assert public == bytes(InboxKey.objects.get().public)


def test_first_key_is_drawn_once(folder: Path) -> None:
    before = key_files(folder)

    inbox_keys.draw_first_key()
    call_command("migrate", verbosity=0)

    assert key_files(folder) == before == key_rows()


def test_migration_and_the_next_run_draw_a_key_if_there_is_none(folder: Path) -> None:
    InboxKey.objects.all().delete()
    call_command("migrate", verbosity=0)
    assert len(key_rows()) == 1

    InboxKey.objects.all().delete()
    call_command("seal")
    assert len(key_rows()) == 1
    assert key_files(folder) == key_rows()


def test_migration_draws_no_key_on_a_node_without_the_folder(settings: object) -> None:
    InboxKey.objects.all().delete()
    settings.INBOX_KEYS = None

    call_command("migrate", verbosity=0)

    assert not InboxKey.objects.exists()


# Replacing


def test_run_that_sealed_something_replaces_the_key(folder: Path) -> None:
    instrument = create_published()
    submit_responses(instrument, 25)
    (before,) = key_rows()

    call_command("seal")

    (after,) = key_rows()
    assert after != before
    assert key_files(folder) == {after}
    assert not Run.objects.filter(command=inbox_keys.REPLACEMENT_NOTE).exists()


def test_responses_that_wait_are_encrypted_under_the_new_key() -> None:
    """They can be read, and nothing of their former bytes is left."""
    few, many = create_published(), create_published()
    submit_responses(few, 19)
    submit_responses(many, 20)
    before = read_inbox(few)

    call_command("seal")

    after = read_inbox(few)
    assert after.keys() == before.keys()
    assert not set(after.values()) & set(before.values())
    waiting = Response.objects.filter(instrument=few)
    assert {response.inbox_key.is_current for response in waiting} == {True}
    close_survey(few.survey)
    assert count_pending(few) == 19


def test_run_that_sealed_nothing_keeps_the_key() -> None:
    instrument = create_published()
    submit_responses(instrument, 19)
    before = key_rows()

    call_command("seal")

    assert key_rows() == before


@pytest.mark.parametrize("step", ["seal", "close", "destroy"])
def test_key_is_replaced_by_the_next_run_whatever_took_responses_out(step: str) -> None:
    instrument = create_published()
    submit_responses(instrument, 20)
    before = key_rows()
    if step == "seal":
        seal(instrument)
    else:
        close_survey(instrument.survey)
    if step == "destroy":
        call_command("seal")
        before = key_rows()
        call_command("destroy", instrument.survey.slug, confirm=instrument.survey.title)

    call_command("seal")

    assert len(key_rows()) == 1
    assert key_rows().isdisjoint(before)


def test_record_of_an_earlier_version_is_encrypted_by_the_next_run() -> None:
    instrument = create_published()
    submit_responses(instrument, 1)
    old = Response.objects.create(
        key=uuid.uuid4(), instrument=instrument, record=bytes([1, 0b01001000, 0])
    )

    call_command("seal")

    old.refresh_from_db()
    assert old.inbox_key.is_current
    assert len(old.record) == 3 + ENCRYPTION_LENGTH
    close_survey(instrument.survey)
    assert count_pending(instrument) == 2


def test_run_renews_a_limited_number_of_responses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The old key stays until the next runs have renewed the others."""
    instrument = create_published()
    submit_responses(instrument, 15)
    old = current_public_key().id
    monkeypatch.setattr(inbox_keys, "MOST_RENEWED", 10)
    monkeypatch.setattr(inbox_keys, "RENEWED_PER_STEP", 4)

    replace_inbox_key()

    assert Response.objects.filter(inbox_key=old).count() == 5
    assert len(key_rows()) == 2
    replace_due_key()
    assert not Response.objects.filter(inbox_key=old).exists()
    assert len(key_rows()) == 1
    close_survey(instrument.survey)
    assert count_pending(instrument) == 15


def test_file_without_a_row_is_deleted_and_other_files_are_not(folder: Path) -> None:
    """Such a file is left by a run that was killed before it committed the row."""
    (folder / uuid.uuid4().hex).write_bytes(bytes(32))
    (folder / "README").write_text("Keep this folder out of all backups.")

    replace_due_key()

    assert key_files(folder) == key_rows() | {"README"}


def test_response_whose_key_is_deleted_meanwhile_is_encrypted_again(folder: Path) -> None:
    instrument = create_published()
    submit_responses(instrument, 1)
    kept = current_public_key()
    replace_inbox_key()
    inbox_encryption._cache.public_key = kept

    assert store_response(instrument, uuid.uuid4(), b"abc") is Outcome.RECORDED

    assert {response.inbox_key_id.hex for response in Response.objects.all()} == key_files(folder)


def test_response_is_encrypted_again_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    instrument = create_published()
    attempts = []

    def deleted_key() -> PublicKey:
        attempts.append(1)
        return PublicKey(uuid.uuid4(), X25519PrivateKey.generate().public_key())

    monkeypatch.setattr("surveys.fieldwork.responses.inbox.current_public_key", deleted_key)

    with pytest.raises(IntegrityError):
        store_response(instrument, uuid.uuid4(), b"abc")
    assert len(attempts) == 6
    assert not Response.objects.exists()


def test_public_key_is_read_again_after_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """A response under a key that is not current any more keeps that key in use until the next run."""
    instrument = create_published()
    kept = current_public_key()
    InboxKey.objects.update(is_current=False)
    inbox_keys.draw_first_key()
    inbox_encryption._cache.public_key = kept
    assert current_public_key() == kept
    store_response(instrument, uuid.uuid4(), b"abc")

    monkeypatch.setattr(inbox_encryption, "READ_INTERVAL", -1)
    assert current_public_key() != kept
    replace_due_key()
    assert len(key_rows()) == 1
    assert Response.objects.get().inbox_key.is_current


def test_process_leaves_the_work_to_one_that_holds_the_lock(folder: Path) -> None:
    """It could delete a file whose row the other one is about to commit."""
    unfinished = folder / uuid.uuid4().hex
    unfinished.write_bytes(bytes(32))

    with inbox_keys._key_lock(wait=False) as is_held:
        assert is_held
        replace_due_key()

    assert unfinished.exists()
    replace_due_key()
    assert not unfinished.exists()


# Missing private keys


def test_missing_private_key_is_named_and_not_replaced(folder: Path) -> None:
    instrument = create_published()
    submit_responses(instrument, 5)
    before = key_rows()
    delete_files(folder)

    assert inbox_problem() == MISSING
    with pytest.raises(CommandError, match=MISSING):
        call_command("seal")
    with pytest.raises(Unavailable, match=MISSING):
        store_response(instrument, uuid.uuid4(), b"abc")

    assert key_rows() == before
    assert count_inbox(instrument) == 5


def test_new_key_is_drawn_even_where_the_old_one_is_missing(folder: Path) -> None:
    instrument = create_published()
    submit_responses(instrument, 5)
    delete_files(folder)

    replace_inbox_key()

    assert "About 20 responses in the inbox can’t be read" in inbox_problem()
    submit_responses(instrument, 1, first=5)
    assert drop_unreadable() == 5
    assert inbox_problem() == ""
    assert key_files(folder) == key_rows()
    close_survey(instrument.survey)
    assert count_pending(instrument) == 1


def test_other_surveys_are_sealed_beside_unreadable_responses(folder: Path) -> None:
    unreadable, readable = create_published(), create_published()
    submit_responses(unreadable, 20)
    delete_files(folder)
    replace_inbox_key()
    submit_responses(readable, 20)

    with pytest.raises(Unreadable):
        seal_due()
    with pytest.raises(CommandError, match="--drop-unreadable"):
        call_command("seal")

    assert (count_inbox(unreadable), count_pending(readable)) == (20, 20)
    close_survey(unreadable.survey)
    assert count_inbox(unreadable) == 20


def test_dropped_responses_keep_their_keys(folder: Path) -> None:
    """A device that repeats its response is told that it has arrived, and no ticket counts twice."""
    instrument = create_published()
    key = uuid.uuid4()
    store_response(instrument, key, b"abc")
    with_tickets, *_ = survey_with_tickets()
    ticket_key = uuid.uuid4()
    store_response(with_tickets, ticket_key, b"abc")
    delete_files(folder)

    replace_inbox_key()
    call_command("seal", "--drop-unreadable")

    assert store_response(instrument, key, b"abc") is Outcome.REPEATED
    assert store_response(with_tickets, ticket_key, b"abc") is Outcome.REPEATED
    assert set(Response.objects.values_list("record", "inbox_key")) == {(None, None)}
    assert Response.objects.get(pk=key).sealed_on is not None
    assert Response.objects.get(pk=ticket_key).sealed_on is None


# Nodes without the folder


def test_timers_without_the_folder_leave_the_inbox_alone_and_say_so(
    settings: object, capsys: pytest.CaptureFixture
) -> None:
    instrument = create_published()
    submit_responses(instrument, 30)
    before = key_rows()
    settings.INBOX_KEYS = None

    call_command("seal")

    assert "The inbox is left to the machine that has its private keys." in capsys.readouterr().out
    assert count_inbox(instrument) == 30
    assert key_rows() == before
    assert inbox_problem() == ""
    with pytest.raises(CommandError, match="Run this command there"):
        call_command("seal", "--drop-unreadable")


def test_survey_that_is_closed_on_another_node_is_sealed_and_released_by_the_next_run(
    settings: object,
) -> None:
    """Those that were pending are not released alone: the few that remain could never be released."""
    instrument = create_published()
    submit_responses(instrument, 20)
    call_command("seal")
    submit_responses(instrument, 10, first=20)
    folder, settings.INBOX_KEYS = settings.INBOX_KEYS, None

    close_survey(instrument.survey)
    assert count_inbox(instrument) == 10
    assert Instrument.objects.get().tally == {}

    settings.INBOX_KEYS = folder
    call_command("seal")
    assert Instrument.objects.get().tally["n"] == 30
