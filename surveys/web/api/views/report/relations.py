"""Groups compared, tables of two questions and weighted shares by program: what the page of the analysis shows."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.results.analysis import files, selection
from surveys.results.analysis.as_json import crossed_as_json, weighted_as_json
from surveys.results.analysis.groups.groups import Compared, compare
from surveys.results.analysis.table.counts import crossing, sides
from surveys.results.analysis.table.result import Crossed
from surveys.results.analysis.weighting.known_margins import margins, read
from surveys.results.analysis.weighting.result import Weighted
from surveys.results.analysis.weighting.weighting import weigh
from surveys.results.disclosure.access import ReaderView
from surveys.web.api.views import query
from surveys.web.api.views.base import errors
from surveys.web.api.views.report.analysis_base import FILE, NAMES, PARAMETERS, RULES, Analysis, AnalysisFile
from surveys.web.api.views.report.analysis_shapes import CrossedSerializer, WeightedSerializer

TABLE = [
    OpenApiParameter(
        "rows", str, required=True, description="a question, or one answer against all others, as `tax:1`"
    ),
    OpenApiParameter("columns", str, required=True, description="another one"),
    *PARAMETERS,
]
WEIGHTED = [
    OpenApiParameter(
        "margins",
        str,
        required=True,
        description="known shares of one to three background questions, in the order of their answers, each summing to "
        "1: `sex:0.49,0.51;region:0.2,0.3,0.5`. Without the right to rows those of merged groups are added up",
    ),
    *PARAMETERS,
]


def compared(request: Request, seen: ReaderView, **_: Any) -> Compared:
    part = selection.outcome(seen, request.query_params.get("outcome", ""))
    return compare(query.groups_as_asked(request, seen.instrument), part.item, part.choice)


def _crossed(request: Request, seen: ReaderView, **options: Any) -> Crossed:
    parts = (request.query_params.get(side, "") for side in ("rows", "columns"))
    return crossing(seen, *sides(seen, *parts), **options)


def _weighted(request: Request, seen: ReaderView, **options: Any) -> Weighted:
    return weigh(seen, margins(seen, read(request.query_params.get("margins", ""))), **options)


class ComparedFiles(AnalysisFile):
    parameters, name, find = (*query.NAMES, "by", "outcome"), "compare", staticmethod(compared)

    @extend_schema(
        summary="Groups compared for one answer: all pairs as CSV, the groups' shares as SVG or PNG, methods as text",
        description=RULES,
        parameters=[query.BY, query.OUTCOME, *query.PARAMETERS],
        responses=FILE,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return self.as_any(request, slug, (files.compared_csv, files.compared_file))


class Table(Analysis):
    parameters, name, find = ("rows", "columns", *NAMES), "table", staticmethod(_crossed)

    @extend_schema(
        summary="Two questions together: shares of both answers, and whether they go together",
        description=f"{RULES} Two scrambled questions take the right to rows. At most 2,500 cells.",
        parameters=TABLE,
        responses=errors(422) | {200: CrossedSerializer, 304: None},
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.as_json(request, slug, crossed_as_json)


class TableFiles(AnalysisFile):
    parameters, name, find = ("rows", "columns", *NAMES), "table", staticmethod(_crossed)

    @extend_schema(
        summary="Two questions together as CSV, SVG or PNG, methods as text",
        description=RULES,
        parameters=TABLE,
        responses=FILE,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return self.as_any(request, slug, (files.crossed_csv, files.crossed_file))


class WeightedShares(Analysis):
    parameters, name, find = ("margins", *NAMES), "weighted", staticmethod(_weighted)

    @extend_schema(
        summary="Shares weighted to what is known of the population, beside the unweighted ones",
        description=RULES,
        parameters=WEIGHTED,
        responses=errors(422) | {200: WeightedSerializer, 304: None},
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.as_json(request, slug, weighted_as_json)


class WeightedFiles(AnalysisFile):
    parameters, name, find = ("margins", *NAMES), "weighted", staticmethod(_weighted)

    @extend_schema(
        summary="Weighted shares as CSV, SVG or PNG, methods as text",
        description=RULES,
        parameters=WEIGHTED,
        responses=FILE,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return self.as_any(request, slug, (files.weighted_csv, files.weighted_file))
