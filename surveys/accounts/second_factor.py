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
# The names of the two devices in the database.
APP_NAME = "authenticator app"
RECOVERY_NAME = "recovery codes"


def app_of(user: AbstractBaseUser) -> TOTPDevice | None:
    """Return the authenticator app whose codes a user needs at login.

    Returns None if the password is enough. An app that the user is still setting up does not count.
    """
    return TOTPDevice.objects.devices_for_user(user, confirmed=True).first()


def unconfirmed_app(user: AbstractBaseUser) -> TOTPDevice:
    """Return the app that a user is setting up, and create it if necessary.

    Its codes are not required until turn_on() is called.
    """
    device, _ = TOTPDevice.objects.get_or_create(
        user=user, confirmed=False, defaults={"name": APP_NAME}
    )
    return device


@transaction.atomic
def turn_on(device: TOTPDevice) -> list[str]:
    """Require the codes of this app from now on, and return new recovery codes to be shown once."""
    device.confirmed = True
    device.save()
    return replace_recovery_codes(device.user)


@transaction.atomic
def turn_off(user: AbstractBaseUser) -> None:
    """Delete the app and the recovery codes of a user. The password is enough from now on."""
    for devices in (TOTPDevice, StaticDevice):
        devices.objects.filter(user=user).delete()


@transaction.atomic
def replace_recovery_codes(user: AbstractBaseUser) -> list[str]:
    """Delete the recovery codes of a user, and return ten new codes of 40 random bits."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name=RECOVERY_NAME)
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODE_COUNT)]
    device.token_set.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def count_recovery_codes(user: AbstractBaseUser) -> int:
    """Return how many recovery codes of a user are not used up."""
    return StaticToken.objects.filter(device__user=user).count()


def has_recovery_code(user: AbstractBaseUser, code: str) -> bool:
    """Return whether this is a recovery code of the user. The code is not used up.

    A wrong code is not counted here. The login asks this before it checks the password, since
    someone with a recovery code need not wait for the failures of strangers. accepting_device()
    asks it to choose the device.
    """
    return bool(code) and StaticToken.objects.filter(device__user=user, token=code).exists()


def accepting_device(user: AbstractBaseUser, code: str) -> Device | None:
    """Return the device of a user that accepts the code, which uses the code up.

    The device is the app or the list of recovery codes. Returns None if neither accepts the code,
    or if the user has no second factor.
    """
    device = app_of(user)
    if device is None:
        return None
    # Each wrong code delays the next attempt at its device. So the code is only tried at the device
    # that it can belong to.
    if has_recovery_code(user, code):
        device = StaticDevice.objects.get(user=user)
    return verify_token(user, device.persistent_id, code)


def has_given_code(user: AbstractBaseUser, session: Mapping) -> bool:
    """Return whether a code was given in this session, of a device that the user still has.

    The session stores the device at login, and when the app is set up. Returns False if no code was
    given, or if the device has been deleted since. New recovery codes are a new device.

    The administration asks this of operators with a second factor, since a session can be older
    than the second factor.

    session: the data of the session.
    """
    device_id = session.get(DEVICE_ID_SESSION_KEY, "")
    return any(device.persistent_id == device_id for device in devices_for_user(user))
