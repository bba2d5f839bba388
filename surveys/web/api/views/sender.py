"""Who asks and what becomes of the data, as a draft says it: the same services as the workspace."""

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.drafts.drafts import write
from surveys.authoring.drafts.logo import LARGEST
from surveys.authoring.drafts.settings import past
from surveys.definition import fields
from surveys.models import Survey
from surveys.site.errors import Invalid
from surveys.web.api.fields import Strict, Text
from surveys.web.api.uploads import OCTETS, described, parsers, uploaded
from surveys.web.api.views.base import View, errors, valid
from surveys.web.api.views.responses import AnyFile

SENDER = ("sender", "accent", "accent_dark")
PROTECTION = fields.names(Survey, part="data_protection")
KINDS = ("image/png", "image/jpeg", OCTETS)


class SenderInputSerializer(Strict):
    sender = Text(max_length=100, help_text="who asks, as the top of every page says it")
    accent = Text(max_length=7, help_text="of links and buttons, as #0f5866: at least 4.5 : 1 to light pages")
    accent_dark = Text(max_length=7, help_text="the same on dark screens; unless given, the nearest that can be read")


class LogoSerializer(serializers.Serializer):
    sha256 = serializers.CharField(help_text="of the PNG, which lies at /brand/<sha256>.png")
    width = serializers.IntegerField()
    height = serializers.IntegerField()


class SenderSerializer(SenderInputSerializer):
    logo = LogoSerializer(allow_null=True)


class DataProtectionSerializer(Strict):
    controller = Text(max_length=1000)
    officer = Text(max_length=1000, help_text="data protection officer")
    purpose = Text(max_length=1000)
    legal_basis = Text(max_length=1000)
    rights = Text(max_length=2000, help_text="of respondents")
    delete_on = serializers.DateField(
        required=False,
        allow_null=True,
        help_text="from 00:00 UTC on the survey is closed, if still open, and every response deleted",
    )


class Sender(View):
    @extend_schema(summary="Who asks: name, logo, colours", responses=errors() | {200: SenderSerializer})
    def get(self, request: Request, slug: str) -> Response:
        return Response(_sender(access.survey_for(request.user, slug, Right.SEE)))

    @extend_schema(
        summary="Set name and colours of the sender of a draft",
        description="What is not given is taken away; the logo stays. 422 names a colour's contrast and the nearest "
        "one that can be read.",
        request=SenderInputSerializer,
        responses=errors(409, 415, 422) | {200: SenderSerializer},
        examples=[
            OpenApiExample("An institute", {"sender": "Institute of examples", "accent": "#7a1f3d"}, request_only=True)
        ],
    )
    def put(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        data = dict.fromkeys(SENDER, "") | valid(SenderInputSerializer, request)
        return Response(_sender(write(survey, data, request.user)))


class Logo(View):
    parser_classes = parsers(LARGEST, *KINDS)
    renderer_classes = (JSONRenderer, AnyFile)

    @extend_schema(
        summary="The logo as it is shown, a PNG",
        description="404 where there is none.",
        responses=errors() | {(200, "image/png"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        survey = access.survey_for(request.user, slug, Right.SEE)
        if survey.logo is None:
            raise Http404
        return HttpResponse(bytes(survey.logo.png), content_type="image/png")

    @extend_schema(
        summary="Give a draft a logo",
        description="A PNG or JPEG of at most a megabyte, written anew as a PNG of at most 24 kB without anything but "
        "its pixels. The sender needs a name. 422 says what is wrong with the file.",
        request=described(*KINDS),
        responses=errors(409, 413, 415, 422) | {200: SenderSerializer},
    )
    def put(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        picture = uploaded(request, LARGEST)
        return Response(_sender(write(survey, {"logo": picture}, request.user)))

    @extend_schema(summary="Take the logo out of a draft", request=None, responses=errors(409) | {204: None})
    def delete(self, request: Request, slug: str) -> Response:
        write(access.survey_for(request.user, slug, Right.WRITE), {"logo": None}, request.user)
        return Response(status=204)


class DataProtection(View):
    @extend_schema(
        summary="What respondents read about data protection", responses=errors() | {200: DataProtectionSerializer}
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(_told(access.survey_for(request.user, slug, Right.SEE)))

    @extend_schema(
        summary="Set what respondents of a draft read about data protection",
        description="What is not given is taken away.",
        request=DataProtectionSerializer,
        responses=errors(409, 415, 422) | {200: DataProtectionSerializer},
        examples=[
            OpenApiExample(
                "Deleted after two years", {"purpose": "To know.", "delete_on": "2030-01-31"}, request_only=True
            )
        ],
    )
    def put(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        data = valid(DataProtectionSerializer, request)
        if wrong := past(data.get("delete_on")):
            raise Invalid({"delete_on": wrong})
        data = dict.fromkeys(PROTECTION, "") | data
        return Response(_told(write(survey, data, request.user)))


def _sender(survey: Survey) -> dict[str, Any]:
    texts = {name: getattr(survey, name) for name in SENDER}
    return texts | {"logo": LogoSerializer(survey.logo).data if survey.logo else None}


def _told(survey: Survey) -> dict[str, Any]:
    return {name: getattr(survey, name) for name in PROTECTION}
