"""Every number in the words of the workspace comes from the mechanism."""

from fractions import Fraction

import pytest

from mechanisms import DirectEncoding, ForcedResponse, GeneralizedResponse, TwoCoin, UnaryEncoding, Warner
from surveys.workspace.overview import protect
from surveys.workspace.words import in_words, of_100


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        ("3/4", "75"),
        ("1/3", "33.3"),
        ("0.8808", "88.1"),
        ("0.0004", "0.04"),
        ("0.000001", "0.0001"),
        ("0.9996", "99.96"),
        ("0.99999", "99.999"),
    ],
)
def test_no_chance_is_rounded_to_none_or_all(chance: str, words: str) -> None:
    assert of_100(Fraction(chance)) == words


def test_two_coins_in_words() -> None:
    assert in_words(TwoCoin(), ("No", "Yes")) == [
        "Of 100 people who choose “Yes”, about 75 are recorded with “Yes” and 25 with “No”.",
        "Of 100 people who choose “No”, about 75 are recorded with “No” and 25 with “Yes”.",
    ]


def test_unequal_designs_say_both_sides() -> None:
    yes, no = in_words(ForcedResponse("1/2", "0.4", "0.1"), ("No", "Yes"))
    assert "about 90 are recorded with “Yes” and 10" in yes
    assert "about 60 are recorded with “No” and 40" in no
    assert "about 60 are recorded with “No”" in in_words(GeneralizedResponse("0.7", "0.6"), ("No", "Yes"))[1]


def test_two_choices_are_named_in_their_own_order() -> None:
    first, second = in_words(Warner("0.7"), ("Tea", "Coffee"))
    assert first.startswith("Of 100 people who choose “Tea”, about 70")
    assert second.startswith("Of 100 people who choose “Coffee”, about 70")


def test_direct_encoding_in_words() -> None:
    (sentence,) = in_words(
        DirectEncoding.from_rows([[7, 1, 1, 1], [1, 7, 1, 1], [1, 1, 7, 1], [1, 1, 1, 7]], 10), "abcd"
    )
    assert "about 70 are recorded with that answer, and 30 with one of the 3 others: 10 with each" in sentence


def test_unary_encoding_in_words() -> None:
    sentences = in_words(UnaryEncoding(4, "1/2", "0.1"), "abcd")
    assert "about 50 send it marked" in sentences[1]
    assert "about 10 send it marked all the same" in sentences[2]


def test_a_design_is_named_with_its_parameters() -> None:
    assert protect(Warner("0.7"), ("No", "Yes")).design == "Warner's spinner (p = 7/10)"
    assert protect(UnaryEncoding(3, "3/4", "1/4"), ("a", "b", "c")).design.endswith("(p = 3/4, q = 1/4)")
    assert protect(TwoCoin(), ("No", "Yes")).design == "Two coins"
