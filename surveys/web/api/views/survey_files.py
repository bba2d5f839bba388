"""Surveys that start from something: a ready instrument, or the file of another survey."""

import io
import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import JsonResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from features.survey_templates import catalogue as ready
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.files import survey_file
from surveys.authoring.planning.shape import LineResult, VerdictResult
from surveys.site.errors import Unreadable
from surveys.site.problems import problem
from surveys.site.shape import Result, as_json, of
from surveys.web.api import survey_object
from surveys.web.api.parsers import FileParser
from surveys.web.api.serializers import SurveyDetailSerializer
from surveys.web.api.shapes import shape
from surveys.web.api.uploads import OCTETS, described, parsers, uploaded
from surveys.web.api.views.base import View, created, errors

EXAMPLE = {
    "candor": survey_file.FORMAT,
    "title": "Taxes",
    "questions": [{"key": "tax", "kind": "yes-no", "text": "Have you ever evaded taxes?", "design": "two-coin"}],
}


@dataclass(frozen=True)
class ReadyResult(Result):
    key: str = of()
    title: str = of()
    about: str = of()
    source: str = of("the studies its subject and period come from, as one text")
    sources: tuple[str, ...] = of("the same studies, one by one")
    languages: tuple[str, ...] = of()
    target: int = of("how many respondents it is made for")
    questions: tuple[str, ...] = of("their texts")


@dataclass(frozen=True)
class Look(ReadyResult):
    epsilon: float = of("total privacy loss per respondent")
    widest: VerdictResult = of("margin of error of the least precise share with `target` respondents")
    lines: tuple[LineResult, ...] = of("what each question costs, and how precise it is with them")
    to_fill: str = of("what you must fill in before publishing")
    file: dict[str, Any] = of("the whole survey in all languages, in the form /files/ takes")


class ReadyInstruments(View):
    @extend_schema(
        operation_id="ready_list",
        summary="Templates to start from",
        responses=errors() | {200: shape(ReadyResult)(many=True)},
    )
    def get(self, request: Request) -> Response:
        shown = (ReadyResult.like(each, source=" ".join(each.sources)) for each in ready.READY.values())
        return Response(list(map(as_json, shown)))


class ReadyInstrument(View):
    @extend_schema(summary="A template in detail", responses=errors() | {200: shape(Look)})
    def get(self, request: Request, key: str) -> Response:
        seen = ready.look(_ready(key), request.user)
        told = Look.like(
            seen.ready,
            source=" ".join(seen.ready.sources),
            epsilon=seen.overview.epsilon,
            widest=VerdictResult.like(seen.ready.widest),
            lines=tuple(map(LineResult.tell, seen.overview.lines)),
            to_fill=seen.to_fill,
        )
        return Response(as_json(told))

    @extend_schema(
        summary="Make a draft from a template",
        request=None,
        responses=errors() | {201: SurveyDetailSerializer},
    )
    def post(self, request: Request, key: str) -> Response:
        survey = ready.start(_ready(key), request.user)
        return created(survey_object.shown(survey), "survey", survey.slug)


def _ready(key: str) -> ready.Ready:
    if key not in ready.READY:
        raise NotFound(f"There is no such template. Choose one of {', '.join(ready.READY)}.")
    return ready.READY[key]


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
            survey = survey_file.read(survey_file.parse(json.dumps(_sent(request))), owner=request.user)
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
    return problem(422, "unreadable", title, " ".join(wrong.lines[:3]), errors=places)
