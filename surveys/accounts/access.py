"""The rights of researchers in surveys. Every page, API view and command asks this module.

A survey that a user may not see does not exist for that user (404). If the user may see the
survey and lacks the right to an action, the action is forbidden (403).
"""

from enum import Enum

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from surveys.models import Role, Survey

# Someone who is not logged in is an AnonymousUser.
User = AbstractBaseUser | AnonymousUser


class Right(Enum):
    """A right in a survey. Its value completes the sentence "Your role does not let you ..."."""

    SEE = "see its questions, its preview, its history and how many have answered"
    WRITE = "write, publish, pause and close it, and make its results public"
    INVITE = "invite people to answer it, remind them and replace lost tickets"
    REPORT = "read its report"
    ROWS = "download its randomized responses, row by row"
    MANAGE = "choose its team, give it away and delete it"


# The rights of each role in a team. The owner of a survey has all rights.
RIGHTS = {
    Role.EDITOR: {Right.SEE, Right.WRITE, Right.INVITE, Right.REPORT},
    Role.ANALYST: {Right.SEE, Right.REPORT},
    Role.EXPORTER: {Right.SEE, Right.REPORT, Right.ROWS},
}


def rights(user: User, survey: Survey) -> set[Right]:
    """Return the rights of a user in a survey, as its owner or by a role in its team.

    The owner has all rights, and a member of the team those of the role in `RIGHTS`. The set is
    empty for everyone else, for inactive users, and for an operator who is neither.
    """
    if not user.is_active:
        return set()
    if survey.owner_id == user.pk:
        return set(Right)

    role = survey.memberships.filter(user=user.pk).values_list("role", flat=True).first()
    if not role:
        return set()
    return RIGHTS[role]


def surveys_of(user: User, right: Right = Right.SEE) -> QuerySet[Survey]:
    """Return the surveys in which a user has a right, as the owner or by a role in the team.

    By default these are all surveys that the user may see, since each role has the right to see.
    Whether the user is active is not checked.
    """
    roles = [role for role, role_rights in RIGHTS.items() if right in role_rights]
    # The team is searched in a subquery. A join with it would repeat a survey for each member.
    shared = Survey.objects.filter(memberships__user=user.pk, memberships__role__in=roles)
    return Survey.objects.filter(Q(owner=user.pk) | Q(pk__in=shared.values("pk")))


def readable_by(user: User) -> QuerySet[Survey]:
    """Return the surveys whose report a user may read.

    An operator may read the reports of all surveys. All other users may read those of the surveys
    that they own, or in which their role has the right REPORT.
    """
    if is_operator(user):
        return Survey.objects.all()
    return surveys_of(user, Right.REPORT)


def is_operator(user: User) -> bool:
    """Return whether a user is an operator: active staff with the permission to view all surveys.

    Operators run the site. The permission is that of Django's administration.
    """
    return bool(user.is_active and user.is_staff and user.has_perm("surveys.view_survey"))


def survey_for(user: User, slug: str, right: Right) -> Survey:
    """Return the survey with this slug if the user has the right in it.

    Views that get a slug from the address call this. Raises Http404 if there is no such survey or
    the user may not see it, and PermissionDenied if the user may see it but lacks the right. An
    operator who is neither owner nor member gets Http404.
    """
    survey: Survey = get_object_or_404(surveys_of(user), slug=slug)
    require_right(user, survey, right)
    return survey


def require_right(user: User, survey: Survey, right: Right) -> None:
    """Raise PermissionDenied if the user lacks a right in the survey.

    A view that shows a page to all who may see the survey calls this before it changes anything.
    """
    if right not in rights(user, survey):
        raise PermissionDenied(
            f"Your role in this survey does not let you {right.value}. Ask its owner."
        )
