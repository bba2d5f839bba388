"""Which files there are of a survey."""

from dataclasses import dataclass

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.export.access import files_for, published
from surveys.export.formats import in_report
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors


@dataclass(frozen=True)
class FileResult(ApiResult):
    name: str = api_field("the last part of its address")
    title: str = api_field()
    media_type: str = api_field()
    has_rows: bool = api_field("whether it holds responses; if so, your token needs the scope rows")
    limit: int | None = api_field("the most responses it holds; 409 where there are more")
    most_cells: int | None = api_field("the most cells it holds; 409 where there are more")
    most_columns: int | None = api_field("the most columns it holds; 409 where there are more")


@dataclass(frozen=True)
class Files(ApiResult):
    n: int = api_field("responses in a file now")
    files: tuple[FileResult, ...] = api_field()


class Exports(View):
    @extend_schema(
        summary="The files you can download",
        operation_id="surveys_export_list",
        responses=errors() | {200: serializer_for(Files)},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = published(request.user, slug)
        files = tuple(map(FileResult.from_object, files_for(request.user, instrument)))
        return Response(as_json(Files(in_report(instrument), files)))
