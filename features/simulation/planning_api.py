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
from surveys.authoring.planning.precision import ANY_ANSWERS, respondents_needed
from surveys.definition import kinds
from surveys.definition.designs.construction import build
from surveys.definition.kinds import KINDS, LONGEST_LIST, SENSITIVE_CHOICES
from surveys.site.errors import Invalid
from surveys.site.number_format import finite_or_none
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.statements.family import Family
from surveys.statements.plans import LARGEST_MARGIN, MarginStatement
from surveys.statements.quantity import Kind, Quantity
from surveys.statements.results import StatementFields, statement_fields
from surveys.web.api.fields import Choice, DesignKey, Parameters, Real, Strict, Whole
from surveys.web.api.serializers import MOST_QUESTIONS
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors, valid

# Asking without any randomization.
DIRECT = Channel(1.0, 0.0)
# The most respondents for whom every outcome is counted, which takes half a second. With more of
# them it makes no difference.
MOST_EXACT = 20_000
# The most respondents in the first group for whom the power is exact, which takes half a second.
# Beyond, nobody sees more.
MOST_WEIGHED = 10**7
# The most respondents in the first group for whom every pair of counts is weighed.
MOST_EXACT_OF_GROUPS = 2_000
# The standard errors of all designs are compared with so many respondents.
COMPARED_N = 1_000


def _share(**options: Any) -> Real:
    return Real(min_value=0, max_value=1, required=False, **options)


class DesignSerializer(Strict):
    kind = Choice(SENSITIVE_CHOICES, default=kinds.Kind.YES_NO)
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
class AtN(StatementFields):
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
    sentence: str = api_field("the margin in words, or how many people a number needs")


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
        f"standard errors with {COMPARED_N:,} respondents at the same epsilon"
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
        plan = valid(PlanSerializer, request)
        _require_sensible(plan)
        mechanism = mechanism_of(plan)
        planned = Planned(
            design=mechanism.name,
            title=mechanism.title,
            epsilon=mechanism.epsilon,
            mechanism=mechanism.spec(),
            at_n=_at_n(mechanism, plan) if "n" in plan else None,
            n_needed=_needed(mechanism, plan),
            designs=_standard_errors(mechanism, plan),
        )
        return Response(as_json(planned))


def mechanism_of(plan: dict[str, Any]) -> Mechanism:
    """Return the mechanism of a checked DesignSerializer. Raises Invalid at a parameter."""
    kind = KINDS[plan["kind"]]
    size = len(kind.fixed) or plan["size"]
    parameters = {name: value.strip() for name, value in plan["parameters"].items()}
    design, numbers = resolve_design(plan["design"], parameters, size, plan["kind"])
    return build(design, size, numbers, kind.select)


def _require_sensible(plan: dict[str, Any]) -> None:
    """Raise Invalid if a plan has nothing to test, or sends more questions than there are."""
    if plan["count"] > plan["of"]:
        problem = "Send a count that is at most of: no one can get more questions than there are."
        raise Invalid({"count": problem})
    if "null" in plan and plan.get("share", plan["null"]) == plan["null"]:
        problem = "Send a share that differs from null. Otherwise there is nothing to test."
        raise Invalid({"null": problem})
    if "other" in plan and plan.get("share", plan["other"]) == plan["other"]:
        problem = "Send a share that differs from other. Otherwise the groups are the same."
        raise Invalid({"other": problem})


def _share_asked(plan: dict[str, Any]) -> Fraction:
    """Return the share of the respondents who are asked the question."""
    return Fraction(plan["count"], plan["of"])


def _at_n(mechanism: Mechanism, plan: dict[str, Any]) -> AtN:
    """Return what n respondents show."""
    channel = Channel.of(mechanism)
    share = plan.get("share")
    confidence = plan["confidence"]
    n = max(1, int(plan["n"] * _share_asked(plan)))
    expected_share = float(planning.worst_share(channel)) if share is None else share
    least = planning.smallest_detectable_share(channel, n, mechanism.free_shares, confidence)
    margin = _margin_statement(channel, plan, n)
    return AtN(
        n=plan["n"],
        asked=n,
        standard_error=float(planning.standard_error(channel, expected_share, n)),
        half_width=margin.margin,
        half_width_asked_directly=float(planning.half_width(DIRECT, plan["n"], share, confidence)),
        least=finite_or_none(float(least)),
        reach=float(planning.interval_reach(channel, n, share, confidence)),
        sentence=margin.sentence,
        **_powers(channel, plan, n),
        **_powers_of_groups(channel, plan),
        **statement_fields(margin),
    )


