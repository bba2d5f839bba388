"""Around the respondents' link: the link and its QR code, when it opens and closes, and how many have answered."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.drafts.text_checks import MOST_RESPONSES
from surveys.fieldwork.link import QR_CODES, invitation_text, qr_code, survey_url
from surveys.fieldwork.responses.progress import count_received
from surveys.fieldwork.schedule import set_schedule
from surveys.models import Survey
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.fields import Moment, Strict, Whole
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors, valid
from surveys.web.api.views.responses import AnyFile


@dataclass(frozen=True)
class LinkResult(ApiResult):
    link: str = api_field("what respondents open")
    subject: str = api_field("subject of an invitation mail")
    text: str = api_field("text of an invitation mail, in the survey's language, with the link")


class ScheduleSerializer(Strict):
    """Times to the minute. What is not given, or null, is none."""

    opens = Moment(required=False, allow_null=True, help_text="no one can answer before it")
    closes = Moment(required=False, allow_null=True, help_text="no one can answer after it")
    target = Whole(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_RESPONSES,
        help_text="how many responses you expect; reaching it closes nothing",
    )


@dataclass(frozen=True)
class ProgressResult(ApiResult):
    released: int = api_field("responses in the report")
    waiting: int = api_field("not yet in the report: a multiple of 20, as of the last update")
    received: int = api_field("both together")
    target: int | None = api_field("responses wanted")


class Link(View):
    @extend_schema(
        summary="The survey link, and words for a mail",
        description="409 for a draft.",
        responses=errors(409) | {200: serializer_for(LinkResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.SEE)
        address = survey_url(request, survey)
        return Response(
            as_json(LinkResult.from_object(invitation_text(survey, address), link=address))
        )


class QRCode(View):
    """form: svg or png."""

    renderer_classes = (AnyFile,)
    form = "svg"
    description = (
        "An SVG stays sharp at any size; a PNG is for programs that take no SVG. 409 for a draft."
    )
    answers = errors(409) | {200: OpenApiTypes.BINARY}

    @property
    def summary(self) -> str:
        return f"The survey link as a QR code, {self.form.upper()}"

    @property
    def media_type(self) -> str:
        return QR_CODES[self.form]

    def get(self, request: Request, slug: str) -> HttpResponse:
        survey = access.survey_for(request.user, slug, Right.SEE)
        return HttpResponse(
            qr_code(survey_url(request, survey), self.form), content_type=self.media_type
        )


class Progress(View):
    @extend_schema(
        summary="How many have answered",
        description="Says nothing about any answer. 409 for a draft.",
        responses=errors(409) | {200: serializer_for(ProgressResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.SEE)
        return Response(as_json(ProgressResult(**count_received(survey), target=survey.target)))


class Schedule(View):
    @extend_schema(
        summary="When the survey opens and closes by itself, and its target",
        responses=errors() | {200: ScheduleSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(_shown(access.survey_for(request.user, slug, Right.SEE)))

    @extend_schema(
        summary="Set the times and the target",
        description="Send all three: what you leave out is removed. You can change them after publishing too.",
        request=ScheduleSerializer,
        responses=errors(415, 422) | {200: ScheduleSerializer},
        examples=[
            OpenApiExample(
                "Open until the end of November, target 400",
                {"opens": None, "closes": "2030-11-30T18:00:00Z", "target": 400},
                request_only=True,
            )
        ],
    )
    def put(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        asked = valid(ScheduleSerializer, request)
        typed = {name: _typed(asked.get(name)) for name in ("opens", "closes")}
        target = str(asked.get("target") or "")
        return Response(
            _shown(set_schedule(survey=survey, **typed, target=target, by=request.user))
        )


def _shown(survey: Survey) -> dict[str, Any]:
    return ScheduleSerializer(survey).data


def _typed(time: datetime | None) -> str:
    """As an author types it, which is what the service checks."""
    return time.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="minutes") if time else ""
