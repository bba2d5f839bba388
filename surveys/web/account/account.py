"""The pages of a person's own account: name, password, time zone, and where it is logged in."""

from collections.abc import Callable
from datetime import datetime

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from surveys.accounts import account, identities, provider, second_factor, time_zones, tokens
from surveys.site.errors import Invalid
from surveys.web.account import devices
from surveys.web.account.forms import NameForm, PasswordForm, ZoneForm
from surveys.web.account.login import BEFORE
from surveys.web.account.own import by_password
from surveys.web.confirm import confirm


@login_required
@never_cache
def show(request: HttpRequest) -> HttpResponse:
    before = request.session.get(BEFORE)
    context = {
        "zone": timezone.get_current_timezone_name(),
        "before": datetime.fromisoformat(before) if before else None,
        "app": second_factor.app_of(request.user),
        "codes": second_factor.count_recovery_codes(request.user),
        "tokens": tokens.tokens_of(request.user).count(),
        "organization": provider.organization_name(),
        "connected": settings.OIDC_NAME if identities.is_connected(request.user) else "",
        "logins": len(account.active_sessions(request.user, request.session.session_key)),
    }
    return render(request, "account/account.html", context)


@login_required
@never_cache
def name(request: HttpRequest) -> HttpResponse:
    user = request.user
    if identities.is_connected(user) and not account.is_fresh(request.session):
        return redirect(
            f"{reverse('provider')}?again&next={request.path}"
        )  # which is how they type their password
    form = NameForm(
        user, _typed(request), initial={"username": user.get_username(), "email": user.email}
    )
    if form.is_valid() and _taken(
        form,
        account.update_account,
        user,
        form.cleaned_data["username"],
        form.cleaned_data["email"],
    ):
        messages.success(request, "Your name and e-mail are saved.")
        return redirect("account")
    return confirm(
        request, None, "Name and email", do="Save", stay="Cancel", form=form, is_bad=False
    )


@by_password
def password(request: HttpRequest) -> HttpResponse:
    form = PasswordForm(request.user, _typed(request))
    if form.is_valid():
        user = form.save()
        update_session_auth_hash(request, user)
        messages.success(
            request, "Your password is changed. You are logged out everywhere but here."
        )
        return devices.remember(request, redirect("account"), user)
    said = "Wherever else you are logged in, you are logged out. This browser stays logged in."
    words = {"do": "Change password", "stay": "Cancel"}
    return confirm(request, None, "Change your password", said, **words, form=form, is_bad=False)


@login_required
@never_cache
def time_zone(request: HttpRequest) -> HttpResponse:
    form = ZoneForm(_typed(request), initial={"time_zone": timezone.get_current_timezone_name()})
    if form.is_valid() and _taken(
        form, time_zones.choose_zone, request.user, form.cleaned_data["time_zone"]
    ):
        messages.success(request, "Your time zone is saved.")
        return redirect("account")
    return confirm(request, None, "Time zone", do="Save", stay="Cancel", form=form, is_bad=False)


@login_required
@never_cache
def sessions(request: HttpRequest) -> HttpResponse:
    """Where the person is logged in; POST ends all of it but this, and the tokens if asked."""
    user, key = request.user, request.session.session_key
    if request.method == "POST":
        total = account.end_logins(user, kept_key=key)
        request.session.cycle_key()  # a stolen copy of this one's key is worth nothing either
        done = f"You are logged out in {total} other browser{'' if total == 1 else 's'}."
        if "tokens" in request.POST:
            total = tokens.revoke_all(user)
            done += f" {total} API token{' is' if total == 1 else 's are'} revoked."
        messages.success(request, done)
        return redirect("sessions")
    context = {
        "logins": account.active_sessions(user, key),
        "tokens": tokens.tokens_of(user).count(),
    }
    return render(request, "account/sessions.html", context)


def _typed(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _taken(form: Form, service: Callable[..., None], *values: object) -> bool:
    """Whether the service took the values. What it finds wrong stands at the fields."""
    try:
        service(*values)
    except Invalid as wrong:
        for field, message in wrong.errors.items():
            form.add_error(field, message)
    return not form.errors
