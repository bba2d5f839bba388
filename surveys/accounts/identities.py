"""Accounts that log in through an organization: their identities, and how they are connected.

An identity consists of the issuer and the subject. A name or an e-mail address never leads to an
account, since anyone could have chosen it at a provider.
"""

import re
import unicodedata

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

from surveys.accounts import second_factor
from surveys.models import Identity

# The most characters of a user name that is made from a claim.
USER_NAME_LENGTH = 100
# The user name of a person whose claims hold no letter that a user name may have.
DEFAULT_USER_NAME = "researcher"


class IdentityInUse(Exception):
    """Another account logs in with this identity."""


def is_connected(user: AbstractBaseUser) -> bool:
    """Return whether an account logs in through the organization.

    An account with a password is not connected, even if it has an identity from earlier.
    """
    return not user.has_usable_password() and hasattr(user, "identity")


def user_for_claims(claims: dict) -> AbstractBaseUser | None:
    """Return the user with the identity in these claims, or create one if the site admits them.

    Returns None if the user is inactive or has set a password since (see is_connected()), or if the
    identity is unknown and OIDC_ADMIT does not admit the person.

    claims: the claims of a verified ID token.
    """
    identity = _find_identity(claims)
    if identity:
        user = identity.user
        if user.is_active and is_connected(user):
            return user
        return None
    if _is_admitted(claims):
        return _create_user(claims)
    return None


@transaction.atomic
def connect(user: AbstractBaseUser, claims: dict) -> None:
    """Make an account log in only through the organization, with the identity in these claims.

    The password and the second factor are removed, so the other sessions end. Surveys, teams and
    tokens stay. Raises IdentityInUse if another account has the identity.

    claims: the claims of a verified ID token.
    """
    identity = {"issuer": claims["iss"], "subject": claims["sub"]}
    try:
        with transaction.atomic():
            Identity.objects.update_or_create(user=user, defaults=identity)
    except IntegrityError:
        raise IdentityInUse from None
    user.set_unusable_password()
    user.save(update_fields=["password"])
    second_factor.turn_off(user)


def disconnect(user: AbstractBaseUser) -> None:
    """Delete the identity of an account, which then no longer logs in through the organization."""
    Identity.objects.filter(user=user.pk).delete()


def _find_identity(claims: dict) -> Identity | None:
    """Return the stored identity with the issuer and the subject of the claims, or None."""
    identities = Identity.objects.select_related("user")
    return identities.filter(issuer=claims["iss"], subject=claims["sub"]).first()


def _is_admitted(claims: dict) -> bool:
    """Return whether OIDC_ADMIT admits the person with these claims, who has no account yet.

    With "*" it admits everyone. Otherwise it admits people with an e-mail address that the provider
    has verified, and whose domain is listed.
    """
    if "*" in settings.OIDC_ADMIT:
        return True
    email = str(claims.get("email", "")).casefold()
    name, _, domain = email.rpartition("@")
    return bool(name) and claims.get("email_verified") is True and domain in settings.OIDC_ADMIT


def _create_user(claims: dict) -> AbstractBaseUser:
    """Create an account for the identity in these claims, and return it.

    The account has no rights and no usable password. Its user name is made from the claims, with a
    number if the name is taken. If one person logs in twice at the same moment, both logins get the
    same account.
    """
    users = get_user_model().objects
    base = _user_name(claims)
    number = 1
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
            # Another login created this identity, or another account took the name, since both were
            # looked up. In the second case the next number is tried.
            identity = _find_identity(claims)
            if identity:
                return identity.user


def _user_name(claims: dict) -> str:
    """Return a user name made from the claims, of the characters that user names may have.

    It is the preferred name or the e-mail address, up to the @, or DEFAULT_USER_NAME if nothing is
    left of it.
    """
    full_name = str(claims.get("preferred_username") or claims.get("email") or "")
    base, _, _ = full_name.partition("@")
    allowed = re.sub(r"[^\w.+-]", "", unicodedata.normalize("NFKC", base))
    return allowed[:USER_NAME_LENGTH] or DEFAULT_USER_NAME
