"""How a program says whose it is."""

from django.contrib.auth.models import AbstractBaseUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from surveys.models import AccessToken
from surveys.tokens import find_token

SCHEME = "Token"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Token <token>`"""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, AccessToken] | None:
        scheme, _, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        found = find_token(token.strip())
        if found is None:
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
