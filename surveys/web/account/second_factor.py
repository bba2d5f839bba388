"""The pages of the second factor: set it up, print its recovery codes, give it up."""

import base64

import django_otp
import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.accounts import account, second_factor
from surveys.web.account.forms import ConfirmForm, SureForm
from surveys.web.account.own import by_password
from surveys.web.confirm import confirm


@by_password
def two_factor(request: HttpRequest) -> HttpResponse:
    """Set up codes from an app, or stop asking for them."""
    return _turn_off(request) if second_factor.app_of(request.user) else _set_up(request)


def _set_up(request: HttpRequest) -> HttpResponse:
    device = second_factor.unconfirmed_app(request.user)
    form = ConfirmForm(request.user, device, request.POST if request.method == "POST" else None)
    if form.is_valid():
        codes = second_factor.turn_on(device)
        django_otp.login(request, device)
        account.end_logins(request.user, kept_key=request.session.session_key)
        request.session.cycle_key()
        return _codes(request, codes, is_new=True)
    context = {"form": form, "secret": base64.b32encode(device.bin_key).decode()}
    return render(request, "account/set_up.html", context, status=422 if form.errors else 200)


def _turn_off(request: HttpRequest) -> HttpResponse:
    form = SureForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        second_factor.turn_off(request.user)
        messages.success(request, "You log in with your password alone again.")
        return redirect("two-factor")
    said = (
        f"You have {_left(request)}. You log in with your password and a code from your app, or with one of these.",
        "If you lose both your phone and the codes, the site’s operator can remove the second factor.",
    )
    words = {"do": "Turn it off", "stay": "Keep it"}
    return confirm(request, None, "Turn off the second factor?", *said, **words, form=form)


@by_password
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """Ten new ones, for the password."""
    if second_factor.app_of(request.user) is None:
        return redirect("two-factor")
    form = SureForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        return _codes(request, second_factor.replace_recovery_codes(request.user))
    said = f"You have {_left(request)}. The ten new ones replace them."
    words = {"do": "Show ten new codes", "stay": "Cancel"}
    return confirm(request, None, "New recovery codes", said, **words, form=form, is_bad=False)


def _left(request: HttpRequest) -> str:
    left = second_factor.count_recovery_codes(request.user)
    return f"{left} unused recovery code{'' if left == 1 else 's'}"


def _codes(request: HttpRequest, codes: list[str], *, is_new: bool = False) -> HttpResponse:
    """Shown this one time."""
    shown = [f"{code[:4]}-{code[4:]}" for code in codes]
    return render(request, "account/codes.html", {"codes": shown, "is_new": is_new})


@by_password
def qr_code(request: HttpRequest) -> HttpResponse:
    """The new secret for the app's camera; nothing once it is confirmed."""
    device = TOTPDevice.objects.devices_for_user(request.user, confirmed=False).first()
    if device is None:
        return HttpResponse(status=404)
    image = segno.make(device.config_url).svg_inline(scale=5, border=4, omitsize=False)
    return HttpResponse(
        image.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1), "image/svg+xml"
    )
