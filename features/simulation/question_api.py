"""Simulation of one question, before there is a survey."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from features.simulation.planning_api import DesignSerializer, mechanism_of
from surveys.definition.kinds import KINDS, MAXIMUM_CHOICES
from surveys.site.errors import Invalid
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.fields import Choice, Items, Real, Whole
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors, valid

MOST = 1_000_000  # simulated marks: responses times answers


class SimulationSerializer(DesignSerializer):
    shares = Items(
        child=Real(min_value=0, max_value=1), min_length=2, max_length=MAXIMUM_CHOICES + 1
    )
    n = Whole(min_value=1, max_value=MOST)
    seed = Whole(min_value=0, max_value=2**32 - 1, required=False)
    interval = Choice(["wilson", "wald", "exact", "likelihood"], default="wilson")
    confidence = Real(min_value=0.51, max_value=0.9999, default=0.95)


@dataclass(frozen=True)
class SimulatedChoice(ApiResult):
    share: float = api_field()
    observed: float | None = api_field("all null for an answer no device picked")
    estimate: float | None = api_field()
    standard_error: float | None = api_field()
    interval: tuple[float, ...] | None = api_field()
    constrained: float | None = api_field()


@dataclass(frozen=True)
class Simulated(ApiResult):
    n: int = api_field()
    counts: tuple[int, ...] = api_field()
    choices: tuple[SimulatedChoice, ...] = api_field()
    simulated: bool = api_field("always true: no respondent is behind these numbers", default=True)


class Simulation(View):
    writing = "reports"

    @extend_schema(
        summary="Simulate one question: what a survey would show if these were the true shares",
        description=(
            "True answers are invented, then randomized, counted and estimated like real ones. Nothing is stored."
        ),
        request=SimulationSerializer,
        responses=errors(415, 422) | {200: serializer_for(Simulated)},
        examples=[
            OpenApiExample(
                "10% Yes, two coins",
                {"design": "two-coin", "shares": [0.9, 0.1], "n": 1000},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        asked = valid(SimulationSerializer, request)
        mechanism = mechanism_of(asked)
        truths = _truths(asked, mechanism.size, rng := np.random.default_rng(asked.get("seed")))
        tally = mechanism.tally(mechanism.randomize(truths, rng))
        estimate = mechanism.estimate(tally, asked["confidence"], asked["interval"])
        columns = (
            estimate.observed,
            estimate.proportions,
            estimate.standard_errors,
            estimate.intervals,
        )
        rows = zip(asked["shares"], *map(_numbers, (*columns, estimate.constrained)), strict=True)
        choices = tuple(SimulatedChoice(*row) for row in rows)
        return Response(as_json(Simulated(tally.n, tuple(tally.counts.tolist()), choices)))


def _numbers(column: np.ndarray) -> list[Any]:
    """For JSON: of an answer that no device picked nothing is known."""
    return [None if np.isnan(number).any() else number.tolist() for number in column]


def _truths(asked: dict[str, Any], size: int, rng: np.random.Generator) -> np.ndarray:
    shares, n = np.array(asked["shares"]), asked["n"]
    if len(shares) != size:
        raise Invalid(
            {"shares": f"There must be {size} shares, one for each answer, not {len(shares)}."}
        )
    if n * size > MOST:
        raise Invalid({"n": f"Simulate at most {MOST // size:,} respondents for {size} answers."})
    if KINDS[asked["kind"]].select == "any":
        return (rng.random((n, size)) < shares).astype(np.uint8)
    if abs(shares.sum() - 1) > 1e-6:
        raise Invalid(
            {"shares": f"The shares of all answers must sum to 1, not {shares.sum():.6g}."}
        )
    return rng.choice(size, n, p=shares / shares.sum())
