"""Who may enter the administration: operators, with a code where their account has a second factor."""

from django.contrib.admin import AdminSite
from django.http import HttpRequest

from surveys.accounts import identities, second_factor

LOG_IN_AGAIN = (
    "The administration needs a code, and you logged in without one. Log in again with a code."
)


class AdministrationSite(AdminSite):
    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not needs_code(request)


def needs_code(request: HttpRequest) -> bool:
    """Return whether this operator has a second factor, and no code of it was given in this session.

    The session may be older than the second factor, which another operator may have added. Accounts of an
    organization give their second factor there.
    """
    user = request.user
    if not user.is_staff or identities.is_connected(user) or second_factor.app_of(user) is None:
        return False
    return not second_factor.has_given_code(user, request.session)
