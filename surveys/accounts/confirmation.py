"""Steps for which an active session is not enough: users confirm that it is really they.

A browser may have been left open, so these steps ask for the password or for a fresh login.
"""

from collections.abc import Iterable, Mapping
from datetime import date

from django.contrib.auth.models import AbstractBaseUser

from surveys.accounts import account, identities, login_delays, tokens
from surveys.site.errors import Invalid

# What is said of a password that should confirm the user.
CONFIRMATION_MISSING = "Type your password."
CONFIRMATION_WRONG = "This is not your password."
# What is said instead to a user who logs in through the organization.
LOG_IN_AGAIN = (
    "To make a token that may do everything, first log in through your organization again. That "
    "login counts for ten minutes."
)


def password_problem(user: AbstractBaseUser, password: str) -> str:
    """Return why the password does not confirm the user, or "" if it is right.

    Forms that ask a user who is logged in for the password show this message. It says that the
    password is missing or wrong, or that it was not checked, since after a wrong password the next
    attempt has to wait, as at login.
    """
    if not password:
        return CONFIRMATION_MISSING

    # Attempts wait only for failures of their own lane. This lane is not that of the login page, so
    # strangers who guess there do not delay the user here.
    lane = f"sure {user.pk}"
    seconds = login_delays.reserve_attempt(lane)
    if seconds:
        return login_delays.WAIT_MESSAGE % {"seconds": login_delays.in_words(seconds)}
    if not user.check_password(password):
        # reserve_attempt() has counted this attempt as a failure.
        return CONFIRMATION_WRONG
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
    """Create an access token and return it, after a confirmation if the token has all scopes.

    The page and the API on which users make tokens call this. The confirmation is the password of
    the user or, for an account that logs in through the organization, a login within the last ten
    minutes. A token with fewer scopes needs none. Raises Invalid if a field has a problem or the
    confirmation fails.

    session: the data of the session of this request, which has the time of its login.
    password: "" if none was typed. It is only checked if all other fields are right, so that a
        mistake in another field costs no attempt.
    name, scopes: as tokens.issue_token() takes them.
    expires: the last day (UTC) on which the token works, or None if it has no end.
    """
    # The scopes are read three times, and an iterator could be read only once.
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
    """Return the problem with the confirmation, by the form's field; empty if there is none.

    A user who logs in through the organization needs a fresh login, and the field of the problem is
    "scopes". All other users need the password, and the field is "password".

    session: the data of the session of this request, which has the time of its login.
    password: "" if none was typed. It is ignored if the user logs in through the organization.
    """
    if identities.is_connected(user):
        if account.is_fresh(session):
            return {}
        # The form has no field for a login. Only the choice of all scopes needs one, so the message
        # is shown there.
        return {"scopes": LOG_IN_AGAIN}

    problem = password_problem(user, password)
    if problem:
        return {"password": problem}
    return {}
