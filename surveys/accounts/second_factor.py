"""The second factor: codes from an authenticator app, and ten recovery codes for the day on which it is lost."""

from collections.abc import Mapping

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django_otp import DEVICE_ID_SESSION_KEY, devices_for_user, verify_token
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

CODES = 10
APP_NAME, RECOVERY_NAME = "authenticator app", "recovery codes"


def app_of(user: AbstractBaseUser) -> TOTPDevice | None:
    """The app whose codes are asked for at login; None where the password is enough."""
    return TOTPDevice.objects.devices_for_user(user, confirmed=True).first()


def unconfirmed_app(user: AbstractBaseUser) -> TOTPDevice:
    """The app that is being set up; nothing is asked of it yet."""
    device, _ = TOTPDevice.objects.get_or_create(
        user=user, confirmed=False, defaults={"name": APP_NAME}
    )
    return device


@transaction.atomic
def turn_on(device: TOTPDevice) -> list[str]:
    """Ask for its codes from now on. Returns the recovery codes, to be shown once."""
    device.confirmed = True
    device.save()
    return replace_recovery_codes(device.user)


@transaction.atomic
def turn_off(user: AbstractBaseUser) -> None:
    for devices in (TOTPDevice, StaticDevice):
        devices.objects.filter(user=user).delete()


@transaction.atomic
def replace_recovery_codes(user: AbstractBaseUser) -> list[str]:
    """Ten new recovery codes of 40 random bits; those of before open nothing any more."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name=RECOVERY_NAME)
    codes = [StaticToken.random_token() for _ in range(CODES)]
    device.token_set.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def count_recovery_codes(user: AbstractBaseUser) -> int:
    return StaticToken.objects.filter(device__user=user).count()


def has_recovery_code(user: AbstractBaseUser, code: str) -> bool:
    """Whether this is one of the person's recovery codes, without using it up."""
    return bool(code) and StaticToken.objects.filter(device__user=user, token=code).exists()


def accepting_device(user: AbstractBaseUser, code: str) -> Device | None:
    """Return the device of this person that accepts the code, which uses the code up; None if no device does."""
    device = app_of(user)
    if device is None:
        return None
    if has_recovery_code(user, code):
        device = StaticDevice.objects.get(user=user)
    return verify_token(user, device.persistent_id, code)


def has_given_code(user: AbstractBaseUser, session: Mapping) -> bool:
    """Return whether this session gave a code of a device that the person still has."""
    device_id = session.get(DEVICE_ID_SESSION_KEY, "")
    return any(device.persistent_id == device_id for device in devices_for_user(user))
