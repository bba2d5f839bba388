"""Two sentences beside a report: who may have denied, and how many ranges may be expected to miss."""

import re

import numpy as np
import pytest
from django.test import Client

from mechanisms import Tally, Warner
from surveys.definition.parsing import parse_instrument
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import summarize
from surveys.results.report.remarks import if_denied, misses
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_choice,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)
from tests.helpers.report_api import report_json

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def yes_no_report(n: int, yes: int) -> QuestionReport:
    survey = create_draft()
    add_yes_no(survey)
    return summarize(
        parse_instrument(publish_survey(survey)), {"n": n, "counts": {"tax": [n - yes, yes]}}
    ).questions[0]


def test_if_2_in_10_denied_share_and_ends_are_a_fifth_higher() -> None:
    question = yes_no_report(4000, 1480)
    low, high = question.choices[1].interval
    remark = if_denied(question)
    assert (remark.share, remark.interval) == (
        pytest.approx(0.24 / 0.8),
        pytest.approx((low / 0.8, high / 0.8)),
    )
    assert remark.sentence == (
        "If 2 in 10 of the people concerned answered No all the same, it would be 30.0% "
        "(26.2% to 33.8%) instead of 24.0%."
    )
    assert report_json(question)["if_denied"] == {
        "share": remark.share,
        "interval": list(remark.interval),
    }


@pytest.mark.parametrize(
    ("n", "yes"),
    [
        *((100, 40), (400, 40), (400, 380), (29, 12)),
        *((4000, 1010), (4000, 1020), (40_000, 10_080), (40_000, 28_000), (40_000, 29_000)),
    ],
)
def test_nothing_is_said_where_no_number_is_shown(n: int, yes: int) -> None:
    """Too wide, below 0, above 100%, too few, bounds, and above 80%, which cannot show if 2 in 10 deny."""
    assert if_denied(yes_no_report(n, yes)) is None


def test_nothing_is_said_where_only_the_corrected_range_is_too_wide() -> None:
    """The range of 19.7 points has a number. A fifth longer it has none."""
    question = yes_no_report(400, 170)

    low, high = question.choices[1].interval
    assert 0 < low < high < 0.8
    assert high - low < 0.2 < (high - low) / 0.8
    assert if_denied(question) is None


@pytest.mark.parametrize("yes", [10_400, 25_000])
def test_what_would_be_is_written_as_another_number_and_never_beyond_100(yes: int) -> None:
    remark = if_denied(yes_no_report(40_000, yes))

    share, low, high, instead = (
        float(number) for number in re.findall(r"(\d+(?:\.\d+)?)%", remark.sentence)
    )
    assert 0 < low < share < high <= 100
    assert instead < share


def test_a_small_share_has_the_decimals_that_show_what_would_change() -> None:
    remark = if_denied(yes_no_report(10_000, 2600))

    assert re.search(r"it would be 2\.5% \(0\.3% to 4\.7%\) instead of 2\.0%\.$", remark.sentence)


def test_the_corrected_range_holds_a_share_of_whom_a_fifth_denied() -> None:
    """30% true, 24% after denial, 4,000 people: the printed range misses most times, the corrected one does not."""
    rng, mechanism, held = np.random.default_rng(3), Warner("3/4"), []
    for yes in rng.binomial(4000, 0.25 + 0.5 * 0.24, 2000):
        low, high = mechanism.estimate(Tally(4000, [4000 - yes, yes])).intervals[1]
        held.append((low <= 0.3 <= high, low / 0.8 <= 0.3 <= high / 0.8))
    printed, corrected = np.mean(held, axis=0)
    assert corrected == pytest.approx(0.95, abs=0.02)
    assert printed < 0.2


def test_the_foot_says_how_many_ranges_may_miss() -> None:
    survey = create_draft()
    for key in "abcdefgh":
        add_yes_no(survey, key)
    add_choice(survey, design="unary")
    made = publish_survey(survey)
    add_responses(made, 400)
    owner = Client()
    owner.force_login(survey.owner)
    shown = owner.get(f"/surveys/{survey.slug}/report/").content.decode()
    assert "ranges are here, each right in 95% of surveys: expect about 1 to miss." in shown
    together = owner.get(f"/surveys/{survey.slug}/report/?simultaneous=yes").content.decode()
    assert together.count("to miss.") == 0


def test_one_range_has_no_foot() -> None:
    survey = create_draft(create_researcher("ada"))
    add_yes_no(survey)
    assert (
        misses(
            summarize(
                parse_instrument(publish_survey(survey)), {"n": 100, "counts": {"tax": [60, 40]}}
            )
        )
        == ""
    )
