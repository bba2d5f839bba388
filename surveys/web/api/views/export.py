"""Which files there are of a survey."""

from dataclasses import dataclass

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.export.access import files_for, published
from surveys.export.formats import in_report
from surveys.site.shape import Result, as_json, of
from surveys.web.api.shapes import shape
from surveys.web.api.views.base import View, errors


@dataclass(frozen=True)
class FileResult(Result):
    name: str = of("the last part of its address")
    title: str = of()
    media_type: str = of()
    has_rows: bool = of("whether it holds responses; if so, your token needs the scope rows")
    limit: int | None = of("the most responses it holds; 409 where there are more")
    most_cells: int | None = of("the most cells it holds; 409 where there are more")
    most_columns: int | None = of("the most columns it holds; 409 where there are more")


@dataclass(frozen=True)
class Files(Result):
    n: int = of("responses in a file now")
    files: tuple[FileResult, ...] = of()


class Exports(View):
    @extend_schema(
        summary="The files you can download",
        operation_id="surveys_export_list",
        responses=errors() | {200: shape(Files)},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = published(request.user, slug)
        files = tuple(map(FileResult.like, files_for(request.user, instrument)))
        return Response(as_json(Files(in_report(instrument), files)))
