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
from surveys.definition.instrument import FrozenQuestion, FrozenSurvey
from surveys.definition.parsing import paper
from surveys.fieldwork.responses.packed_counts import Counts, pack, unpack
from surveys.fieldwork.responses.released import released
from surveys.fieldwork.responses.sealing import seal
from surveys.fieldwork.tickets.invitees import counts
from surveys.models import Instrument
from surveys.results.disclosure.access import scrambled_only
from surveys.results.estimates import maximum_likelihood
from surveys.results.report.shape import ReportResult
from surveys.site.shape import ABSENT, Result, as_json, of
from surveys.web.api.etags import matches
from surveys.web.api.shapes import shape
from surveys.web.api.views import query
from surveys.web.api.views.base import View, errors


@dataclass(frozen=True)
class TalliesResult(Result):
    survey: str = of()
    instrument: str = of("tallies of one instrument add up, n with n and count with count")
    n: int = of()
    counts: dict[str, tuple[int, ...]] = of()
    answered: dict[str, int] = of(
        "question key -> reports to it, where some may be missing; otherwise there are n to each", default=ABSENT
    )


class Report(View):
    parameters = query.NAMES

    @extend_schema(
        summary="Corrected shares with their uncertainty, and the epsilon spent",
        description=(
            "Reads released responses only. 404 while the survey is a draft. The answer has an ETag: send it as "
            "If-None-Match, and you get 304 as long as nothing has changed."
        ),
        parameters=query.PARAMETERS,
        responses=errors(422) | {200: shape(ReportResult), 304: None},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = readable(request, slug)
        chosen = query.confidence(request), query.interval(request), query.simultaneous(request)
        chosen = (*chosen, query.sampling(request), _invited(instrument))
        chosen = (*chosen, query.seen(request, instrument).version, query.group(request, instrument))
        seal(instrument)
        etag = etag_of(instrument, *chosen)
        if matches(request, etag):
            return Response(status=304, headers={"ETag": etag})
        filtered = dict(chosen[-1].conditions)
        found = query.report_as_asked(request, instrument)
        told = ReportResult.tell(found, filtered, query.seen(request, instrument))
        return Response(as_json(told), headers={"ETag": etag})


class Tallies(View):
    @extend_schema(
        summary="How many responses, and how often each answer was reported",
        description="The counts before the correction. Tallies of the same instrument can be added up. Background "
        "questions, and questions with a condition, are among them for whoever has the right to rows, and a token that "
        "may use it.",
        responses=errors() | {200: shape(TalliesResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        instrument = readable(request, slug)
        seal(instrument)
        frozen, tally = paper(instrument), released(instrument).tally
        counts = tally["counts"] or {item.key: _none(item) for item in frozen.items}
        answered = tally.get("answered", dict.fromkeys(frozen.optional, 0))
        if not query.seen(request, instrument).has_counts:
            counts, answered = (_of_everybody(frozen, each) for each in (counts, answered))
        plain = {key: tuple(unpack(each).tolist()) for key, each in counts.items()}
        about = frozen.survey, frozen.sha256, tally["n"], plain
        return Response(as_json(TalliesResult(*about, answered if frozen.optional else ABSENT)))


def _of_everybody(frozen: FrozenSurvey, by_question: dict) -> dict:
    """Without what background answers decide: their own counts, and those of questions that follow from them."""
    kept = scrambled_only(frozen, by_question)
    return {key: value for key, value in kept.items() if key not in frozen.conditional}


def _invited(instrument: Instrument) -> object:
    return counts(instrument.survey) if instrument.survey.tickets else None


def _none(item: FrozenQuestion) -> Counts:
    """The counts of no report."""
    return pack(item.wire.counts(np.zeros(0, item.wire.field)))


def readable(request: Request, slug: str) -> Instrument:
    surveys = access.readable_by(request.user)
    found: Instrument = get_object_or_404(Instrument, survey__in=surveys, survey__slug=slug)
    return found


def etag_of(instrument: Instrument, *asked: object) -> str:
    """A new one with every change of what the report is made of."""
    tally, waiting = released(instrument)
    possible = maximum_likelihood.kept(instrument, tally["n"])
    made_of = json.dumps([instrument.sha256, tally, waiting, possible, *map(repr, (instrument.deleted_on, *asked))])
    return f'"{hashlib.sha256(made_of.encode()).hexdigest()[:32]}"'
