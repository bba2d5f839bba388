"""Ranges of differences as they are written: no end is 0 where the difference is clear, and none is impossible."""

import re

import numpy as np
import pytest

from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import summarize
from surveys.results.report.headlines import finding, ranking
from surveys.site.number_format import decimals_excluding_zero, percent_range
from surveys.statements.comparisons import share_difference
from surveys.statements.contrasts import Contrast, PredictorKind, contrast_errors, slope_of
from surveys.statements.family import Family
from tests.factories.analysis_surveys import get_api, owner_client, publish_with_counts
from tests.factories.surveys import (
    add_choice,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
JUST_CLEAR = r"\(95% range 0\.0[1-9] to \d+\.\d\d\)"


@pytest.mark.parametrize(
    ("interval", "digits", "decimals"),
    [
        ((0.04, 12.3), 1, 2),
        ((-12.3, -0.04), 1, 2),
        ((0.0004, 12.3), 1, 4),
        ((0.06, 12.3), 1, 1),
        ((-0.04, 12.3), 1, 1),
        ((0.0, 12.3), 1, 1),
        ((0.3, 12.3), 0, 1),
    ],
)
def test_an_end_that_is_not_0_gets_the_decimals_that_show_it(
    interval: tuple[float, float], digits: int, decimals: int
) -> None:
    assert decimals_excluding_zero(interval, digits) == decimals


def test_ranges_in_tables_show_on_which_side_of_0_they_are() -> None:
    assert percent_range((0.0004, 0.02)) == "0.04% to 2.00%"
    assert percent_range((-0.0004, 0.02)) == "0.0% to 2.0%"


def summarize_direct(counts: list[int]) -> QuestionReport:
    """Return the report of a scrambled question with three answers, whose reports are nearly certain."""
    instrument = Instrument.objects.first()
    if instrument is None:
        survey = create_draft()
        add_choice(survey, labels=("A", "B", "C"), design="direct", parameters={"epsilon": "4"})
        instrument = publish_survey(survey)
    return summarize(
        parse_instrument(instrument), {"n": sum(counts), "counts": {"fruit": counts}}
    ).questions[0]


def first_lead(n: int) -> str:
    """Return what is said of the smallest lead of A over B among n people, of whom a tenth chose C."""
    rest = n // 10
    for first in range((n - rest) // 2, n - rest + 1):
        detail = finding(summarize_direct([first, n - first - rest, rest])).detail
        if "Lead over" in detail:
            return detail
    return pytest.fail(f"Of {n} people, no lead of A is called one.")


def test_a_lead_shows_why_it_is_one() -> None:
    """As soon as A is called the most common answer, no end of the range of its lead is 0."""
    for n in (3_000, 4_000, 5_000, 10_000, 50_000):
        detail = first_lead(n)
        number, low = re.search(r"“[BC]”: ([\d.]+) points \(95% range ([\d.]+) to", detail).groups()
        assert float(number) > float(low) > 0


def test_no_lead_is_above_100_points() -> None:
    """The range ends above 100 points, so only its lower end is told."""
    question = summarize_direct([982, 19, 19])

    lead = ranking(question).difference(0, 1)
    assert lead.interval[1] > 1
    assert 100 * lead.interval[0] - 1 < lead.rounding.low <= 100 * lead.interval[0]
    assert finding(question).detail == f"Lead over “B”: at least {lead.low_text} points."


def test_no_difference_of_two_groups_is_above_100_points() -> None:
    instrument = publish_with_counts({(0,): (300, 235), (1,): (300, 65)}, region=("North", "South"))

    sentence = get_api(owner_client(instrument), instrument, "compare/?by=region").json()[
        "questions"
    ][0]["sentence"]

    numbers = re.search(
        r"([\d.]+) points higher in “North” than in “South” \(95% range ([\d.]+) to ([\d.]+)\)",
        sentence,
    ).groups()
    assert max(map(float, numbers)) <= 100


def test_slope_of_a_number_may_be_above_100_points() -> None:
    """It is for each ten more of a number, which people may have between 0 and 3."""
    contrast = Contrast(
        quantity=slope_of(share_difference("Tax")),
        n=900,
        versus="",
        kind=PredictorKind.NUMBER,
        predictor="Days",
    )
    (slope,) = contrast_errors([contrast], np.array([1.5]), np.array([0.15]), Family())
    assert slope.sentence == (
        "Tax: 150 points higher for each 10 more in Days (95% range 120 to 180)."
    )
