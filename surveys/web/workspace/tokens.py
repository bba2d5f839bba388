"""The page on which a person makes and revokes tokens for programs."""

from datetime import date
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.datastructures import MultiValueDict

from surveys.accounts import confirmation, identities, provider, tokens
from surveys.site.errors import Invalid
from surveys.web.workspace.access import own_page

FIELDS = ("name", "scopes", "expires")
TYPED = (
    "typed-token"  # in a session: the form, while its owner logs in through the organization again
)


@own_page
def index(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        kept = request.session.pop(TYPED, None)
        return _page(request, typed=MultiValueDict(kept) if kept else None)
    if "revoke" in request.POST:
        if tokens.revoke(request.user, _pk(request.POST["revoke"])):
            messages.success(
                request, "The token is revoked. Programs that use it no longer have access."
            )
        return redirect("workspace:tokens")
    try:
        token = _issue(request)
    except Invalid as wrong:
        if wrong.errors.get("scopes") == confirmation.LOG_IN_AGAIN:
            request.session[TYPED] = {field: request.POST.getlist(field) for field in FIELDS}
        return _page(request, typed=request.POST, errors=wrong.errors, status=422)
    response = _page(request, token=token)
    response["Cache-Control"] = "no-store"
    return response


def _issue(request: HttpRequest) -> str:
    text, errors = request.POST.get("expires", "").strip(), {}
    try:
        expires = date.fromisoformat(text) if text else None
    except ValueError:
        expires, errors = (
            None,
            {"expires": "Write the last day like 2030-12-31, or leave it empty."},
        )
    if errors:
        raise Invalid(errors)
    return confirmation.issue_confirmed_token(
        request.user,
        request.session,
        password=request.POST.get("password", ""),
        name=request.POST.get("name", ""),
        scopes=request.POST.getlist("scopes"),
        expires=expires,
    )


def _pk(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)


def _page(
    request: HttpRequest,
    *,
    token: str = "",
    typed: MultiValueDict | None = None,
    errors: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    picked = typed.getlist("scopes") if typed else ["reports"] if not token else []
    context = {
        "tokens": [
            {
                "token": each,
                "scopes": [tokens.SCOPES[scope] for scope in each.scopes if scope in tokens.SCOPES],
            }
            for each in tokens.tokens_of(request.user)
        ],
        "new": token,
        "typed": typed or {},
        "errors": errors or {},
        "today": tokens.today(),
        "last_day": tokens.last_day(request.user),
        "is_connected": identities.is_connected(request.user),
        "must_log_in": (errors or {}).get("scopes") == confirmation.LOG_IN_AGAIN,
        "organization": provider.organization_name(),
        "scopes": [(scope, words, scope in picked) for scope, words in tokens.SCOPES.items()],
    }
    return render(request, "workspace/tokens.html", context, status=status)


routes = [path("tokens/", index, name="tokens")]
