"""Candidates for written answers: the rounds that were given, and a further one."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from features.text_candidates import candidate_rounds
from features.text_candidates.shape import Rounds, candidates_csv
from mechanisms.designs.texts import MOST_CANDIDATES
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.sealing import seal
from surveys.models import Instrument
from surveys.site.shape import as_json
from surveys.web.api.fields import Items, Strict, Text
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors, valid
from surveys.web.api.views.report.files import file
from surveys.web.api.views.report.report import readable
from surveys.web.api.views.responses import AnyFile


class GivenSerializer(Strict):
    candidates = Items(
        child=Text(max_length=1000, required=True),
        max_length=MOST_CANDIDATES,
        help_text="texts to count, each once",
    )


class Candidates(View):
    @extend_schema(
        summary="The texts to count of a question with text answers",
        responses=errors() | {200: serializer_for(Rounds)},
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        return Response(_shown(_asked(request, slug, key), key))

    @extend_schema(
        summary="Add texts to count",
        description=(
            "Starts the next count. It gets half the error level of the one before, shared among its texts; earlier "
            "counts keep theirs. 409 after twelve counts, for a question without text answers, and once the responses "
            "are deleted."
        ),
        request=GivenSerializer,
        responses=errors(409, 413, 415, 422) | {201: serializer_for(Rounds)},
        examples=[
            OpenApiExample(
                "Three", {"candidates": ["heroin", "cocaine", "crack"]}, request_only=True
            )
        ],
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        access.survey_for(request.user, slug, Right.WRITE)
        instrument = _asked(request, slug, key)
        candidate_rounds.create_round(
            instrument, key, valid(GivenSerializer, request)["candidates"], request.user
        )
        return Response(_shown(instrument, key), status=201)


class CandidatesTable(View):
    renderer_classes = (AnyFile,)
    media_type = "text/csv"

    @extend_schema(
        summary="The same as CSV, one row for each text",
        responses=errors() | {(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str, key: str) -> HttpResponse:
        rounds = candidate_rounds.round_results(_asked(request, slug, key), key)
        return file(candidates_csv(key, rounds), f"{slug}-{key}-candidates.csv", "text/csv")


def _asked(request: Request, slug: str, key: str) -> Instrument:
    instrument = readable(request, slug)
    if key not in [item.key for item in parse_instrument(instrument).items]:
        raise Http404
    seal(instrument)
    return instrument


def _shown(instrument: Instrument, key: str) -> dict:
    rounds: dict = as_json(
        Rounds.tell(
            parse_instrument(instrument), key, candidate_rounds.round_results(instrument, key)
        )
    )
    return rounds
