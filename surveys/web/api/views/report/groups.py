"""Groups side by side by program, and compared for one answer: the numbers, tables and figures of the pages."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.models import Instrument
from surveys.results.analysis import selection
from surveys.results.analysis.groups.figure import question_svg
from surveys.results.analysis.groups.groups import compare
from surveys.results.analysis.groups.page import page_of
from surveys.results.analysis.groups.shape import ComparedResult, Groups
from surveys.results.report.figures import png
from surveys.results.report.groups import SideBySide
from surveys.results.report.lines import GroupLine
from surveys.site.shape import as_json
from surveys.web.api.shapes import shape
from surveys.web.api.views import query
from surveys.web.api.views.base import View, errors
from surveys.web.api.views.report.analyses import refusals
from surveys.web.api.views.report.files import TYPES, file, sealed
from surveys.web.api.views.responses import AnyFile

PARAMETERS = [query.BY, *query.PARAMETERS]
RULES = (
    "A group needs 30 people who were asked the question, and 30 of all others. Smaller groups are together in "
    "“Other”, question by question, never with those who declined; how many are in no group is not told. Without the "
    "right to rows: the groups of the survey's cut, from its closing on."
)


class GroupsOfSurvey(View):
    parameters = (*query.NAMES, "by", "outcome")

    @extend_schema(
        summary="The corrected shares of each group that a background question makes, and whether they differ",
        description=RULES,
        parameters=[*PARAMETERS, query.OUTCOME],
        responses=errors(422) | {200: shape(Groups)},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = sealed(request, slug)
        found = query.groups_as_asked(request, instrument)
        return Response(as_json(Groups.tell(found, self._comparison(request, instrument, found))))

    def _comparison(self, request: Request, instrument: Instrument, found: SideBySide) -> ComparedResult | None:
        if "outcome" not in request.query_params:
            return None
        part = selection.outcome(query.seen(request, instrument), request.query_params["outcome"])
        with refusals():
            return ComparedResult.tell(compare(found, part.item, part.choice))


class GroupsTable(View):
    renderer_classes = (AnyFile,)
    parameters = (*query.NAMES, "by")

    @extend_schema(
        summary="The groups’ shares as CSV, a row for each group and answer",
        description=RULES,
        parameters=PARAMETERS,
        responses=errors(422) | {(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        found = query.groups_as_asked(request, sealed(request, slug))
        return file(GroupLine.csv(found), f"{slug}-groups-{found.by.key}.csv", "text/csv")


class GroupsFigure(View):
    renderer_classes = (AnyFile,)
    parameters = (*query.NAMES, "by")
    form = "svg"

    @property
    def media_type(self) -> str:
        return TYPES[self.form]

    @extend_schema(
        summary="The groups’ shares of one question, and their differences, as a figure",
        description=RULES,
        parameters=PARAMETERS,
        responses=errors(422) | {200: OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str, key: str) -> HttpResponse:
        instrument = sealed(request, slug)
        found = query.groups_as_asked(request, instrument)
        try:
            question = page_of(found).question(key)
        except KeyError:
            raise Http404 from None
        about = query.seen(request, instrument).words(query.group(request, instrument))
        svg = question_svg(question.answers, question.sentences, about)
        name = f"{slug}-{key}-by-{found.by.key}.{self.form}"
        return file(svg if self.form == "svg" else png(svg), name, self.media_type)
