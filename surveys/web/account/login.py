"""Logging in, and the page of a link that sets a password."""

from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.views import LoginView, LogoutView, PasswordResetConfirmView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils.text import capfirst

from surveys.accounts import identities, provider, second_factor
from surveys.accounts.account import LOGIN_TIME_KEY
from surveys.site import clock
from surveys.web.account import administration, devices
from surveys.web.account.forms import LoginForm, NewPasswordForm

BEFORE = "before"  # in a session: when the person had logged in the last time before


class Login(LoginView):
    form_class = LoginForm

    @property
    def redirect_authenticated_user(self) -> bool:
        """False for people whom the administration has sent here to log in again with a code."""
        return not administration.needs_code(self.request)

    def form_valid(self, form: LoginForm) -> HttpResponse:
        user = form.get_user()
        before = user.last_login
        response = super().form_valid(form)
        note_login(self.request, before)
        return devices.remember(self.request, response, user)

    def get_context_data(self, **options: object) -> dict:
        return super().get_context_data(**options) | {"organization": provider.organization_name()}

    def form_invalid(self, form: LoginForm) -> HttpResponse:
        response = super().form_invalid(form)
        response.status_code = 429 if form.seconds else 422
        if form.seconds:
            response["Retry-After"] = str(form.seconds)
        return response


def note_login(request: HttpRequest, before: datetime | None) -> None:
    """When this session began; before: when the person had logged in the last time."""
    request.session[LOGIN_TIME_KEY] = clock.clock_now().isoformat()
    request.session[BEFORE] = before.isoformat() if before else ""


class Logout(LogoutView):
    """The organization may still know the browser: then one click would be enough to come back, and people are told."""

    def post(self, request: HttpRequest, *args: object, **options: object) -> HttpResponse:
        is_theirs = request.user.is_authenticated and identities.is_connected(request.user)
        response = super().post(request, *args, **options)
        if not (is_theirs and provider.is_on()):
            return response
        name = capfirst(provider.organization_name())
        sentence = f"You are logged out here. {name} may still know this browser. If others use it, log out there too."
        messages.success(request, sentence)
        return redirect("login")


def admin_login(request: HttpRequest) -> HttpResponse:
    """The administration has no login of its own, or it would not ask for codes."""
    if administration.needs_code(request):
        messages.warning(request, administration.LOG_IN_AGAIN)
    elif request.user.is_authenticated:
        raise PermissionDenied
    return redirect(
        f"{reverse('login')}?{urlencode({'next': request.GET.get('next', reverse('admin:index'))})}"
    )


class SetPassword(PasswordResetConfirmView):
    """Sets the password of the link's account and logs nobody in. The link works once."""

    form_class = NewPasswordForm
    template_name = "account/set_password.html"
    success_url = reverse_lazy("login")

    def get_user(self, uidb64: str) -> AbstractBaseUser | None:
        user = super().get_user(uidb64)
        return user if user and user.is_active else None

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(
            self.request,
            f"The password of {self.user.get_username()} is set. You can log in with it.",
        )
        return devices.remember(self.request, response, self.user)

    def get_context_data(self, **options: object) -> dict:
        days = timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT).days
        if not self.validlink:
            options["form"] = None  # there may be no account to make one for
        through = (
            provider.organization_name()
            if self.validlink and not second_factor.app_of(self.user)
            else ""
        )
        more = {
            "account": self.user,
            "days": days,
            "organization": through,
            "uid": self.kwargs["uidb64"],
        }
        return super().get_context_data(**options) | more

    def render_to_response(self, context: dict, **options: object) -> HttpResponse:
        response = super().render_to_response(context, **options)
        response.status_code = 404 if not self.validlink else 422 if context["form"].errors else 200
        return response
