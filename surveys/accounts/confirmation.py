"""Steps for which a browser that was left open is not enough: people show once more that it is they."""

from collections.abc import Iterable, Mapping
from datetime import date

from django.contrib.auth.models import AbstractBaseUser

from surveys.accounts import account, identities, login_delays, tokens
from surveys.site.errors import Invalid

MISSING = "Type your password."
NOT_YOURS = "This is not your password."
LOG_IN_AGAIN = (
    "To make a token that may do everything, first log in through your organization again. That login counts for ten "
    "minutes."
)


def password_problem(user: AbstractBaseUser, password: str) -> str:
    """Return why the person may not go on, or "" if the password is theirs. A wrong one makes the next one wait."""
    if not password:
        return MISSING
    lane = f"sure {user.pk}"
    if seconds := login_delays.reserve_attempt(lane):
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
    """Return a new token; one with all rights only for the password, or within ten minutes of a login through the
    organization. Raises Invalid.

    password: "" if none was typed. It is not checked before all else is right.
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
    if identities.is_connected(user):
        return {} if account.is_fresh(session) else {"scopes": LOG_IN_AGAIN}
    problem = password_problem(user, password)
    return {"password": problem} if problem else {}
