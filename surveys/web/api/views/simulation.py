"""Invented people by program: the report that they would give, and what a trusted server would have shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from mechanisms.designs.widths import MOST_VALUES
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.definition.designs.parameters import MAXIMUM_EPSILON, MINIMUM_EPSILON
from surveys.definition.instrument import FrozenQuestion, FrozenSurvey
from surveys.fieldwork.link import frozen_paper
from surveys.results.report.as_json import as_json, beside_as_json
from surveys.results.simulation import simulation
from surveys.results.simulation.assumed_difference import read
from surveys.results.simulation.power import supposed_as_json
from surveys.site.errors import Invalid
from surveys.web.api.fields import Flag, Real, Strict, Text, Whole
from surveys.web.api.serializers import ReportSerializer
from surveys.web.api.views.base import View, errors, valid
from surveys.web.api.views.report.model import ModelSerializer


class InventedSerializer(Strict):
    n = Whole(min_value=1, max_value=simulation.MOST, default=simulation.USUAL, help_text="people")
    seed = Whole(min_value=0, max_value=2**32 - 1, required=False, help_text="to draw the same once more")


class SupposeSerializer(Strict):
    outcome = Text(
        required=True, allow_blank=False, max_length=100, help_text="an answer to a scrambled question, as `tax:1`"
    )
    group = Text(
        required=True,
        allow_blank=False,
        max_length=100,
        help_text="an answer to a background question, as `region:1`; of a number `age`, per 10 more",
    )
    difference = Real(
        min_value=-1,
        max_value=1,
        help_text="by which its share is higher in the group than in all others, as a fraction. The shares of all "
        "people stay as they are",
    )


class RehearsalSerializer(InventedSerializer):
    shares = serializers.DictField(
        child=serializers.ListField(child=Real(min_value=0, max_value=1), max_length=MOST_VALUES + 1),
        required=False,
        help_text="question key -> the true share of each answer, in the order of the instrument (No before Yes); "
        "all the same where not given",
    )
    suppose = SupposeSerializer(required=False, help_text="a difference between groups; an analysis then looks for it")


class CountSerializer(serializers.Serializer):
    label = serializers.CharField()
    true = serializers.IntegerField(help_text="invented people who gave this answer")
    shown = serializers.FloatField()
    range = serializers.ListField(child=serializers.FloatField(), help_text="95%")
    error = serializers.FloatField(allow_null=True, help_text="as a fraction of the true count; null where that is 0")
    wrong_by = serializers.CharField(help_text="the same in words")


class NoisySerializer(serializers.Serializer):
    error = serializers.FloatField(allow_null=True, help_text="mean over the answers that anybody gave")
    counts = CountSerializer(many=True)


class BesideSerializer(serializers.Serializer):
    """One question at one epsilon."""

    epsilon = serializers.FloatField()
    n = serializers.IntegerField()
    design = serializers.CharField(help_text="how the devices scramble")
    sentence = serializers.CharField()
    noise = serializers.FloatField(help_text="people that the server's noise adds or takes away on average")
    server = NoisySerializer(help_text="true counts with discrete Laplace noise")
    devices = NoisySerializer(help_text="corrected counts of scrambled answers")


class SupposedSerializer(serializers.Serializer):
    """What the analysis of the survey says of the same invented people."""

    sentence = serializers.CharField(help_text="what was assumed, and how many respondents it takes")
    power = serializers.FloatField(
        allow_null=True, help_text="the chance to tell the difference from chance with n respondents"
    )
    needed_n = serializers.IntegerField(allow_null=True, help_text="respondents for a chance of 0.8")
    model = ModelSerializer(allow_null=True, help_text="as `report/model/` gives it")
    refused = serializers.CharField(allow_null=True, help_text="why there is no model")


class RehearsedSerializer(ReportSerializer):
    simulated = Flag(help_text="always true: no respondent is behind these numbers")
    trusted = serializers.DictField(
        child=BesideSerializer(), help_text="question key -> what a trusted server would have shown of the same people"
    )
    supposed = SupposedSerializer(allow_null=True, help_text="null where no difference was supposed")


class Rehearsal(View):
    writing = "reports"  # it stores nothing

    @extend_schema(
        summary="The report that invented people would give",
        description="Their answers are randomized, counted and corrected as real ones are. Nothing is stored. With "
        "`suppose` two groups differ, and the analysis says what it finds of that.",
        request=RehearsalSerializer,
        responses=errors(409, 415, 422) | {200: RehearsedSerializer},
        examples=[
            OpenApiExample(
                "2,000 people, one in ten of them Yes", {"n": 2000, "shares": {"tax": [0.9, 0.1]}}, request_only=True
            ),
            OpenApiExample(
                "A difference of 10 percentage points",
                {"n": 2000, "suppose": {"outcome": "tax:1", "group": "region:1", "difference": 0.1}},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        frozen = frozen_paper(access.survey_for(request.user, slug, Right.SEE))
        asked = valid(RehearsalSerializer, request)
        shares = _shares(frozen, asked.get("shares", {}))
        with _at_its_place():
            difference = read(frozen.items, **asked["suppose"]) if "suppose" in asked else None
            found = simulation.rehearse(frozen, shares, asked["n"], asked.get("seed"), difference)
        trusted = {key: beside_as_json(each) for key, each in found.trusted.items()}
        supposed = supposed_as_json(found.supposed) if found.supposed else None
        return Response(as_json(found.report) | {"simulated": True, "trusted": trusted, "supposed": supposed})


class LessonSerializer(InventedSerializer):
    shares = serializers.ListField(
        child=Real(min_value=0, max_value=1),
        required=False,
        help_text=f"the true share of each answer: {', '.join(simulation.LESSON.choices)}",
    )
    epsilons = serializers.ListField(
        child=Real(min_value=float(MINIMUM_EPSILON), max_value=MAXIMUM_EPSILON),
        min_length=1,
        max_length=10,
        default=list(simulation.LESSON_EPSILONS),
    )


class LessonShownSerializer(serializers.Serializer):
    question = serializers.CharField()
    comparisons = BesideSerializer(many=True, help_text="one for each epsilon")
    simulated = Flag(help_text="always true: no respondent is behind these numbers")


class TrustedServer(View):
    writing = "reports"  # it stores nothing

    @extend_schema(
        summary="What a trusted server would have shown of invented people",
        description="Their true counts with discrete Laplace noise, beside the corrected counts of their scrambled "
        "answers at the same epsilon. The numbers of the page /trusted-server/. Nothing is stored.",
        request=LessonSerializer,
        responses=errors(415, 422) | {200: LessonShownSerializer},
        examples=[OpenApiExample("As on the page", {"n": 1000, "seed": 1}, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        asked, lesson = valid(LessonSerializer, request), simulation.LESSON
        shares = asked.get("shares", [float(share) / 100 for share in simulation.LESSON_SHARES])
        if message := _wrong(lesson, shares):
            raise Invalid({"shares": message})
        shares = [share / sum(shares) for share in shares]
        found = simulation.lesson(shares, asked["n"], asked.get("seed"), asked["epsilons"])
        comparisons = [beside_as_json(each) for each in found]
        return Response({"question": lesson.text, "comparisons": comparisons, "simulated": True})


@contextmanager
def _at_its_place() -> Iterator[None]:
    """What is wrong with a difference, named as the body has it."""
    try:
        yield
    except Invalid as wrong:
        raise Invalid({f"suppose.{name}": message for name, message in wrong.errors.items()}) from None


def _shares(frozen: FrozenSurvey, given: dict[str, list[float]]) -> dict[str, list[float]]:
    wrong = {f"shares.{key}"[:60]: "There is no such question." for key in set(given) - {i.key for i in frozen.items}}
    found: dict[str, Any] = {}
    for item in frozen.items:
        shares = given.get(item.key, [1 / item.size] * item.size if item.size else [])
        if message := _wrong(item, shares):
            wrong[f"shares.{item.key}"] = message
        else:
            found[item.key] = (
                shares if item.traits.select == "any" or not shares else [share / sum(shares) for share in shares]
            )
    if wrong:
        raise Invalid(wrong)
    return found


def _wrong(item: FrozenQuestion, shares: list[float]) -> str:
    if len(shares) != item.size:
        return f"There must be {item.size} shares, one for each answer, not {len(shares)}."
    if shares and item.traits.select != "any" and abs(sum(shares) - 1) > simulation.WITHIN:
        return f"The shares of all answers must sum to 1, not to {sum(shares):.6g}."
    return ""
