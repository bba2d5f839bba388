"""The record codec loses nothing and lets nothing through."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from mechanisms import DirectEncoding, SubsetSelection, TwoCoin, UnaryEncoding
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition, body_length
from surveys.definition.response_format import QuestionSubset
from surveys.fieldwork.responses.records import (
    MASK,
    InvalidReports,
    add_tallies,
    count_reports,
    count_responses,
    decode,
    encode,
    record_dtype,
    wire_reports,
)


def item(key: str, size: int, mechanism: object) -> QuestionDefinition:
    return QuestionDefinition(key, "choice", "?", "", tuple(map(str, range(size))), mechanism)


PAPER = SurveyDefinition(
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
        assert one.report_format.reports(rows[one.key]) == [
            response[one.key] for response in responses
        ]
    found = count_reports(PAPER, rows)
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
            for wrong in (
                "0" * 12,
                "0" * 14,
                "0" * 12 + "2",
                0,
                None,
                "０" * 13,
                "1" * 12 + "\n",
                ["0"] * 13,
            )
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


@pytest.mark.parametrize(
    "wrong", [{}, [], None, "x", GOOD | {"more": 1}, {k: GOOD[k] for k in list(GOOD)[1:]}]
)
def test_exactly_one_report_for_each_question(wrong: object) -> None:
    with pytest.raises(InvalidReports, match="exactly one report"):
        encode(PAPER, wrong)


def test_a_subset_of_another_size_is_refused() -> None:
    mechanism = SubsetSelection(6, 1)
    paper = SurveyDefinition(
        *("0" * 64, "slug", "", "", "", "en"),
        items=(item("some", 6, mechanism),),
        length=0,
        content="",
    )
    good = "1" * mechanism.width + "0" * (6 - mechanism.width)
    assert count_reports(paper, decode(paper, encode(paper, {"some": good})))["some"] == [
        int(bit) for bit in good
    ]
    for bad in ("0" * 6, "1" * 6, "0" + good[:-1].replace("0", "1", 1)):
        with pytest.raises(InvalidReports, match="must hold"):
            encode(paper, {"some": bad})


def drawn(count: int, *of: str, **more: object) -> SurveyDefinition:
    return replace(PAPER, draw=QuestionSubset(count, of), **more)


LOT = drawn(2, "coin", "wide", "direct")
LOTS = st.lists(
    RESPONSES.flatmap(
        lambda full: st.sampled_from(sorted(LOT.draw.of)).map(
            lambda left_out: full | {left_out: None}
        ),
    ),
    min_size=1,
    max_size=30,
)


@settings(max_examples=50)
@given(LOTS)
def test_what_was_not_asked_is_masked_and_comes_back_as_none(sent: list[dict]) -> None:
    """Two of three are asked; the others are zeros under the mask, count nowhere, and come back as they went in."""
    rows = decode(LOT, b"".join(encode(LOT, response) for response in sent))
    for one in LOT.items:
        assert wire_reports(LOT, rows, one) == [response[one.key] for response in sent]
    found = count_responses(LOT, rows)
    assert found["answered"] == {key: sum(r[key] is not None for r in sent) for key in LOT.draw.of}
    assert sum(found["answered"].values()) == 2 * len(sent)
    assert sum(found["counts"]["direct"]) == found["answered"]["direct"]
    assert add_tallies(found, found)["answered"] == {
        key: 2 * n for key, n in found["answered"].items()
    }


def test_a_mask_is_only_where_a_lot_is() -> None:
    assert record_dtype(LOT).itemsize == record_dtype(PAPER).itemsize + 1
    assert MASK not in record_dtype(PAPER).names


@pytest.mark.parametrize(
    "left_out", [(), ("coin", "wide"), ("coin", "wide", "direct"), ("many",), ("many", "coin")]
)
def test_exactly_as_many_as_each_person_is_asked_have_a_report(left_out: tuple[str, ...]) -> None:
    """Too many, too few, none, and a question that everybody is asked."""
    encode(LOT, GOOD | {"coin": None})
    with pytest.raises(InvalidReports, match=r"Of coin, wide, direct exactly 2|The report of many"):
        encode(LOT, GOOD | dict.fromkeys(left_out))


def test_files_can_lack_reports_to_what_everybody_was_asked_but_never_to_the_lot() -> None:
    """One mask carries both."""
    paper = drawn(1, "coin", "wide", nonresponse=True)
    (row,) = decode(paper, encode(paper, GOOD | {"coin": None, "many": None}))
    assert row["coin"] == row["many"] == 0
    with pytest.raises(InvalidReports, match="exactly 1"):
        encode(paper, GOOD | {"coin": None, "wide": None})


def test_every_body_fits_whichever_questions_are_drawn() -> None:
    items = LOT.items
    longest = {"coin": 1, "wide": "1" * 13, "many": 299, "exact": "1" * 16, "direct": 4}
    for left_out in LOT.draw.of:
        reports = {item.key: longest[item.key] for item in items} | {left_out: None}
        body = json.dumps(
            {"instrument": "0" * 64, "key": "0" * 36, "reports": reports}, separators=(",", ":")
        )
        assert len(body) <= body_length(items, LOT.draw)
    assert body_length(items, LOT.draw) == body_length(items) + 2 * (
        len("null") - len("0")
    )  # coin and direct
    assert body_length(items, None) == body_length(items)
