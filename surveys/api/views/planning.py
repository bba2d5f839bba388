"""Planning of one question, before there is a survey."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from mechanisms import Mechanism, planning
from mechanisms.planning.channels import Channel
from surveys.api.serializers import Strict
from surveys.api.views.base import View, errors, valid
from surveys.authoring.plans import resolve
from surveys.designs.building import build
from surveys.errors import Invalid
from surveys.models import Question
from surveys.publishing.freezing import MAXIMUM_CHOICES, select

Kind = Question.Kind
KINDS = [Kind.YES_NO, Kind.CHOICE, Kind.ANY]
DIRECT = Channel(1.0, 0.0)  # asking without any randomization
MOST_EXACT = (
    20_000  # respondents up to which every outcome is counted, in half a second; beyond, it makes no difference
)


def _share(**options: Any) -> serializers.FloatField:
    return serializers.FloatField(min_value=0, max_value=1, required=False, **options)


class DesignSerializer(Strict):
    kind = serializers.ChoiceField(KINDS, default=Kind.YES_NO)
    size = serializers.IntegerField(min_value=2, max_value=MAXIMUM_CHOICES + 1, default=2, help_text="how many answers")
    design = serializers.CharField(max_length=32, help_text="a design, or strong, balanced, light, automatic")
    parameters = serializers.DictField(child=serializers.CharField(max_length=50), default=dict)


class PlanSerializer(DesignSerializer):
    confidence = serializers.FloatField(min_value=0.51, max_value=0.9999, default=0.95)
    share = _share(help_text="the true share you expect; the worst one unless given")
    n = serializers.IntegerField(min_value=1, max_value=10**9, required=False, help_text="respondents")
    half_width = serializers.FloatField(
        min_value=0.0001, max_value=1, required=False, help_text="half the length of the interval that is wanted"
    )
    null = _share(help_text="the share that the true one is to be told from; needs share")
    power = serializers.FloatField(min_value=0.05, max_value=0.9999, default=0.8)


class AtNSerializer(serializers.Serializer):
    n = serializers.IntegerField()
    standard_error = serializers.FloatField()
    half_width = serializers.FloatField(
        help_text="half the length of the interval when reports come as expected; with a share given, about every "
        "second survey has a little longer one"
    )
    half_width_asked_directly = serializers.FloatField()
    reach = serializers.FloatField(help_text="how far its farther end lies from the estimate")
    power = serializers.FloatField(allow_null=True, help_text="normal approximation")
    power_exact = serializers.FloatField(allow_null=True, help_text="of the same test, every outcome counted")


class NeededSerializer(serializers.Serializer):
    for_half_width = serializers.IntegerField(allow_null=True)
    for_half_width_asked_directly = serializers.IntegerField(allow_null=True)
    for_reach = serializers.IntegerField(
        allow_null=True, help_text="so that the interval reaches no further than half_width to either side"
    )
    for_power = serializers.IntegerField(allow_null=True, help_text="normal approximation")
    for_power_exact = serializers.IntegerField(
        allow_null=True,
        help_text=f"from here on every number of respondents has the power; null where it takes over {MOST_EXACT:,}, "
        "and the approximation is good",
    )


class PlannedSerializer(serializers.Serializer):
    design = serializers.CharField()
    title = serializers.CharField()
    epsilon = serializers.FloatField()
    mechanism = serializers.DictField(help_text="as it would stand in the instrument")
    at_n = AtNSerializer(allow_null=True)
    n_needed = NeededSerializer()
    designs = serializers.DictField(
        child=serializers.FloatField(), help_text="standard errors with 1,000 respondents at the same epsilon"
    )


class Planning(View):
    writing = "reports"

    @extend_schema(
        summary="How many respondents a question needs, and what a number of them will show",
        request=PlanSerializer,
        responses=errors(415, 422) | {200: PlannedSerializer},
        examples=[
            OpenApiExample(
                "Two coins, 3 points to either side",
                {"design": "two-coin", "share": 0.1, "half_width": 0.03, "n": 1000, "null": 0.05},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        asked = valid(PlanSerializer, request)
        if "null" in asked and asked.get("share", asked["null"]) == asked["null"]:
            raise Invalid({"null": "Give a share that differs from null, else there is nothing to tell apart."})
        mechanism = mechanism_of(asked)
        return Response(
            {
                "design": mechanism.name,
                "title": mechanism.title,
                "epsilon": mechanism.epsilon,
                "mechanism": mechanism.spec(),
                "at_n": _at_n(mechanism, asked) if "n" in asked else None,
                "n_needed": _needed(mechanism, asked),
                "designs": _designs(mechanism, asked),
            }
        )


def mechanism_of(asked: dict[str, Any]) -> Mechanism:
    size = 2 if asked["kind"] == Kind.YES_NO else asked["size"]
    parameters = {name: value.strip() for name, value in asked["parameters"].items()}
    design, numbers = resolve(asked["design"], parameters, size, asked["kind"])
    return build(design, size, numbers, select(asked["kind"]))


def _at_n(mechanism: Mechanism, asked: dict[str, Any]) -> dict[str, Any]:
    channel, share, n = Channel.of(mechanism), asked.get("share"), asked["n"]
    confidence = asked["confidence"]
    worst = float(planning.worst_share(channel)) if share is None else share
    chances = dict.fromkeys(("power", "power_exact"))
    if "null" in asked:
        powers = (planning.power, planning.exact_power)
        found = [float(of(channel, share, asked["null"], n, alpha=1 - confidence)) for of in powers]
        chances = dict(zip(chances, found, strict=True))
    return {
        "n": n,
        "standard_error": float(planning.standard_error(channel, worst, n)),
        "half_width": float(planning.half_width(channel, n, share, confidence)),
        "half_width_asked_directly": float(planning.half_width(DIRECT, n, share, confidence)),
        "reach": float(planning.reach(channel, n, share, confidence)),
        **chances,
    }


def _needed(mechanism: Mechanism, asked: dict[str, Any]) -> dict[str, Any]:
    channel, share, confidence = Channel.of(mechanism), asked.get("share"), asked["confidence"]
    width = asked.get("half_width")

    def n_for_width(of: Channel) -> int | None:
        return None if width is None else int(planning.sample_size(of, width, share, confidence))

    return {
        "for_half_width": n_for_width(channel),
        "for_half_width_asked_directly": n_for_width(DIRECT),
        "for_reach": None if width is None else int(planning.sample_size_for_reach(channel, width, share, confidence)),
        **_for_power(channel, asked),
    }


def _for_power(channel: Channel, asked: dict[str, Any]) -> dict[str, int | None]:
    if "null" not in asked:
        return {"for_power": None, "for_power_exact": None}
    test = (channel, asked["share"], asked["null"], asked["power"])
    alpha = 1 - asked["confidence"]
    about = int(planning.sample_size_for_power(*test, alpha=alpha))
    exact = planning.exact_sample_size_for_power(*test, alpha=alpha) if about <= MOST_EXACT else None
    return {"for_power": about, "for_power_exact": exact}


def _designs(mechanism: Mechanism, asked: dict[str, Any]) -> dict[str, float]:
    if asked["kind"] == Kind.ANY:  # one design only
        return {"unary symmetric": float(planning.standard_error(Channel.of(mechanism), asked.get("share", 0.5), 1000))}
    found = planning.side_by_side(mechanism.size, mechanism.epsilon, 1000, asked.get("share"))
    return {name: float(error) for name, error in found.items()}
