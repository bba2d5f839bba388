"""Rows and files, streamed."""

from django.http import JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from surveys import export
from surveys.accounts import access, history
from surveys.export.access import published
from surveys.export.formats import GONE, in_report
from surveys.export.text import Csv, JsonArray
from surveys.fieldwork.responses.released import require_rows
from surveys.models import Instrument
from surveys.site.problems import problem_response
from surveys.site.turn import Download
from surveys.web.api.schema import ROWS
from surveys.web.api.views.base import View, WrongParameter, errors
from surveys.web.downloads import download


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
        return headers | {
            "Allow": f"{headers['Allow']}, POST"
        }  # which goes to the respondents' door

    @extend_schema(
        summary="Randomized responses, one per row, streamed",
        description=(
            "Only the responses in the report, in no order of arrival. Choose the form with `format` or the Accept "
            "header. 409 once they are deleted."
        ),
        parameters=[
            OpenApiParameter("format", enum=["json", "csv"], description="by default json")
        ],
        responses=errors(409)
        | {
            (200, "application/json"): ROWS,
            (200, "text/csv"): OpenApiResponse(
                OpenApiTypes.STR, description="a header of variable names, then rows"
            ),
        },
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        survey = access.survey_for(request.user, slug, access.Right.ROWS)
        instrument = get_object_or_404(Instrument, survey=survey)
        require_rows(instrument)
        form = request.accepted_renderer.format
        rows: type[Csv] | type[JsonArray] = Csv if form == "csv" else JsonArray
        pieces = Download(rows.stream(instrument), in_report(instrument))
        if request.method == "GET":  # who asks for the head has no rows
            history.record(survey, request.user, history.What.EXPORTED, form)
        response = StreamingHttpResponse(pieces, content_type=rows.media_type)
        if form == "csv":
            response["Content-Disposition"] = f'attachment; filename="{slug}.csv"'
        return response


class GoneFile(View):
    """A file that there was once. `name`: what it was called."""

    name = ""

    def get(self, request: Request, slug: str) -> JsonResponse:
        published(request.user, slug)
        return problem_response(410, "gone", detail=GONE[self.name])


class Export(View):
    """The files of the workspace's download page. `file`: which of them."""

    renderer_classes = (AnyFile,)
    file = export.files()[0]

    @property
    def media_type(self) -> str:
        return self.file.media_type

    @property
    def summary(self) -> str:
        return f"{self.file.name}: {self.file.title}"

    @property
    def parameters(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("form", "marks") if self.file.forms else ()

    @property
    def asked(self) -> list[OpenApiParameter]:
        said = "; ".join(f"{name}: {form.title}" for name, form in self.file.forms.items())
        return (
            [OpenApiParameter("form", enum=list(self.file.forms), description=said)] if said else []
        )

    def scope_for(self, method: str | None) -> str:
        return "rows" if self.file.has_rows else "reports"

    @extend_schema(
        description="409 for a file with responses once they are deleted.",
        responses=errors(409) | {200: OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        form = request.query_params.get("form", request.query_params.get("marks"))
        if form is not None and form not in self.file.forms:
            raise WrongParameter(f"form is “{form[:50]}”. Allowed: {', '.join(self.file.forms)}.")
        return download(request, slug, self.file.name)
