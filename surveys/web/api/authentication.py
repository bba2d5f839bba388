"""How a program says whose it is, and what its token is good for."""

from typing import TYPE_CHECKING

from django.contrib.auth.models import AbstractBaseUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from surveys.accounts.tokens import SCOPES, Expired, OwnerAway, find_token
from surveys.models import AccessToken

if TYPE_CHECKING:  # the framework's views import this module
    from rest_framework.views import APIView

OWNER_AWAY = (
    "This token’s owner has not logged in for 90 days. It works again after their next login."
)
SCHEMES = ("Token", "Bearer")  # the second is what most programs send unless told otherwise


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`, or with the word Token."""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, AccessToken] | None:
        scheme, _, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.title() not in SCHEMES:
            return None
        try:
            row = find_token(token.strip())
        except Expired:
            raise AuthenticationFailed(
                "This token has expired. Make a new one in the workspace."
            ) from None
        except OwnerAway:
            raise AuthenticationFailed(OWNER_AWAY) from None
        if row is None:
            raise AuthenticationFailed("This token is not valid.")
        return row.user, row

    def authenticate_header(self, request: Request) -> str:
        return SCHEMES[0]


class HasScope(BasePermission):
    """A token must be good for what the view's `scope` says; whoever is logged in may do all they have a right to."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        if not isinstance(request.auth, AccessToken):
            return True
        scope = view.scope_for(request.method) if hasattr(view, "scope_for") else "reports"
        if scope is not None and scope not in request.auth.scopes:
            raise PermissionDenied(f"This token may not be used to {SCOPES[scope]}.")
        return True


class TokenThrottle(SimpleRateThrottle):
    """So many requests a minute for each token, or for each person who is logged in; counted in memory."""

    scope = "api"

    def get_cache_key(self, request: Request, view: "APIView") -> str | None:
        if isinstance(request.auth, AccessToken):
            return f"api-token-{request.auth.pk}"
        return f"api-person-{request.user.pk}" if request.user.is_authenticated else None


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": (
                "`Authorization: Bearer <token>`; `Token` works instead of `Bearer` too. Each operation names the "
                "scope that its token needs."
            ),
        }
