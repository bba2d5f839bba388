"""What a program asks of a report: confidence, kind of intervals, and a group by background answers."""

import math

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from mechanisms.estimation.intervals import METHODS
from surveys.api.views.base import WrongParameter, one_of
from surveys.models import Instrument
from surveys.publishing.instruments import paper
from surveys.reporting.intervals import CONFIDENCE, Asked
from surveys.reporting.report import SurveyReport, report
from surveys.reporting.side_by_side import SideBySide, comparable, side_by_side
from surveys.reporting.subgroups import Group, TooSmall

NAMES = ("confidence", "interval", "simultaneous", "where")
TRUTHS = {"true": True, "false": False}
PARAMETERS = [
    OpenApiParameter("confidence", {"type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 1}),
    OpenApiParameter(
        "interval",
        enum=list(METHODS),
        description="for every question; unless given, each has the best that its design allows: Wilson's, and Wald's "
        "for a matrix of more than two answers. 422 for a kind that a design of the survey does not have",
    ),
    OpenApiParameter(
        "simultaneous",
        bool,
        description="whether the intervals of a question hold together (Bonferroni), not each alone",
    ),
    OpenApiParameter(
        "where",
        str,
        description="a group by background answers, as `region:0,2;sex:1`: variable names and codes",
    ),
]


BY = OpenApiParameter("by", str, required=True, description="the background question whose answers make the groups")
ORDER = OpenApiParameter("order", enum=["size", "asked"], description="of the answers in a figure; largest first")


class GroupTooSmall(APIException):
    status_code = 422
    default_code = "group_too_small"
    default_detail = "So few people are not reported on."


def report_as_asked(request: Request, instrument: Instrument) -> SurveyReport:
    try:
        asked = confidence(request), interval(request), group(request, instrument)
        return report(instrument, *asked, simultaneous=simultaneous(request))
    except TooSmall as refusal:
        raise GroupTooSmall(str(refusal)) from None


def groups_as_asked(request: Request, instrument: Instrument) -> SideBySide:
    keys = [item.key for item in comparable(paper(instrument))]
    by = request.query_params.get("by", "")
    if by not in keys:
        raise WrongParameter(f"by must name a background question with few answers: {', '.join(keys) or 'none here'}.")
    wanted = Asked(confidence(request), interval(request), simultaneous(request))
    try:
        return side_by_side(instrument, by, asked=wanted, group=group(request, instrument))
    except TooSmall as refusal:
        raise GroupTooSmall(str(refusal)) from None


def confidence(request: Request) -> float:
    text = request.query_params.get("confidence", str(CONFIDENCE))
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0.5 < number < 1:
        raise WrongParameter("confidence must be a number above 0.5 and below 1, as 0.95.")
    return number


def interval(request: Request) -> str | None:
    kind = request.query_params.get("interval")
    return None if kind is None else one_of("interval", kind, METHODS)


def simultaneous(request: Request) -> bool:
    return TRUTHS[one_of("simultaneous", request.query_params.get("simultaneous", "false"), TRUTHS)]


def by_size(request: Request) -> bool:
    return one_of("order", request.query_params.get("order", "size"), ("size", "asked")) == "size"


def group(request: Request, instrument: Instrument) -> Group:
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
