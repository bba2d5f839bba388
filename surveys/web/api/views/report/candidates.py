"""Candidates for written answers: the rounds that were given, and a further one."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from mechanisms.designs.texts import MOST_CANDIDATES
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.definition.instrument import paper
from surveys.fieldwork.responses.sealing import seal
from surveys.models import Instrument
from surveys.results.report import candidate_rounds, csv_tables
from surveys.web.api.fields import Strict, Text
from surveys.web.api.views.base import View, errors, valid
from surveys.web.api.views.report.files import file
from surveys.web.api.views.report.report import readable
from surveys.web.api.views.responses import AnyFile


class GivenSerializer(Strict):
    candidates = serializers.ListField(
        child=Text(max_length=1000, required=True), max_length=MOST_CANDIDATES, help_text="texts, none of them twice"
    )


class NoneSerializer(serializers.Serializer):
    estimate = serializers.FloatField()
    standard_error = serializers.FloatField()


class CandidateSerializer(serializers.Serializer):
    text = serializers.CharField()
    reports = serializers.IntegerField(required=False, help_text="that fit it")
    estimate = serializers.FloatField(required=False)
    standard_error = serializers.FloatField(required=False)
    interval = serializers.ListField(child=serializers.FloatField(), required=False, help_text="low and high")
    found = serializers.BooleanField(required=False, help_text="whether its share is told from 0")
    significance = serializers.FloatField(
        required=False, help_text="the chance to see so much of a text that nobody wrote, of each by itself"
    )
    possible = serializers.FloatField(
        required=False, allow_null=True, help_text="the share among possible ones, where candidates count together"
    )


class RoundSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    level = serializers.FloatField(help_text="the chance, at most, that any interval of the round misses: 0.05/2^round")
    n = serializers.IntegerField(help_text="responses that it was counted over; 0 until it is")
    behind = serializers.BooleanField(help_text="whether it is to be counted within some minutes")
    candidates = CandidateSerializer(many=True, help_text="the largest share first")
    none_of_these = NoneSerializer(allow_null=True)
    same = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()), help_text="candidates that cannot be told apart"
    )
    refused = serializers.CharField(allow_blank=True, help_text="why nothing can be said of this round, or nothing")


class RoundsSerializer(serializers.Serializer):
    survey = serializers.CharField()
    instrument = serializers.CharField()
    key = serializers.CharField()
    note = serializers.CharField(help_text="when the intervals hold, and when none does")
    rounds = RoundSerializer(many=True)


class Candidates(View):
    @extend_schema(
        summary="The candidates of a question with written answers", responses=errors() | {200: RoundsSerializer}
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        return Response(_shown(_asked(request, slug, key), key))

    @extend_schema(
        summary="Give candidates: one more round",
        description="A round is read at half the level of the one before, shared out among its candidates; earlier "
        "rounds keep theirs. 409 after twelve rounds, for a question whose answers are chosen, and where the responses "
        "are deleted.",
        request=GivenSerializer,
        responses=errors(409, 415, 422) | {201: RoundsSerializer},
        examples=[OpenApiExample("Three", {"candidates": ["heroin", "cocaine", "crack"]}, request_only=True)],
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        access.survey_for(request.user, slug, Right.WRITE)
        instrument = _asked(request, slug, key)
        candidate_rounds.give(instrument, key, valid(GivenSerializer, request)["candidates"], request.user)
        return Response(_shown(instrument, key), status=201)


class CandidatesTable(View):
    renderer_classes = (AnyFile,)
    media_type = "text/csv"

    @extend_schema(
        summary="The same as CSV, a row for each candidate",
        responses=errors() | {(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str, key: str) -> HttpResponse:
        found = candidate_rounds.results(_asked(request, slug, key), key)
        return file(csv_tables.candidates_csv(key, found), f"{slug}-{key}-candidates.csv", "text/csv")


def _asked(request: Request, slug: str, key: str) -> Instrument:
    instrument = readable(request, slug)
    if key not in [item.key for item in paper(instrument).items]:
        raise Http404
    seal(instrument)
    return instrument


def _shown(instrument: Instrument, key: str) -> dict:
    found = [candidate_rounds.as_json(each) for each in candidate_rounds.results(instrument, key)]
    told = {
        "survey": paper(instrument).survey,
        "instrument": instrument.sha256,
        "key": key,
        "note": candidate_rounds.SEARCHED,
    }
    return told | {"rounds": found}
