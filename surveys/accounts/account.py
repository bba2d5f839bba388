"""The account of a researcher: the password, the link that sets one, and the active sessions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.tokens import default_token_generator
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from surveys.accounts import identities
from surveys.accounts.tokens import revoke_all
from surveys.site import clock
from surveys.site.errors import Invalid

# The key under which a session stores the time of its login, in ISO format.
LOGIN_TIME_KEY = "since"
# A login is fresh for this time. Some steps ask for a fresh login instead of the password.
FRESH_TIME = timedelta(minutes=10)


@transaction.atomic
def set_password(user: AbstractBaseUser, password: str, *, end_tokens: bool = False) -> None:
    """Set the password of a user, which ends all sessions of the user.

    Sessions end because Django stores a hash of the password in each. An account that logged in
    through the organization is disconnected and uses the password from then on.

    end_tokens: True to delete the access tokens of the user as well.
    """
    user.set_password(password)
    user.save(update_fields=["password"])
    identities.disconnect(user)
    if end_tokens:
        revoke_all(user)


def link_to_set_password(user: AbstractBaseUser) -> str:
    """Return the path of a page that sets the password of a user once.

    The link expires after PASSWORD_RESET_TIMEOUT seconds, and as soon as the password changes or
    someone logs in to the account.
    """
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("set-password", args=[uid, default_token_generator.make_token(user)])


def update_account(user: AbstractBaseUser, name: str, email: str) -> None:
    """Change the user name and the e-mail address of a user.

    Raises Invalid if another account has this name, with the same or with other capital letters.
    """
    users = get_user_model().objects
    name_in_use = Invalid({"username": "Choose another name. This one is taken."})

    # Names that differ in case only are refused, or people are mistaken for one another.
    if users.filter(username__iexact=name).exclude(pk=user.pk).exists():
        raise name_in_use
    try:
        with transaction.atomic():
            users.filter(pk=user.pk).update(username=name, email=email)
    except IntegrityError:
        # Another account took the name since it was checked.
        raise name_in_use from None


@dataclass(frozen=True)
class Login:
    """A session of a user in one browser.

    is_this: True for the session of the current request.
    since: the time of the login, or None if it is unknown.
    """

    is_this: bool
    since: datetime | None


def active_sessions(user: AbstractBaseUser, current_key: str | None) -> list[Login]:
    """Return the active sessions of a user: the current one first, then the newest first.

    current_key: the key of the session of this request, or None if the request has none.
    """
    logins = []
    for key, data in _active_session_data(user):
        logins.append(Login(is_this=key == current_key, since=_login_time(data)))
    return sorted(logins, key=_display_order)


def _display_order(login: Login) -> tuple[bool, float]:
    """Return the sort key for the current session first, then the newest sessions first.

    Sessions whose login time is unknown come last.
    """
    timestamp = 0.0
    if login.since:
        timestamp = login.since.timestamp()
    return not login.is_this, -timestamp


def end_logins(user: AbstractBaseUser, kept_key: str | None = None) -> int:
    """Delete the active sessions of a user, and return how many were deleted.

    kept_key: the key of a session that stays, or None to delete all.
    """
    keys = [key for key, _ in _active_session_data(user) if key != kept_key]
    Session.objects.filter(pk__in=keys).delete()
    return len(keys)


def forget_old_sessions(most: int) -> int:
    """Delete at most `most` old sessions, and return how many were deleted.

    A session is old if it has expired, or if it would last longer than any session can.
    """
    now = clock.clock_now()
    # No session lasts longer than this: a later end was stored by a clock that was ahead.
    longest = timedelta(seconds=settings.SESSION_COOKIE_AGE) + clock.MOST_BEHIND
    is_old = Q(expire_date__lt=now) | Q(expire_date__gt=now + longest)
    old = Session.objects.filter(is_old).values_list("pk", flat=True)
    deleted, _ = Session.objects.filter(pk__in=list(old[:most])).delete()
    return deleted


def is_fresh(session: Mapping) -> bool:
    """Return whether the login of a session was within the last ten minutes.

    Returns False if the time of the login is unknown.
    """
    since = _login_time(session)
    now = clock.clock_now()
    if since is None:
        return False
    # A login that lies further in the future was stored by a clock that was ahead.
    return now - FRESH_TIME < since < now + FRESH_TIME


def _active_session_data(user: AbstractBaseUser) -> Iterator[tuple[str, dict]]:
    """Yield the key and the data of each active session of a user.

    All sessions of the site are read. They are few, since only researchers have one. Sessions
    from before the last change of the password are left out.
    """
    user_data = {SESSION_KEY: str(user.pk), HASH_SESSION_KEY: user.get_session_auth_hash()}
    # The hash changes with the password, so a session from before the change does not match.
    for session in Session.objects.filter(expire_date__gt=timezone.now()):
        data = session.get_decoded()
        if user_data.items() <= data.items():
            yield session.session_key, data


def _login_time(data: Mapping) -> datetime | None:
    """Return the time of the login that is stored in the data of a session.

    Returns None if the data has no such time.
    """
    if LOGIN_TIME_KEY not in data:
        return None
    return datetime.fromisoformat(data[LOGIN_TIME_KEY])
