"""Who may see what. Every door asks here; what a person may not see does not exist for them (404)."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import QuerySet

from surveys.models import Survey

User = AbstractBaseUser | AnonymousUser


def surveys_of(user: User) -> QuerySet[Survey]:
    """The surveys a person owns: theirs to edit, publish, close, read and export."""
    return Survey.objects.filter(owner=user.pk)


def readable_by(user: User) -> QuerySet[Survey]:
    """Surveys whose report a person may read: their own and, for an operator who may view surveys, everyone's."""
    if user.is_active and user.is_staff and user.has_perm("surveys.view_survey"):
        return Survey.objects.all()
    return surveys_of(user)
