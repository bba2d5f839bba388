"""The sentence above each result is true, and says so where nothing can be said."""

import numpy as np
import pytest

from mechanisms import Tally, UnaryEncoding
from surveys.models import Instrument
from surveys.publishing.instruments import paper
from surveys.publishing.lifecycle import publish
from surveys.reporting.headlines import headline, leaders
from surveys.reporting.report import QuestionReport, summarize
from tests.making import draft, published, yes_no

pytestmark = pytest.mark.django_db


def question(n: int, yes: int = 0, fruit: list[int] | None = None, confidence: float = 0.95) -> list[QuestionReport]:
    tally = {"n": n, "counts": {"tax": [n - yes, yes], "fruit": fruit or [0] * 5, "region": [n // 2, n - n // 2]}}
    return list(summarize(paper(Instrument.objects.first() or published()), tally, confidence=confidence).questions)


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_published_example_in_words() -> None:
    """Warner p = 3/4, 160 Yes of 400: .3, Wilson .2063 to .3975."""
    assert plain(headline(question(400, 160)[0])) == "Yes: between 20.6 % and 39.7 %, best estimate 30.0 %."


@pytest.mark.parametrize(
    ("yes", "words"),
    [
        (105, "Yes: at most 11.5 %, best estimate 2.5 % (the interval begins below 0 %, at −5.6 %)."),
        (295, "Yes: at least 88.5 %, best estimate 97.5 % (the interval ends above 100 %, at 105.6 %)."),
        (
            40,
            "Yes: no possible share fits. "
            "The interval, −35.1 % to −23.3 %, lies wholly below 0 %; best estimate −30.0 %.",
        ),
    ],
)
def test_what_leaves_the_possible_is_said_and_never_cut(yes: int, words: str) -> None:
    assert plain(headline(question(400, yes)[0])) == words


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
