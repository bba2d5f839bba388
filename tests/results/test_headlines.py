"""What was found, in words: true, in the words of its kind, and said so where nothing can be said."""

from dataclasses import replace

import numpy as np
import pytest
from django.template.loader import render_to_string
from scipy.stats import binom

from mechanisms import DirectEncoding, Mechanism, Tally, UnaryEncoding
from mechanisms.estimation import intervals
from mechanisms.estimation.constrained import norm_sub
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument, Survey
from surveys.results.estimates.answer_order import display_order
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.estimates.report import summarize
from surveys.results.report.headlines import Finding, Verdict, finding, ranking
from surveys.results.report.impossible_shares import note
from surveys.results.report.quality import Verdict as Quality, check_counts
from surveys.statements.family import Family
from surveys.statements.rankings import Ranking, RankingState, leaders
from surveys.statements.shares import SIMPLE_BOUNDS, share_of, share_statement
from tests.factories.surveys import (
    add_choice,
    add_yes_no,
    create_draft,
    create_published,
    publish_survey,
)
from tests.helpers.report_api import report_json

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def question(
    n: int,
    yes: int = 0,
    fruit: list[int] | None = None,
    region: tuple[int, int] | None = None,
    confidence: float = 0.95,
) -> list[QuestionReport]:
    tally = {
        "n": n,
        "counts": {
            "tax": [n - yes, yes],
            "fruit": fruit or [0] * 5,
            "region": region or [n // 2, n - n // 2],
        },
    }
    return list(
        summarize(
            parse_instrument(Instrument.objects.first() or create_published()),
            tally,
            confidence=confidence,
        ).questions
    )


def found(each: QuestionReport) -> tuple[str, str, str]:
    it = finding(each)
    return it.sentence, it.detail, f"{it.number}; {it.range}" if it.number else ""


def test_the_published_example_in_words() -> None:
    """Warner p = 3/4, 160 Yes of 400: .3, Wilson .2063 to .3975."""
    assert found(question(400, 160)[0]) == (
        "Tax: about 3 in 10.",
        "30% (95% range 20% to 40%).",
        "30%; 20 to 40%",
    )
    assert finding(question(400, 160)[0]).verdict == Verdict.CLEAR
    assert finding(question(400, 160, confidence=0.9)[0]).detail == "30% (90% range 22% to 39%)."


@pytest.mark.parametrize(
    ("n", "yes", "words", "detail", "number"),
    [
        (
            40_000,
            9_960,
            "at most 1 in 100",
            "95% range 0 to 0.7%; unbiased estimate −0.2%.",
            "≤ 0.7%",
        ),
        (400, 105, "at most 12%", "95% range 0 to 12%; unbiased estimate 3%.", "≤ 12%"),
        (400, 295, "at least 88%", "95% range 88% to 100%; unbiased estimate 98%.", "≥ 88%"),
        (
            40_000,
            29_990,
            "at least 99 in 100",
            "95% range 99.0% to 100%; unbiased estimate 100.0%.",
            "≥ 99.0%",
        ),
    ],
)
def test_a_range_at_an_end_is_a_bound_and_the_unbiased_estimate_is_named(
    n: int, yes: int, words: str, detail: str, number: str
) -> None:
    sentence, told, shown = found(question(n, yes)[0])
    assert (sentence, told, shown.split("; ")[0]) == (f"Tax: {words}.", detail, number)


def test_a_range_wider_than_20_points_has_no_number() -> None:
    sentence, detail, number = found(question(100, 40)[0])
    assert sentence == "Tax: too uncertain for one number (11% to 50%)."
    assert number == ""
    assert detail == ""
    assert finding(question(100, 40)[0]).verdict == Verdict.WIDE
    assert finding(question(40, 20)[0]).sentence.startswith("Tax: too uncertain for one number")


def test_answers_with_a_range_too_wide_are_not_ranked() -> None:
    """All alike, 100 people: an answer was left out of those that may be the largest in 3 to 6 of 100 surveys."""
    sentence, detail, number = found(question(100, fruit=[40, 20, 15, 15, 10])[1])
    assert sentence == "Too few answers to rank these."
    assert number == ""
    assert "%" not in detail


def test_what_is_withheld_has_no_number_in_any_table() -> None:
    each = question(100, 40)[0]
    assert [each.withholds(choice) for choice in each.choices] == [True, True]
    told = report_json(each)["choices"][YES]
    assert (told["withheld"], told["estimate"]) == (True, each.choices[YES].estimate)
    html = render_to_string(
        "workspace/report/parts/numbers.html",
        {"question": each, "shown": {"choices": display_order(each)}},
    )
    assert html.count("too uncertain") == 2
    assert "30.0%" not in html.split("Received")[0]


def test_what_is_withheld_has_no_number_either_if_the_estimate_is_below_0() -> None:
    each = question(40, 8)[0]
    yes = each.choices[YES]
    assert yes.is_outside
    assert each.statement(yes).is_withheld

    html = render_to_string(
        "workspace/report/parts/numbers.html",
        {"question": each, "shown": {"choices": display_order(each)}},
    )

    assert each.statement(yes).unbiased_text not in html


def test_four_times_as_many_responses_halve_a_range() -> None:
    few, many = (question(n, n * 2 // 5)[0].choices[YES].interval for n in (1000, 4000))
    assert many[1] - many[0] == pytest.approx((few[1] - few[0]) / 2, rel=0.01)


@pytest.mark.parametrize("yes", [40, 380])
def test_what_leaves_the_possible_is_said_and_never_cut(yes: int) -> None:
    each = question(400, yes)[0]
    sentence, detail, number = found(each)
    way, end, ends = (
        ("below", "0%", "−36% to −23%") if yes == 40 else ("above", "100%", "133% to 144%")
    )
    assert sentence == f"Tax: the estimate is {way} {end}."
    assert (
        detail
        == (
            f"The whole range ({ends}) is {way} {end}. If the true share is {end}, chance does this in about 1 in 40 "
            "surveys. Look at Data checks first."
        )
        or yes == 380
    )
    assert number == ""
    assert finding(each).bars[0].estimate == each.choices[YES].estimate
    assert "about 1 in 200 surveys" in finding(question(400, yes, confidence=0.99)[0]).detail


def test_an_honest_survey_may_lie_wholly_outside_and_is_not_called_impossible() -> None:
    """105 Yes of 500, all by chance, happen: the interval misses, and the check has nothing against it."""
    frozen = parse_instrument(create_published())
    result = summarize(
        frozen, {"n": 500, "counts": {"tax": [395, 105], "fruit": [150] * 5, "region": [250, 250]}}
    )
    assert result.questions[0].choices[YES].interval[1] < 0
    words = finding(result.questions[0]).headline
    assert "If the true share is 0%, chance does this in about 1 in 40 surveys." in words
    assert check_counts(frozen, result)[0].verdict == Quality.FINE
    counts = np.arange(501)
    missed = intervals.wilson(counts, 500, 0.95)[:, 1] < 0.25
    assert binom.pmf(counts, 500, 0.25)[missed].sum() == pytest.approx(1 / 40, abs=0.005)


def test_few_responses_get_a_warning_and_no_statement(settings) -> None:
    sentence, detail, number = found(question(29, 12)[0])
    assert sentence == "Too few responses to report: 29."
    assert detail == "These results are too uncertain to use."
    assert number == ""
    for each in question(29, fruit=[20, 5, 5, 5, 5]):
        assert "Most common" not in finding(each).headline
        assert finding(each).verdict == Verdict.FEW
    settings.FEW_RESPONSES = 10
    assert finding(question(29, 12)[0]).verdict == Verdict.WIDE


def test_no_response_no_sentence() -> None:
    assert found(question(0)[0]) == ("No results yet.", "", "")


def test_the_largest_share_is_named_with_its_lead_when_it_is_certain() -> None:
    each = question(1000, fruit=[600, 300, 300, 300, 250])[1]
    sentence, detail, number = found(each)
    assert sentence == "Most common: “Apple”, 70%."
    lead = ranking(each).difference(0, 1)
    assert detail == "Lead over “Pear”: 60 points (95% range 47 to 73)."
    assert 0.47 <= lead.interval[0] < lead.interval[1] <= 0.73
    assert number.startswith("70%; ")


def test_two_that_overlap_cannot_be_told_apart() -> None:
    sentence, detail, number = found(question(1000, fruit=[450, 440, 250, 250, 250])[1])
    assert sentence == "Most common: “Apple” or “Pear” (too close to call)."
    assert (
        detail == "Estimates: 40% and 38%. The difference could be anything from −12 to 16 points."
    )
    assert number == ""


def test_when_more_overlap_they_are_named_or_counted() -> None:
    three = found(question(1000, fruit=[450, 440, 430, 250, 250])[1])[0]
    assert three == "Most common: “Apple”, “Pear” or “Plum” (too close to call)."
    five = found(question(1000, fruit=[351, 350, 350, 350, 350])[1])[0]
    assert five == "No clear leader: 5 answers could be the most common."


def test_no_order_is_said_where_any_range_is_too_wide() -> None:
    """Its lead is clear, and still “Apple” is not named: the ranges are wider than 20 points."""
    each = question(150, fruit=[110, 40, 40, 40, 40])[1]
    assert ranking(each).leaders == [0]
    assert found(each) == ("Too few answers to rank these.", "", "")
    assert finding(each).verdict == Verdict.WIDE


def test_where_an_order_is_said_the_true_first_one_is_rarely_left_out() -> None:
    """Five answers alike, 100 people: one is left out in .03 to .06 of surveys. Noisier ones have no order."""
    rng, mechanism = np.random.default_rng(6), DirectEncoding(5, 4)
    truths, wrong, said = np.arange(100) % 5, 0, 0
    for _ in range(300):
        order = simulated_ranking(mechanism, rng.choice(5, truths.size), rng)
        if order.state != RankingState.WITHHELD:
            said += 1
            wrong += len(order.leaders) < 5
    assert said > 100
    assert wrong / said <= 0.1
    noisy = UnaryEncoding(15, "3/4", "1/4")
    assert simulated_ranking(noisy, np.arange(100) % 15, rng).state == RankingState.WITHHELD


def simulated_ranking(
    mechanism: Mechanism, truths: np.ndarray, rng: np.random.Generator
) -> Ranking:
    """Return the ranking of answers that people gave with these truths."""
    estimate = mechanism.estimate(mechanism.tally(mechanism.randomize(truths, rng)))
    shares = [share_statement(estimate, code) for code in range(mechanism.size)]
    return Ranking(shares=shares, estimate=estimate)


def test_a_lead_holds_nothing_exactly_where_both_are_leaders() -> None:
    for fruit in ([450, 440, 250, 250, 250], [600, 300, 300, 300, 250], [400, 360, 300, 300, 300]):
        order = ranking(question(1000, fruit=fruit)[1])
        both = 1 in order.leaders
        assert (order.difference(0, 1).interval[0] <= 0) == both


def test_the_named_leaders_hold_the_true_one_as_often_as_promised() -> None:
    """Two equal largest shares: naming one alone would be wrong, and may happen in 5 of 100 surveys at most."""
    mechanism, rng, wrong = UnaryEncoding(4, "3/4", "1/4"), np.random.default_rng(5), 0
    truths = np.repeat([0, 1, 2, 3], [150, 150, 60, 40])
    for _ in range(400):
        sample = rng.choice(truths, truths.size)
        wrong += not {0, 1} <= set(simulated_ranking(mechanism, sample, rng).leaders)
    assert wrong / 400 <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_choose_all_is_compared_by_the_upper_bound_of_its_error() -> None:
    """Its covariance needs the rows; the bound names more leaders, never fewer."""
    counts = [560, 500, 300]
    of_any = UnaryEncoding(3, "3/4", "1/4", select="any").estimate(Tally(1000, counts))
    of_one = UnaryEncoding(3, "3/4", "1/4").estimate(Tally(1000, counts))
    family = Family.for_pairs(3)
    leaders_of_one, leaders_of_any = (
        leaders(estimate, range(3), family) for estimate in (of_one, of_any)
    )
    assert set(leaders_of_one) <= set(leaders_of_any)


def choose_all(counts: list[int], n: int) -> Finding:
    owner = Survey.objects.first().owner if Survey.objects.exists() else None
    survey = create_draft(owner)
    add_choice(survey, "it", kind="any", design="unary-any", parameters={"epsilon": "4"})
    return finding(
        summarize(
            parse_instrument(publish_survey(survey)), {"n": n, "counts": {"it": counts}}
        ).questions[0]
    )


def test_of_choose_all_the_two_largest_are_named_and_not_ranked() -> None:
    words = choose_all([4_538, 6_155, 4_000, 3_900], 10_000)
    assert words.sentence == "Highest estimates: “Pear” 75.1%, “Apple” 40.0%."
    assert "may add up to more than 100" in words.detail
    assert len(words.bars) == 2
    wide = choose_all([30, 60, 40, 20], 100)
    assert (wide.verdict, wide.sentence) == (Verdict.WIDE, "Too few answers to rank these.")


def test_a_background_answer_is_counted_and_leads_only_where_chance_is_excluded() -> None:
    region = question(1000, region=(667, 333))[2]
    sentence, detail, number = found(region)
    assert sentence == "Most common answer: “North”, 67% of responses."
    assert "not scrambled" in detail
    assert number == "67%; 667 of 1,000"
    assert (
        found(question(1000, region=(500, 500))[2])[0]
        == "Highest shares: “North” 50%, “South” 50% of responses (too close to call)."
    )


def test_the_filters_own_question_finds_nothing() -> None:
    assert finding(question(400)[2], filtered=True).verdict == Verdict.FILTERED


@pytest.mark.parametrize(
    ("share", "interval", "words"),
    [
        (0.266, (0.24, 0.29), "about 1 in 4"),
        (0.34, (0.31, 0.37), "about 1 in 3"),
        (0.5, (0.47, 0.53), "about half"),
        (0.45, (0.44, 0.46), "about 45 in 100"),
        (0.0045, (0.0041, 0.0049), "about 0.45%"),
        (0.01, (-0.01, 0.0102), "at most 1.5%"),
        (-0.002, (-0.05, 0.042), "at most 1 in 20"),
        (0.97, (0.958, 1.01), "at least 19 in 20"),
        (0.071, (0.052, 0.09), "about 7 in 100"),
        (0.99, (0.9901, 1.02), "at least 99 in 100"),
        (0.1, (-0.02, 0.15), "at most 15%"),
        (0.9, (0.85, 1.01), "at least 85%"),
        (0.5, (-0.1, 1.1), "between 0% and 100%"),
        (0.2, (0.02, 0.31), "between 2% and 31%"),
    ],
)
def test_a_share_in_words(share: float, interval: tuple[float, float], words: str) -> None:
    assert share_of(share, interval).words == words


def test_simple_fractions_lie_within_the_range_and_bounds_are_never_said_too_small() -> None:
    rng = np.random.default_rng(3)
    for low, width in zip(rng.random(3000), rng.random(3000) * 0.2, strict=True):
        high = min(low + width, 0.999)
        words = share_of((low + high) / 2, (low, high)).words.removeprefix("about ")
        if " in " in words:
            number, _, of = words.partition(" in ")
            assert low - 1e-9 <= int(number) / int(of) <= high + 1e-9
    for high in rng.random(1000) * 0.05:
        bound = share_of(high / 2, (-0.01, high))
        one, of = bound.words.removeprefix("at most ").replace(",", "").partition(" in ")[::2]
        in_words = 100 * int(one) / int(of) if of else float(one.removesuffix("%"))
        assert any(in_words == pytest.approx(each) for each in SIMPLE_BOUNDS)
        assert in_words >= bound.rounding.high >= 100 * high - 1e-9


def test_a_half_wide_survey_mostly_outside_is_called_wide() -> None:
    """What is left of a range after cutting is no measure of how much is known."""
    assert share_of(-0.3, (-0.6, 0.02)).is_withheld


def test_yes_is_named_in_the_language_of_the_survey() -> None:
    survey = create_draft(language="de")
    add_yes_no(survey)
    frozen = parse_instrument(publish_survey(survey))
    result = summarize(frozen, {"n": 400, "counts": {"tax": [240, 160]}})
    without = replace(result.questions[0], short="")
    assert finding(without).sentence == "About 3 in 10 answered “Ja”."


def test_numbers_that_no_share_can_be_get_the_reason_that_holds() -> None:
    """An estimate of 50% from 10 answers has an interval beyond 100%, and no true share is near an end."""
    few = note(question(10, 5)[0])
    assert not question(10, 5)[0].choices[YES].is_outside
    assert few.startswith(
        "No share can be below 0% or above 100%, but the interval around a corrected share can"
    )
    assert "With few respondents or strong protection this happens for any true share" in few
    assert "The data check of the shares received" not in few
    assert "but a corrected share can" in note(question(400, 80)[0])
    assert "The data check of the shares received says whether" in note(question(400, 80)[0])
    assert note(question(400, 200)[0]) == ""


def test_the_possible_shares_are_called_what_they_are() -> None:
    """Direct encoding's joint maximum likelihood is not the nearest of all possible shares; Norm-Sub is."""
    unary = question(400, 200, fruit=[250, 80, 80, 80, 80])[1]
    survey = create_draft(Instrument.objects.get().survey.owner)
    add_choice(survey, "fruit", design="direct", parameters={"epsilon": "1"})
    direct = summarize(
        parse_instrument(publish_survey(survey)), {"n": 100, "counts": {"fruit": [40, 36, 21, 3]}}
    ).questions[0]
    mechanism = direct.basis.mechanism
    assert isinstance(mechanism, DirectEncoding)
    assert not np.allclose(direct.basis.constrained, norm_sub(direct.basis.proportions))
    assert "nearest" not in note(direct)
    assert "most likely (maximum likelihood)" in note(direct)
    assert "one of the nearest shares possible together" in note(unary)


def test_a_background_answer_was_not_scrambled_and_no_noise_is_blamed() -> None:
    frozen = parse_instrument(create_published())
    tally = {"n": 50, "counts": {"tax": [30, 20], "fruit": [15] * 5, "region": [1, 49]}}
    region = summarize(frozen, tally, interval="wald").questions[2]
    assert note(region).startswith("No share can be below 0%")
    assert "noise" not in note(region)
