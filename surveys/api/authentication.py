"""Access tokens: 256 random bits shown once, kept as a hash."""

import hashlib
import secrets

from django.contrib.auth.models import AbstractBaseUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from surveys.models import AccessToken

SCHEME = "Token"


def _hash(token: str) -> str:
    # Plain SHA-256 is enough for a random token of full length: there is nothing to guess.
    return hashlib.sha256(token.encode()).hexdigest()


def issue_token(user: AbstractBaseUser, name: str) -> str:
    """A new token; this is the only time it can be read."""
    token = secrets.token_urlsafe(32)
    AccessToken.objects.create(user=user, name=name, sha256=_hash(token))
    return token


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Token <token>`"""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, AccessToken] | None:
        scheme, _, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        found = AccessToken.objects.select_related("user").filter(sha256=_hash(token.strip())).first()
        if found is None or not found.user.is_active:
            raise AuthenticationFailed("This token is not valid.")
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Authorization: Token <token>`",
        }
