"""The second factor: codes of an authenticator app, and ten recovery codes if the app is lost."""

from collections.abc import Mapping

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django_otp import DEVICE_ID_SESSION_KEY, devices_for_user, verify_token
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

# How many recovery codes a user gets at a time.
RECOVERY_CODE_COUNT = 10
# The names of the two devices in the database. django-otp, which checks the codes, calls everything
# a device that accepts codes: the app is a TOTPDevice, and the list of recovery codes a
# StaticDevice.
APP_NAME = "authenticator app"
RECOVERY_NAME = "recovery codes"


def app_of(user: AbstractBaseUser) -> TOTPDevice | None:
    """Return the authenticator app whose codes a user needs at login.

    Returns None if the password is enough. An app that the user is still setting up does not count.
    """
    return TOTPDevice.objects.devices_for_user(user, confirmed=True).first()


def unconfirmed_app(user: AbstractBaseUser) -> TOTPDevice:
    """Return the authenticator app that a user is setting up, and create it if necessary.

    The page on which users set up the second factor calls this. Codes of the app are not required
    at login until turn_on() is called.
    """
    device, _ = TOTPDevice.objects.get_or_create(
        user=user, confirmed=False, defaults={"name": APP_NAME}
    )
    return device


@transaction.atomic
def turn_on(device: TOTPDevice) -> list[str]:
    """Require codes of an authenticator app at login from now on, and return new recovery codes.

    This is the last step of setting up the second factor, after the user has typed a code of the
    app. The recovery codes are for the user, and are shown once.

    device: the app, as unconfirmed_app() returned it.
    """
    device.confirmed = True
    device.save()
    return replace_recovery_codes(device.user)


@transaction.atomic
def turn_off(user: AbstractBaseUser) -> None:
    """Delete the authenticator app and the recovery codes of a user.

    The password is enough at login from now on.
    """
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


@transaction.atomic
def replace_recovery_codes(user: AbstractBaseUser) -> list[str]:
    """Delete the recovery codes of a user, and return ten new ones, to be shown once.

    Each code has 40 random bits.
    """
    # The codes belong to the device, and are deleted with it.
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name=RECOVERY_NAME)
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODE_COUNT)]
    device.token_set.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def count_recovery_codes(user: AbstractBaseUser) -> int:
    """Return how many recovery codes a user has left. A code that is used up is deleted."""
    return StaticToken.objects.filter(device__user=user).count()


def has_recovery_code(user: AbstractBaseUser, code: str) -> bool:
    """Return whether this is a recovery code of the user that is not used up.

    Asking does not use the code up, and does not count a wrong one. The login asks this before it
    checks the password, since someone with a recovery code need not wait for the failures of
    strangers.

    code: what was typed, or "".
    """
    return bool(code) and StaticToken.objects.filter(device__user=user, token=code).exists()


def accepting_device(user: AbstractBaseUser, code: str) -> Device | None:
    """Return the device that accepts a code at login: the app or the list of recovery codes.

    A code that is accepted is used up. A wrong code delays the next attempt, and until then no code
    is accepted. Returns None if the code is not accepted, or if the user has no second factor.
    """
    device = app_of(user)
    if device is None:
        return None

    # Each wrong code delays the next attempt at the device. So the code is tried at one device
    # only: at the recovery codes if it is one of them, and otherwise at the app.
    if has_recovery_code(user, code):
        device = StaticDevice.objects.get(user=user)
    # verify_token() returns the device if it accepts the code, and None if it does not.
    return verify_token(user, device.persistent_id, code)


def has_given_code(user: AbstractBaseUser, session: Mapping) -> bool:
    """Return whether the user has typed a code of the second factor in this session.

    The administration asks this, since a session can be older than the second factor. Returns False
    also if the device whose code was typed has been deleted since, as when the recovery codes were
    replaced.

    session: the data of the session.
    """
    # django-otp stores the device in the session, at login and when the app is set up.
    device_id = session.get(DEVICE_ID_SESSION_KEY, "")
    return any(device.persistent_id == device_id for device in devices_for_user(user))
