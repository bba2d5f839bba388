"""Rows and files, streamed."""

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from surveys.accounts import access, history
from surveys.exchange import export
from surveys.exchange.export.downloads import download
from surveys.exchange.export.text import Csv, JsonArray
from surveys.fieldwork.responses.released import require_rows
from surveys.models import Instrument
from surveys.web.api.schema import ROWS
from surveys.web.api.views.base import View, WrongParameter, errors


class CSVRenderer(BaseRenderer):
    """Named here for content negotiation only: rows are streamed."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: object, *args: object) -> bytes:
        return JSONRenderer().render(data)


class AnyFile(CSVRenderer):
    """Files are streamed as what they are, whatever a program says it accepts."""

    media_type = "*/*"
    format = "file"


class Responses(View):
    renderer_classes = (JSONRenderer, CSVRenderer)
    parameters = ("format",)
    reading = "rows"

    @property
    def default_response_headers(self) -> dict[str, str]:
        headers: dict[str, str] = super().default_response_headers
        return headers | {"Allow": f"{headers['Allow']}, POST"}  # which goes to the respondents' door

    @extend_schema(
        summary="Randomized responses, one a row, streamed",
        description="Released responses only, in no order of arrival. Choose with `format` or the Accept header. 409 "
        "once they are deleted.",
        parameters=[OpenApiParameter("format", enum=["json", "csv"], description="json unless given")],
        responses=errors(409)
        | {
            (200, "application/json"): ROWS,
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, description="a header of variable names, then rows"),
        },
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        survey = access.survey_for(request.user, slug, access.Right.ROWS)
        instrument = get_object_or_404(Instrument, survey=survey)
        require_rows(instrument)
        form = request.accepted_renderer.format
        if request.method == "GET":  # who asks for the head has no rows
            history.record(survey, request.user, history.What.EXPORTED, form)
        if form == "csv":
            response = StreamingHttpResponse(Csv.stream(instrument), content_type=Csv.media_type)
            response["Content-Disposition"] = f'attachment; filename="{slug}.csv"'
            return response
        return StreamingHttpResponse(JsonArray.stream(instrument), content_type=JsonArray.media_type)


class Export(View):
    """The files of the workspace's download page. `file`: which of them."""

    renderer_classes = (AnyFile,)
    file = export.FILES[0]

    @property
    def media_type(self) -> str:
        return self.file.media_type

    @property
    def summary(self) -> str:
        return f"{self.file.name}: {self.file.title}"

    @property
    def parameters(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("marks",) if self.file.marks else ()

    @property
    def asked(self) -> list[OpenApiParameter]:
        forms, said = list(self.file.marks), "packed: the marks of a report in one column of bytes, as numpy.packbits"
        return [OpenApiParameter("marks", enum=forms, description=said)] if forms else []

    def scope_for(self, method: str | None) -> str:
        return "rows" if self.file.has_rows else "reports"

    @extend_schema(
        description="409 for a file with responses once these are deleted.",
        responses=errors(409) | {200: OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        marks = request.query_params.get("marks")
        if marks is not None and marks not in self.file.marks:
            raise WrongParameter(f"marks is “{marks[:50]}”. Allowed: {', '.join(self.file.marks)}.")
        return download(request, slug, self.file.name)
