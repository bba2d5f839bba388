"""The account of a researcher: the password, the link that sets one, and the active sessions."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.tokens import default_token_generator
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from surveys.accounts import identities
from surveys.accounts.tokens import revoke_all
from surveys.site import clock
from surveys.site.errors import Invalid
from surveys.site.removals import Kind, record_removal

# The key under which a session stores the time of its login, in ISO format.
LOGIN_TIME_KEY = "since"
# A login is fresh for this time. Some steps ask for a fresh login instead of the password.
FRESH_TIME = timedelta(minutes=10)


@transaction.atomic
def set_password(user: AbstractBaseUser, password: str, *, end_tokens: bool = False) -> None:
    """Set the password of a user, which ends all sessions of the user.

    An account that logged in through the organization is disconnected, and uses the password from
    then on.

    end_tokens: True to delete the access tokens of the user as well.
    """
    user.set_password(password)
    # Django stores a hash of the password in each session, so no session fits the new password.
    user.save(update_fields=["password"])
    identities.disconnect(user)
    if end_tokens:
        revoke_all(user)


def link_to_set_password(user: AbstractBaseUser) -> str:
    """Return the path of a page on which a user can set the password of the account, once.

    A command makes this link for new researchers and for those who forgot their password. It
    expires after PASSWORD_RESET_TIMEOUT seconds, and as soon as the password changes or someone
    logs in to the account.
    """
    # These are the two parts that Django's PasswordResetConfirmView expects in the address.
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    return reverse("set-password", args=[uid, token])


def update_account(user: AbstractBaseUser, name: str, email: str) -> None:
    """Store a new user name and e-mail address of a user.

    Raises Invalid if another account has this name, with the same or with other capital letters.
    """
    users = get_user_model().objects
    name_in_use = Invalid({"username": "Choose another name. This one is taken."})

    # The database allows names that differ in capital letters only. People would mistake them for
    # one another, so they are refused here.
    if users.filter(username__iexact=name).exclude(pk=user.pk).exists():
        raise name_in_use
    try:
        # The error undoes only this inner transaction, so the caller can go on with the database.
        with transaction.atomic():
            users.filter(pk=user.pk).update(username=name, email=email)
    except IntegrityError:
        # Another account took the name since it was checked.
        raise name_in_use from None


@transaction.atomic
def delete_account(user: AbstractBaseUser) -> None:
    """Delete the account of a user, so that it does not return with a backup either.

    Raises ProtectedError if the user owns surveys.
    """
    record_removal(Kind.ACCOUNT, removal_id(user))
    user.delete()


def removal_id(user: AbstractBaseUser) -> str:
    """Return the id of an account in the journal of removals.

    The primary key alone is not enough: after a restore a new account may get the number of one
    that was deleted. The hash of the time of creation tells them apart.
    """
    joined = user.date_joined.astimezone(UTC).isoformat()
    joined_hash = hashlib.sha256(f"{user.pk} {joined}".encode()).hexdigest()
    return f"{user.pk}-{joined_hash[:16]}"


@dataclass(frozen=True)
class Login:
    """An active session of a user in one browser, as the list of sessions shows it.

    is_this: True for the session of the current request.
    since: the time of the login, or None if it is unknown.
    """

    is_this: bool
    since: datetime | None


def active_sessions(user: AbstractBaseUser, current_key: str | None) -> list[Login]:
    """Return the active sessions of a user, for the page that lists them.

    The session of this request comes first, then the one with the latest login.

    current_key: the key of the session of this request, or None if the request has none.
    """
    logins = []
    for key, data in _active_session_data(user):
        logins.append(Login(is_this=key == current_key, since=_login_time(data)))
    return sorted(logins, key=_display_order)


def _display_order(login: Login) -> tuple[bool, float]:
    """Return the sort key for the session of this request first, then the latest logins first.

    Sessions whose login time is unknown come last.
    """
    timestamp = 0.0
    if login.since:
        timestamp = login.since.timestamp()
    # False comes before True, so the session of this request comes first.
    return not login.is_this, -timestamp


def end_logins(user: AbstractBaseUser, kept_key: str | None = None) -> int:
    """Delete the active sessions of a user, and return how many were deleted.

    So users log out in their other browsers.

    kept_key: the key of a session that stays, usually that of the request; None to delete all.
    """
    keys = [key for key, _ in _active_session_data(user) if key != kept_key]
    Session.objects.filter(pk__in=keys).delete()
    return len(keys)


def end_all_logins() -> int:
    """Delete all sessions of the site, and return how many were deleted."""
    deleted, _ = Session.objects.all().delete()
    return deleted


def forget_old_sessions(most: int) -> int:
    """Delete at most `most` old sessions of all users, and return how many were deleted.

    A session is old if it has expired. It is also old if it would last longer than any session can,
    as after a login while the clock was ahead. The command "seal" calls this until nothing is left.
    Each call is short, so others can write in between.
    """
    now = clock.clock_now()
    # No session lasts longer than this: a later end was stored by a clock that was ahead. Clocks
    # may differ by MOST_BEHIND.
    longest = timedelta(seconds=settings.SESSION_COOKIE_AGE) + clock.MOST_BEHIND
    is_old = Q(expire_date__lt=now) | Q(expire_date__gt=now + longest)
    old_keys = Session.objects.filter(is_old).values_list("pk", flat=True)
    # A query that deletes cannot be limited, so the keys are read first.
    deleted, _ = Session.objects.filter(pk__in=list(old_keys[:most])).delete()
    return deleted


def is_fresh(session: Mapping) -> bool:
    """Return whether the login of a session was within the last ten minutes.

    Some steps ask for such a login if the user has no password here. Returns False if the time of
    the login is unknown, or lies more than ten minutes in the future.

    session: the data of the session.
    """
    since = _login_time(session)
    now = clock.clock_now()
    if since is None:
        return False
    # Clocks may differ a little, so a login may seem to lie in the future. One that lies further
    # there was stored by a clock that was ahead.
    return now - FRESH_TIME < since < now + FRESH_TIME


def _active_session_data(user: AbstractBaseUser) -> Iterator[tuple[str, dict]]:
    """Yield the key and the data of each active session of a user.

    Sessions that have expired, and those from before the last change of the password, are left out.
    """
    # Django stores the primary key and a hash of the password in the data of a session.
    user_pk = str(user.pk)
    password_hash = user.get_session_auth_hash()
    # The data is encoded, so no query can search for the user. All sessions of the site are read.
    # They are few, since only researchers have one.
    for session in Session.objects.filter(expire_date__gt=clock.clock_now()):
        data = session.get_decoded()
        is_of_user = data.get(SESSION_KEY) == user_pk
        # In a session from before a change of the password, the hash is that of the old one.
        if is_of_user and data.get(HASH_SESSION_KEY) == password_hash:
            yield session.session_key, data


def _login_time(data: Mapping) -> datetime | None:
    """Return the time of the login, from the data of a session; None if the data has no time."""
    if LOGIN_TIME_KEY not in data:
        return None
    return datetime.fromisoformat(data[LOGIN_TIME_KEY])
