"""Access tokens: 256 random bits that are shown once and stored as a hash.

A token has scopes, which limit what it can be used for, and may have a last day.
"""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import UTC, date, timedelta
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import QuerySet
from django.utils import timezone

from surveys.accounts import identities
from surveys.models import AccessToken
from surveys.site import clock
from surveys.site.errors import Invalid

# Scope -> what a token with this scope can be used for.
SCOPES = {
    "reports": "read surveys, reports and tallies",
    "rows": "download randomized responses, row by row",
    "write": "write, publish, pause and close surveys",
    "invite": "invite people to answer, remind them and replace lost tickets",
    "team": "choose and join teams, and give surveys away",
}
# The most characters of the name of a token.
NAME_LENGTH = 100
# The most tokens of one user.
MOST_TOKENS = 100
# For this many days after the last login through an organization, tokens still work.
DAYS_WITHOUT_LOGIN = 90


class Expired(ValueError):
    """The last day of the token is over."""


class OwnerAway(ValueError):
    """The owner has not logged in through the organization for DAYS_WITHOUT_LOGIN days.

    The token works again after the next login.
    """


def digest(token: str) -> str:
    """Return the SHA-256 hash that is stored in place of a random secret, in hexadecimal digits."""
    # Plain SHA-256 is enough for a random token of full length: there is nothing to guess.
    return hashlib.sha256(token.encode()).hexdigest()


def today() -> date:
    """Return the current date in UTC."""
    return timezone.now().date()


def issue_token(
    user: AbstractBaseUser,
    name: str,
    scopes: Iterable[str] = tuple(SCOPES),
    expires: date | None = None,
) -> str:
    """Create an access token and return it. It cannot be read again, since its hash is stored.

    Raises Invalid if token_problems() has a problem. Unknown scopes are left out.

    name: what the user calls the token. Spaces at its ends and repeated spaces are removed.
    scopes: without an argument, the token has all scopes.
    expires: the last day (UTC) on which the token works, or None if it has no end.
    """
    name = _collapse_spaces(name)
    requested = set(scopes)
    scopes = [scope for scope in SCOPES if scope in requested]
    errors = token_problems(user, name, scopes, expires)
    if errors:
        raise Invalid(errors)

    token = secrets.token_urlsafe(32)
    AccessToken.objects.create(
        user=user, name=name, sha256=digest(token), scopes=scopes, expires=expires
    )
    return token


def has_all_rights(scopes: Iterable[str]) -> bool:
    """Return whether a token with these scopes may do all that a token can do.

    This is so if all of SCOPES are among them; unknown scopes make no difference.
    confirmation.issue_confirmed_token() issues such a token only after a confirmation.
    """
    return set(SCOPES) <= set(scopes)


def token_problems(
    user: AbstractBaseUser, name: str, scopes: Iterable[str], expires: date | None
) -> dict[str, str]:
    """Return why a token like this cannot be issued, by field; empty if it can be issued.

    name: it must have 1 to NAME_LENGTH printable characters. If all fields are right, this field
        says that the user already has MOST_TOKENS tokens.
    scopes: at least one must be known. Unknown ones are no problem.
    expires: the last day must not be in the past.
    """
    name = _collapse_spaces(name)
    known_scopes = set(SCOPES) & set(scopes)
    errors = {}
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        errors["name"] = (
            f"Give the token a name of at most {NAME_LENGTH} letters, to recognize it later."
        )
    if not known_scopes:
        errors["scopes"] = "Choose at least one thing the token can be used for."
    if expires is not None and expires < today():
        errors["expires"] = "The last day must not be in the past."
    if not errors and tokens_of(user).count() >= MOST_TOKENS:
        errors["name"] = f"Revoke a token first. You have {MOST_TOKENS}, the most allowed."
    return errors


def _collapse_spaces(name: str) -> str:
    """Return a name without spaces at its ends, and with single spaces between words."""
    return " ".join(name.split())


def find_token(token: str) -> AccessToken | None:
    """Return the stored entry of a token, with its user, and store today as its last use.

    Returns None if the token is unknown or its user is inactive. Raises Expired if the last day of
    the token is over, and OwnerAway if last_day() of its user is over. In these cases no use is
    stored.
    """
    entries = AccessToken.objects.select_related("user__identity")
    entry = entries.filter(sha256=digest(token), user__is_active=True).first()
    if entry is None:
        return None
    if entry.expires is not None and entry.expires < today():
        raise Expired
    last = last_day(entry.user)
    if last is not None and last < today():
        raise OwnerAway
    if entry.last_used != today():
        AccessToken.objects.filter(pk=entry.pk).update(last_used=today())
    return entry


def last_day(user: AbstractBaseUser) -> date | None:
    """Return the last day (UTC) on which the tokens of a user work without another login.

    It is DAYS_WITHOUT_LOGIN days after the last login, or after the account was created if there
    was no login or its time cannot be right. It is yesterday if neither time can be right. Returns
    None for users who do not log in through the organization, since their tokens need no login.

    An organization does not report who has left. That someone can still log in there is the only
    sign that the person belongs to it.
    """
    if not identities.is_connected(user):
        return None
    # happened() returns None for a time that is missing, or that cannot be right, since it is more
    # than an hour in the future.
    last_login = clock.happened(user.last_login) or clock.happened(user.date_joined)
    if last_login is None:
        # A clock that was ahead stored the times. A last day that is over lets the tokens wait for
        # the next login.
        return today() - timedelta(days=1)
    return last_login.astimezone(UTC).date() + timedelta(days=DAYS_WITHOUT_LOGIN)


def tokens_of(user: AbstractBaseUser) -> QuerySet[AccessToken]:
    """Return the tokens of a user, the newest first."""
    tokens = AccessToken.objects.select_related("user__identity").filter(user=user.pk)
    return tokens.order_by("-created", "name", "pk")


def revoke(user: AbstractBaseUser, pk: UUID) -> bool:
    """Delete the token with this primary key, and return whether this user had such a token."""
    total, _ = AccessToken.objects.filter(user=user.pk, pk=pk).delete()
    return total > 0


def revoke_all(user: AbstractBaseUser) -> int:
    """Delete all tokens of this user, and return how many there were."""
    total, _ = AccessToken.objects.filter(user=user.pk).delete()
    return total
