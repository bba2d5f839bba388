"""Reports and tallies."""

import hashlib
import json
from dataclasses import dataclass

import numpy as np
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.packed_counts import Counts, pack, unpack
from surveys.fieldwork.responses.released import read_released
from surveys.fieldwork.responses.sealing import seal
from surveys.fieldwork.tickets.invitees import counts
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates import maximum_likelihood
from surveys.results.report.shape import ReportResult
from surveys.site.shape import ABSENT, ApiResult, api_field, as_json
from surveys.web.api.etags import matches
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views import query
from surveys.web.api.views.base import View, errors


@dataclass(frozen=True)
class TalliesResult(ApiResult):
    survey: str = api_field()
    instrument: str = api_field("tallies of one instrument add up, n with n and count with count")
    n: int = api_field()
    counts: dict[str, tuple[int, ...]] = api_field()
    answered: dict[str, int] = api_field(
        "question key -> number of reports, where some can be missing; otherwise n", default=ABSENT
    )


class Report(View):
    parameters = query.NAMES

    @extend_schema(
        summary="Estimated shares with their uncertainty, and the privacy loss epsilon",
        description=(
            "Only the responses in the report. 404 while the survey is a draft. The answer has an ETag: send it as "
            "If-None-Match, and you get 304 as long as nothing has changed."
        ),
        parameters=query.PARAMETERS,
        responses=errors(422) | {200: serializer_for(ReportResult), 304: None},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = readable(request, slug)
        chosen = query.confidence(request), query.interval(request), query.simultaneous(request)
        chosen = (*chosen, query.sampling(request), _invited(instrument))
        reader = query.reader_view(request, instrument)
        chosen = (*chosen, query.parse_group(request, instrument))
        seal(instrument)
        etag = etag_of(instrument, reader, *chosen)
        if matches(request, etag):
            return Response(status=304, headers={"ETag": etag})
        filtered = dict(chosen[-1].conditions)
        report = query.report_as_asked(request, instrument)
        told = ReportResult.tell(report, filtered, reader)
        return Response(as_json(told), headers={"ETag": etag})


class Tallies(View):
    @extend_schema(
        summary="The number of responses, and how often each answer was received",
        description=(
            "The counts before the correction. Tallies of the same instrument can be added up. With row access, and a "
            "token with the scope rows, they include background questions and questions with a condition."
        ),
        responses=errors() | {200: serializer_for(TalliesResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = readable(request, slug)
        seal(instrument)
        frozen, tally = parse_instrument(instrument), read_released(instrument).tally
        counts = tally["counts"] or {item.key: _none(item) for item in frozen.items}
        answered = tally.get("answered", dict.fromkeys(frozen.keys_with_missing, 0))
        reader = query.reader_view(request, instrument)
        counts, answered = reader.visible_counts(counts), reader.visible_counts(answered)
        plain = {key: tuple(unpack(each).tolist()) for key, each in counts.items()}
        about = frozen.survey, frozen.sha256, tally["n"], plain
        return Response(
            as_json(TalliesResult(*about, answered if frozen.keys_with_missing else ABSENT))
        )


def _invited(instrument: Instrument) -> object:
    return counts(instrument.survey) if instrument.survey.tickets else None


def _none(item: QuestionDefinition) -> Counts:
    """The counts of no report."""
    return pack(item.report_format.counts(np.zeros(0, item.report_format.field)))


def readable(request: Request, slug: str) -> Instrument:
    surveys = access.readable_by(request.user)
    instrument: Instrument = get_object_or_404(Instrument, survey__in=surveys, survey__slug=slug)
    return instrument


def etag_of(instrument: Instrument, reader: ReaderView, *asked: object) -> str:
    """A new one with every change of what the report is made of; of nothing that its reader may not see, since counts
    could be guessed until their hash is the same."""
    tally, waiting = read_released(instrument)
    n, parts = tally["n"], (tally["counts"], tally.get("answered", {}), tally.get("on_path", {}))
    shown = [
        reader.visible_counts(each)
        for each in (*parts, maximum_likelihood.stored_shares(instrument, n))
    ]
    asked = (reader.cache_version, instrument.deleted_on, *asked)
    made_of = json.dumps([instrument.sha256, n, shown, waiting, *map(repr, asked)])
    return f'"{hashlib.sha256(made_of.encode()).hexdigest()[:32]}"'
