"""Access tokens: 256 random bits shown once, kept as a hash, good for some things and for some time."""

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

SCOPES = {
    "reports": "read surveys, reports and tallies",
    "rows": "download randomized responses, row by row",
    "write": "write, publish, pause and close surveys",
    "invite": "invite people to answer, remind them and replace lost tickets",
    "team": "choose and join teams, and give surveys away",
}
NAME_LENGTH = 100
MOST = 100  # tokens of one person
AWAY = 90  # days after the last login through an organization on which tokens still work


class Expired(ValueError):
    """The token was good once."""


class OwnerAway(ValueError):
    """The token works again after its owner's next login."""


def digest(token: str) -> str:
    """What is kept of a secret that was drawn here."""
    # Plain SHA-256 is enough for a random token of full length: there is nothing to guess.
    return hashlib.sha256(token.encode()).hexdigest()


def today() -> date:
    return timezone.now().date()


def issue_token(
    user: AbstractBaseUser,
    name: str,
    scopes: Iterable[str] = tuple(SCOPES),
    expires: date | None = None,
) -> str:
    """A new token; this is the only time it can be read. It is good to the end of the day `expires`. Raises Invalid."""
    name, scopes = " ".join(name.split()), [scope for scope in SCOPES if scope in set(scopes)]
    errors = token_problems(user, name, scopes, expires)
    if errors:
        raise Invalid(errors)
    token = secrets.token_urlsafe(32)
    AccessToken.objects.create(
        user=user, name=name, sha256=digest(token), scopes=scopes, expires=expires
    )
    return token


def has_all_rights(scopes: Iterable[str]) -> bool:
    """Return whether a token with these scopes may do all that a token can do."""
    return set(SCOPES) <= set(scopes)


def token_problems(
    user: AbstractBaseUser, name: str, scopes: Iterable[str], expires: date | None
) -> dict[str, str]:
    """Return why no such token can be made, by field."""
    name, scopes = " ".join(name.split()), set(SCOPES) & set(scopes)
    errors = {}
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        errors["name"] = (
            f"Give the token a name of at most {NAME_LENGTH} letters, to recognize it later."
        )
    if not scopes:
        errors["scopes"] = "Choose at least one thing the token can be used for."
    if expires is not None and expires < today():
        errors["expires"] = "The last day must not be in the past."
    if not errors and tokens_of(user).count() >= MOST:
        errors["name"] = f"Revoke a token first. You have {MOST}, the most allowed."
    return errors


def find_token(token: str) -> AccessToken | None:
    """The token's entry with its user, or None where it is unknown or its user may not log in. Raises Expired,
    OwnerAway.

    That it is used is noted, by the day.
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
    """The last day (UTC) on which this person's tokens work without another login; None where that makes no difference.

    An organization tells nobody that someone has left: logging in there is how we notice.
    """
    if not identities.is_connected(user):
        return None
    seen = clock.happened(user.last_login) or clock.happened(user.date_joined)
    if (
        seen is None
    ):  # both were stored by a clock that was ahead: the next login is the first that counts
        return today() - timedelta(days=1)
    return seen.astimezone(UTC).date() + timedelta(days=AWAY)


def tokens_of(user: AbstractBaseUser) -> QuerySet[AccessToken]:
    """A person's tokens, the newest first."""
    return (
        AccessToken.objects.select_related("user__identity")
        .filter(user=user.pk)
        .order_by("-created", "name", "pk")
    )


def revoke(user: AbstractBaseUser, pk: UUID) -> bool:
    """Delete a token of this person; whether there was one."""
    total, _ = AccessToken.objects.filter(user=user.pk, pk=pk).delete()
    return total > 0


def revoke_all(user: AbstractBaseUser) -> int:
    """Delete all tokens of this person; returns how many there were."""
    total, _ = AccessToken.objects.filter(user=user.pk).delete()
    return total
