"""Modes: who randomizes a classical yes/no answer.

The device can do it unseen or with a spinner, or a person can do it by hand. All possibilities are
divided into sections, each with an act and a weight. A spinner shows the sections as parts of a
circle. By hand, coins and dice are thrown one after the other until they decide for a section.
Spinner and throws have exactly the probabilities of the design.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm, prod
from typing import NamedTuple

from mechanisms import Mechanism
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.kinds import KINDS
from surveys.models import Question

Mode = Question.Mode
# The key of the design in which some people answer a harmless question.
UNRELATED = "unrelated-question"
# A coin has 2 sides, a die 6, and a ten-sided die, or ten slips of paper, 10.
SIDES = (2, 6, 10)
# The most coins and dice that a respondent throws for one answer.
MOST_THROWS = 3


@dataclass(frozen=True)
class Section:
    """An act of respondents, and its share of the total of all sections (`weight`).

    Acts are "truth" (answer truthfully), "yes" and "no" (give this answer), "statement" and
    "opposite" (say whether "my answer is Yes" or "my answer is No" is true), "harmless-yes" and
    "harmless-no" (the random answer to a harmless question), and "harmless" (answer a harmless
    question that is really asked).
    """

    act: str
    weight: int


def sections(mechanism: Mechanism, *, by_hand: bool = False) -> tuple[Section, ...]:
    """Return the sections of a design: its acts with their weights, in the order of the circle.

    mechanism: a mechanism of one of the classical designs for yes/no questions.
    by_hand: True if coins and dice decide. Then the harmless question is really asked.
    """
    specification = mechanism.spec()
    design = specification["design"]
    # A row has the probabilities of the reports No and Yes, as numerators over "den". The first row
    # is for people whose true answer is No.
    no_row, yes_row = specification["rows"]
    if design == "warner":
        return Section("statement", yes_row[1]), Section("opposite", yes_row[0])
    if design == UNRELATED and by_hand:
        # The sensitive question is answered with probability p.
        p = Fraction(specification["parameters"]["p"])
        return Section("truth", p.numerator), Section("harmless", p.denominator - p.numerator)

    # Only the act "yes" turns a true No into a Yes, and only the act "no" a true Yes into a No.
    yes_weight = no_row[1]
    no_weight = yes_row[0]
    truth_weight = specification["den"] - yes_weight - no_weight
    yes_act, no_act = "yes", "no"
    if design == UNRELATED:
        yes_act, no_act = "harmless-yes", "harmless-no"
    return (
        Section("truth", truth_weight),
        Section(yes_act, yes_weight),
        Section(no_act, no_weight),
    )


def dice_needed(parts: Sequence[Section]) -> tuple[int, ...] | None:
    """Return the number of sides of each die or coin that people throw to decide on a section.

    These are the fewest throws that have the exact probabilities, and of these the throws with the
    fewest results. For example, (2, 6) is a coin and a die. Return None if even MOST_THROWS throws
    do not have the probabilities.

    parts: the sections of a design, as `sections` returns them with `by_hand`.
    """
    total_weight = sum(part.weight for part in parts)
    probabilities = [Fraction(part.weight, total_weight) for part in parts]
    # All results are equally likely, so their number must be a multiple of each denominator.
    common_denominator = lcm(*(probability.denominator for probability in probabilities))

    for n_throws in range(1, MOST_THROWS + 1):
        fitting = []
        for sides in combinations_with_replacement(SIDES, n_throws):
            n_results = prod(sides)
            if n_results % common_denominator == 0:
                fitting.append(sides)
        if fitting:
            return min(fitting, key=prod)
    return None


def is_statement(mode: str, mechanism: Mechanism | None) -> bool:
    """Return whether the answers are True and False, about a statement, instead of Yes and No.

    Respondents answer so with Warner's design, if they see the spinner or randomize by hand.

    mode: who randomizes the answer.
    mechanism: None for a background question.
    """
    return mode != Mode.AUTOMATIC and mechanism is not None and mechanism.name == "warner"


@dataclass(frozen=True)
class Throw:
    """A result of one throw: a face from `first` to `last` of a coin or die with so many `sides`.

    Faces are counted from 1. The heads of a coin are the face 1.
    """

    sides: int
    first: int
    last: int


@dataclass(frozen=True)
class Outcome:
    """One line of the instructions for people: if all these throws come out, do `act`.

    `act` is that of a Section.
    """

    throws: tuple[Throw, ...]
    act: str


class _ActEnd(NamedTuple):
    """The end of the results that lead to an act, where the results of all throws are numbered.

    `end` is the first number that leads to the next act.
    """

    end: int
    act: str


def throw_outcomes(parts: Sequence[Section]) -> list[Outcome]:
    """Return the instructions for people who throw coins and dice: which results lead to which act.

    The results of all throws together are numbered from 0. The first numbers lead to the act of the
    first section, the next ones to that of the second section, and so on.

    parts: the sections of a design, for which `dice_needed` is not None.
    """
    sides = dice_needed(parts)
    total_weight = sum(part.weight for part in parts)
    results_per_weight = Fraction(prod(sides), total_weight)

    act_ends = []
    end = 0
    for part in parts:
        # This is a whole number, since dice_needed found throws that fit.
        end += int(part.weight * results_per_weight)
        act_ends.append(_ActEnd(end, part.act))
    return _outcomes(sides, 0, act_ends, ())


def _outcomes(
    sides: tuple[int, ...], start: int, act_ends: list[_ActEnd], previous: tuple[Throw, ...]
) -> list[Outcome]:
    """Return the instructions for the throws that are left after the `previous` throws.

    sides: the sides of the throws that have not been made yet; at least one.
    start: the smallest number of a result that the previous throws leave possible.
    act_ends: the end of each act, in their order.
    """
    outcomes: list[Outcome] = []
    numbers_per_face = prod(sides[1:])
    for face in range(1, sides[0] + 1):
        first_number = start + (face - 1) * numbers_per_face
        end_number = first_number + numbers_per_face
        end, act = next(act_end for act_end in act_ends if first_number < act_end.end)
        throw = Throw(sides[0], face, face)

        if end_number > end:
            # Several acts follow from this face, so the next throw has to decide.
            outcomes += _outcomes(sides[1:], first_number, act_ends, (*previous, throw))
            continue

        if outcomes:
            last = outcomes[-1]
            is_decided_by_this_throw = len(last.throws) == len(previous) + 1
            if last.act == act and is_decided_by_this_throw:
                # Neighbouring faces with the same act are one line.
                throw = Throw(sides[0], last.throws[-1].first, face)
                outcomes.pop()
        outcomes.append(Outcome((*previous, throw), act))
    return outcomes


def mode_problems(
    *, mode: str, kind: str, design: str, mechanism: Mechanism | None, harmless: str = ""
) -> dict[str, str]:
    """Return messages, by field, on why a question cannot be asked in a mode; empty if it can.

    mode: who randomizes the answer: the device, the device with a spinner, or people by hand.
    kind, design: the keys of the kind of question and of its design.
    mechanism: None if the question has no design, or no valid one.
    harmless: the text of the harmless question.
    """
    if mode not in Mode.values:
        return {"mode": "Choose who scrambles the answer."}
    if mode == Mode.AUTOMATIC or mechanism is None:
        return {}

    name = f"“{Mode(mode).label}”"
    # Only for yes/no questions can anyone but the device randomize, and only with some designs.
    fitting_titles = {key: f"“{row.title}”" for key, row in DESIGNS.items() if row.by_people}
    if "mode" not in KINDS[kind].special_settings or design not in fitting_titles:
        *titles, last_title = fitting_titles.values()
        message = (
            f"{name} works for yes/no questions with the design {', '.join(titles)} or "
            f"{last_title}. Choose one of these."
        )
        return {"mode": message}
    if mode == Mode.BY_HAND and dice_needed(sections(mechanism, by_hand=True)) is None:
        message = (
            f"{name}: coins and dice can’t make these chances in three throws. "
            "Choose 3/4, 2/3 or 7/10."
        )
        return {"mode": message}
    if mode == Mode.BY_HAND and design == UNRELATED and not harmless:
        return {"harmless": "Write the harmless question that people answer instead."}
    return {}
