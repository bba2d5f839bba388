"""Who may do what. Every door asks here.

What a person may not see does not exist for them (404); what they see and may not do is forbidden (403).
"""

from enum import Enum

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from surveys.models import Role, Survey

User = AbstractBaseUser | AnonymousUser


class Right(Enum):
    SEE = "see its questions, its preview, its history and how many have answered"
    WRITE = "write, publish, pause and close it, and make its results public"
    INVITE = "invite people to answer it, remind them and replace lost tickets"
    REPORT = "read its report"
    ROWS = "download its randomized responses, row by row"
    MANAGE = "choose its team, give it away and delete it"


RIGHTS = {
    Role.EDITOR: {Right.SEE, Right.WRITE, Right.INVITE, Right.REPORT},
    Role.ANALYST: {Right.SEE, Right.REPORT},
    Role.EXPORTER: {Right.SEE, Right.REPORT, Right.ROWS},
}


def rights(user: User, survey: Survey) -> set[Right]:
    """What a person may do with a survey; nothing where it does not exist for them."""
    if not user.is_active:
        return set()
    if survey.owner_id == user.pk:
        return set(Right)
    role = survey.memberships.filter(user=user.pk).values_list("role", flat=True).first()
    return RIGHTS[role] if role else set()


def surveys_of(user: User, right: Right = Right.SEE) -> QuerySet[Survey]:
    """The surveys with which a person has a right: their own, and those where their role has it."""
    roles = [role for role, has in RIGHTS.items() if right in has]
    shared = Survey.objects.filter(memberships__user=user.pk, memberships__role__in=roles).values(
        "pk"
    )
    return Survey.objects.filter(Q(owner=user.pk) | Q(pk__in=shared))


def readable_by(user: User) -> QuerySet[Survey]:
    """Surveys whose report a person may read; for an operator who may view surveys, everyone's."""
    if is_operator(user):
        return Survey.objects.all()
    return surveys_of(user, Right.REPORT)


def is_operator(user: User) -> bool:
    return bool(user.is_active and user.is_staff and user.has_perm("surveys.view_survey"))


def survey_for(user: User, slug: str, right: Right) -> Survey:
    """The survey at this address. Http404 where it does not exist for them, PermissionDenied without the right."""
    survey: Survey = get_object_or_404(surveys_of(user), slug=slug)
    require_right(user, survey, right)
    return survey


def require_right(user: User, survey: Survey, right: Right) -> None:
    if right not in rights(user, survey):
        raise PermissionDenied(
            f"Your role in this survey does not let you {right.value}. Ask its owner."
        )
