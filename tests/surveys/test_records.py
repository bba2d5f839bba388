"""The record codec loses nothing and lets nothing through."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms import DirectEncoding, SubsetSelection, TwoCoin, UnaryEncoding
from surveys.ballots.records import InvalidReports, counts, decode, encode, record_dtype, reports
from surveys.publishing.instruments import Item, Paper


def item(key: str, size: int, mechanism: object) -> Item:
    return Item(key, "choice", "?", "", tuple(map(str, range(size))), mechanism)


PAPER = Paper(
    *("0" * 64, "slug", "", "", "", "en"),
    items=(
        item("coin", 2, TwoCoin()),
        item("wide", 13, UnaryEncoding(13, "3/4", "1/4")),
        item("many", 300, None),
        item("exact", 16, UnaryEncoding(16, "3/4", "1/4")),
        item("direct", 5, DirectEncoding(5, 1)),
    ),
    length=0,
    content="",
)
RESPONSES = st.fixed_dictionaries(
    {
        "coin": st.integers(0, 1),
        "wide": st.text("01", min_size=13, max_size=13),
        "many": st.integers(0, 299),
        "exact": st.text("01", min_size=16, max_size=16),
        "direct": st.integers(0, 4),
    }
)


def test_a_record_has_the_fixed_width_of_its_instrument() -> None:
    assert record_dtype(PAPER).itemsize == 1 + 2 + 2 + 2 + 1


@settings(max_examples=50)
@given(st.lists(RESPONSES, min_size=1, max_size=30))
def test_what_is_encoded_is_decoded_and_counted(responses: list[dict]) -> None:
    rows = decode(PAPER, b"".join(encode(PAPER, response) for response in responses))
    for one in PAPER.items:
        assert reports(one, rows[one.key]) == [response[one.key] for response in responses]
    found = counts(PAPER, rows)
    assert found["coin"] == [sum(r["coin"] == v for r in responses) for v in range(2)]
    assert found["wide"] == [sum(r["wide"][v] == "1" for r in responses) for v in range(13)]
    assert found["many"] == np.bincount([r["many"] for r in responses], minlength=300).tolist()


GOOD = {"coin": 0, "wide": "0" * 13, "many": 299, "exact": "1" * 16, "direct": 4}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("coin", wrong) for wrong in (2, -1, True, False, "1", 1.0, None, [1], {}, 10**30)],
        *[
            ("wide", wrong)
            for wrong in ("0" * 12, "0" * 14, "0" * 12 + "2", 0, None, "０" * 13, "1" * 12 + "\n", ["0"] * 13)
        ],
        *[("many", wrong) for wrong in (300, "0")],
        ("direct", 5),
    ],
)
def test_an_impossible_report_is_refused_without_repeating_it(key: str, value: object) -> None:
    assert encode(PAPER, GOOD)
    with pytest.raises(InvalidReports) as refused:
        encode(PAPER, GOOD | {key: value})
    assert key in str(refused.value)
    assert repr(value) not in str(refused.value).replace("0 or 1", "").replace(" 0 to 1", "")


@pytest.mark.parametrize("wrong", [{}, [], None, "x", GOOD | {"more": 1}, {k: GOOD[k] for k in list(GOOD)[1:]}])
def test_exactly_one_report_for_each_question(wrong: object) -> None:
    with pytest.raises(InvalidReports, match="exactly one report"):
        encode(PAPER, wrong)


def test_a_subset_of_another_size_is_refused() -> None:
    mechanism = SubsetSelection(6, 1)
    paper = Paper(*("0" * 64, "slug", "", "", "", "en"), items=(item("some", 6, mechanism),), length=0, content="")
    good = "1" * mechanism.width + "0" * (6 - mechanism.width)
    assert counts(paper, decode(paper, encode(paper, {"some": good})))["some"] == [int(bit) for bit in good]
    for bad in ("0" * 6, "1" * 6, "0" + good[:-1].replace("0", "1", 1)):
        with pytest.raises(InvalidReports, match="must hold"):
            encode(paper, {"some": bad})
