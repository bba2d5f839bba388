"""Steps for which an active session is not enough: users confirm that it is really they.

A browser may have been left open, so these steps ask for the password or for a fresh login.
"""

from collections.abc import Iterable, Mapping
from datetime import date

from django.contrib.auth.models import AbstractBaseUser

from surveys.accounts import account, identities, login_delays, tokens
from surveys.site.errors import Invalid

MISSING = "Type your password."
NOT_YOURS = "This is not your password."
LOG_IN_AGAIN = (
    "To make a token that may do everything, first log in through your organization again. That "
    "login counts for ten minutes."
)


def password_problem(user: AbstractBaseUser, password: str) -> str:
    """Return why the password does not confirm the user, or "" if it is right.

    After a wrong password the next attempt has to wait, as at login.
    """
    if not password:
        return MISSING
    lane = f"sure {user.pk}"
    seconds = login_delays.reserve_attempt(lane)
    if seconds:
        return login_delays.WAIT % {"seconds": login_delays.in_words(seconds)}
    if not user.check_password(password):
        return NOT_YOURS
    login_delays.clear_failures(lane)
    return ""


def issue_confirmed_token(
    user: AbstractBaseUser,
    session: Mapping,
    *,
    password: str,
    name: str,
    scopes: Iterable[str],
    expires: date | None = None,
) -> str:
    """Return a new access token, after a confirmation if the token has all rights.

    The confirmation is the password of the user or, for an account that logs in through the
    organization, a login within the last ten minutes. Raises Invalid if a field has a problem or
    the confirmation fails.

    password: "" if none was typed. It is only checked if all other fields are right, so that a
        mistake in another field costs no attempt.
    """
    scopes = list(scopes)
    errors = tokens.token_problems(user, name, scopes, expires)
    if not errors and tokens.has_all_rights(scopes):
        errors = _confirmation_problems(user, session, password)
    if errors:
        raise Invalid(errors)
    return tokens.issue_token(user, name, scopes, expires)


def _confirmation_problems(
    user: AbstractBaseUser, session: Mapping, password: str
) -> dict[str, str]:
    """Return why the user is not confirmed, by field; empty if the user is confirmed."""
    if identities.is_connected(user):
        if account.is_fresh(session):
            return {}
        return {"scopes": LOG_IN_AGAIN}

    problem = password_problem(user, password)
    if problem:
        return {"password": problem}
    return {}
