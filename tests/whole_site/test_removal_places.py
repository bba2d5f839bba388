"""Every place where something is deleted, and the removal that the journal gets of it, or why it needs none."""

import ast
from collections.abc import Iterator

from surveys.operation.repeated_removals import removers_by_kind
from surveys.operation.restoring import WORDS_BY_KIND
from surveys.site.removals import Kind
from tests.helpers.source_files import ROOT, is_of_removed_feature, python_files

# Nobody misses these, or they are deleted again in any case.
NO_CONTENT = "not content of a survey or an account"
# The survey, its responses or its tickets are recorded, and all that belongs to them goes again.
COVERED = "covered by another removal"
# What the journal has no kind for. docs/deployment.md says that it returns.
RETURNS = "returns with a backup"

PLACES = {
    "features/invitations/delivery.py::_give_up": NO_CONTENT,
    "features/invitations/delivery.py::_hand_over": NO_CONTENT,
    "features/invitations/delivery.py::_send": NO_CONTENT,
    "features/invitations/outbox.py::discard_set_aside": NO_CONTENT,
    "features/invitations/outbox.py::send_replacement": NO_CONTENT,
    "features/invitations/restored_mails.py::set_aside_waiting": NO_CONTENT,
    "features/invitations/sender_lock.py::sender_lock": NO_CONTENT,
    "features/response_import/pieces.py::clear": RETURNS,
    "features/response_import/staging.py::_save": RETURNS,
    "features/response_import/staging.py::cancel": RETURNS,
    "features/response_import/staging.py::forget_imports": RETURNS,
    "features/shared_reports/links.py::delete_links": Kind.REPORT_LINK,
    "features/webhooks/deliveries.py::forget_old": NO_CONTENT,
    "features/webhooks/subscriptions.py::remove": RETURNS,
    "surveys/accounts/account.py::delete_account": Kind.ACCOUNT,
    "surveys/accounts/account.py::end_all_logins": NO_CONTENT,
    "surveys/accounts/account.py::end_logins": NO_CONTENT,
    "surveys/accounts/account.py::forget_old_sessions": NO_CONTENT,
    "surveys/accounts/identities.py::disconnect": RETURNS,
    "surveys/accounts/login_delays.py::clear_failures": NO_CONTENT,
    "surveys/accounts/login_delays.py::forget_old": NO_CONTENT,
    "surveys/accounts/second_factor.py::replace_recovery_codes": RETURNS,
    "surveys/accounts/second_factor.py::turn_off": RETURNS,
    "surveys/accounts/team.py::_change_owner": RETURNS,
    "surveys/accounts/team.py::delete_invitation": Kind.INVITATION,
    "surveys/accounts/team.py::remove": RETURNS,
    "surveys/accounts/tokens.py::delete_tokens": Kind.TOKEN,
    "surveys/authoring/drafts/drafts.py::delete_question": RETURNS,
    "surveys/authoring/drafts/drafts.py::delete_survey": Kind.SURVEY,
    "surveys/authoring/drafts/drafts.py::save_question": RETURNS,
    "surveys/definition/sender.py::forget_unused_logos": COVERED,
    "surveys/fieldwork/responses/background_groups.py::merge_small_groups": NO_CONTENT,
    "surveys/fieldwork/responses/deletion.py::_mark_deleted": Kind.RESPONSES,
    "surveys/fieldwork/responses/deletion.py::delete_responses": COVERED,
    "surveys/fieldwork/responses/destruction.py::_erase_survey": Kind.SURVEY,
    "surveys/fieldwork/responses/destruction.py::destroy": COVERED,
    "surveys/fieldwork/responses/destruction.py::destroy_again": COVERED,
    # The caller says of which kind the rows are, or that another removal covers them.
    "surveys/fieldwork/responses/destruction.py::erase_people": COVERED,
    "surveys/fieldwork/responses/destruction.py::erase_responses": COVERED,
    "surveys/fieldwork/responses/destruction.py::erase_some": COVERED,
    "surveys/fieldwork/responses/held.py::_take_batches": NO_CONTENT,
    "surveys/fieldwork/responses/held.py::store_pending": NO_CONTENT,
    "surveys/fieldwork/responses/inbox_keys.py::_delete_unused_keys": NO_CONTENT,
    "surveys/fieldwork/responses/inbox_keys.py::_draw_key": NO_CONTENT,
    "surveys/fieldwork/responses/release.py::_store_shuffled": NO_CONTENT,
    "surveys/fieldwork/responses/sealing.py::_delete_old_keys": NO_CONTENT,
    "surveys/fieldwork/responses/shuffling.py::_renew_fetched": NO_CONTENT,
    # This marks the tickets of the survey as finished before anything is erased.
    "surveys/fieldwork/responses/ticket_completion.py::_mark_finished": Kind.TICKETS,
    "surveys/fieldwork/responses/ticket_completion.py::_erase": COVERED,
    "surveys/fieldwork/tickets/invitees.py::delete_invitees": Kind.INVITEE,
    "surveys/fieldwork/tickets/invitees.py::withdraw": Kind.INVITEE,
    "surveys/operation/repeated_removals.py::_close_account": COVERED,
    "surveys/site/postgres_tables.py::_rewrite_table": NO_CONTENT,
    "surveys/site/removals.py::move_rows_to_journal": NO_CONTENT,
}
DELETING = ("delete", "_raw_delete", "erase", "erase_people", "erase_responses")
# It takes the kind from its caller.
RECORDS_ANY_KIND = "surveys/fieldwork/responses/destruction.py::erase_some"


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield each function of the core and the features, as "path::name", with its syntax tree."""
    for path in python_files():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                yield f"{path.relative_to(ROOT)}::{node.name}", node


def called_names(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield the names and calls in a function, without those of functions defined in it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            continue
        if isinstance(child, ast.Call):
            yield getattr(child.func, "attr", getattr(child.func, "id", "")), child
        yield from called_names(child)


def has_delete_statement(function: ast.FunctionDef) -> bool:
    """Return whether the function contains a DELETE statement of SQL."""
    texts = (node.value for node in ast.walk(function) if isinstance(node, ast.Constant))
    return any(isinstance(text, str) and text.startswith("DELETE FROM") for text in texts)


def test_each_place_of_a_deletion_is_listed() -> None:
    found = set()
    for place, function in functions():
        names = {name for name, _ in called_names(function)}
        if names & {*DELETING, "record_removal", "record_removals"} or has_delete_statement(
            function
        ):
            found.add(place)
    found -= {"surveys/site/removals.py::record_removal"}
    listed = {place for place in PLACES if not is_of_removed_feature(place.split("::")[0])}
    assert found == listed


def test_each_listed_removal_is_recorded_where_it_happens() -> None:
    recorded = {}
    for place, function in functions():
        for name, call in called_names(function):
            if name in ("record_removal", "record_removals") and "/site/" not in place:
                recorded[place] = ast.unparse(call.args[0])
    assert recorded.pop(RECORDS_ANY_KIND) == "kind"

    expected = {place: kind for place, kind in PLACES.items() if isinstance(kind, Kind)}
    kept = {place for place in expected if not is_of_removed_feature(place.split("::")[0])}
    assert recorded == {place: f"Kind.{expected[place].name}" for place in kept}
    assert set(expected.values()) == set(Kind)


def test_each_kind_can_be_removed_again() -> None:
    kinds = set(Kind)
    if is_of_removed_feature("features/shared_reports/links.py"):
        kinds -= {Kind.REPORT_LINK}
    assert set(removers_by_kind()) == kinds == set(WORDS_BY_KIND) & kinds