def _margin_statement(channel: Channel, plan: dict[str, Any], n: int) -> MarginStatement:
    """Return the statement about the margin, at the expected share or where it is widest.

    n: how many of the respondents are asked.
    """
    share = plan.get("share")
    confidence = plan["confidence"]
    margin = float(planning.half_width(channel, n, share, confidence))
    people = int(planning.sample_size(channel, LARGEST_MARGIN, share, confidence))
    return MarginStatement(
        quantity=Quantity(kind=Kind.MARGIN, unit=" points"),
        n=plan["n"],
        estimate=0.0,
        interval=(-margin, margin),
        method="wilson",
        family=Family(confidence=confidence),
        people_for_number=respondents_needed(people, _share_asked(plan)),
        assumption=ANY_ANSWERS if share is None else "",
    )


def _powers(channel: Channel, plan: dict[str, Any], n: int) -> dict[str, float | None]:
    """Return the power of the test of a share, by the name of the field."""
    if "null" not in plan:
        return {"power": None, "power_exact": None}
    test = (channel, plan["share"], plan["null"], n)
    alpha = 1 - plan["confidence"]
    return {
        "power": float(planning.power(*test, alpha=alpha)),
        "power_exact": float(planning.exact_power(*test, alpha=alpha)),
    }


def _powers_of_groups(channel: Channel, plan: dict[str, Any]) -> dict[str, float | None]:
    """Return the power of the test of two groups, by the name of the field."""
    if "other" not in plan:
        return {"power_of_groups": None, "power_of_groups_exact": None}
    test = (channel, plan["share"], plan["other"], plan["n"])
    options = _options_of_groups(plan)
    exact = None
    if plan["n"] <= MOST_WEIGHED:
        exact = float(planning.exact_power_of_groups(*test, **options))
    return {
        "power_of_groups": float(planning.power_of_groups(*test, **options)),
        "power_of_groups_exact": exact,
    }


def _options_of_groups(plan: dict[str, Any]) -> dict[str, Any]:
    return {"alpha": 1 - plan["confidence"], "ratio": plan["ratio"], "sided": plan["sided"]}


def _needed(mechanism: Mechanism, plan: dict[str, Any]) -> Needed:
    """Return how many respondents the aims of a plan need."""
    channel = Channel.of(mechanism)
    sizes = {
        **_sizes_for_width(channel, plan),
        **_sizes_for_power(channel, plan),
        **_sizes_for_groups(channel, plan),
    }
    respondents = {}
    for name, size in sizes.items():
        respondents[name] = size and respondents_needed(size, _share_asked(plan))
    # Asked directly, all respondents get the question.
    directly = _sizes_for_width(DIRECT, plan)["for_half_width"]
    return Needed(**respondents, for_half_width_asked_directly=directly)


def _sizes_for_width(channel: Channel, plan: dict[str, Any]) -> dict[str, int | None]:
    """Return how many reports make the margin as small as wanted, by the name of the field."""
    if "half_width" not in plan:
        return {"for_half_width": None, "for_reach": None}
    aim = (channel, plan["half_width"], plan.get("share"), plan["confidence"])
    return {
        "for_half_width": int(planning.sample_size(*aim)),
        "for_reach": int(planning.sample_size_for_reach(*aim)),
    }


def _sizes_for_power(channel: Channel, plan: dict[str, Any]) -> dict[str, int | None]:
    """Return how many reports give the test of a share its power, by the name of the field."""
    if "null" not in plan:
        return {"for_power": None, "for_power_exact": None}
    test = (channel, plan["share"], plan["null"], plan["power"])
    alpha = 1 - plan["confidence"]
    approximate = int(planning.sample_size_for_power(*test, alpha=alpha))
    exact = None
    if approximate <= MOST_EXACT:
        exact = planning.exact_sample_size_for_power(*test, alpha=alpha)
    return {"for_power": approximate, "for_power_exact": exact}


def _sizes_for_groups(channel: Channel, plan: dict[str, Any]) -> dict[str, int | None]:
    """Return how many reports in the first group show a difference, by the name of the field."""
    if "other" not in plan:
        return {"for_groups": None, "for_groups_exact": None}
    test = (channel, plan["share"], plan["other"], plan["power"])
    options = _options_of_groups(plan)
    approximate = int(planning.sample_size_of_groups(*test, **options))
    exact = None
    if approximate <= MOST_EXACT_OF_GROUPS:
        exact = planning.exact_sample_size_of_groups(*test, **options)
    return {"for_groups": approximate, "for_groups_exact": exact}


def _standard_errors(mechanism: Mechanism, plan: dict[str, Any]) -> dict[str, float]:
    """Return the standard error of each design at the same epsilon, by its name."""
    standard_errors = planning.side_by_side(
        mechanism.size,
        mechanism.epsilon,
        COMPARED_N,
        plan.get("share"),
        KINDS[plan["kind"]].select,
    )
    return {name: float(error) for name, error in standard_errors.items()}
