"""Groups side by side by program, and compared for one answer: the numbers, tables and figures of the pages."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.models import Instrument
from surveys.results.analysis import selection
from surveys.results.analysis.groups.figure import question_svg
from surveys.results.analysis.groups.groups import compare_groups
from surveys.results.analysis.groups.page import question_of_page
from surveys.results.analysis.groups.shape import ComparedResult, Groups
from surveys.results.report.figures import png
from surveys.results.report.groups import SideBySide
from surveys.results.report.lines import groups_csv
from surveys.site.shape import as_json
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views import query
from surveys.web.api.views.base import View, errors
from surveys.web.api.views.report.analyses import refusals
from surveys.web.api.views.report.files import TYPES, file, sealed
from surveys.web.api.views.responses import AnyFile

PARAMETERS = [query.BY, *query.PARAMETERS]
RULES = (
    "A group needs 30 people who got the question, and 30 others. Smaller groups are merged into “Other”, question by "
    "question, never with people who skipped the question. How many are in no group stays hidden. Without row access "
    "you get the report groups, once the survey is closed."
)


class GroupsOfSurvey(View):
    parameters = (*query.NAMES, "by", "outcome")

    @extend_schema(
        summary="Estimated shares by the groups of a background question, and whether the groups differ",
        description=RULES,
        parameters=[*PARAMETERS, query.OUTCOME],
        responses=errors(422) | {200: serializer_for(Groups)},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = sealed(request, slug)
        groups = query.groups_as_asked(request, instrument)
        return Response(
            as_json(Groups.from_sides(groups, self._comparison(request, instrument, groups)))
        )

    def _comparison(
        self, request: Request, instrument: Instrument, groups: SideBySide
    ) -> ComparedResult | None:
        if "outcome" not in request.query_params:
            return None
        part = selection.outcome(
            query.reader_view(request, instrument), request.query_params["outcome"]
        )
        with refusals():
            return ComparedResult.from_result(compare_groups(groups, part.item, part.choice))


class GroupsTable(View):
    renderer_classes = (AnyFile,)
    parameters = (*query.NAMES, "by")

    @extend_schema(
        summary="Shares by group as CSV, one row for each group and answer",
        description=RULES,
        parameters=PARAMETERS,
        responses=errors(422) | {(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        groups = query.groups_as_asked(request, sealed(request, slug))
        return file(groups_csv(groups), f"{slug}-groups-{groups.by.key}.csv", "text/csv")


class GroupsFigure(View):
    renderer_classes = (AnyFile,)
    parameters = (*query.NAMES, "by")
    form = "svg"

    @property
    def media_type(self) -> str:
        return TYPES[self.form]

    @extend_schema(
        summary="Shares of one question by group, and their differences, as a figure",
        description=RULES,
        parameters=PARAMETERS,
        responses=errors(422) | {200: OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str, key: str) -> HttpResponse:
        instrument = sealed(request, slug)
        groups = query.groups_as_asked(request, instrument)
        try:
            question = question_of_page(groups, key)
        except KeyError:
            raise Http404 from None
        about = query.reader_view(request, instrument).describe_group(
            query.parse_group(request, instrument)
        )
        svg = question_svg(question.answers, question.sentences, about)
        name = f"{slug}-{key}-by-{groups.by.key}.{self.form}"
        return file(svg if self.form == "svg" else png(svg), name, self.media_type)
