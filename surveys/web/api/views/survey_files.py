"""Surveys as files, and drafts from the files of other surveys."""

import io
import json
from typing import Any

from django.conf import settings
from django.http import JsonResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.files import survey_file
from surveys.site.errors import Unreadable
from surveys.site.problems import problem_response
from surveys.web.api import survey_object
from surveys.web.api.parsers import FileParser
from surveys.web.api.serializers import SurveyDetailSerializer
from surveys.web.api.uploads import OCTETS, described, parsers, uploaded
from surveys.web.api.views.base import View, created, errors

EXAMPLE = {
    "candor": survey_file.FORMAT,
    "title": "Taxes",
    "questions": [
        {
            "key": "tax",
            "kind": "yes-no",
            "text": "Have you ever evaded taxes?",
            "design": "two-coin",
        }
    ],
}


class FileOfSurvey(View):
    @extend_schema(
        summary="The survey as a file, for colleagues and other sites",
        description="All its texts and settings. Nothing about people, times, status or responses.",
        responses=errors() | {200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(survey_file.write(access.survey_for(request.user, slug, Right.SEE)))


class Files(View):
    parser_classes = (FileParser, *parsers(settings.DATA_UPLOAD_MAX_MEMORY_SIZE, OCTETS))

    @extend_schema(
        summary="Make a draft from a survey's file",
        description="All or nothing: `errors` names each question and field that is wrong.",
        request={"application/json": OpenApiTypes.OBJECT, **described(OCTETS)},
        responses=errors(413, 415, 422) | {201: SurveyDetailSerializer},
        examples=[OpenApiExample("A file with one question", EXAMPLE, request_only=True)],
    )
    def post(self, request: Request) -> Response | JsonResponse:
        try:
            survey = survey_file.read(
                survey_file.parse(json.dumps(_sent(request))), owner=request.user
            )
        except Unreadable as wrong:
            return unreadable("We can’t import this file.", wrong)
        return created(survey_object.shown(survey), "survey", survey.slug)


def _sent(request: Request) -> Any:
    """What the file says, whichever way it came."""
    if not isinstance(request.data, bytes) and not request.FILES:
        return request.data
    return FileParser().parse(io.BytesIO(uploaded(request, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)))


def unreadable(title: str, wrong: Unreadable) -> JsonResponse:
    """The first hundred lines of what is wrong, each at its number."""
    places = {str(number): line for number, line in enumerate(wrong.lines[:100])}
    return problem_response(422, "unreadable", title, " ".join(wrong.lines[:3]), errors=places)
