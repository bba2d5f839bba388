"""The team of a survey: invitations by a link, memberships, and the transfer to another owner.

These functions do not check rights; `surveys.accounts.access` does.
"""

import secrets
from datetime import timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.accounts.tokens import digest
from surveys.models import INVITATION_DAYS, Invitation, Membership, Role, Survey
from surveys.site import clock
from surveys.site.errors import Invalid, Refused
from surveys.site.removals import Kind, record_removal

# The most members of a team. Open invitations count as members.
MOST_MEMBERS = 100


def invite(*, survey: Survey, by: AbstractBaseUser, role: str) -> str:
    """Create an invitation to the team, and return the secret part of its link.

    The secret cannot be read again, since only its hash is stored. It works once, for
    INVITATION_DAYS days. Raises Invalid if the role does not exist, and Refused if the team is
    full: if members and open invitations together are MOST_MEMBERS. The event is stored in the
    history.

    by: the user who invites, for the history.
    role: a value of Role, which the person who uses the link gets.
    """
    if role not in Role.values:
        raise Invalid({"role": "Choose what your colleague can do."})
    now = clock.clock_now()
    # An invitation that has expired is not open, though it stays until it is withdrawn.
    open_invitations = survey.invitations.filter(expires__gt=now)
    if survey.memberships.count() + open_invitations.count() >= MOST_MEMBERS:
        raise Refused(f"A team can have at most {MOST_MEMBERS} members and open invitations.")

    # These are 192 random bits, so a plain hash of them can be stored: see digest().
    secret = secrets.token_urlsafe(24)
    until = now + timedelta(days=INVITATION_DAYS)
    Invitation.objects.create(survey=survey, role=role, sha256=digest(secret), expires=until)
    history.record(survey, by, history.What.INVITED, Role(role).label)
    return secret


def find_invitation(secret: str) -> Invitation | None:
    """Return the open invitation with this secret, for the page to which its link leads.

    Returns None if the secret is wrong, or if the invitation was used or withdrawn or has expired.

    secret: the last part of the link, as invite() returned it.
    """
    # Used and withdrawn invitations are deleted, so only expired ones have to be left out.
    invitations = Invitation.objects.select_related("survey__owner")
    open_invitations = invitations.filter(expires__gt=clock.clock_now())
    return open_invitations.filter(sha256=digest(secret)).first()


@transaction.atomic
def join(*, invitation: Invitation, user: AbstractBaseUser) -> Survey:
    """Give a user the role of an invitation, delete the invitation, and return the survey.

    This is what happens when a person accepts the invitation. A member who accepts one gets its
    role instead of the earlier one. The survey is locked, and the event is stored in its history.
    Raises Refused if the user owns the survey, or if the invitation was used or withdrawn since
    find_invitation() returned it.
    """
    survey = invitation.survey.locked()
    if survey.owner_id == user.pk:
        raise Refused("You own this survey, so you don’t need the link. Send it to a colleague.")
    # Of two people who use one invitation at the same moment, only one deletes it.
    if not delete_invitation(invitation):
        raise Refused("Someone has already used this invitation. Ask for a new one.")
    Membership.objects.update_or_create(
        survey=survey, user=user, defaults={"role": invitation.role}
    )
    history.record(survey, user, history.What.JOINED, Role(invitation.role).label)
    return survey


@transaction.atomic
def revoke_invitation(*, invitation: Invitation, by: AbstractBaseUser) -> None:
    """Delete an invitation to the team, so that its link no longer works.

    Nothing happens if the invitation was used or withdrawn at the same moment.

    by: the user who withdraws the invitation, for the history.
    """
    # If it was used or withdrawn at the same moment, the history has that event already.
    if delete_invitation(invitation):
        history.record(invitation.survey, by, history.What.WITHDRAWN, Role(invitation.role).label)


@transaction.atomic
def delete_invitation(invitation: Invitation) -> bool:
    """Delete an invitation, so that it does not return with a backup either.

    Return whether it was there.
    """
    deleted, _ = Invitation.objects.filter(pk=invitation.pk).delete()
    if deleted:
        record_removal(Kind.INVITATION, invitation.pk)
    return deleted > 0


def remove(*, membership: Membership, by: AbstractBaseUser) -> None:
    """Remove a member from the team of a survey. The rights of the member end at once.

    If two people remove the member at the same moment, the history has both events.

    by: the user who removes the member, for the history.
    """
    survey = membership.survey
    name = membership.user.get_username()
    membership.delete()
    history.record(survey, by, history.What.REMOVED, name)


@transaction.atomic
def transfer(*, membership: Membership, by: AbstractBaseUser) -> None:
    """Make a member of the team the owner of the survey. The previous owner becomes an editor.

    The survey is locked. Raises Refused if `by` is not its owner.

    by: the user who gives the survey away.
    """
    survey = membership.survey.locked()
    if survey.owner_id != by.pk:
        raise Refused("Only the owner can give a survey away.")
    _change_owner(survey, membership.user, by)


@transaction.atomic
def transfer_by_operator(*, survey: Survey, to: AbstractBaseUser) -> None:
    """Make any user the owner of a survey. The previous owner becomes an editor.

    A command calls this, as when the owner has left the organization. The survey is locked. Raises
    Refused if the user already owns the survey.
    """
    _change_owner(survey.locked(), to, by=None)


def _change_owner(survey: Survey, to: AbstractBaseUser, by: AbstractBaseUser | None) -> None:
    """Make a user the owner of a survey, and its previous owner an editor.

    The event is stored in the history. Raises Refused if the user already owns the survey.

    survey: a survey that is locked.
    to: the new owner.
    by: the user who does this, for the history; None for a command.
    """
    previous_owner = survey.owner
    if previous_owner == to:
        raise Refused(f"{to.get_username()} already owns this survey.")

    # The owner of a survey is not a member of its team.
    survey.memberships.filter(user=to).delete()
    Membership.objects.create(survey=survey, user=previous_owner, role=Role.EDITOR)
    survey.owner = to
    survey.save(update_fields=["owner"])
    history.record(survey, by, history.What.TRANSFERRED, to.get_username())
