"""Ready instruments by program: the list, and a draft from one."""

from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from features.survey_templates import catalogue as ready
from surveys.authoring.planning.shape import LineResult, VerdictResult
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api import survey_object
from surveys.web.api.serializers import SurveyDetailSerializer
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, created, errors


@dataclass(frozen=True)
class ReadyResult(ApiResult):
    key: str = api_field()
    title: str = api_field()
    about: str = api_field()
    source: str = api_field("the studies its subject and period come from, as one text")
    sources: tuple[str, ...] = api_field("the same studies, one by one")
    languages: tuple[str, ...] = api_field()
    target: int = api_field("how many respondents it is made for")
    questions: tuple[str, ...] = api_field("their texts")


@dataclass(frozen=True)
class Look(ReadyResult):
    epsilon: float = api_field("total privacy loss per respondent")
    widest: VerdictResult = api_field(
        "margin of error of the least precise share with `target` respondents"
    )
    lines: tuple[LineResult, ...] = api_field(
        "what each question costs, and how precise it is with them"
    )
    to_fill: str = api_field("what you must fill in before publishing")
    file: dict[str, Any] = api_field("the whole survey in all languages, in the form /files/ takes")


class ReadyInstruments(View):
    @extend_schema(
        operation_id="ready_list",
        summary="Templates to start from",
        responses=errors() | {200: serializer_for(ReadyResult)(many=True)},
    )
    def get(self, request: Request) -> Response:
        shown = (
            ReadyResult.from_object(each, source=" ".join(each.sources))
            for each in ready.READY.values()
        )
        return Response(list(map(as_json, shown)))


class ReadyInstrument(View):
    @extend_schema(summary="A template in detail", responses=errors() | {200: serializer_for(Look)})
    def get(self, request: Request, key: str) -> Response:
        seen = ready.look(_ready(key), request.user)
        told = Look.from_object(
            seen.ready,
            source=" ".join(seen.ready.sources),
            epsilon=seen.overview.epsilon,
            widest=VerdictResult.from_verdict(seen.ready.widest),
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
