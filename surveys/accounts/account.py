"""A person's own account: its password, the link that sets one, and where it is logged in."""

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

SINCE = "since"  # in a session: when it began
FRESH = timedelta(minutes=10)


@transaction.atomic
def set_password(user: AbstractBaseUser, password: str, *, end_tokens: bool = False) -> None:
    """Every session of before ends, since Django's sessions carry a hash of the password. Tokens end if asked. An
    account that logged in through the organization has its password in place of that.
    """
    user.set_password(password)
    user.save(update_fields=["password"])
    identities.disconnect(user)
    if end_tokens:
        revoke_all(user)


def link_to_set_password(user: AbstractBaseUser) -> str:
    """The path of a page that sets this account's password: once, for PASSWORD_RESET_TIMEOUT seconds, and only until
    somebody logs in with the password of before."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("set-password", args=[uid, default_token_generator.make_token(user)])


def update_account(user: AbstractBaseUser, name: str, email: str) -> None:
    """Change user name and e-mail. Raises Invalid if the name is taken."""
    users = get_user_model().objects
    taken = Invalid({"username": "Choose another name. This one is taken."})
    if (
        users.filter(username__iexact=name).exclude(pk=user.pk).exists()
    ):  # or people are mistaken for each other
        raise taken
    try:
        with transaction.atomic():
            users.filter(pk=user.pk).update(username=name, email=email)
    except IntegrityError:  # in the same moment
        raise taken from None


@dataclass(frozen=True)
class Login:
    """A browser that is logged in. since: None where it is not known."""

    is_this: bool
    since: datetime | None


def active_sessions(user: AbstractBaseUser, this: str | None) -> list[Login]:
    """Return the sessions of a user, this one first."""
    listed = [Login(key == this, _since(data)) for key, data in _sessions(user)]
    return sorted(
        listed,
        key=lambda login: (not login.is_this, -(login.since.timestamp() if login.since else 0)),
    )


def end_logins(user: AbstractBaseUser, but: str | None = None) -> int:
    """Log the person out everywhere but in this session; returns in how many browsers."""
    keys = [key for key, _ in _sessions(user) if key != but]
    Session.objects.filter(pk__in=keys).delete()
    return len(keys)


def forget_old_sessions(most: int) -> int:
    """Delete at most so many logins that have run out; returns how many."""
    now = clock.clock_now()
    # No login lasts longer than this: a later end was stored by a clock that was ahead.
    longest = timedelta(seconds=settings.SESSION_COOKIE_AGE) + clock.EARLIER
    is_old = Q(expire_date__lt=now) | Q(expire_date__gt=now + longest)
    old = Session.objects.filter(is_old).values_list("pk", flat=True)
    deleted, _ = Session.objects.filter(pk__in=list(old[:most])).delete()
    return deleted


def is_fresh(session: Mapping) -> bool:
    """Whether it began within the last ten minutes."""
    since, now = _since(session), clock.clock_now()
    return (
        since is not None and now - FRESH < since < now + FRESH
    )  # later ones are of a clock that was ahead


def _sessions(user: AbstractBaseUser) -> Iterator[tuple[str, dict]]:
    """Only researchers have sessions, so all of them are few. What a changed password has ended is left out."""
    mine = {SESSION_KEY: str(user.pk), HASH_SESSION_KEY: user.get_session_auth_hash()}
    for session in Session.objects.filter(expire_date__gt=timezone.now()):
        data = session.get_decoded()
        if mine.items() <= data.items():
            yield session.session_key, data


def _since(data: Mapping) -> datetime | None:
    return datetime.fromisoformat(data[SINCE]) if SINCE in data else None
