"""What respondents answer, as it was frozen. Public, so that anybody can check the hash.

An import-only survey has no respondents here; its instrument is in its codebook, for those who may read it.
"""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from surveys.models import Instrument
from surveys.web.api.views.base import View, errors

RESPONSES = errors() | {200: OpenApiTypes.OBJECT, 304: None}


class Public(View):
    authentication_classes = ()
    permission_classes = (AllowAny,)


class InstrumentOfSurvey(Public):
    @extend_schema(
        summary="The instrument: canonical JSON, named by its SHA-256", responses=RESPONSES, auth=[]
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return _answer(_asked(survey__slug=slug))


class InstrumentByHash(Public):
    @extend_schema(summary="The instrument, by its SHA-256", responses=RESPONSES, auth=[])
    def get(self, request: Request, sha256: str) -> HttpResponse:
        return _answer(_asked(sha256=sha256))


def _asked(**by: str) -> Instrument:
    """Of a survey that has opened: before, respondents do not see its questions either."""
    instrument = get_object_or_404(
        Instrument.objects.select_related("survey"), survey__import_only=False, **by
    )
    if instrument.survey.is_early:
        raise Http404
    return instrument


def _answer(instrument: Instrument) -> HttpResponse:
    tag = {"ETag": f'"{instrument.sha256}"'}
    return HttpResponse(instrument.content, content_type="application/json", headers=tag)
