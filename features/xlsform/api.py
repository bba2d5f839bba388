"""Surveys from where others write them."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from features.xlsform.reader import LARGEST, bring
from features.xlsform.writer import as_xlsx
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.site.errors import Unreadable
from surveys.site.files.workbook import WORKBOOK_TYPE
from surveys.web.api import survey_object
from surveys.web.api.fields import Items
from surveys.web.api.serializers import SurveyDetailSerializer
from surveys.web.api.uploads import OCTETS, described, parsers, uploaded
from surveys.web.api.views.base import View, created, errors
from surveys.web.api.views.responses import AnyFile
from surveys.web.api.views.survey_files import unreadable

KINDS = (WORKBOOK_TYPE, "application/vnd.ms-excel", "text/csv", "text/markdown", OCTETS)


class ImportedSerializer(serializers.Serializer):
    survey = SurveyDetailSerializer()
    notes = Items(child=serializers.CharField(), help_text="what we could not import, row by row")


class XLSForm(View):
    parser_classes = parsers(LARGEST, *KINDS)

    @extend_schema(
        summary="Make a draft from an XLSForm, for example of ODK or KoboToolbox",
        description=(
            "As .xlsx, .xls, .csv or tables of Markdown. Extra columns rr::design, rr::epsilon, rr::p, ... say how a "
            "question is randomized; choices and whole numbers without them become background questions. `notes` lists "
            "what is not supported."
        ),
        request=described(*KINDS),
        responses=errors(413, 415, 422) | {201: ImportedSerializer},
    )
    def post(self, request: Request) -> Any:
        try:
            survey, notes = bring(uploaded(request, LARGEST), request.user)
        except Unreadable as wrong:
            return unreadable("We can’t import this form.", wrong)
        return created(
            {"survey": survey_object.shown(survey), "notes": notes}, "survey", survey.slug
        )


class FormOfSurvey(View):
    renderer_classes = (AnyFile,)
    media_type = WORKBOOK_TYPE

    @extend_schema(
        summary="The survey as an XLSForm",
        description=(
            "Questions, choices and texts in all languages, and how answers are randomized. What XLSForm has no column "
            "for is missing."
        ),
        responses=errors() | {200: OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        survey = access.survey_for(request.user, slug, Right.SEE)
        return HttpResponse(as_xlsx(survey), content_type=WORKBOOK_TYPE)
