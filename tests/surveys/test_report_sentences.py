"""The sentence above each result is true, and says so where nothing can be said."""

import numpy as np
import pytest
from scipy.stats import binom

from mechanisms import DirectEncoding, Tally, UnaryEncoding
from mechanisms.estimation import intervals
from mechanisms.estimation.constrained import norm_sub
from surveys.models import Instrument
from surveys.publishing.instruments import paper
from surveys.publishing.lifecycle import publish
from surveys.reporting.headlines import headline, leaders
from surveys.reporting.outside import note
from surveys.reporting.quality import Verdict, check_counts
from surveys.reporting.report import YES, QuestionReport, summarize
from tests.making import choice, draft, published, yes_no

pytestmark = pytest.mark.django_db


def question(n: int, yes: int = 0, fruit: list[int] | None = None, confidence: float = 0.95) -> list[QuestionReport]:
    tally = {"n": n, "counts": {"tax": [n - yes, yes], "fruit": fruit or [0] * 5, "region": [n // 2, n - n // 2]}}
    return list(summarize(paper(Instrument.objects.first() or published()), tally, confidence=confidence).questions)


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_published_example_in_words() -> None:
    """Warner p = 3/4, 160 Yes of 400: .3, Wilson .2063 to .3975."""
    assert plain(headline(question(400, 160)[0])) == "Yes: between 20.6 % and 39.7 %, unbiased estimate 30.0 %."


@pytest.mark.parametrize(
    ("yes", "words"),
    [
        (105, "Yes: at most 11.5 %, unbiased estimate 2.5 % (the interval begins below 0 %, at −5.6 %)."),
        (295, "Yes: at least 88.5 %, unbiased estimate 97.5 % (the interval ends above 100 %, at 105.6 %)."),
        (
            40,
            "Yes: lower than any possible share. The interval, −35.1 % to −23.3 %, lies wholly below 0 %; unbiased "
            "estimate −30.0 %. By chance that happens in about 1 of 40 surveys whose true share is 0 %; the check of "
            "the observed shares says whether chance explains it here.",
        ),
    ],
)
def test_what_leaves_the_possible_is_said_and_never_cut(yes: int, words: str) -> None:
    assert plain(headline(question(400, yes)[0])) == words


def test_an_honest_survey_may_lie_wholly_outside_and_is_not_called_impossible() -> None:
    """105 Yes of 500, all by chance, happen: the interval misses, and the check has nothing against it."""
    frozen = paper(published())
    result = summarize(frozen, {"n": 500, "counts": {"tax": [395, 105], "fruit": [150] * 5, "region": [250, 250]}})
    assert result.questions[0].choices[YES].interval[1] < 0
    words = plain(headline(result.questions[0]))
    assert "By chance that happens in about 1 of 40 surveys whose true share is 0 %" in words
    assert "possible share fits" not in words
    assert check_counts(frozen, result)[0].verdict == Verdict.FINE
    counts = np.arange(501)
    missed = intervals.wilson(counts, 500, 0.95)[:, 1] < 0.25
    assert binom.pmf(counts, 500, 0.25)[missed].sum() == pytest.approx(1 / 40, abs=0.005)


def test_at_another_level_it_is_another_chance() -> None:
    assert "about 1 of 200 surveys" in headline(question(400, 40, confidence=0.99)[0])
    high = plain(headline(question(400, 380)[0]))
    assert high.startswith("Yes: higher than any possible share. The interval, ")
    assert "whose true share is 100 %" in high


def test_few_responses_get_a_warning_and_no_statement(settings) -> None:
    assert plain(headline(question(29, 12)[0])).startswith("With only 29 responses no statement can be made: the 95 %")
    assert "largest" not in headline(question(29, fruit=[20, 5, 5, 5, 5])[1])
    settings.FEW_RESPONSES = 10
    assert headline(question(29, 12)[0]).startswith("Yes: ")


def test_no_response_no_sentence() -> None:
    assert headline(question(0)[0]) == ""


def test_the_largest_share_is_named_when_it_is_certain() -> None:
    assert plain(headline(question(1000, fruit=[600, 300, 300, 300, 250])[1])).startswith(
        "“Apple” has the largest share: between "
    )


def test_shares_too_close_to_tell_are_named_together() -> None:
    words = plain(headline(question(1000, fruit=[450, 440, 250, 250, 250])[1]))
    assert words == (
        "The largest share is that of “Apple” (40.0 %) or “Pear” (38.0 %): they lie too close together to tell which."
    )


def test_when_nothing_stands_out_it_says_so() -> None:
    words = plain(headline(question(1000, fruit=[351, 350, 350, 350, 350])[1]))
    assert words.startswith("No answer stands out: any of 5 answers may have the largest share.")


def test_the_named_leaders_hold_the_true_one_as_often_as_promised() -> None:
    """Two equal largest shares: naming one alone would be wrong, and may happen in 5 of 100 surveys at most."""
    mechanism, rng, wrong = UnaryEncoding(4, "3/4", "1/4"), np.random.default_rng(5), 0
    truths = np.repeat([0, 1, 2, 3], [150, 150, 60, 40])
    for _ in range(400):
        sample = rng.choice(truths, truths.size)
        found = leaders(mechanism.estimate(mechanism.tally(mechanism.randomize(sample, rng))))
        wrong += not {0, 1} <= set(found)
    assert wrong / 400 <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_choose_all_is_compared_by_the_upper_bound_of_its_error() -> None:
    """Its covariance needs the rows; the bound names more leaders, never fewer."""
    counts = [560, 500, 300]
    of_any = UnaryEncoding(3, "3/4", "1/4", select="any").estimate(Tally(1000, counts))
    of_one = UnaryEncoding(3, "3/4", "1/4").estimate(Tally(1000, counts))
    assert set(leaders(of_one)) <= set(leaders(of_any))


def test_yes_is_named_in_the_language_of_the_survey() -> None:
    survey = draft(language="de")
    yes_no(survey)
    frozen = paper(publish(survey))
    result = summarize(frozen, {"n": 400, "counts": {"tax": [240, 160]}})
    assert headline(result.questions[0]).startswith(frozen.items[0].choices[1] + ": between")


def test_numbers_that_no_share_can_be_get_the_reason_that_holds() -> None:
    """An estimate of 50 % from 10 answers has an interval beyond 100 %, and no true share is near an end."""
    few = plain(note(question(10, 5)[0]))
    assert not question(10, 5)[0].choices[YES].is_outside
    assert few.startswith("No share can be below 0 % or above 100 %, but the interval around a corrected share can")
    assert "With few respondents or strong protection that happens wherever the true share lies" in few
    assert "The check of the observed shares" not in few
    assert "but a corrected share can" in plain(note(question(400, 80)[0]))
    assert "The check of the observed shares says whether" in note(question(400, 80)[0])
    assert note(question(400, 200)[0]) == ""


def test_the_possible_shares_are_called_what_they_are() -> None:
    """Direct encoding's joint maximum likelihood is not the nearest of all possible shares; Norm-Sub is."""
    unary = question(400, 200, fruit=[250, 80, 80, 80, 80])[1]
    survey = draft(Instrument.objects.get().survey.owner)
    choice(survey, "fruit", design="direct", parameters={"epsilon": "1"})
    direct = summarize(paper(publish(survey)), {"n": 100, "counts": {"fruit": [40, 36, 21, 3]}}).questions[0]
    mechanism = direct.basis.mechanism
    assert isinstance(mechanism, DirectEncoding)
    assert not np.allclose(direct.basis.constrained, norm_sub(direct.basis.proportions))
    assert "nearest" not in note(direct)
    assert "likeliest (maximum likelihood)" in note(direct)
    assert "made from the nearest shares that are possible together" in note(unary)


def test_a_background_answer_was_not_scrambled_and_no_noise_is_blamed() -> None:
    frozen = paper(published())
    tally = {"n": 50, "counts": {"tax": [30, 20], "fruit": [15] * 5, "region": [1, 49]}}
    region = summarize(frozen, tally, interval="wald").questions[2]
    assert region.has_outside
    assert "noise" not in note(region)
