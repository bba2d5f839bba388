"""Sums, tests, curves, the price of privacy and fakes: the library's numbers, and published ones."""

import numpy as np
import pytest
from scipy.stats import binom, chi2

from mechanisms import Tally, UnaryEncoding, Warner, compare_with_central, likelihood_ratio_test
from mechanisms.analysis.diagnostics import sensitivity
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from surveys.results.estimates import on_request
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import summarize
from tests.api.test_reading import client_of
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_scale,
    add_yes_no,
    create_draft,
    create_published,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
FRUIT = [400, 330, 290, 260, 250]


def instrument() -> Instrument:
    return Instrument.objects.first() or create_published()


@pytest.fixture
def tax() -> QuestionReport:
    return both()[0]


@pytest.fixture
def fruit() -> QuestionReport:
    return both()[1]


def both(confidence: float = 0.95) -> list[QuestionReport]:
    tally = {
        "n": 400,
        "counts": {"tax": [240, 160], "fruit": [c * 2 // 5 for c in FRUIT], "region": [200, 200]},
    }
    return list(summarize(parse_instrument(instrument()), tally, confidence=confidence).questions)


def test_a_sum_has_the_librarys_error_and_not_that_of_independent_shares(
    fruit: QuestionReport,
) -> None:
    found = on_request.add_up(fruit, [0, 3])
    mechanism = UnaryEncoding(5, "3/4", "1/4")
    share, error = mechanism.estimate(Tally(400, fruit.basis.tally.counts)).total([0, 3])
    assert (found.share, found.standard_error) == (share, error)
    assert found.labels == ("Apple", "Quince")
    assert found.interval == pytest.approx(
        (share - 1.959963985 * error, share + 1.959963985 * error)
    )
    alone = (fruit.choices[0].standard_error ** 2 + fruit.choices[3].standard_error ** 2) ** 0.5
    assert error != pytest.approx(alone, rel=1e-6)


def test_sums_are_refused_where_a_person_counts_under_several_answers(
    fruit: QuestionReport,
) -> None:
    with pytest.raises(ValueError, match="choices"):
        on_request.add_up(fruit, [0, 0])
    empty = summarize(parse_instrument(instrument()), {"n": 0, "counts": {}}).questions[1]
    with pytest.raises(ValueError, match="add up"):
        on_request.add_up(empty, [0])


def test_the_test_of_a_share_is_the_binomial_likelihood_ratio(tax: QuestionReport) -> None:
    found = on_request.test_share(tax, 0.2)
    at_best, at_share = binom.logpmf(160, 400, 0.4), binom.logpmf(160, 400, 0.35)  # .25 + .5 * .2
    assert found.result.statistic == pytest.approx(2 * (at_best - at_share), abs=1e-9)
    assert found.result.p_value == pytest.approx(chi2.sf(2 * (at_best - at_share), 1), abs=1e-9)
    assert found.result == likelihood_ratio_test(Warner("3/4"), tax.basis.tally, 0.2)
    assert found.is_contradicted
    assert not on_request.test_share(tax, 0.3).is_contradicted


def test_the_curve_falls_to_its_threshold_at_the_ends_of_the_interval(tax: QuestionReport) -> None:
    curve = on_request.log_likelihood_curve(tax)
    assert max(curve.values) <= 1e-9
    assert curve.best == pytest.approx(0.3)
    assert curve.threshold == pytest.approx(-chi2.ppf(0.95, 1) / 2)
    for end in curve.interval:
        assert np.interp(end, curve.shares, curve.values) == pytest.approx(
            curve.threshold, abs=0.02
        )
        at = binom.logpmf(160, 400, 0.25 + end / 2) - binom.logpmf(160, 400, 0.4)
        assert at == pytest.approx(curve.threshold, abs=1e-6)


def test_the_price_of_privacy_is_the_librarys(tax: QuestionReport, fruit: QuestionReport) -> None:
    assert on_request.central_comparison(tax) == compare_with_central(tax.basis)
    assert on_request.central_comparison(tax).central == pytest.approx(1 / (np.log(3) * 400))
    assert on_request.central_comparison(fruit).central == pytest.approx(2 / (2 * np.log(3) * 400))


def test_background_questions_have_no_price() -> None:
    assert on_request.central_comparison(both()[2]) is None


def test_one_per_cent_of_fakes_moves_as_far_as_the_library_says(
    tax: QuestionReport, fruit: QuestionReport
) -> None:
    low, high = sensitivity(Warner("3/4"), tax.basis.tally, 0.01)[1]
    found = on_request.effect_of_false_reports(tax)
    assert (found.low, found.high) == (low, high)
    # A report of Yes decodes to 1.5 and one of No to -.5: 1% in each other's place move .3 by .01 * 2 either way.
    assert (found.low, found.high, found.most) == pytest.approx((0.28, 0.32, 0.02))
    moved = sensitivity(UnaryEncoding(5, "3/4", "1/4"), fruit.basis.tally, 0.01)
    assert on_request.effect_of_false_reports(fruit).most == pytest.approx(
        np.abs(moved - fruit.basis.proportions[:, None]).max()
    )


def test_confidence_reaches_every_reading() -> None:
    wide, narrow = (
        on_request.log_likelihood_curve(both(0.99)[0]),
        on_request.log_likelihood_curve(both(0.8)[0]),
    )
    assert wide.interval[0] < narrow.interval[0] < narrow.interval[1] < wide.interval[1]


def test_numbers_and_scales_can_be_asked_for_more() -> None:
    """Fakes move the share of an answer, so a mean has none."""
    survey = create_draft()
    add_yes_no(survey)
    add_choice(survey)
    add_quantity(survey, decline=True)
    add_scale(survey, decline=True)
    add_background(survey)
    instrument = publish_survey(survey)
    add_invented_responses(instrument, 200)

    client = client_of(survey.owner)
    fakes_by_key = {}
    for item in parse_instrument(instrument).items:
        response = client.get(f"/api/v1/surveys/{survey.slug}/report/{item.key}/readings/")
        assert response.status_code == 200, item.key
        fakes_by_key[item.key] = response.json()["fakes"]

    assert [key for key, fakes in fakes_by_key.items() if fakes] == ["tax", "fruit"]
