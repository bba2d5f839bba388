"""Accounts that log in through an organization: their identities, and how they are connected.

An identity consists of the issuer and the subject. A name or an e-mail address never leads to an
account, since anyone could have chosen it at a provider.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import count

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
    """The error of connect() if another account has the identity."""


def is_connected(user: AbstractBaseUser) -> bool:
    """Return whether an account logs in through the organization, and not with a password.

    An account with a password is not connected, even if it has an identity from earlier.
    """
    return not user.has_usable_password() and hasattr(user, "identity")


def user_for_claims(claims: dict) -> AbstractBaseUser | None:
    """Return the user who logs in with these claims, or None if there is no login for them.

    If no account has the identity in the claims, an account is created, provided that OIDC_ADMIT
    admits the person. None is returned if it does not, and if the account is inactive or has got
    a password since.

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

    The password and the second factor are removed. All sessions of the user end, since Django
    stores a hash of the password in each. Surveys, teams and tokens stay. Raises IdentityInUse if
    another account has the identity.

    user: the account of someone who has just shown that it is theirs, by its password or by a link
        to set its password.
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
    """Delete the identity of an account, if it has one, when the account gets a password.

    The account then no longer logs in through the organization.
    """
    Identity.objects.filter(user=user.pk).delete()


def _find_identity(claims: dict) -> Identity | None:
    """Return the stored identity with the issuer and the subject of these claims, or None."""
    identities = Identity.objects.select_related("user")
    return identities.filter(issuer=claims["iss"], subject=claims["sub"]).first()


def _is_admitted(claims: dict) -> bool:
    """Return whether a person with these claims, who has no account yet, gets one.

    OIDC_ADMIT is a list of domains. It admits people whose e-mail address, which the provider must
    have verified, is in one of them. With "*" in the list it admits everyone.
    """
    if "*" in settings.OIDC_ADMIT:
        return True

    email = str(claims.get("email", "")).casefold()
    name, _, domain = email.rpartition("@")
    is_verified = claims.get("email_verified") is True
    return bool(name) and is_verified and domain in settings.OIDC_ADMIT


def _create_user(claims: dict) -> AbstractBaseUser:
    """Create an account, store the identity in these claims for it, and return its user.

    The account has no rights and no usable password. Its user name is made from the claims, with a
    number if the name is taken. If one person logs in twice at the same moment, both logins get the
    same account.
    """
    users = get_user_model().objects
    names = _possible_names(claims)
    while True:
        name = next(names)
        if users.filter(username__iexact=name).exists():
            continue
        try:
            # The user and the identity are stored both or not at all.
            with transaction.atomic():
                user = users.create_user(name)
                Identity.objects.create(user=user, issuer=claims["iss"], subject=claims["sub"])
                return user
        except IntegrityError:
            # At the same moment another login stored this identity, or another account took the
            # name. In the second case the next name is tried.
            identity = _find_identity(claims)
            if identity:
                return identity.user


def _possible_names(claims: dict) -> Iterator[str]:
    """Yield user names for a new account without end: that of the claims, then with -2, -3, ..."""
    base_name = _user_name(claims)
    yield base_name
    for number in count(2):
        yield f"{base_name}-{number}"


def _user_name(claims: dict) -> str:
    """Return a user name for a new account, made from the claims. It may be taken already.

    It is the preferred name or, if there is none, the e-mail address, up to the @. Characters that
    a user name may not have are left out. If none is left, it is DEFAULT_USER_NAME.
    """
    full_name = claims.get("preferred_username") or claims.get("email") or ""
    first_part, _, _ = str(full_name).partition("@")
    # Django stores user names in this form of Unicode.
    normalized = unicodedata.normalize("NFKC", first_part)
    # Django allows these characters in user names, and also the @.
    allowed = re.sub(r"[^\w.+-]", "", normalized)
    if not allowed:
        return DEFAULT_USER_NAME
    return allowed[:USER_NAME_LENGTH]
