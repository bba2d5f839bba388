"""Pages of a person’s own account."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache

from surveys.accounts import identities


def by_password(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page for people who log in with a password. It leads the others to their account."""

    @login_required
    @never_cache
    @wraps(view)
    def page(request: HttpRequest, *args: object, **options: object) -> HttpResponse:
        if identities.is_connected(request.user):
            return redirect("account")
        return view(request, *args, **options)

    return page
