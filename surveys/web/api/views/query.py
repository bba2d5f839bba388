"""What a program asks of a report: confidence, kind of intervals, and a group by background answers."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from mechanisms.estimation.intervals import METHODS
from surveys.accounts import access
from surveys.models import Instrument
from surveys.results.disclosure.access import NotAReportGroup, ReaderView, view_for_reader
from surveys.results.disclosure.subgroups import Group, TooSmall
from surveys.results.estimates.intervals import CONFIDENCE, IntervalOptions
from surveys.results.estimates.report import SurveyReport, report
from surveys.results.report.groups import SideBySide, groupable_questions, side_by_side
from surveys.web.api.views.base import WrongParameter, one_of

NAMES = ("confidence", "interval", "simultaneous", "sampling", "where")
TRUTHS = {"true": True, "false": False}
PARAMETERS = [
    OpenApiParameter(
        "confidence", {"type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 1}
    ),
    OpenApiParameter(
        "interval",
        enum=list(METHODS),
        description=(
            "for every question. By default each gets the best that its design allows: Wilson's; Clopper and Pearson's "
            "where the intervals of a question hold together; Wald's for a matrix of more than two answers. 422 for a "
            "kind that a design of the survey doesn't have"
        ),
    ),
    OpenApiParameter(
        "simultaneous",
        bool,
        description="whether the intervals of a question hold together (Bonferroni), not each alone",
    ),
    OpenApiParameter(
        "sampling",
        bool,
        description=(
            "whether errors and intervals include the sampling (the default), to speak of all people like the "
            "respondents. false: only the randomization, to speak of exactly the respondents; 422 unless the survey "
            "has tickets, and for the kinds exact and likelihood"
        ),
    ),
    OpenApiParameter(
        "where",
        str,
        description=(
            "a filter by background answers, for example `region:0,2;age:0-16`: variable names and codes. With row "
            "access, and a token with the scope rows, you can filter freely. Everyone else can use the report groups "
            "once the survey is closed: 422 (`not-of-the-cut`) names them"
        ),
    ),
]


BY = OpenApiParameter(
    "by", str, required=True, description="the background question whose answers make the groups"
)
OUTCOME = OpenApiParameter(
    "outcome",
    str,
    description=(
        "a question and one of its answers, for example `tax:1`, or a number, for example `hours`, to compare its "
        "mean. The groups are then tested for it, and in pairs"
    ),
)
ORDER = OpenApiParameter(
    "order", enum=["size", "asked"], description="order of the answers in a figure; largest first"
)


class GroupTooSmall(APIException):
    status_code = 422
    default_code = "group_too_small"
    default_detail = "Too few people to report."


class GroupNotOfTheCut(APIException):
    status_code = 422
    default_code = "not_of_the_cut"
    default_detail = "Without row access you can filter only by report groups."


def reader_view(request: Request, instrument: Instrument) -> ReaderView:
    """Return what the user may see with this token."""
    may = access.Right.ROWS in access.rights(request.user, instrument.survey)
    return view_for_reader(
        instrument, has_rows=may and (request.auth is None or "rows" in request.auth.scopes)
    )


def interval_options(request: Request) -> IntervalOptions:
    """Return the interval options of the query."""
    return IntervalOptions(
        confidence(request), interval(request), simultaneous(request), sampling(request)
    )


def report_as_asked(request: Request, instrument: Instrument) -> SurveyReport:
    with translate_errors():
        level = interval_options(request)
        options = {
            "simultaneous": level.simultaneous,
            "sampling": level.sampling,
            "seen": reader_view(request, instrument),
        }
        return report(
            instrument, level.confidence, level.kind, parse_group(request, instrument), **options
        )


@contextmanager
def translate_errors() -> Iterator[None]:
    """Translate refusals into API errors (a context manager)."""
    try:
        yield
    except TooSmall as refusal:
        raise GroupTooSmall(str(refusal)) from None
    except NotAReportGroup as refusal:
        raise GroupNotOfTheCut(str(refusal)) from None


def groups_as_asked(request: Request, instrument: Instrument) -> SideBySide:
    looking = reader_view(request, instrument)
    keys, by = (
        [item.key for item in groupable_questions(looking)],
        request.query_params.get("by", ""),
    )
    if by not in keys and not looking.has_rows and by in looking.filterable_sizes:
        raise GroupNotOfTheCut(f"{looking.visibility_note(by)} {looking.note}")
    if by not in keys:
        raise WrongParameter(
            f"by must be a background question with few answers: {', '.join(keys) or 'none here'}."
        )
    with translate_errors():
        return side_by_side(
            looking, by, asked=interval_options(request), group=parse_group(request, instrument)
        )


def confidence(request: Request) -> float:
    text = request.query_params.get("confidence", str(CONFIDENCE))
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0.5 < number < 1:
        raise WrongParameter("confidence must be a number above 0.5 and below 1, for example 0.95.")
    return number


def interval(request: Request) -> str | None:
    kind = request.query_params.get("interval")
    return None if kind is None else one_of("interval", kind, METHODS)


def simultaneous(request: Request) -> bool:
    return TRUTHS[one_of("simultaneous", request.query_params.get("simultaneous", "false"), TRUTHS)]


def sampling(request: Request) -> bool:
    return TRUTHS[one_of("sampling", request.query_params.get("sampling", "true"), TRUTHS)]


def by_size(request: Request) -> bool:
    return one_of("order", request.query_params.get("order", "size"), ("size", "asked")) == "size"


def parse_group(request: Request, instrument: Instrument) -> Group:
    """Return the group that the query names."""
    sizes = reader_view(request, instrument).filterable_sizes
    parts = [part for part in request.query_params.get("where", "").split(";") if part]
    conditions = []
    for part in parts:
        key, _, codes = part.partition(":")
        picked = _codes(codes[:5000])
        if key not in sizes or not all(0 <= code < sizes[key] for code in picked):
            background = ", ".join(sizes) or "none"
            raise WrongParameter(
                f"where must name codes of background questions, for example region:0,2. There are: {background}."
            )
        conditions.append((key, tuple(picked)))
    return Group(tuple(conditions))


def _codes(text: str) -> list[int]:
    """ "0,3-5" -> [0, 3, 4, 5]; -1 among them where something is no code."""
    codes: set[int] = set()
    for part in text.split(","):
        ends = [
            int(end) if end.isascii() and end.isdigit() and len(end) < 5 else -1
            for end in part.split("-")
        ]
        codes |= (
            {*range(ends[0], ends[-1] + 1)}
            if -1 not in ends and len(ends) < 3 and ends[0] <= ends[-1]
            else {-1}
        )
    return sorted(codes)
