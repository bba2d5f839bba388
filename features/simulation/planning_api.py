"""Planning of one question, before there is a survey."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from mechanisms import Mechanism, planning
from mechanisms.planning.channels import Channel
from surveys.authoring.drafts.question_plan import resolve_design
from surveys.authoring.planning.precision import respondents_needed
from surveys.definition.designs.construction import build
from surveys.definition.kinds import KINDS, LONGEST_LIST, SENSITIVE_CHOICES, Kind
from surveys.site.errors import Invalid
from surveys.site.number_format import finite_or_none
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.fields import Choice, DesignKey, Parameters, Real, Strict, Whole
from surveys.web.api.serializers import MOST_QUESTIONS
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors, valid

DIRECT = Channel(1.0, 0.0)  # asking without any randomization
# The most respondents for whom every outcome is counted, which takes half a second. With more of
# them it makes no difference.
MOST_EXACT = 20_000
MOST_WEIGHED = (
    10**7
)  # in the first group, up to which the power is exact, in half a second; beyond, nobody sees more
MOST_EXACT_OF_GROUPS = 2_000  # in the first group, up to which every pair of counts is weighed


def _share(**options: Any) -> Real:
    return Real(min_value=0, max_value=1, required=False, **options)


class DesignSerializer(Strict):
    kind = Choice(SENSITIVE_CHOICES, default=Kind.YES_NO)
    size = Whole(
        min_value=2,
        max_value=LONGEST_LIST + 1,
        default=2,
        help_text="how many answers the question has",
    )
    design = DesignKey(
        required=True, allow_blank=False, max_length=32, help_text="a key from designs/, or a level"
    )
    parameters = Parameters(default=dict)


class PlanSerializer(DesignSerializer):
    confidence = Real(min_value=0.51, max_value=0.9999, default=0.95)
    share = _share(help_text="the true share you expect; by default the one that needs most people")
    n = Whole(min_value=1, max_value=10**9, required=False, help_text="respondents")
    count = Whole(
        min_value=1,
        max_value=MOST_QUESTIONS,
        default=1,
        help_text="each person gets so many of the `of` questions",
    )
    of = Whole(
        min_value=1,
        max_value=MOST_QUESTIONS,
        default=1,
        help_text=(
            "how many questions the device picks from; 1: everyone gets the question. Of n respondents n count/of get "
            "it"
        ),
    )
    half_width = Real(
        min_value=0.0001,
        max_value=1,
        required=False,
        help_text="the margin of error you want: half the length of the interval",
    )
    null = _share(help_text="the share to test the true one against; needs share")
    power = Real(min_value=0.05, max_value=0.9999, default=0.8)
    other = _share(help_text="the true share in another group, to compare with share; needs share")
    ratio = Real(
        min_value=0.01,
        max_value=100,
        default=1.0,
        help_text="respondents in the other group for each in the first",
    )
    sided = Whole(
        min_value=1,
        max_value=2,
        default=2,
        help_text="sides of the test that compares groups; 1: they differ in the expected direction",
    )


@dataclass(frozen=True)
class AtN(ApiResult):
    n: int = api_field()
    asked: int = api_field("how many of the respondents will get this question, about")
    standard_error: float = api_field()
    half_width: float = api_field(
        "the margin of error to expect: half the length of the interval. With a share given, about half of all surveys "
        "get a slightly longer one"
    )
    half_width_asked_directly: float = api_field()
    least: float | None = api_field(
        "the smallest estimate that is clearly above 0, counting all answers together; null where n are too few for any"
    )
    reach: float = api_field("distance from the estimate to the farther end of the interval")
    power: float | None = api_field("normal approximation")
    power_exact: float | None = api_field("power of the same test, counting every outcome")
    power_of_groups: float | None = api_field(
        "power to show that two groups differ, with n respondents in the first"
    )
    power_of_groups_exact: float | None = api_field(
        f"the same, counting every pair of counts; null above {MOST_WEIGHED:,}"
    )


@dataclass(frozen=True)
class Needed(ApiResult):
    for_half_width: int | None = api_field()
    for_half_width_asked_directly: int | None = api_field()
    for_reach: int | None = api_field(
        "respondents until the interval reaches at most half_width to either side"
    )
    for_power: int | None = api_field("normal approximation")
    for_power_exact: int | None = api_field(
        f"from this number of respondents on, the exact test has the power; null above {MOST_EXACT:,}, and the "
        "approximation is good"
    )
    for_groups: int | None = api_field(
        "respondents in the first group, to show with this power that the other one differs"
    )
    for_groups_exact: int | None = api_field(
        f"the same, exact; null above {MOST_EXACT_OF_GROUPS:,}"
    )


@dataclass(frozen=True)
class Planned(ApiResult):
    design: str = api_field()
    title: str = api_field()
    epsilon: float = api_field()
    mechanism: dict[str, Any] = api_field("as it would be in the instrument")
    at_n: AtN | None = api_field()
    n_needed: Needed = api_field()
    designs: dict[str, float] = api_field(
        "standard errors with 1,000 respondents at the same epsilon"
    )


class Planning(View):
    writing = "reports"

    @extend_schema(
        summary="How many respondents a question needs, and what so many will show",
        request=PlanSerializer,
        responses=errors(415, 422) | {200: serializer_for(Planned)},
        examples=[
            OpenApiExample(
                "Two coins, margin of 3 points",
                {"design": "two-coin", "share": 0.1, "half_width": 0.03, "n": 1000, "null": 0.05},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        asked = valid(PlanSerializer, request)
        if asked["count"] > asked["of"]:
            raise Invalid(
                {
                    "count": "Send a count that is at most of: no one can get more questions than there are."
                }
            )
        if "null" in asked and asked.get("share", asked["null"]) == asked["null"]:
            raise Invalid(
                {"null": "Send a share that differs from null. Otherwise there is nothing to test."}
            )
        if "other" in asked and asked.get("share", asked["other"]) == asked["other"]:
            raise Invalid(
                {
                    "other": "Send a share that differs from other. Otherwise the groups are the same."
                }
            )
        mechanism = mechanism_of(asked)
        planned = Planned(
            design=mechanism.name,
            title=mechanism.title,
            epsilon=mechanism.epsilon,
            mechanism=mechanism.spec(),
            at_n=_at_n(mechanism, asked) if "n" in asked else None,
            n_needed=_needed(mechanism, asked),
            designs=_designs(mechanism, asked),
        )
        return Response(as_json(planned))


def mechanism_of(asked: dict[str, Any]) -> Mechanism:
    size = len(KINDS[asked["kind"]].fixed) or asked["size"]
    parameters = {name: value.strip() for name, value in asked["parameters"].items()}
    design, numbers = resolve_design(asked["design"], parameters, size, asked["kind"])
    return build(design, size, numbers, KINDS[asked["kind"]].select)


def _at_n(mechanism: Mechanism, asked: dict[str, Any]) -> AtN:
    channel, share = Channel.of(mechanism), asked.get("share")
    n = max(1, int(asked["n"] * _part(asked)))
    confidence = asked["confidence"]
    worst = float(planning.worst_share(channel)) if share is None else share
    chances = dict.fromkeys(("power", "power_exact"))
    if "null" in asked:
        powers = (planning.power, planning.exact_power)
        values = [
            float(of(channel, share, asked["null"], n, alpha=1 - confidence)) for of in powers
        ]
        chances = dict(zip(chances, values, strict=True))
    return AtN(
        n=asked["n"],
        asked=n,
        standard_error=float(planning.standard_error(channel, worst, n)),
        half_width=float(planning.half_width(channel, n, share, confidence)),
        half_width_asked_directly=float(planning.half_width(DIRECT, asked["n"], share, confidence)),
        least=finite_or_none(
            float(planning.smallest_detectable_share(channel, n, mechanism.free_shares, confidence))
        ),
        reach=float(planning.interval_reach(channel, n, share, confidence)),
        **chances,
        **_power_of_groups(channel, asked),
    )


def _power_of_groups(channel: Channel, asked: dict[str, Any]) -> dict[str, float | None]:
    names = ("power_of_groups", "power_of_groups_exact")
    if "other" not in asked:
        return dict.fromkeys(names)
    test = (channel, asked["share"], asked["other"], asked["n"])
    powers = [planning.power_of_groups, planning.exact_power_of_groups][
        : 2 if asked["n"] <= MOST_WEIGHED else 1
    ]
    values = {
        name: float(of(*test, **_comparison(asked)))
        for name, of in zip(names, powers, strict=False)
    }
    return dict.fromkeys(names) | values


def _comparison(asked: dict[str, Any]) -> dict[str, Any]:
    return {"alpha": 1 - asked["confidence"], "ratio": asked["ratio"], "sided": asked["sided"]}


def _needed(mechanism: Mechanism, asked: dict[str, Any]) -> Needed:
    channel, share, confidence = Channel.of(mechanism), asked.get("share"), asked["confidence"]
    width = asked.get("half_width")

    def n_for_width(of: Channel) -> int | None:
        return None if width is None else int(planning.sample_size(of, width, share, confidence))

    sizes = {
        "for_half_width": n_for_width(channel),
        "for_reach": None
        if width is None
        else int(planning.sample_size_for_reach(channel, width, share, confidence)),
        **_for_power(channel, asked),
        **_for_groups(channel, asked),
    }
    people = {name: n and respondents_needed(n, _part(asked)) for name, n in sizes.items()}
    return Needed(**people, for_half_width_asked_directly=n_for_width(DIRECT))


def _part(asked: dict[str, Any]) -> Fraction:
    """Of the respondents, those who are asked the question."""
    return Fraction(asked["count"], asked["of"])


def _for_power(channel: Channel, asked: dict[str, Any]) -> dict[str, int | None]:
    if "null" not in asked:
        return {"for_power": None, "for_power_exact": None}
    test = (channel, asked["share"], asked["null"], asked["power"])
    alpha = 1 - asked["confidence"]
    about = int(planning.sample_size_for_power(*test, alpha=alpha))
    exact = (
        planning.exact_sample_size_for_power(*test, alpha=alpha) if about <= MOST_EXACT else None
    )
    return {"for_power": about, "for_power_exact": exact}


def _for_groups(channel: Channel, asked: dict[str, Any]) -> dict[str, int | None]:
    if "other" not in asked:
        return {"for_groups": None, "for_groups_exact": None}
    test, options = (channel, asked["share"], asked["other"], asked["power"]), _comparison(asked)
    about = int(planning.sample_size_of_groups(*test, **options))
    exact = (
        planning.exact_sample_size_of_groups(*test, **options)
        if about <= MOST_EXACT_OF_GROUPS
        else None
    )
    return {"for_groups": about, "for_groups_exact": exact}


def _designs(mechanism: Mechanism, asked: dict[str, Any]) -> dict[str, float]:
    how = KINDS[asked["kind"]].select
    standard_errors = planning.side_by_side(
        mechanism.size, mechanism.epsilon, 1000, asked.get("share"), how
    )
    return {name: float(error) for name, error in standard_errors.items()}
