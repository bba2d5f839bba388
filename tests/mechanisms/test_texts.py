"""Written answers: one form and one hash in both languages."""

import json
import runpy
from pathlib import Path

import pytest

from mechanisms.designs.texts import digest, distinct_candidates, normalize, normalize_answer

VECTORS = Path(__file__).parent.parent / "vectors"
TEXTS = json.loads((VECTORS / "text.json").read_text())
digest_of_texts = runpy.run_path(str(VECTORS / "make.py"))["digest_of_texts"]


@pytest.mark.parametrize("case", TEXTS["texts"], ids=lambda case: ascii(case["text"]))
def test_a_text_has_the_form_and_the_hash_that_the_browser_gives_it(case):
    assert normalize(case["text"]) == case["form"]
    assert digest("candor-text-1", case["form"]).hex() == case["sha256"]


def test_2000_strings_have_the_digest_that_the_browser_has():
    """tests/javascript/text.test.mjs has the same digest."""
    assert TEXTS["strings"] == 2000
    assert digest_of_texts(TEXTS["seed"], TEXTS["strings"]) == TEXTS["sha256"]


@pytest.mark.parametrize(
    ("text", "length"), [("", 0), (" \t\u3000 ", 0), ("x" * 101, 101), ("ﷺ" * 6, 108)]
)
def test_a_text_of_nothing_or_too_much_is_refused_without_quoting_it(text, length):
    with pytest.raises(
        ValueError, match=f"^truth has {length} characters; allowed is a text of 1 to 100$"
    ):
        normalize_answer(text)


@pytest.mark.parametrize("wrong", [None, 7, ["a"], b"a"])
def test_what_is_no_text_is_refused(wrong):
    with pytest.raises(ValueError, match="truth has 0 characters"):
        normalize_answer(wrong)


def test_half_a_character_is_refused():
    with pytest.raises(ValueError, match="half a character"):
        normalize_answer("a\ud800")


def test_two_equal_candidates_are_both_named():
    with pytest.raises(
        ValueError, match="'Crack  Cocaine' and 'crack cocaine ' are the same candidate"
    ):
        distinct_candidates(["heroin", "Crack  Cocaine", "crack cocaine "])


def test_candidates_are_read_in_their_order():
    assert distinct_candidates(["B", " a"]) == ("b", "a")
