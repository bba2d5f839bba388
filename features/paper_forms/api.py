"""The table into which the answers of sheets of paper are typed."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from features.paper_forms.printed import ENTRY_TABLES
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.web.api.views.base import View, errors
from surveys.web.api.views.responses import AnyFile


class EntryTableOfSurvey(View):
    table = ENTRY_TABLES[0]
    renderer_classes = (AnyFile,)

    @property
    def media_type(self) -> str:  # type: ignore[override]
        return self.table.media_type

    @extend_schema(
        summary="An empty table to type the answers of paper sheets into",
        description="A header of variable names in the order of the sheet. Cells hold the answers’ words in the first "
        "language. 409 says why the survey has no sheet, or that it is not prepared.",
        responses=errors(409) | {200: OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        survey = access.survey_for(request.user, slug, Right.SEE)
        return HttpResponse(self.table.of(survey), content_type=self.table.media_type)
