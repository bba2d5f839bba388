"""Whether everybody may read the results of a closed survey."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from features.shared_reports.publication import public_survey, set_public
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.models import Survey
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.fields import Flag, Strict
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors, valid


class PublicInputSerializer(Strict):
    public = Flag(help_text="whether anyone can read the results")


@dataclass(frozen=True)
class PublicResult(ApiResult):
    public: bool = api_field("whether anyone can read the results")
    address: str | None = api_field(
        "address of the public page; below it are results.json and <key>.svg for each question. null: none"
    )


class Public(View):
    @extend_schema(
        summary="Whether the results are public",
        responses=errors() | {200: serializer_for(PublicResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(_shown(request, access.survey_for(request.user, slug, Right.SEE)))

    @extend_schema(
        summary="Publish the results of a closed survey, or withdraw them",
        description="409 until the survey is closed and its last update is done. Reopening the survey withdraws them.",
        request=PublicInputSerializer,
        responses=errors(409, 415, 422) | {200: serializer_for(PublicResult)},
        examples=[OpenApiExample("For everybody", {"public": True}, request_only=True)],
    )
    def put(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        asked = valid(PublicInputSerializer, request)["public"]
        return Response(_shown(request, set_public(survey, request.user, public=asked)))


def _shown(request: Request, survey: Survey) -> Any:
    is_public = public_survey(survey.slug) is not None
    address = (
        request.build_absolute_uri(reverse("results", args=[survey.slug])) if is_public else None
    )
    return as_json(PublicResult(is_public, address))
