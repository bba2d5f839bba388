"""Logging in, and a second factor for those who want one."""

import base64
from urllib.parse import urlencode

import segno
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.account.forms import ConfirmForm, LoginForm, RemoveForm

NAME = "authenticator app"


class Login(LoginView):
    form_class = LoginForm
    redirect_authenticated_user = True

    def form_invalid(self, form: LoginForm) -> HttpResponse:
        response = super().form_invalid(form)
        response.status_code = 429 if form.has_error("__all__", "too-many") else 422
        return response


def admin_login(request: HttpRequest) -> HttpResponse:
    """The administration has no login of its own, or it would not ask for codes."""
    if request.user.is_authenticated:
        raise PermissionDenied
    return redirect(f"{reverse('login')}?{urlencode({'next': request.GET.get('next', reverse('admin:index'))})}")


@login_required
@never_cache
def two_factor(request: HttpRequest) -> HttpResponse:
    """Set up codes from an app, or stop asking for them."""
    confirmed = TOTPDevice.objects.devices_for_user(request.user, confirmed=True).first()
    return _remove(request, confirmed) if confirmed else _set_up(request)


def _set_up(request: HttpRequest) -> HttpResponse:
    device, _ = TOTPDevice.objects.get_or_create(user=request.user, confirmed=False, defaults={"name": NAME})
    form = ConfirmForm(device, request.POST if request.method == "POST" else None)
    if form.is_valid():
        device.confirmed = True
        device.save()
        messages.success(request, "From now on you need a code from your app to log in.")
        return redirect("two-factor")
    context = {"form": form, "secret": base64.b32encode(device.bin_key).decode()}
    return render(request, "account/set_up.html", context, status=422 if form.errors else 200)


def _remove(request: HttpRequest, device: TOTPDevice) -> HttpResponse:
    form = RemoveForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        device.delete()
        messages.success(request, "You log in with your password alone again.")
        return redirect("two-factor")
    return render(request, "account/remove.html", {"form": form}, status=422 if form.errors else 200)


@login_required
@never_cache
def qr_code(request: HttpRequest) -> HttpResponse:
    """The new secret for the app's camera; nothing once it is confirmed."""
    device = TOTPDevice.objects.devices_for_user(request.user, confirmed=False).first()
    if device is None:
        return HttpResponse(status=404)
    image = segno.make(device.config_url).svg_inline(scale=5, border=4, omitsize=False)
    return HttpResponse(image.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1), "image/svg+xml")
