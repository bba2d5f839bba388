"""The trend over an earlier version, by program: what its page shows, and its files."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from features.trend.files import trend_csv, trend_svg
from features.trend.shape import TrendResult
from features.trend.trend import NothingInCommon, Trend, trend
from features.trend.versions import earlier_versions
from surveys.fieldwork.responses.sealing import seal
from surveys.site.shape import as_json
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views import query
from surveys.web.api.views.base import View, errors
from surveys.web.api.views.report.files import TYPES, file, sealed
from surveys.web.api.views.responses import AnyFile

WITH = OpenApiParameter(
    "with", description="the slug of an earlier version that you can read; by default the last one"
)
CONFIDENCE = next(each for each in query.PARAMETERS if each.name == "confidence")
PARAMETERS = [WITH, CONFIDENCE]
NAMES = ("with", "confidence")
RULES = (
    "Questions with the same key, words, answers, unit and condition; designs may differ. Both reports as you see "
    "them, of all respondents. 404 if you can read no earlier version, 422 (`nothing-in-common`) if no question can "
    "be compared."
)


class NothingToCompare(APIException):
    status_code = 422
    default_code = "nothing_in_common"
    default_detail = "Nothing in these two versions can be compared."


class TrendOfSurvey(View):
    parameters = NAMES

    @extend_schema(
        summary="How answers changed since an earlier version",
        description=RULES,
        parameters=PARAMETERS,
        responses=errors(422) | {200: serializer_for(TrendResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(as_json(TrendResult.from_trend(_trend(request, slug))))


class TrendTable(View):
    renderer_classes = (AnyFile,)
    parameters = NAMES

    @extend_schema(
        summary="Changes since an earlier version as CSV, one row for each change",
        description=RULES,
        parameters=PARAMETERS,
        responses=errors(422) | {(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return file(trend_csv(_trend(request, slug)), f"{slug}-trend.csv", TYPES["csv"])


class TrendFigure(View):
    renderer_classes = (AnyFile,)
    parameters = NAMES
    media_type = TYPES["svg"]

    @extend_schema(
        summary="Changes since an earlier version as a figure",
        description=RULES,
        parameters=PARAMETERS,
        responses=errors(422) | {200: OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return file(trend_svg(_trend(request, slug)), f"{slug}-trend.svg", TYPES["svg"])


def _trend(request: Request, slug: str) -> Trend:
    instrument = sealed(request, slug)
    versions = earlier_versions(request.user, instrument.survey)
    chosen = request.query_params.get("with", versions[0].survey.slug if versions else "")
    earlier = next((each for each in versions if each.survey.slug == chosen), None)
    if earlier is None:
        raise Http404
    seal(earlier)
    earlier.refresh_from_db()
    try:
        return trend(
            query.reader_view(request, instrument),
            query.reader_view(request, earlier),
            query.confidence(request),
        )
    except NothingInCommon as refusal:
        raise NothingToCompare(str(refusal)) from None
