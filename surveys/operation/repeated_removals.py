"""What was removed since a backup is removed again after a restore, by the journal of removals.

Each removal can be repeated: nothing happens if the thing is not there. An id never names another
thing than the one that was removed, even if a restored draft is published again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Model, ProtectedError, QuerySet

from surveys import extensions
from surveys.accounts import account, identities
from surveys.accounts.team import delete_invitation
from surveys.accounts.tokens import delete_tokens, revoke_all
from surveys.fieldwork.responses.deletion import close_if_open, delete_responses
from surveys.fieldwork.responses.destruction import destroy_again
from surveys.fieldwork.responses.ticket_completion import finish
from surveys.fieldwork.tickets.invitees import delete_invitees, withdraw
from surveys.models import AccessToken, Instrument, Invitation, Invitee, Membership, Survey
from surveys.site.removals import JournalLine, Kind

Remove = Callable[[Sequence[str]], int]
# Ids in one query: PostgreSQL allows 65,535 parameters.
IDS_PER_QUERY = 1_000


def remove_again(lines: Iterable[JournalLine]) -> Counter[str]:
    """Remove what the lines of a journal name, and return how many things of each kind were there.

    The order of the kinds matters: a survey goes with all that belongs to it, and finishing tickets
    deletes whole lists of people.
    """
    ids_by_kind: dict[str, list[str]] = {}
    for line in lines:
        ids_by_kind.setdefault(line.kind, []).append(line.removed_id)
    removed: Counter[str] = Counter()
    for kind, remove in removers_by_kind().items():
        removed[kind] = remove(ids_by_kind.get(kind, ()))
    return removed


def removers_by_kind() -> dict[str, Remove]:
    """Return how each kind is removed again, in the order of removing."""
    removers: dict[str, Remove] = {
        Kind.SURVEY: _remove_surveys,
        Kind.RESPONSES: _delete_responses,
        Kind.TICKETS: _finish_tickets,
        Kind.INVITEE: _withdraw_invitees,
        Kind.ACCOUNT: _delete_accounts,
        Kind.TOKEN: _delete_tokens,
        Kind.INVITATION: _delete_invitations,
    }
    for item in extensions.removal_kinds:
        removers[item.kind] = item.remove
    return removers


def existing(model: type[Model], ids: Sequence[str]) -> Iterator[QuerySet]:
    """Yield the rows of a model with these ids, some of them at a time. An id may be no UUID."""
    keys = []
    for removed_id in ids:
        try:
            keys.append(UUID(removed_id))
        except ValueError:
            continue
    for start in range(0, len(keys), IDS_PER_QUERY):
        yield model._default_manager.filter(pk__in=keys[start : start + IDS_PER_QUERY])


def _remove_surveys(ids: Sequence[str]) -> int:
    n_removed = 0
    for rows in existing(Survey, ids):
        for survey in list(rows):
            destroy_again(survey)
            n_removed += 1
    return n_removed


def _delete_responses(ids: Sequence[str]) -> int:
    n_deleted = 0
    for rows in existing(Instrument, ids):
        for instrument in list(rows.select_related("survey")):
            n_deleted += instrument.deleted_on is None
            delete_responses(instrument)
    return n_deleted


def _finish_tickets(ids: Sequence[str]) -> int:
    n_finished = 0
    for rows in existing(Instrument, ids):
        unfinished = rows.filter(survey__issuer__private__isnull=False)
        for instrument in list(unfinished.select_related("survey")):
            close_if_open(instrument.survey)
            finish(Survey.objects.get(pk=instrument.survey_id))
            n_finished += 1
    return n_finished


def _withdraw_invitees(ids: Sequence[str]) -> int:
    n_withdrawn = 0
    for rows in existing(Invitee, ids):
        n_withdrawn += delete_invitees(rows.filter(survey__status=Survey.Status.DRAFT))
        for invitee in list(rows.filter(withdrawn=False)):
            withdraw(invitee)
            n_withdrawn += 1
    return n_withdrawn


def _delete_accounts(ids: Sequence[str]) -> int:
    """Delete accounts. One that owns surveys in this backup is closed, as they need an owner."""
    n_deleted = 0
    users = get_user_model().objects
    for removed_id in ids:
        number, _, _ = removed_id.partition("-")
        user = users.filter(pk=number).first() if number.isdecimal() else None
        if user is None or account.removal_id(user) != removed_id:
            continue
        try:
            account.delete_account(user)
        except ProtectedError:
            n_deleted += user.is_active
            _close_account(user)
        else:
            n_deleted += 1
    return n_deleted


def _close_account(user: AbstractBaseUser) -> None:
    """Let nobody log in to an account or use its tokens, and take it out of all teams."""
    user.is_active = False
    user.set_unusable_password()
    user.save(update_fields=["is_active", "password"])
    identities.disconnect(user)
    revoke_all(user)
    Membership.objects.filter(user=user).delete()


def _delete_tokens(ids: Sequence[str]) -> int:
    return sum(delete_tokens(rows) for rows in existing(AccessToken, ids))


def _delete_invitations(ids: Sequence[str]) -> int:
    n_deleted = 0
    for rows in existing(Invitation, ids):
        n_deleted += sum(delete_invitation(invitation) for invitation in list(rows))
    return n_deleted
