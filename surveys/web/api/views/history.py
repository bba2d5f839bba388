"""What researchers did to a survey."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.models import Event
from surveys.web.api.views.base import View, errors
from surveys.web.api.views.paging import PARAMETERS, Pages


class EventSerializer(serializers.ModelSerializer):
    words = serializers.CharField(source="get_what_display", help_text="the same in words")

    class Meta:
        model = Event
        fields = ["when", "name", "what", "words", "detail"]
        read_only_fields = fields


class HistorySerializer(serializers.Serializer):
    next = serializers.CharField(allow_null=True, help_text="address of the next page")
    previous = serializers.CharField(allow_null=True, help_text="address of the previous page")
    results = EventSerializer(many=True)


class History(View):
    parameters = ("cursor", "page_size")

    @extend_schema(
        summary="Who did what to the survey, newest first",
        description="Only what researchers do. Nothing here is about respondents.",
        parameters=PARAMETERS,
        responses=errors() | {200: HistorySerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey, pages = access.survey_for(request.user, slug, Right.SEE), Pages()
        page = pages.paginate_queryset(survey.events.all(), request, view=self)
        return pages.get_paginated_response(EventSerializer(page, many=True).data)

    def ordering(self, request: Request) -> tuple[str, ...]:
        return "-when", "-pk"  # by the time, so that no address holds a number of the sequence
