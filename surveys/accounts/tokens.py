"""Access tokens: 256 random bits that are shown once and stored as a hash.

A token has scopes, which limit what it can be used for, and may have a last day.
"""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import UTC, date, timedelta
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet

from surveys.accounts import identities
from surveys.models import AccessToken
from surveys.site import clock
from surveys.site.errors import Invalid
from surveys.site.removals import Kind, record_removals

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
    """The error of find_token() for a token whose last day is over."""


class OwnerAway(ValueError):
    """The error of find_token() for a token whose owner has not logged in for too long.

    That is more than DAYS_WITHOUT_LOGIN days, and concerns only owners who log in through the
    organization. The token works again after the next login.
    """


def digest(token: str) -> str:
    """Return the SHA-256 hash of a random secret, in hexadecimal digits.

    It is stored instead of the secret: of an access token, or of an invitation to a team.
    """
    # A password would need a slow hash, since it can be guessed. A long random secret cannot.
    return hashlib.sha256(token.encode()).hexdigest()


def today() -> date:
    """Return the current date in UTC, with which the last days of tokens are compared."""
    return clock.clock_now().date()


def issue_token(
    user: AbstractBaseUser,
    name: str,
    scopes: Iterable[str] = tuple(SCOPES),
    expires: date | None = None,
) -> str:
    """Create an access token and return it. It cannot be read again, since only a hash is stored.

    Raises Invalid if token_problems() has a problem. Unknown scopes are left out. No confirmation
    is asked for: pages and the API call confirmation.issue_confirmed_token() instead.

    name: what the user calls the token. Spaces at its ends and repeated spaces are removed.
    scopes: without an argument, the token has all scopes.
    expires: the last day (UTC) on which the token works, or None if it has no end.
    """
    name = _collapse_spaces(name)
    requested = set(scopes)
    # The known scopes are stored once each, in the order of SCOPES.
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

    This is so if all of SCOPES are among them; unknown scopes make no difference. Before it issues
    such a token, confirmation.issue_confirmed_token() asks for a confirmation.
    """
    return set(SCOPES).issubset(scopes)


def token_problems(
    user: AbstractBaseUser, name: str, scopes: Iterable[str], expires: date | None
) -> dict[str, str]:
    """Return why a token with these fields cannot be issued, by field; empty if it can be issued.

    If all fields are right and the user already has MOST_TOKENS tokens, the message is that of the
    field "name".

    name: it must have 1 to NAME_LENGTH printable characters.
    scopes: at least one must be known. Unknown ones are no problem.
    expires: the last day, which must not be in the past, or None if the token has no end.
    """
    name = _collapse_spaces(name)
    known_scopes = set(SCOPES).intersection(scopes)

    errors = {}
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        errors["name"] = (
            f"Give the token a name of at most {NAME_LENGTH} letters, to recognize it later."
        )
    if not known_scopes:
        errors["scopes"] = "Choose at least one thing the token can be used for."
    if expires is not None and expires < today():
        errors["expires"] = "The last day must not be in the past."
    # A user who has too many tokens learns it once all fields are right.
    if not errors and tokens_of(user).count() >= MOST_TOKENS:
        errors["name"] = f"Revoke a token first. You have {MOST_TOKENS}, the most allowed."
    return errors


def _collapse_spaces(name: str) -> str:
    """Return the name of a token without spaces at its ends, and with single ones between words."""
    return " ".join(name.split())


def find_token(token: str) -> AccessToken | None:
    """Return the AccessToken that is stored for a token, and store today as its last use.

    The API finds the user of each request that has a token by this. Returns None if the token is
    unknown or its user is inactive. Raises Expired if the last day of the token is over, and
    OwnerAway if last_day() of its user is over. In these cases no use is stored.
    """
    access_tokens = AccessToken.objects.select_related("user__identity")
    entry = access_tokens.filter(sha256=digest(token), user__is_active=True).first()
    if entry is None:
        return None

    if entry.expires is not None and entry.expires < today():
        raise Expired
    last_day_of_owner = last_day(entry.user)
    if last_day_of_owner is not None and last_day_of_owner < today():
        raise OwnerAway

    # Only the day of the last use is stored, so most requests write nothing.
    if entry.last_used != today():
        AccessToken.objects.filter(pk=entry.pk).update(last_used=today())
    return entry


def last_day(user: AbstractBaseUser) -> date | None:
    """Return the last day (UTC) on which the tokens of a user work without another login.

    It is DAYS_WITHOUT_LOGIN days after the last login. An organization does not report who has
    left, so a login there is the only sign that the person still belongs to it. Returns None for
    users who do not log in through the organization, since their tokens need no login.

    If there was no login, the days are counted from the creation of the account. A time in the
    future cannot be right, and is ignored. If neither time is left, yesterday is returned, so the
    tokens wait for the next login.
    """
    if not identities.is_connected(user):
        return None

    # happened() returns None for a time that is missing, or that a clock which was ahead stored.
    last_sign = clock.happened(user.last_login)
    if last_sign is None:
        last_sign = clock.happened(user.date_joined)
    if last_sign is None:
        return today() - timedelta(days=1)
    return last_sign.astimezone(UTC).date() + timedelta(days=DAYS_WITHOUT_LOGIN)


def tokens_of(user: AbstractBaseUser) -> QuerySet[AccessToken]:
    """Return the access tokens of a user, the newest first.

    The same query reads the user, and the user's identity at the organization's login, if any.
    """
    tokens = AccessToken.objects.select_related("user__identity").filter(user=user.pk)
    return tokens.order_by("-created", "name", "pk")


def revoke(user: AbstractBaseUser, pk: UUID) -> bool:
    """Delete a token of a user, so that it no longer works; return whether there was such a token.

    pk: the primary key of the token. The token of another user is not deleted.
    """
    return delete_tokens(AccessToken.objects.filter(user=user.pk, pk=pk)) > 0


def revoke_all(user: AbstractBaseUser) -> int:
    """Delete all access tokens of a user, so that none works any more; return how many there were.

    This is for users who fear that someone else has a token, and for operators.
    """
    return delete_tokens(AccessToken.objects.filter(user=user.pk))


@transaction.atomic
def delete_tokens(tokens: QuerySet[AccessToken]) -> int:
    """Delete tokens, so that they do not return with a backup either, and return how many."""
    keys = list(tokens.values_list("pk", flat=True))
    record_removals(Kind.TOKEN, keys)
    total, _ = AccessToken.objects.filter(pk__in=keys).delete()
    return total
