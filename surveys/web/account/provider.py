"""To the organization’s provider and back, and the page that connects an account."""

import logging
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import wraps

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from surveys.accounts import identities, provider, second_factor
from surveys.accounts.provider import Cancelled, Doubtful, LoginRequest
from surveys.accounts.provider_requests import Unreachable
from surveys.site import clock
from surveys.web.account.forms import SureForm
from surveys.web.account.login import SetPassword, note_login
from surveys.web.account.own import by_password
from surveys.web.confirm import confirm

COOKIE, SALT = "sign-in", "surveys.web.account.provider"
SECONDS = 600  # that a login may take from one end to the other
SESSION = timedelta(hours=12)  # by then someone who has left the organization is out
MARK = "may-connect"  # in a session: when the password was typed for it
LONGEST = 1000  # letters of the address to go on to, which is in the cookie too
LINK, CONNECT, AGAIN = (
    "link",
    "connect",
    "again",
)  # what a login is for, where it is for more than a login
FAILED = {  # by status; in place of %s stands the organization
    503: "%s isn’t answering. Try again in a few minutes. If it can’t wait, ask the site’s operator for a link to set "
    "a password.",
    403: "You have no account here. If you have one with a password, log in with it and connect it in your account. "
    "Otherwise ask the site’s operator for a link.",
    409: "Another account here already uses this login. Log in with that account.",
    400: "This login came too late, or began in another browser. Start again.",
}
CANCELLED = "%s did not log you in, or you cancelled. Try again."
log = logging.getLogger(__name__)


def where_on(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Without a provider there is nothing at the address."""

    @wraps(view)
    def page(request: HttpRequest) -> HttpResponse:
        if not provider.is_on():
            raise Http404
        return view(request)

    return page


@where_on
@require_GET
@never_cache
def go(request: HttpRequest) -> HttpResponse:
    """The way there begins with a link: `form-action` would forbid it to a form. Strangers get no session."""
    purpose = next((name for name in (LINK, CONNECT, AGAIN) if name in request.GET), "")
    uid, after = request.GET.get(LINK, ""), request.GET.get("next", "")
    if (purpose == CONNECT and not _may_connect(request)) or (
        purpose == LINK and _of_link(request, uid) is None
    ):
        return _failed(request, 400)
    try:
        there, begun = provider.start_login(
            _back(request), requires_password=purpose in (CONNECT, AGAIN)
        )
    except Unreachable as error:
        return _unreachable(request, error)
    pending = asdict(begun) | {
        "purpose": purpose,
        "uid": uid[:LONGEST],
        "next": after if _is_ours(request, after) else "",
    }
    response = HttpResponseRedirect(there)
    response.set_cookie(
        COOKIE,
        signing.dumps(pending, salt=SALT),
        max_age=SECONDS,
        path=reverse("login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@where_on
@require_GET
@never_cache
def back(request: HttpRequest) -> HttpResponse:
    """Whatever comes of it, nothing is left of this login in the browser."""
    response = _return(request)
    response.delete_cookie(COOKIE, path=reverse("login"), samesite="Lax")
    return response


def _return(request: HttpRequest) -> HttpResponse:
    try:
        pending = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=SECONDS)
        begun = LoginRequest(
            pending["state"], pending["nonce"], pending["verifier"], pending["since"]
        )
        claims = provider.identify(begun, request.GET, _back(request))
        user = _user(request, pending, claims)
    except (signing.BadSignature, Doubtful):
        return _failed(request, 400)
    except Cancelled:
        return _failed(request, 400, CANCELLED)
    except Unreachable as error:
        return _unreachable(request, error)
    except identities.IdentityInUse:
        return _failed(request, 409)
    if user is None:
        return _failed(request, 403)
    before = user.last_login
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    request.session.set_expiry(SESSION)
    note_login(request, before)
    if pending["purpose"] in (LINK, CONNECT):
        messages.success(request, f"From now on you log in through {provider.organization_name()}.")
    return redirect(pending["next"] or settings.LOGIN_REDIRECT_URL)


def _user(request: HttpRequest, pending: dict, claims: dict) -> AbstractBaseUser | None:
    """Who is logged in now. Raises Doubtful where this browser may not do what the login was for, and Taken."""
    if pending["purpose"] == CONNECT:
        if not _may_connect(request):
            raise Doubtful
        del request.session[MARK]
        user = request.user
    elif pending["purpose"] == LINK:
        user = _of_link(request, pending["uid"])
        if user is None:
            raise Doubtful
    else:
        user = identities.user_for_claims(claims)
        if pending["purpose"] == AGAIN and (user is None or user.pk != request.user.pk):
            raise Doubtful
        return user
    identities.connect(user, claims)
    request.session.pop(INTERNAL_RESET_SESSION_TOKEN, None)
    return user


@where_on
@by_password
def connect(request: HttpRequest) -> HttpResponse:
    """Asks for the password, then shows the link that leads there."""
    name = provider.organization_name()
    form = SureForm(request.user, request.POST if request.method == "POST" else None)
    sentences = (
        "From then on you log in there, with its second factor. Your password and codes here stop working.",
        "Your surveys, teams and API tokens stay. Tokens pause 90 days after your last login.",
    )
    if form.is_valid():
        request.session[MARK] = clock.clock_now().isoformat()
        there = f"{reverse('provider')}?{CONNECT}&next={reverse('account')}"
        context = {
            "title": f"Log in through {name}",
            "said": sentences,
            "then": (there, f"Go to {name}"),
        }
        return render(request, "parts/said.html", context)
    return confirm(
        request,
        None,
        f"Log in through {name}",
        *sentences,
        do="Continue",
        stay="Cancel",
        form=form,
        is_bad=False,
    )


def _may_connect(request: HttpRequest) -> bool:
    """Whether the password was typed in this browser, just before the way there or there and back."""
    marked = request.session.get(MARK, "") if request.user.is_authenticated else ""
    if not marked:
        return False
    age = clock.clock_now() - datetime.fromisoformat(marked)
    return abs(age) < timedelta(seconds=2 * SECONDS)  # a later mark is of a clock that was ahead


def _of_link(request: HttpRequest, uid: str) -> AbstractBaseUser | None:
    """The account of the operator’s link that this browser has opened. A link does not get past a second factor."""
    user = SetPassword().get_user(uid)
    token = request.session.get(INTERNAL_RESET_SESSION_TOKEN, "")
    if (
        user is None
        or not SetPassword.token_generator.check_token(user, token)
        or second_factor.app_of(user)
    ):
        return None
    return user


def _is_ours(request: HttpRequest, address: str) -> bool:
    hosts = {request.get_host()}
    return len(address) < LONGEST and url_has_allowed_host_and_scheme(
        address, hosts, request.is_secure()
    )


def _back(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("provider-back"))


def _unreachable(request: HttpRequest, error: Unreachable) -> HttpResponse:
    log.warning("The OpenID provider isn’t answering as it should: %s", error)
    return _failed(request, 503)


def _failed(request: HttpRequest, status: int, sentence: str = "") -> HttpResponse:
    """Nothing was changed, and nobody was logged in or out."""
    sentence = (sentence or FAILED[status]).replace("%s", capfirst(provider.organization_name()))
    title, then = "You are not logged in", (reverse("login"), "Back to login")
    if request.user.is_authenticated:
        title, then = "Nothing has changed", (reverse("account"), "Back to your account")
    return render(
        request,
        "parts/said.html",
        {"title": title, "said": (sentence,), "then": then},
        status=status,
    )
