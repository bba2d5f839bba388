"""The examples in docs/analysis.md are run as they stand there."""

import doctest
from pathlib import Path

import mechanisms

PAGE = Path(__file__).resolve().parents[2] / "docs" / "analysis.md"


def test_every_example_gives_what_the_page_says():
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 25
    assert found.failed == 0


def test_every_name_for_it_is_on_the_page():
    text = PAGE.read_text()
    names = {
        "regress",
        "least_squares",
        "regress_on",
        "pair_tally",
        "cross",
        "correlate",
        "Variable",
        "holm",
    }
    names |= {"benjamini_hochberg", "rake", "weighted_estimate"}
    assert names <= set(mechanisms.__all__)
    assert [name for name in names if name not in text] == []
