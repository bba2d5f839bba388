"""The analyses by program: what the page shows, and its files. One class each, made of the table of analyses."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.definition.parsing import definition_for_readers
from surveys.models import Instrument
from surveys.results.analysis.analyses import COMPARE
from surveys.results.analysis.analysis import Analysis, AnalysisRequest, Parameter
from surveys.results.analysis.files import analysis_file
from surveys.results.analysis.refusals import TooFew, TooMuch
from surveys.site.shape import as_json
from surveys.web.api.etags import matches
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views import query
from surveys.web.api.views.base import View, errors
from surveys.web.api.views.report.files import TYPES, file, sealed
from surveys.web.api.views.report.report import etag_of
from surveys.web.api.views.responses import AnyFile

RULES = (
    "Needs 100 people who answered all of these questions: 422 (`too-few`) otherwise. With row access, and a token "
    "with the scope rows, you can analyse any questions. Without it you can use the report groups, once the survey is "
    "closed: 422 (`not-of-the-cut`) otherwise. A wrong parameter gets 422 (`invalid`), with its name in errors."
)
WHAT = {
    "csv": "the table as CSV",
    "svg": "the figure as SVG",
    "png": "the figure as PNG",
    "txt": "the methods section of a paper, as text",
}


class TooFewPeople(APIException):
    status_code = 422
    default_code = "too_few"
    default_detail = "Too few people to report."


class TooManyCells(APIException):
    status_code = 422
    default_code = "too_many_cells"
    default_detail = "There are too many combinations of answers."


@contextmanager
def refusals() -> Iterator[None]:
    try:
        with query.translate_errors():
            yield
    except TooFew as refusal:
        raise TooFewPeople(str(refusal)) from None
    except TooMuch as refusal:
        raise TooManyCells(str(refusal)) from None


class OneAnalysis(View):
    analysis: Analysis = COMPARE

    @property
    def parameters(self) -> tuple[str, ...]:  # type: ignore[override]
        return (*(each.name for each in self.analysis.parameters), *self.analysis.level)

    @property
    def asked(self) -> list[OpenApiParameter]:
        level = [each for each in query.PARAMETERS if each.name in self.analysis.level]
        return [*map(_described, self.analysis.parameters), *level]

    @property
    def summary(self) -> str:
        return self.analysis.summary

    @property
    def description(self) -> str:
        return f"{RULES} {self.analysis.rules}".strip()

    def result(self, request: Request, instrument: Instrument) -> Any:
        with refusals():
            looking = AnalysisRequest(
                query.reader_view(request, instrument),
                query.interval_options(request),
                query.parse_group(request, instrument),
            )
            return self.analysis.find(
                looking, **self.analysis.parse_parameters(request.query_params)
            )


class AnalysisOfSurvey(OneAnalysis):
    @property
    def answers(self) -> dict:
        return errors(422) | {200: serializer_for(self.analysis.result), 304: None}

    def get(self, request: Request, slug: str) -> Response:
        """Where the program has it already, it is not made again."""
        instrument = sealed(request, slug)
        reader = query.reader_view(request, instrument)
        etag = etag_of(instrument, reader, self.analysis.name, sorted(request.query_params.lists()))
        if matches(request, etag):
            return Response(status=304, headers={"ETag": etag})
        told = self.analysis.result.from_result(self.result(request, instrument))
        return Response(as_json(told), headers={"ETag": etag})


class FileOfAnalysis(OneAnalysis):
    """form: of results.analysis.analysis.FORMS."""

    renderer_classes = (AnyFile,)
    answers = errors(422) | {200: OpenApiTypes.BINARY}
    form = "csv"

    @property
    def media_type(self) -> str:
        return TYPES[self.form]

    @property
    def summary(self) -> str:
        return f"{self.analysis.title.rstrip('?')}: {WHAT[self.form]}"

    def get(self, request: Request, slug: str) -> HttpResponse:
        instrument = sealed(request, slug)
        about = query.reader_view(request, instrument).describe_group(
            query.parse_group(request, instrument)
        )
        result = self.result(request, instrument)
        name, content = analysis_file(
            self.analysis,
            result,
            self.form,
            definition_for_readers(instrument),
            about=about,
            reason=instrument.survey.reason,
        )
        return file(content, f"{name}.{self.form}", self.media_type)


def _described(parameter: Parameter) -> OpenApiParameter:
    return OpenApiParameter(
        parameter.name,
        str,
        enum=parameter.choices or None,
        required=parameter.required,
        description=parameter.help,
    )
