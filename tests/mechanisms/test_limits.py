"""Values at the ends of what is possible, where a formula alone would go beyond: chances over 1, errors of nothing."""

import math

import numpy as np
import pytest

from mechanisms import DirectEncoding, SubsetSelection, Tally, UnaryEncoding, Warner
from mechanisms.analysis.comparisons import equal_groups_test, likelihood_ratio_test
from mechanisms.analysis.diagnostics import chance_of_repeats, odd_ones, ones_law
from mechanisms.analysis.pooling import pool
from mechanisms.chance import binomial
from mechanisms.planning import (
    Channel,
    exact_sample_size_for_power,
    power,
    sample_size_for_power,
    worst_share,
)
from mechanisms.planning.central import laplace_error
from mechanisms.planning.privacy import odds_percent, odds_sentence
from mechanisms.planning.recommendation import recommend

TRUTHFUL = Channel(1.0, 0.0)


def test_groups_that_agree_have_a_p_value_of_1_and_never_more() -> None:
    """The Bonferroni factor of three choices would make it 3."""
    alike = (DirectEncoding(3, 1.0), Tally(300, [100, 100, 100]))
    found = pool([alike, alike]).homogeneity
    assert found.p_value == 1.0
    assert found.statistic == pytest.approx(0, abs=1e-9)
    assert found.statistic >= 0


def test_the_factor_of_the_p_value_is_the_number_of_free_shares() -> None:
    def groups(size: int) -> list:
        counts = [
            [400, *[600 // (size - 1)] * (size - 1)],
            [500, *[500 // (size - 1)] * (size - 1)],
        ]
        return [(DirectEncoding(size, 3.0), Tally(sum(each), each)) for each in counts]

    for size, free in ((2, 1), (3, 3), (5, 5)):
        found = pool(groups(size)).homogeneity
        alone = math.erfc(
            math.sqrt(found.statistic / 2)
        )  # of a chi-square with one degree of freedom
        assert 0 < alone < 1 / free
        assert found.p_value == pytest.approx(free * alone, rel=1e-9)


def test_a_statistic_that_rounding_takes_below_0_is_0() -> None:
    """These are a few of the numbers where it does."""
    for n in (7, 10, 14):
        alike = (Warner("2/3"), Tally(n, [n - n // 3, n // 3]))
        assert pool([alike] * 3).statistics.min() == 0
        assert (
            equal_groups_test([alike] * 3, int(pool([alike] * 3).statistics.argmin())).statistic
            == 0
        )
    for n in (27, 31, 55):
        yes = n // 2 + n // 9
        found = likelihood_ratio_test(
            Warner("2/3"), Tally(n, [n - yes, yes]), (yes / n - 1 / 3) / (1 / 3) + 1e-12
        )
        assert found.statistic >= 0
        assert found.p_value <= 1


def test_reports_as_expected_are_odd_with_a_p_value_of_1() -> None:
    mechanism = UnaryEncoding.symmetric(4, 2.0)
    expected = np.round(ones_law(mechanism) * 1000).astype(np.int64)
    assert odd_ones(mechanism, expected).p_value == 1.0


def test_chances_that_rounding_adds_up_to_more_than_1_are_1() -> None:
    """Else the smallest p-value would be no number, and hide how odd it is that nobody's report has few ones."""
    mechanism = UnaryEncoding.symmetric(16, 6.0)
    assert np.cumsum(ones_law(mechanism))[:-2].max() > 1
    found = odd_ones(mechanism, np.array([*[0] * 16, 50]))
    assert found.p_value == 0
    assert found.expected < 50


def test_a_report_that_chance_repeats_has_a_p_value_of_1() -> None:
    mechanism = UnaryEncoding.symmetric(2, 1.0)
    assert chance_of_repeats(mechanism, 1000, 1) == 1.0
    assert chance_of_repeats(mechanism, 1000, 2) == 1.0
    assert 0 < chance_of_repeats(mechanism, 1000, 500) < 1e-9


def test_where_one_report_proves_it_one_respondent_is_enough() -> None:
    """No number of reports fails, so there is none after which to begin."""
    assert exact_sample_size_for_power(TRUTHFUL, 1, 0) == 1
    assert sample_size_for_power(TRUTHFUL, 1, 0) == 1


def test_without_any_error_passing_is_a_matter_of_fact() -> None:
    assert power(TRUTHFUL, 1, 0, 5) == 1.0
    assert power(TRUTHFUL, 0, 0, 5) == 0.0


def test_the_worst_share_is_a_share() -> None:
    assert worst_share(Channel(0.4, 0.1)) == 1.0
    assert worst_share(Channel(0.9, 0.6)) == 0.0
    assert worst_share(Channel(0.75, 0.25)) == 0.5


@pytest.mark.parametrize("chance", [0.0, 0.3, 1.0])
def test_below_nothing_and_above_everything_there_are_no_counts(chance: float) -> None:
    assert binomial.at_most(np.array([-1, 5, 6]), 5, chance).tolist() == [0, 1, 1]
    assert binomial.upper_tail(np.array([-1, 5, 6]), 5, chance).tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("size", "select", "changed"), [(2, "one", 1), (3, "one", 2), (9, "one", 2), (9, "any", 9)]
)
def test_a_trusted_servers_noise_is_that_of_the_counts_one_person_changes(
    size, select, changed
) -> None:
    assert laplace_error(0.5, 100, size, select) == pytest.approx(changed / (0.5 * 100), rel=1e-15)


def test_odds_are_rounded_up_but_not_beyond_what_a_logarithm_was() -> None:
    assert [
        odds_percent(math.log(percent / (100 - percent))) for percent in range(50, 100)
    ] == list(range(50, 100))
    assert odds_percent(math.log(3) + 1e-6) == 76
    assert odds_percent(750.0) == odds_percent(math.inf) == 100
    assert odds_sentence(4.5) == "A guess that starts at 50:50 is right at most 99 times in 100."
    assert odds_sentence(4.6) == "A guess that starts at 50:50 is right more than 99 in 100 times."


def test_designs_that_differ_by_rounding_alone_are_both_the_best() -> None:
    """And stand in the order in which they are easy to explain; where a set has one answer the two are the same."""
    first, second, *others = recommend(10, 3.0)
    assert [type(each.mechanism) for each in (first, second)] == [DirectEncoding, SubsetSelection]
    assert 0 < first.error / second.error - 1 < 1e-8
    assert first.reason.startswith("Has the least total squared error. The report is one answer")
    assert second.reason.startswith("Has the least total squared error. With sets of one answer")
    for each in others:
        assert each.reason.startswith(f"Needs {each.error / first.error - 1:.0%} more respondents")


def test_a_design_that_needs_a_little_more_says_so() -> None:
    found = recommend(10, 1.0)
    more = [each.error / found[0].error - 1 for each in found[1:]]
    assert 0.01 < more[0] < 0.5
    assert found[1].reason.startswith(f"Needs {more[0]:.0%} more respondents for the same error")


def test_a_sum_of_all_choices_is_certain() -> None:
    """The covariances add up to 0, or by rounding to a little less, of which there is no root."""
    for n in (7, 100, 12_345):
        counts = [n // 7, n // 7, n // 7, n - 3 * (n // 7)]
        total = DirectEncoding(4, 1.0).estimate(Tally(n, counts), interval="wald").total(range(4))
        assert total[0] == pytest.approx(1)
        assert total[1] == pytest.approx(0, abs=1e-7)
