"""Invented people by program: the report that they would give, and what a trusted server would have shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from features.simulation import simulation
from features.simulation.assumed_difference import read
from features.simulation.shape import Beside, LessonShown, Rehearsed
from mechanisms.designs.widths import MOST_VALUES
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.definition.designs.parameters import MAXIMUM_EPSILON, MINIMUM_EPSILON
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.fieldwork.link import current_definition
from surveys.site.errors import Invalid
from surveys.site.shape import as_json
from surveys.web.api.fields import Items, Named, Real, Strict, Text, Whole
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors, valid


class InventedSerializer(Strict):
    n = Whole(min_value=1, max_value=simulation.MOST, default=simulation.USUAL, help_text="people")
    seed = Whole(
        min_value=0,
        max_value=2**32 - 1,
        required=False,
        help_text="the same seed gives the same people again",
    )


class SupposeSerializer(Strict):
    outcome = Text(
        required=True,
        allow_blank=False,
        max_length=100,
        help_text=(
            "an answer to a scrambled question, for example `tax:1`, or a number, for example "
            "`hours`, for its mean"
        ),
    )
    group = Text(
        required=True,
        allow_blank=False,
        max_length=100,
        help_text="an answer to a background question, for example `region:1`; for a number, `age` means per 10 more",
    )
    difference = Real(
        min_value=-1,
        max_value=1,
        help_text=(
            "how much higher its share is in the group than in all others, as a fraction; of a mean, as a part of the "
            "range of its numbers. The shares among all people don’t change"
        ),
    )


class RehearsalSerializer(InventedSerializer):
    shares = Named(
        child=Items(child=Real(min_value=0, max_value=1), max_length=MOST_VALUES + 1),
        required=False,
        help_text=(
            "question key -> the true share of each answer, in the order of the instrument (No before Yes); by default "
            "all the same"
        ),
    )
    suppose = SupposeSerializer(
        required=False,
        help_text="an assumed difference between groups, which the report then looks for",
    )


class Rehearsal(View):
    writing = "reports"  # it stores nothing

    @extend_schema(
        summary="Simulate the survey: the report of invented people",
        description=(
            "Their answers are randomized, counted and corrected like real ones. Nothing is stored. With `suppose` a "
            "group differs from all others. You get what the report says of it, and the chance that it calls the "
            "difference clear, with all comparisons of its page."
        ),
        request=RehearsalSerializer,
        responses=errors(409, 415, 422) | {200: serializer_for(Rehearsed)},
        examples=[
            OpenApiExample(
                "2,000 people, 1 in 10 answers Yes",
                {"n": 2000, "shares": {"tax": [0.9, 0.1]}},
                request_only=True,
            ),
            OpenApiExample(
                "A difference of 10 percentage points",
                {
                    "n": 2000,
                    "suppose": {"outcome": "tax:1", "group": "region:1", "difference": 0.1},
                },
                request_only=True,
            ),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        frozen = current_definition(access.survey_for(request.user, slug, Right.SEE))
        asked = valid(RehearsalSerializer, request)
        shares = _shares(frozen, asked.get("shares", {}))
        with _at_its_place():
            difference = read(frozen.items, **asked["suppose"]) if "suppose" in asked else None
            results = simulation.rehearse(frozen, shares, asked["n"], asked.get("seed"), difference)
        return Response(as_json(Rehearsed.of_people(results)))


class LessonSerializer(InventedSerializer):
    shares = Items(
        child=Real(min_value=0, max_value=1),
        required=False,
        help_text=f"the true share of each answer: {', '.join(simulation.LESSON.choices)}",
    )
    epsilons = Items(
        child=Real(min_value=float(MINIMUM_EPSILON), max_value=MAXIMUM_EPSILON),
        min_length=1,
        max_length=10,
        default=list(simulation.LESSON_EPSILONS),
    )


class TrustedServer(View):
    writing = "reports"  # it stores nothing

    @extend_schema(
        summary="What a trusted server would have shown, simulated",
        description=(
            "The true counts of invented people with discrete Laplace noise, next to the corrected counts of their "
            "scrambled answers at the same epsilon. These are the numbers on the page /trusted-server/. Nothing is "
            "stored."
        ),
        request=LessonSerializer,
        responses=errors(415, 422) | {200: serializer_for(LessonShown)},
        examples=[OpenApiExample("As on the page", {"n": 1000, "seed": 1}, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        asked, lesson = valid(LessonSerializer, request), simulation.LESSON
        shares = asked.get("shares", [float(share) / 100 for share in simulation.LESSON_SHARES])
        if message := _wrong(lesson, shares):
            raise Invalid({"shares": message})
        shares = [share / sum(shares) for share in shares]
        results = simulation.lesson(shares, asked["n"], asked.get("seed"), asked["epsilons"])
        return Response(as_json(LessonShown(lesson.text, tuple(map(Beside.tell, results)))))


@contextmanager
def _at_its_place() -> Iterator[None]:
    """What is wrong with a difference, named as the body has it."""
    try:
        yield
    except Invalid as wrong:
        raise Invalid(
            {f"suppose.{name}": message for name, message in wrong.errors.items()}
        ) from None


def _shares(frozen: SurveyDefinition, given: dict[str, list[float]]) -> dict[str, list[float]]:
    wrong = {
        f"shares.{key}"[:60]: "There is no such question."
        for key in set(given) - {i.key for i in frozen.items}
    }
    stated: dict[str, Any] = {}
    for item in frozen.items:
        shares = given.get(item.key, [1 / item.size] * item.size if item.size else [])
        if message := _wrong(item, shares):
            wrong[f"shares.{item.key}"] = message
        else:
            stated[item.key] = (
                shares
                if item.traits.select == "any" or not shares
                else [share / sum(shares) for share in shares]
            )
    if wrong:
        raise Invalid(wrong)
    return stated


def _wrong(item: QuestionDefinition, shares: list[float]) -> str:
    if len(shares) != item.size:
        return f"There must be {item.size} shares, one for each answer, not {len(shares)}."
    if shares and item.traits.select != "any" and abs(sum(shares) - 1) > simulation.WITHIN:
        return f"The shares of all answers must sum to 1, not to {sum(shares):.6g}."
    return ""
