"""What respondents answer, as it was frozen. Public, so that anybody can check the hash.

An import-only survey has no respondents here; its instrument is in its codebook, for those who may read it.
"""

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from surveys.api.etags import matches
from surveys.api.views.base import View, errors
from surveys.models import Instrument

RESPONSES = errors() | {200: OpenApiTypes.OBJECT, 304: None}


class Public(View):
    authentication_classes = ()
    permission_classes = (AllowAny,)


class InstrumentOfSurvey(Public):
    @extend_schema(summary="The instrument: canonical JSON whose SHA-256 is its name", responses=RESPONSES, auth=[])
    def get(self, request: Request, slug: str) -> HttpResponse:
        return _answer(request, get_object_or_404(Instrument, survey__slug=slug, survey__import_only=False))


class InstrumentByHash(Public):
    @extend_schema(summary="The same by its SHA-256", responses=RESPONSES, auth=[])
    def get(self, request: Request, sha256: str) -> HttpResponse:
        return _answer(request, get_object_or_404(Instrument, sha256=sha256, survey__import_only=False))


def _answer(request: Request, instrument: Instrument) -> HttpResponse:
    etag = f'"{instrument.sha256}"'
    if matches(request, etag):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(instrument.content, content_type="application/json")
    response["ETag"] = etag
    return response
