"""Which files there are of a survey."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.exchange.export.downloads import files_for, published
from surveys.exchange.export.formats import in_report
from surveys.web.api.views.base import View, errors


class FileSerializer(serializers.Serializer):
    name = serializers.CharField(help_text="the last part of its address")
    title = serializers.CharField()
    media_type = serializers.CharField()
    has_rows = serializers.BooleanField(help_text="whether it holds responses; then it takes the scope rows")
    limit = serializers.IntegerField(allow_null=True, help_text="the most responses it holds; 409 where there are more")
    most_cells = serializers.IntegerField(
        allow_null=True, help_text="the most cells it holds; 409 where there are more"
    )
    most_columns = serializers.IntegerField(
        allow_null=True, help_text="the most columns it holds; 409 where there are more"
    )


class FilesSerializer(serializers.Serializer):
    n = serializers.IntegerField(help_text="responses in a file now")
    files = FileSerializer(many=True)


class Exports(View):
    @extend_schema(
        summary="The files that you may download",
        operation_id="surveys_export_list",
        responses=errors() | {200: FilesSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = published(request.user, slug)
        files = files_for(request.user, instrument)
        return Response(FilesSerializer({"n": in_report(instrument), "files": files}).data)
