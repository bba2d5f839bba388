"""A survey's team: invite by a link, join, change, and give the survey away. Who may, access.py says."""

import secrets
from datetime import timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from surveys.accounts import history
from surveys.accounts.tokens import digest
from surveys.models import INVITATION_DAYS, Invitation, Membership, Role, Survey
from surveys.site.errors import Invalid, Refused

MOST_MEMBERS = 100  # in a team, invitations included


def invite(*, survey: Survey, by: AbstractBaseUser, role: str) -> str:
    """The secret part of a link, to be shown once. It works once, for INVITATION_DAYS days."""
    if role not in Role.values:
        raise Invalid({"role": "Choose what your colleague can do."})
    if survey.memberships.count() + survey.invitations.count() >= MOST_MEMBERS:
        raise Refused(f"A team can have at most {MOST_MEMBERS} members and open invitations.")
    secret = secrets.token_urlsafe(24)
    until = timezone.now() + timedelta(days=INVITATION_DAYS)
    Invitation.objects.create(survey=survey, role=role, sha256=digest(secret), expires=until)
    history.record(survey, by, history.What.INVITED, Role(role).label)
    return secret


def find_invitation(secret: str) -> Invitation | None:
    """The open invitation of a link, or None where it was used, withdrawn or has expired."""
    waiting = Invitation.objects.select_related("survey__owner").filter(expires__gt=timezone.now())
    return waiting.filter(sha256=digest(secret)).first()


@transaction.atomic
def join(*, invitation: Invitation, user: AbstractBaseUser) -> Survey:
    """Make this person a member, or give a member the role of the invitation, and use the link up."""
    survey = invitation.survey.locked()
    if survey.owner_id == user.pk:
        raise Refused("You own this survey, so you don’t need the link. Send it to a colleague.")
    used, _ = Invitation.objects.filter(pk=invitation.pk).delete()
    if not used:
        raise Refused("Someone has already used this invitation. Ask for a new one.")
    Membership.objects.update_or_create(
        survey=survey, user=user, defaults={"role": invitation.role}
    )
    history.record(survey, user, history.What.JOINED, Role(invitation.role).label)
    return survey


@transaction.atomic
def revoke_invitation(*, invitation: Invitation, by: AbstractBaseUser) -> None:
    """Delete an invitation to the team."""
    withdrawn, _ = Invitation.objects.filter(pk=invitation.pk).delete()
    if withdrawn:  # and not used or withdrawn in the same moment
        history.record(invitation.survey, by, history.What.WITHDRAWN, Role(invitation.role).label)


def remove(*, membership: Membership, by: AbstractBaseUser) -> None:
    survey, name = membership.survey, membership.user.get_username()
    membership.delete()
    history.record(survey, by, history.What.REMOVED, name)


@transaction.atomic
def transfer(*, membership: Membership, by: AbstractBaseUser) -> None:
    """Make a member the owner; the owner of before stays as an editor."""
    survey = membership.survey.locked()
    if survey.owner_id != by.pk:
        raise Refused("Only the owner can give a survey away.")
    transfer_by_operator(survey=survey, to=membership.user, by=by)


@transaction.atomic
def transfer_by_operator(
    *, survey: Survey, to: AbstractBaseUser, by: AbstractBaseUser | None = None
) -> None:
    """Make anyone the owner; the previous owner becomes an editor."""
    survey = survey.locked()
    before = survey.owner
    if before == to:
        raise Refused(f"{to.get_username()} already owns this survey.")
    survey.memberships.filter(user=to).delete()
    Membership.objects.create(survey=survey, user=before, role=Role.EDITOR)
    survey.owner = to
    survey.save(update_fields=["owner"])
    history.record(survey, by, history.What.TRANSFERRED, to.get_username())
