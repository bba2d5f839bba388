"""What people type at the door and about themselves. Whoever guesses has to wait: surveys.accounts.login_delays."""

from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import AuthenticationForm, SetPasswordForm, UsernameField
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.accounts import (
    account,
    confirmation,
    identities,
    login_delays,
    second_factor,
    time_zones,
    tokens,
)
from surveys.web.account import devices
from surveys.web.widgets import Line, Select, Switch

CODE = "The code is wrong or has expired. Type the six digits that your app shows now, or one of your recovery codes."
RULES = (
    "At least 8 characters, not all of them digits, not like your name, and none of "
    "the passwords that are used most."
)


class Wait(ValidationError):
    """Nobody looked at what was typed, since there was a wrong password before."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            login_delays.WAIT_MESSAGE, "wait", {"seconds": login_delays.in_words(seconds)}
        )
        self.seconds = seconds


class CodeField(forms.CharField):
    """As an app shows it or as it is printed: with a space or a hyphen in the middle, in whatever capitals."""

    def __init__(self, **options: object) -> None:
        widget = Line(5, autocomplete="one-time-code", spellcheck="false", autocapitalize="none")
        super().__init__(max_length=20, strip=True, widget=widget, **options)

    def to_python(self, value: object) -> str:
        return super().to_python(value).replace(" ", "").replace("-", "").lower()


NAME = Line(20, autocomplete="username", spellcheck="false", autocapitalize="none")


def _secret(size: int | None = None) -> forms.PasswordInput:
    return forms.PasswordInput(
        {"autocomplete": "current-password"} | ({"size": size} if size else {})
    )


class LoginForm(AuthenticationForm):
    use_required_attribute = False
    username = UsernameField(widget=NAME)
    password = forms.CharField(label="Password", strip=False, widget=_secret(20))
    code = CodeField(
        required=False,
        label="Code",
        help_text="Only if you have set up an authenticator app: what it shows now, or a recovery code.",
    )
    error_messages = {
        "invalid_login": "The username or the password is wrong. Check both; capital letters count.",
        "inactive": "The username or the password is wrong. Check both; capital letters count.",
    }
    seconds = 0  # to wait

    def clean(self) -> dict:
        if self.errors:
            return self.cleaned_data
        lane = _lane(self.request, self.cleaned_data["username"], self.cleaned_data["code"])
        self.seconds = login_delays.reserve_attempt(lane)
        if self.seconds:
            raise Wait(self.seconds)
        cleaned = super().clean()
        login_delays.clear_failures(lane)
        return cleaned

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        super().confirm_login_allowed(user)
        if second_factor.app_of(user) is None:
            return
        device = second_factor.accepting_device(user, self.cleaned_data["code"])
        if device is None:
            raise ValidationError(CODE, code="code")
        user.otp_device = device  # django_otp notes it in the session when the person is logged in


def _lane(request: HttpRequest, name: str, code: str) -> str:
    """Whose wrong passwords a guess has to wait for: those of this browser, where it is known, or of whoever has a
    recovery code; otherwise those of all strangers.

    The six digits of an app do not open a lane of their own. They would have to be checked without any delay, and
    whoever has the password could try a million of them in an hour.
    """
    if device := devices.known_as(request, name):
        return f"device {device}"
    user = get_user_model().objects.filter(username=name).first() if code else None
    if user and second_factor.has_recovery_code(user, code):
        return f"code {user.pk}"
    return f"name {name.casefold()}"


class Sure(forms.Form):
    """Asks for the password once more: a browser that was left open must not be enough. `user` is whose."""

    use_required_attribute = False
    user: AbstractBaseUser

    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=_secret(),
        error_messages={"required": confirmation.CONFIRMATION_MISSING},
    )

    def clean_password(self) -> str:
        typed = self.cleaned_data["password"]
        if problem := confirmation.password_problem(self.user, typed):
            raise ValidationError(problem)
        return typed


class SureForm(Sure):
    """People who log in through their organization have no password here: they have just logged in there again."""

    def __init__(self, user: AbstractBaseUser, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user = user
        if identities.is_connected(user):
            del self.fields["password"]


class NewPasswordForm(SetPasswordForm):
    """Sets the password of an account, by its link."""

    use_required_attribute = False
    end_tokens = forms.BooleanField(required=False, widget=Switch())

    def __init__(self, user: AbstractBaseUser, *args: Any, **options: Any) -> None:
        super().__init__(user, *args, **options)
        self.fields["new_password1"].help_text = RULES
        self.fields["new_password2"].label = "The new password again"
        self.fields["new_password2"].help_text = ""
        if total := tokens.tokens_of(user).count():
            self.fields["end_tokens"].label = "Revoke all API tokens too"
            self.fields[
                "end_tokens"
            ].help_text = f"{total} now. Otherwise programs that use them go on as before."
        else:
            del self.fields["end_tokens"]

    def save(self, commit: bool = True) -> AbstractBaseUser:
        end_tokens = bool(self.cleaned_data.get("end_tokens"))
        account.set_password(self.user, self.cleaned_data["new_password1"], end_tokens=end_tokens)
        return self.user


class PasswordForm(NewPasswordForm, Sure):
    """Changes it, for whoever knows the one of before."""

    field_order = ["password", "new_password1", "new_password2", "end_tokens"]


class NameForm(SureForm):
    username = UsernameField(
        max_length=150,
        validators=[
            UnicodeUsernameValidator(
                message="Use letters, digits and @ . + - _ only, as ada.lovelace."
            )
        ],
        label="Name",
        widget=NAME,
        help_text="You log in with it, and colleagues see it. Lines of a history keep the name that you had.",
    )
    email = forms.EmailField(
        required=False,
        max_length=254,
        label="Email (optional)",
        widget=Line(20, type="email", autocomplete="email"),
        help_text="For the site’s operator, to reach you. Candor itself sends no mail.",
    )
    field_order = ["username", "email", "password"]

    def __init__(self, user: AbstractBaseUser, *args: Any, **options: Any) -> None:
        super().__init__(user, *args, **options)
        if identities.is_connected(user):
            self.fields[
                "username"
            ].help_text = "Colleagues see it. Lines of a history keep the name that you had."


class ZoneForm(forms.Form):
    time_zone = forms.Field(
        required=False,
        label="Time zone",
        help_text="Pages show times in it, and you type times in it. Files and programs have them in UTC.",
        widget=Select(choices=lambda: [(name, name) for name in time_zones.zone_names()]),
    )


class ConfirmForm(SureForm):
    """Shows that the app and the site agree, before the site starts to ask for codes."""

    code = CodeField(label="Code", error_messages={"required": CODE})
    field_order = ["code", "password"]

    def __init__(
        self, user: AbstractBaseUser, device: TOTPDevice, *args: Any, **options: Any
    ) -> None:
        super().__init__(user, *args, **options)
        self.device = device

    def clean(self) -> dict[str, Any]:
        """Check the code after the password, because a code that was checked works no second time."""
        cleaned = super().clean()
        if not self.errors and not self.device.verify_token(cleaned["code"]):
            self.add_error("code", CODE)
        return cleaned
