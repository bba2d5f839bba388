"""A person's tokens. A token can name and end itself; for anything more the person logs in."""

from dataclasses import dataclass
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import confirmation, tokens
from surveys.models import AccessToken
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api import serializers
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors, valid


@dataclass(frozen=True)
class NewToken(ApiResult):
    token: str = api_field("shown only now")


class Tokens(View):
    reading = writing = None

    @extend_schema(
        summary="Your tokens; with a token, only that one",
        responses=errors() | {200: serializers.TokenSerializer(many=True)},
    )
    def get(self, request: Request) -> Response:
        return Response(serializers.TokenSerializer(_own(request), many=True).data)

    @extend_schema(
        summary="Make a token (only when logged in, not with a token)",
        request=serializers.TokenInputSerializer,
        responses=errors(415, 422) | {201: serializer_for(NewToken)},
    )
    def post(self, request: Request) -> Response:
        if isinstance(request.auth, AccessToken):
            raise PermissionDenied(
                "A token can’t make tokens. Log in, or use the page “API tokens” in the workspace."
            )
        asked = valid(serializers.TokenInputSerializer, request)
        password = asked.pop("password", "")
        token = confirmation.issue_confirmed_token(
            request.user, request.session, password=password, **asked
        )
        return Response(as_json(NewToken(token)), status=201)


class TokenDetail(View):
    reading = writing = None

    @extend_schema(summary="Revoke a token", responses=errors() | {204: None})
    def delete(self, request: Request, pk: UUID) -> Response:
        if not any(token.pk == pk for token in _own(request)):
            raise NotFound
        tokens.revoke(request.user, pk)
        return Response(status=204)


def _own(request: Request) -> list[AccessToken]:
    return (
        [request.auth]
        if isinstance(request.auth, AccessToken)
        else list(tokens.tokens_of(request.user))
    )
