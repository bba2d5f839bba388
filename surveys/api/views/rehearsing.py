"""A rehearsal by program: what the report would say if so many people answered, and these were the truths."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys import rehearsal
from surveys.api.serializers import Flag, ReportSerializer, Strict
from surveys.api.views.base import View, errors, valid
from surveys.errors import Invalid
from surveys.models import Question
from surveys.people import access
from surveys.people.access import Right
from surveys.publishing.freezing import MAXIMUM_CHOICES
from surveys.publishing.instruments import Item, Paper
from surveys.publishing.sharing import frozen_paper
from surveys.reporting.travelling import as_json


class RehearsalSerializer(Strict):
    n = serializers.IntegerField(min_value=1, max_value=rehearsal.MOST, default=rehearsal.USUAL, help_text="people")
    shares = serializers.DictField(
        child=serializers.ListField(
            child=serializers.FloatField(min_value=0, max_value=1), max_length=MAXIMUM_CHOICES + 1
        ),
        required=False,
        help_text="question key -> the true share of each answer, in the order of the instrument (No before Yes); "
        "all the same where not given",
    )
    seed = serializers.IntegerField(
        min_value=0, max_value=2**32 - 1, required=False, help_text="to draw the same once more"
    )


class RehearsedSerializer(ReportSerializer):
    simulated = Flag(help_text="always true: no respondent is behind these numbers")


class Rehearsal(View):
    writing = "reports"  # it stores nothing

    @extend_schema(
        summary="The report that invented people would give",
        description="Their answers are randomized, counted and corrected as real ones are. Nothing is stored.",
        request=RehearsalSerializer,
        responses=errors(409, 415, 422) | {200: RehearsedSerializer},
        examples=[
            OpenApiExample(
                "2,000 people, one in ten of them Yes", {"n": 2000, "shares": {"tax": [0.9, 0.1]}}, request_only=True
            )
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        frozen = frozen_paper(access.survey_for(request.user, slug, Right.SEE))
        asked = valid(RehearsalSerializer, request)
        shares = _shares(frozen, asked.get("shares", {}))
        result = rehearsal.rehearse(frozen, shares, asked["n"], asked.get("seed"))
        return Response(as_json(result) | {"simulated": True})


def _shares(frozen: Paper, given: dict[str, list[float]]) -> dict[str, list[float]]:
    wrong = {f"shares.{key}"[:60]: "There is no such question." for key in set(given) - {i.key for i in frozen.items}}
    found: dict[str, Any] = {}
    for item in frozen.items:
        shares = given.get(item.key, [1 / item.size] * item.size)
        if message := _wrong(item, shares):
            wrong[f"shares.{item.key}"] = message
        else:
            found[item.key] = shares if item.kind == Question.Kind.ANY else [share / sum(shares) for share in shares]
    if wrong:
        raise Invalid(wrong)
    return found


def _wrong(item: Item, shares: list[float]) -> str:
    if len(shares) != item.size:
        return f"There must be {item.size} shares, one for each answer, not {len(shares)}."
    if item.kind != Question.Kind.ANY and abs(sum(shares) - 1) > rehearsal.WITHIN:
        return f"The shares of all answers must sum to 1, not to {sum(shares):.6g}."
    return ""
