"""Who draws: sections that realise the matrix exactly, and what coins and dice can do."""

from fractions import Fraction
from math import prod

import pytest

from mechanisms import (
    ForcedResponse,
    GeneralizedResponse,
    Mechanism,
    TwoCoin,
    UnrelatedQuestion,
    Warner,
)
from surveys.definition.designs.modes import (
    Section,
    dice_needed,
    mode_problems,
    sections,
    throw_outcomes,
)

F = Fraction
CLASSICAL = [
    TwoCoin(),
    Warner("3/4"),
    Warner("1/5"),
    ForcedResponse("2/3", "1/6", "1/6"),
    ForcedResponse("1/2", "1/10", "2/5"),
    UnrelatedQuestion("2/3", "1/2"),
    UnrelatedQuestion("7/10", "1/12"),
]
# What the device records for (act, true answer); a harmless question really asked is left out, its answer is nature's.
RECORDED = {
    "truth": lambda truth: truth,
    "yes": lambda truth: 1,
    "no": lambda truth: 0,
    "harmless-yes": lambda truth: 1,
    "harmless-no": lambda truth: 0,
    "statement": lambda truth: truth,
    "opposite": lambda truth: 1 - truth,
}


@pytest.mark.parametrize("mechanism", CLASSICAL)
def test_the_sections_realise_the_matrix_exactly(mechanism: Mechanism) -> None:
    parts = sections(mechanism)
    assert sum(part.weight for part in parts) == mechanism.spec()["den"]
    for truth, row in enumerate(mechanism.spec()["rows"]):
        assert sum(part.weight for part in parts if RECORDED[part.act](truth) == 1) == row[1]


def test_by_hand_an_unrelated_question_is_really_asked() -> None:
    parts = sections(UnrelatedQuestion("2/3", "1/12"), by_hand=True)
    assert [(part.act, part.weight) for part in parts] == [("truth", 2), ("harmless", 1)]


@pytest.mark.parametrize(
    ("mechanism", "expected"),
    [
        (TwoCoin(), (2, 2)),
        (Warner("2/3"), (6,)),
        (Warner("7/10"), (10,)),
        (ForcedResponse("2/3", "1/6", "1/6"), (6,)),
        (ForcedResponse("1/2", "1/3", "1/6"), (6,)),
        (Warner("29/36"), (6, 6)),
        (Warner("5/12"), (2, 6)),
        (Warner("87/125"), (10, 10, 10)),
        (Warner("2/7"), None),
        (Warner("1/32"), None),
    ],
)
def test_as_little_is_thrown_as_can_decide(
    mechanism: Mechanism, expected: tuple[int, ...] | None
) -> None:
    found = dice_needed(sections(mechanism))
    assert found == expected
    assert found is None or prod(found) % mechanism.spec()["den"] == 0


@pytest.mark.parametrize(
    "mechanism",
    [*CLASSICAL, Warner("29/36"), Warner("87/125"), ForcedResponse("1/2", "1/12", "5/12")],
)
def test_by_hand_every_outcome_is_decided_and_the_chances_are_exact(mechanism: Mechanism) -> None:
    parts = sections(mechanism, by_hand=True)
    chances = {part.act: F(0) for part in parts}
    for outcome in throw_outcomes(parts):
        chances[outcome.act] += prod(
            (F(one.last - one.first + 1, one.sides) for one in outcome.throws), start=F(1)
        )
    total = sum(part.weight for part in parts)
    assert chances == {part.act: F(part.weight, total) for part in parts}


def test_two_coins_by_hand_are_two_coins() -> None:
    found = [
        ([(one.first, one.last) for one in line.throws], line.act)
        for line in throw_outcomes(sections(TwoCoin()))
    ]
    assert found == [([(1, 1)], "truth"), ([(2, 2), (1, 1)], "yes"), ([(2, 2), (2, 2)], "no")]


def test_neighbouring_faces_are_one_line() -> None:
    found = [
        (line.throws[0].first, line.throws[0].last)
        for line in throw_outcomes((Section("yes", 4), Section("no", 2)))
    ]
    assert found == [(1, 4), (5, 6)]


def wrong(
    mechanism: Mechanism | None, mode: str, kind: str = "yes-no", harmless: str = ""
) -> dict[str, str]:
    design = mechanism.name if mechanism else ""
    return mode_problems(
        mode=mode, kind=kind, design=design, mechanism=mechanism, harmless=harmless
    )


@pytest.mark.parametrize("mechanism", CLASSICAL)
@pytest.mark.parametrize("mode", ["automatic", "spinner", "by-hand"])
def test_classical_designs_fit_every_mode(mechanism: Mechanism, mode: str) -> None:
    assert wrong(mechanism, mode, harmless="Born in May?") == {}


@pytest.mark.parametrize("mode", ["spinner", "by-hand"])
def test_other_designs_and_kinds_are_drawn_by_the_device_alone(mode: str) -> None:
    assert "with the design “Two coins”" in wrong(GeneralizedResponse("3/4", "3/4"), mode)["mode"]
    assert "yes/no questions" in wrong(TwoCoin(), mode, kind="choice")["mode"]
    assert wrong(None, mode) == {}


def test_chances_that_coins_and_dice_cannot_make_are_refused_by_hand_only() -> None:
    assert "coins and dice can’t make these chances" in wrong(Warner("2/7"), "by-hand")["mode"]
    assert wrong(Warner("2/7"), "spinner") == {}


def test_an_unknown_mode_is_refused() -> None:
    assert wrong(TwoCoin(), "telepathy") == {"mode": "Choose who scrambles the answer."}


def test_a_harmless_question_by_hand_has_to_be_written() -> None:
    assert (
        "Write the harmless question"
        in wrong(UnrelatedQuestion("2/3", "1/12"), "by-hand")["harmless"]
    )
    assert wrong(UnrelatedQuestion("2/3", "1/12"), "spinner") == {}
