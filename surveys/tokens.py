"""Access tokens: 256 random bits shown once, kept as a hash."""

import hashlib
import secrets

from django.contrib.auth.models import AbstractBaseUser

from surveys.models import AccessToken


def _hash(token: str) -> str:
    # Plain SHA-256 is enough for a random token of full length: there is nothing to guess.
    return hashlib.sha256(token.encode()).hexdigest()


def issue_token(user: AbstractBaseUser, name: str) -> str:
    """A new token; this is the only time it can be read."""
    token = secrets.token_urlsafe(32)
    AccessToken.objects.create(user=user, name=name, sha256=_hash(token))
    return token


def find_token(token: str) -> AccessToken | None:
    """The token's entry with its user, or None where it is unknown or its user may not log in."""
    entries = AccessToken.objects.select_related("user")
    return entries.filter(sha256=_hash(token), user__is_active=True).first()
