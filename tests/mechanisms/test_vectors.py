"""Python draws what the browser draws, from the same words."""

import json
import runpy
from itertools import chain
from pathlib import Path

import pytest

from mechanisms import from_spec
from mechanisms.chance.draw import sample, sample_index, uniform

VECTORS = Path(__file__).parent.parent / "vectors"
REPORTS = json.loads((VECTORS / "reports.json").read_text())
DIGESTS = json.loads((VECTORS / "digests.json").read_text())
digest = runpy.run_path(str(VECTORS / "make.py"))["digest"]


def words(*values):
    rest = iter(values)
    return lambda: next(rest)


@pytest.mark.parametrize("case", REPORTS, ids=lambda case: case["name"])
def test_a_report_is_the_one_the_browser_draws(case):
    rest = iter(case["words"])

    report = from_spec(case["spec"]).randomize_one(case["truth"], lambda: next(rest))

    assert report == case["report"]
    assert list(rest) == []


@pytest.mark.parametrize("entry", DIGESTS, ids=lambda entry: entry["name"])
def test_many_draws_have_the_digest_the_browser_has(entry):
    """14. Over 100,000 draws a mechanism; tests/javascript/mechanisms.test.mjs has the same digests."""
    assert digest(from_spec(entry["spec"]), entry["seed"], entry["draws"]) == entry["sha256"]


def test_uniform_throws_away_the_incomplete_last_round():
    assert uniform(10, words(2**32 - 7)) == (2**32 - 7) % 10
    assert uniform(10, words(2**32 - 6, 2**32 - 1, 4)) == 4


def test_uniform_keeps_every_word_when_den_divides_the_words():
    assert uniform(2**32, words(2**32 - 1)) == 2**32 - 1
    assert uniform(4, words(2**32 - 1)) == 3


def test_walk_gives_every_index_exactly_its_weight():
    row = (2, 0, 3, 1)
    drawn = [sample_index(row, 6, words(word)) for word in range(6)]
    assert [drawn.count(index) for index in range(4)] == [2, 0, 3, 1]


def test_sample_gives_every_subset_equally_often():
    drawn = [
        tuple(sorted(sample("abcd", 2, words(first, second))))
        for first in range(4)
        for second in range(3)
    ]
    assert len(set(drawn)) == 6
    assert all(drawn.count(subset) == 2 for subset in drawn)
    assert set(chain(*drawn)) == set("abcd")
