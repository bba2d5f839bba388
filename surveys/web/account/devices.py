"""Browsers that somebody has logged in with before. Strangers who guess a password do not keep them waiting.

Such a browser has a signed cookie that goes to the login page alone. It lets nobody in, and ends with the password.
"""

import secrets

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

COOKIE, SALT = "known-device", "surveys.web.account.devices"
DAYS = 365


def known_as(request: HttpRequest, name: str) -> str:
    """What this browser is known as to the account with this name, or nothing where it is not."""
    said = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=DAYS * 86_400)
    stamp, _, device = said.partition(".")
    user = get_user_model().objects.filter(username=name).first() if device else None
    return device if user and constant_time_compare(stamp, _stamp(user)) else ""


def remember(request: HttpRequest, response: HttpResponse, user: AbstractBaseUser) -> HttpResponse:
    device = known_as(request, user.get_username()) or secrets.token_urlsafe(12)
    response.set_signed_cookie(
        COOKIE,
        f"{_stamp(user)}.{device}",
        salt=SALT,
        max_age=DAYS * 86_400,
        path=reverse("login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _stamp(user: AbstractBaseUser) -> str:
    """Of this account with this password."""
    return salted_hmac(
        SALT, f"{user.pk} {user.get_session_auth_hash()}", algorithm="sha256"
    ).hexdigest()
