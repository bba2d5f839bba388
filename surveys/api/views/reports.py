"""Reports and tallies."""

import hashlib
import json
import math

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from mechanisms.intervals import METHODS
from surveys.api import serializers
from surveys.api.etags import matches
from surveys.api.views.base import View, WrongParameter, errors
from surveys.ballots.inbox import waiting
from surveys.ballots.sealing import seal
from surveys.models import Instrument
from surveys.people import access
from surveys.publishing.instruments import paper
from surveys.reporting.report import CONFIDENCE, INTERVAL, as_json, report
from surveys.reporting.subgroups import Group, TooSmall


class GroupTooSmall(APIException):
    status_code = 422
    default_code = "group_too_small"
    default_detail = "So few people are not reported on."


class Report(View):
    parameters = ("confidence", "interval", "where")

    @extend_schema(
        summary="Corrected shares with their uncertainty, and the epsilon spent",
        description=(
            "Reads sealed batches only. 404 while the survey is a draft. The answer has an ETag: send it as "
            "If-None-Match, and you get 304 as long as nothing has changed."
        ),
        parameters=[
            OpenApiParameter("confidence", {"type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 1}),
            OpenApiParameter("interval", enum=list(METHODS), description="a matrix without a line has Wald's always"),
            OpenApiParameter(
                "where",
                str,
                description="a group by background answers, as `region:0,2;sex:1`: variable names and codes",
            ),
        ],
        responses=errors(422) | {200: serializers.ReportSerializer, 304: None},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = _readable(request, slug)
        confidence, interval = _confidence(request), _interval(request)
        group = _group(request, instrument)
        seal(instrument)
        etag = _etag(instrument, confidence, interval, group)
        if matches(request, etag):
            return Response(status=304, headers={"ETag": etag})
        try:
            result = as_json(report(instrument, confidence, interval, group))
        except TooSmall as refusal:
            raise GroupTooSmall(str(refusal)) from None
        result["epsilon"] = result["epsilon"] if math.isfinite(result["epsilon"]) else None
        return Response(result, headers={"ETag": etag})


class Tallies(View):
    @extend_schema(
        summary="How many responses, and how often each answer was reported",
        description="The counts before the correction. Tallies of the same instrument can be added up.",
        responses=errors() | {200: serializers.TalliesSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = _readable(request, slug)
        seal(instrument)
        frozen, tally = paper(instrument), _tally(instrument)
        counts = tally.get("counts") or {item.key: [0] * item.size for item in frozen.items}
        return Response(
            {"survey": frozen.survey, "instrument": frozen.sha256, "n": tally.get("n", 0), "counts": counts}
        )


def _readable(request: Request, slug: str) -> Instrument:
    surveys = access.readable_by(request.user)
    found: Instrument = get_object_or_404(Instrument, survey__in=surveys, survey__slug=slug)
    return found


def _tally(instrument: Instrument) -> dict:
    return Instrument.objects.values_list("tally", flat=True).get(pk=instrument.pk)


def _etag(instrument: Instrument, *asked: object) -> str:
    """A new one with every change of what the report is made of."""
    made_of = json.dumps([instrument.sha256, _tally(instrument), waiting(instrument), *map(repr, asked)])
    return f'"{hashlib.sha256(made_of.encode()).hexdigest()[:32]}"'


def _confidence(request: Request) -> float:
    text = request.query_params.get("confidence", str(CONFIDENCE))
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0.5 < number < 1:
        raise WrongParameter("confidence must be a number above 0.5 and below 1, as 0.95.")
    return number


def _interval(request: Request) -> str:
    interval = request.query_params.get("interval", INTERVAL)
    if interval not in METHODS:
        raise WrongParameter(f"interval must be one of {', '.join(METHODS)}.")
    return interval


def _group(request: Request, instrument: Instrument) -> Group:
    sizes = {item.key: item.size for item in paper(instrument).items if item.mechanism is None}
    parts = [part for part in request.query_params.get("where", "").split(";") if part]
    conditions = []
    for part in parts:
        key, _, codes = part.partition(":")
        picked = sorted({int(code) if code.isascii() and code.isdigit() else -1 for code in codes[:5000].split(",")})
        if key not in sizes or not all(0 <= code < sizes[key] for code in picked):
            background = ", ".join(sizes) or "none"
            raise WrongParameter(
                f"where must name codes of background questions, as region:0,2. There are: {background}."
            )
        conditions.append((key, tuple(picked)))
    return Group(tuple(conditions))
