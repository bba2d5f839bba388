"""What leaves a report besides its numbers: figures, the table as a file, the methods section, and the data quality."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts.access import Right, rights
from surveys.definition.parsing import definition_for_readers
from surveys.fieldwork.responses.sealing import seal
from surveys.models import Instrument
from surveys.results.estimates.on_request import has_curve
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.report.data_quality import inspect
from surveys.results.report.figures import FIGURES, png
from surveys.results.report.lines import shares_csv
from surveys.results.report.methods import methods
from surveys.results.report.quality_shape import Quality
from surveys.site.shape import as_json
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views import query
from surveys.web.api.views.base import View, errors
from surveys.web.api.views.report.report import readable
from surveys.web.api.views.responses import AnyFile

TYPES = {"csv": "text/csv", "txt": "text/plain", "svg": "image/svg+xml", "png": "image/png"}


class QualityOfSurvey(View):
    @extend_schema(
        summary="Data checks: whether the answers received fit the designs",
        description="Always of all responses. Without a response there are no checks.",
        responses=errors() | {200: serializer_for(Quality)},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = sealed(request, slug)
        checks = inspect(instrument, rows=Right.ROWS in rights(request.user, instrument.survey))
        return Response(as_json(Quality.tell(instrument, checks)))


class OfReport(View):
    """A file made of a report, which may be asked of a group, at a confidence and with a kind of interval."""

    renderer_classes = (AnyFile,)
    parameters = query.NAMES

    def read(self, request: Request, slug: str) -> tuple[Instrument, SurveyReport, str]:
        """The instrument, its report, and whom it is about; empty for everybody."""
        instrument = sealed(request, slug)
        result = query.report_as_asked(request, instrument)
        return (
            instrument,
            result,
            query.reader_view(request, instrument).describe_group(
                query.parse_group(request, instrument)
            ),
        )


class Methods(OfReport):
    @extend_schema(
        summary="The methods section of a paper on this survey, with its references",
        parameters=query.PARAMETERS,
        responses=errors(422) | {(200, "text/plain"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        instrument, result, about = self.read(request, slug)
        return file(
            str(
                methods(definition_for_readers(instrument), result, about, instrument.survey.reason)
            ),
            f"{slug}-methods.txt",
            "text/plain",
        )


class Shares(OfReport):
    @extend_schema(
        summary="The report's table as CSV, one row for each answer",
        parameters=query.PARAMETERS,
        responses=errors(422) | {(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        _, result, about = self.read(request, slug)
        return file(shares_csv(result, about=about), f"{slug}-report.csv", "text/csv")


class Figure(OfReport):
    parameters = (*query.NAMES, "order")
    drawing, form = "shares", "svg"

    @property
    def media_type(self) -> str:
        return TYPES[self.form]

    @extend_schema(
        summary="A figure of one question",
        description=(
            "The estimated shares; how often each value of a background number was given; or the likelihood of a "
            "yes/no question with two answers."
        ),
        parameters=[*query.PARAMETERS, query.ORDER],
        responses=errors(422) | {200: OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str, key: str) -> HttpResponse:
        by_size = query.by_size(request)
        _, result, about = self.read(request, slug)
        question = _question(result, key)
        if self.drawing == "likelihood" and not has_curve(question):
            raise Http404
        svg = FIGURES[self.drawing](result, question, about=about, by_size=by_size)
        name = f"{slug}-{key}-{self.drawing}.{self.form}"
        return file(svg if self.form == "svg" else png(svg), name, self.media_type)


def sealed(request: Request, slug: str) -> Instrument:
    instrument = readable(request, slug)
    seal(instrument)
    instrument.refresh_from_db()
    return instrument


def _question(result: SurveyReport, key: str) -> QuestionReport:
    for question in result.questions:
        if question.key == key:
            return question
    raise Http404


def file(content: str | bytes, name: str, media_type: str) -> HttpResponse:
    """Slugs and variable names hold letters, digits and lines only, so they may stand in a header as they are."""
    charset = "; charset=utf-8" if media_type.startswith("text/") else ""
    response = HttpResponse(content, content_type=media_type + charset)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
