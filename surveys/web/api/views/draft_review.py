"""A survey as its author reads it before publishing: what would be published, and what is to be mended."""

import json
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.fieldwork.link import current_definition
from surveys.site.number_format import finite_or_none
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors


@dataclass(frozen=True)
class PreviewResult(ApiResult):
    sha256: str = api_field("send it as `instrument` when you publish, to publish exactly this")
    epsilon: float | None = api_field("total privacy loss per respondent; null: no limit")
    instrument: dict[str, Any] = api_field(
        "all that respondents get: the published questions, or those of the draft"
    )


class Preview(View):
    @extend_schema(
        summary="What respondents get, or would get if the draft were published now",
        description="409 says what is missing, or which question you can’t publish yet.",
        responses=errors(409) | {200: serializer_for(PreviewResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        frozen = current_definition(access.survey_for(request.user, slug, Right.SEE))
        told = PreviewResult(
            frozen.sha256, finite_or_none(frozen.epsilon), json.loads(frozen.content)
        )
        return Response(as_json(told))
