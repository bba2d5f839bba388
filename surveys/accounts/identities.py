"""Accounts that log in through an organization: whose they are, and how an account is connected.

People are known by issuer and subject alone. No name and no e-mail ever leads to an account: anyone could have chosen
them at a provider.
"""

import re
import unicodedata

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

from surveys.accounts import second_factor
from surveys.models import Identity

LONGEST = 100  # letters of a name that is made from a claim
NAMELESS = "researcher"


class IdentityInUse(Exception):
    """Another account logs in with this identity."""


def is_connected(user: AbstractBaseUser) -> bool:
    """Whether this account logs in through the organization. A password set since then puts the connection out."""
    return not user.has_usable_password() and hasattr(user, "identity")


def user_for_claims(claims: dict) -> AbstractBaseUser | None:
    """Return the user of these claims, or None."""
    if identity := _identity(claims):
        user = identity.user
        return user if user.is_active and is_connected(user) else None
    return _new(claims) if _admits(claims) else None


@transaction.atomic
def connect(user: AbstractBaseUser, claims: dict) -> None:
    """From now on this account logs in through the organization alone; its other sessions end. Surveys, teams and
    tokens stay. Raises Taken.
    """
    own = {"issuer": claims["iss"], "subject": claims["sub"]}
    try:
        with transaction.atomic():
            Identity.objects.update_or_create(user=user, defaults=own)
    except IntegrityError:
        raise IdentityInUse from None
    user.set_unusable_password()
    user.save(update_fields=["password"])
    second_factor.turn_off(user)


def disconnect(user: AbstractBaseUser) -> None:
    Identity.objects.filter(user=user.pk).delete()


def _identity(claims: dict) -> Identity | None:
    return (
        Identity.objects.select_related("user")
        .filter(issuer=claims["iss"], subject=claims["sub"])
        .first()
    )


def _admits(claims: dict) -> bool:
    if "*" in settings.OIDC_ADMIT:
        return True
    name, _, domain = str(claims.get("email", "")).casefold().rpartition("@")
    return bool(name) and claims.get("email_verified") is True and domain in settings.OIDC_ADMIT


def _new(claims: dict) -> AbstractBaseUser | None:
    """An account without a right to anything. Two logins of one person in the same moment get the same one."""
    users, base, number = get_user_model().objects, _name(claims), 1
    while True:
        name = base if number == 1 else f"{base}-{number}"
        number += 1
        if users.filter(username__iexact=name).exists():
            continue
        try:
            with transaction.atomic():
                user = users.create_user(name)
                Identity.objects.create(user=user, issuer=claims["iss"], subject=claims["sub"])
                return user
        except IntegrityError:
            if identity := _identity(claims):
                return identity.user


def _name(claims: dict) -> str:
    """In the letters that our names have."""
    base = str(claims.get("preferred_username") or claims.get("email") or "").partition("@")[0]
    return re.sub(r"[^\w.+-]", "", unicodedata.normalize("NFKC", base))[:LONGEST] or NAMELESS
