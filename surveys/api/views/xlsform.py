"""Surveys from where others write them."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.api import content
from surveys.api.serializers import SurveyDetailSerializer
from surveys.api.views.base import View, errors
from surveys.api.views.responses import AnyFile
from surveys.api.views.starting import unreadable
from surveys.authoring.xlsform import LARGEST, bring
from surveys.authoring.xlsform_written import WORKBOOK, as_xlsx
from surveys.errors import Unreadable
from surveys.people import access
from surveys.people.access import Right

KINDS = (WORKBOOK, "application/vnd.ms-excel", "text/csv", "text/markdown", "application/octet-stream")


class FormParser(BaseParser):
    """The bytes as they come, as far as a form may reach. What they are, they say themselves."""

    media_type = WORKBOOK

    def parse(self, stream: Any, *args: object) -> bytes:
        return stream.read(LARGEST + 1)


PARSERS = tuple(type("FormParser", (FormParser,), {"media_type": kind}) for kind in KINDS)


class ImportedSerializer(serializers.Serializer):
    survey = SurveyDetailSerializer()
    notes = serializers.ListField(child=serializers.CharField(), help_text="what could not be taken over, row by row")


class XLSForm(View):
    parser_classes = PARSERS

    @extend_schema(
        summary="A draft from an XLSForm, as ODK and KoboToolbox write them",
        description=(
            "As .xlsx, .xls, .csv or tables of Markdown. Extra columns rr::design, rr::epsilon, rr::p, ... say how a "
            "question is randomized; choices and whole numbers without them become background questions. What is not "
            "supported is listed in `notes`."
        ),
        request=dict.fromkeys(KINDS, OpenApiTypes.BINARY),
        responses=errors(415, 422) | {201: ImportedSerializer},
    )
    def post(self, request: Request) -> Any:
        try:
            survey, notes = bring(request.data if isinstance(request.data, bytes) else b"", request.user)
        except Unreadable as wrong:
            return unreadable("This form cannot be imported.", wrong)
        return Response({"survey": content.shown(survey), "notes": notes}, status=201)


class FormOfSurvey(View):
    renderer_classes = (AnyFile,)

    @extend_schema(
        summary="The survey as an XLSForm",
        description="Questions, choices and texts in all languages, and how answers are randomized; not what XLSForm "
        "has no column for.",
        responses=errors() | {(200, WORKBOOK): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        survey = access.survey_for(request.user, slug, Right.SEE)
        return HttpResponse(as_xlsx(survey), content_type=WORKBOOK)
