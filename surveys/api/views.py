"""Reading surveys, reports and rows by program."""

from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import generics, pagination, permissions
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response as ApiResponse
from rest_framework.views import APIView

from surveys import access, export, history
from surveys.api import serializers
from surveys.api.schema import ROWS
from surveys.ballots.sealing import seal
from surveys.export.downloads import download
from surveys.models import Instrument, Survey
from surveys.reporting.report import as_json, report

ERRORS = dict.fromkeys((401, 404), serializers.ProblemSerializer)


class NewestFirst(pagination.CursorPagination):
    ordering = ("-created", "pk")
    page_size = 100


@extend_schema_view(
    get=extend_schema(
        summary="Your surveys, newest first",
        responses={401: ERRORS[401]} | {200: serializers.SurveySerializer(many=True)},
    )
)
class SurveyList(generics.ListAPIView):
    serializer_class = serializers.SurveySerializer
    pagination_class = NewestFirst

    def get_queryset(self) -> QuerySet[Survey]:
        return access.surveys_of(self.request.user).select_related("instrument")


@extend_schema_view(get=extend_schema(summary="One survey", responses=ERRORS | {200: serializers.SurveySerializer}))
class SurveyDetail(generics.RetrieveAPIView):
    serializer_class = serializers.SurveySerializer
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Survey]:
        return access.surveys_of(self.request.user).select_related("instrument")


class InstrumentDetail(APIView):
    """What respondents answer, as it was frozen. Public, so that anybody can check the hash."""

    authentication_classes = ()
    permission_classes = (permissions.AllowAny,)

    @extend_schema(
        summary="The instrument: canonical JSON whose SHA-256 is its name",
        responses={200: OpenApiTypes.OBJECT, 404: serializers.ProblemSerializer},
        auth=[],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        instrument = get_object_or_404(Instrument, survey__slug=slug)
        response = HttpResponse(instrument.content, content_type="application/json")
        response["ETag"] = f'"{instrument.sha256}"'
        return response


class ReportDetail(APIView):
    @extend_schema(
        summary="Corrected shares with their uncertainty, and the epsilon spent",
        description="Reads sealed batches only. 404 while the survey is a draft.",
        responses=ERRORS | {200: serializers.ReportSerializer},
    )
    def get(self, request: Request, slug: str) -> ApiResponse:
        instrument = get_object_or_404(Instrument, survey__in=access.readable_by(request.user), survey__slug=slug)
        seal(instrument)
        return ApiResponse(as_json(report(instrument)))


class CSVRenderer(BaseRenderer):
    """Named here for content negotiation only: rows are streamed."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: object, *args: object) -> bytes:
        return JSONRenderer().render(data)


class AnyFile(BaseRenderer):
    """Files are streamed as what they are, whatever a program says it accepts."""

    media_type = "*/*"
    format = "file"

    def render(self, data: object, *args: object) -> bytes:
        return JSONRenderer().render(data)


class Responses(APIView):
    renderer_classes = (JSONRenderer, CSVRenderer)

    @extend_schema(
        summary="Randomized responses, one a row, streamed",
        description="Sealed batches only, in no order of arrival. Choose with `format` or the Accept header.",
        parameters=[OpenApiParameter("format", enum=["json", "csv"], description="json unless given")],
        responses=ERRORS
        | {
            (200, "application/json"): ROWS,
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, description="a header of variable names, then rows"),
        },
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        survey = access.survey_for(request.user, slug, access.Right.ROWS)
        instrument = get_object_or_404(Instrument, survey=survey)
        history.record(survey, request.user, history.What.EXPORTED, request.accepted_renderer.format)
        if request.accepted_renderer.format == "csv":
            response = StreamingHttpResponse(export.as_csv(instrument), content_type="text/csv; charset=utf-8")
            response["Content-Disposition"] = f'attachment; filename="{slug}.csv"'
            return response
        return StreamingHttpResponse(export.as_json(instrument), content_type="application/json")


class Export(APIView):
    """The files of the workspace's download page."""

    renderer_classes = (AnyFile,)

    @extend_schema(
        summary="A file with responses, the codebook, or a script that reads them",
        responses=ERRORS | {403: serializers.ProblemSerializer, (200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str, name: str) -> StreamingHttpResponse:
        return download(request.user, slug, name)
