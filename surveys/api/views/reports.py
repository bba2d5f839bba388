"""Reports and tallies."""

import hashlib
import json

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.api import serializers
from surveys.api.etags import matches
from surveys.api.views import asked
from surveys.api.views.base import View, errors
from surveys.ballots.reader import released
from surveys.ballots.sealing import seal
from surveys.models import Instrument
from surveys.people import access
from surveys.publishing.instruments import paper
from surveys.reporting import likeliest
from surveys.reporting.travelling import as_json


class Report(View):
    parameters = asked.NAMES

    @extend_schema(
        summary="Corrected shares with their uncertainty, and the epsilon spent",
        description=(
            "Reads released responses only. 404 while the survey is a draft. The answer has an ETag: send it as "
            "If-None-Match, and you get 304 as long as nothing has changed."
        ),
        parameters=asked.PARAMETERS,
        responses=errors(422) | {200: serializers.ReportSerializer, 304: None},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = readable(request, slug)
        chosen = asked.confidence(request), asked.interval(request), asked.simultaneous(request)
        chosen = (*chosen, asked.group(request, instrument))
        seal(instrument)
        etag = _etag(instrument, *chosen)
        if matches(request, etag):
            return Response(status=304, headers={"ETag": etag})
        filtered = dict(chosen[-1].conditions)
        return Response(as_json(asked.report_as_asked(request, instrument), filtered), headers={"ETag": etag})


class Tallies(View):
    @extend_schema(
        summary="How many responses, and how often each answer was reported",
        description="The counts before the correction. Tallies of the same instrument can be added up.",
        responses=errors() | {200: serializers.TalliesSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = readable(request, slug)
        seal(instrument)
        frozen, tally = paper(instrument), released(instrument).tally
        counts = tally["counts"] or {item.key: [0] * item.size for item in frozen.items}
        told = {"survey": frozen.survey, "instrument": frozen.sha256, "n": tally["n"], "counts": counts}
        zeros = dict.fromkeys(frozen.optional, 0)
        return Response(told | ({"answered": tally.get("answered", zeros)} if frozen.optional else {}))


def readable(request: Request, slug: str) -> Instrument:
    surveys = access.readable_by(request.user)
    found: Instrument = get_object_or_404(Instrument, survey__in=surveys, survey__slug=slug)
    return found


def _etag(instrument: Instrument, *asked: object) -> str:
    """A new one with every change of what the report is made of."""
    tally, waiting = released(instrument)
    possible = likeliest.kept(instrument, tally["n"])
    made_of = json.dumps([instrument.sha256, tally, waiting, possible, *map(repr, asked)])
    return f'"{hashlib.sha256(made_of.encode()).hexdigest()[:32]}"'
