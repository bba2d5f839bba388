"""A survey as its author reads it before publishing: what would be published, and what is to be mended."""

import json
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.fieldwork.link import frozen_paper
from surveys.site.number_format import finite
from surveys.site.shape import Result, as_json, of
from surveys.web.api.shapes import shape
from surveys.web.api.views.base import View, errors


@dataclass(frozen=True)
class PreviewResult(Result):
    sha256: str = of("send it as `instrument` when you publish, to publish exactly this")
    epsilon: float | None = of("total privacy loss per respondent; null: no limit")
    instrument: dict[str, Any] = of(
        "all that respondents get: the published questions, or those of the draft"
    )


class Preview(View):
    @extend_schema(
        summary="What respondents get, or would get if the draft were published now",
        description="409 says what is missing, or which question you can’t publish yet.",
        responses=errors(409) | {200: shape(PreviewResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        frozen = frozen_paper(access.survey_for(request.user, slug, Right.SEE))
        told = PreviewResult(frozen.sha256, finite(frozen.epsilon), json.loads(frozen.content))
        return Response(as_json(told))
