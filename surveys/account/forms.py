"""Logging in, with a code from an authenticator app where the person has set one up."""

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django_otp import devices_for_user, match_token
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.limits import Limit

FAILURES = Limit(times=10, seconds=15 * 60)
TOO_MANY = "Too many attempts for this name. Wait a quarter of an hour, then try again."
CODE = "The code is wrong or has expired. Type the six digits that your app shows now."


class CodeField(forms.CharField):
    """Six digits, as an authenticator app shows them, often with a space in the middle."""

    def __init__(self, **options: object) -> None:
        super().__init__(max_length=20, strip=True, **options)

    def to_python(self, value: object) -> str:
        return super().to_python(value).replace(" ", "")


class LoginForm(AuthenticationForm):
    code = CodeField(required=False, label="Code", help_text="Only if you have set up an authenticator app.")
    error_messages = {
        "invalid_login": "The username or the password is wrong. Check both; capital letters count.",
        "inactive": "The username or the password is wrong. Check both; capital letters count.",
    }

    def clean(self) -> dict:
        name = str(self.cleaned_data.get("username", "")).casefold()
        if FAILURES.reached(name):
            raise ValidationError(TOO_MANY, code="too-many")
        try:
            cleaned = super().clean()
        except ValidationError:
            FAILURES.count(name)
            raise
        FAILURES.forget(name)
        return cleaned

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        super().confirm_login_allowed(user)
        if any(devices_for_user(user)) and match_token(user, self.cleaned_data.get("code", "")) is None:
            raise ValidationError(CODE, code="code")


class ConfirmForm(forms.Form):
    """Shows that the app and the site agree, before the site starts to ask for codes."""

    code = CodeField(label="Code", error_messages={"required": CODE})

    def __init__(self, device: TOTPDevice, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        self.device = device

    def clean_code(self) -> str:
        code = self.cleaned_data["code"]
        if not self.device.verify_token(code):
            raise ValidationError(CODE)
        return code


class RemoveForm(forms.Form):
    password = forms.CharField(strip=False, error_messages={"required": "Type your password."})

    def __init__(self, user: AbstractBaseUser, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        self.user = user

    def clean_password(self) -> str:
        if not self.user.check_password(self.cleaned_data["password"]):
            raise ValidationError("This is not your password.")
        return self.cleaned_data["password"]
