"""Modes: who randomizes a classical yes/no answer.

The device can do it unseen or with a spinner, or a person can do it by hand. All possibilities are
divided into sections, each with an act and a weight. A spinner shows the sections as parts of a
circle. By hand, coins and dice are thrown one after the other until they decide for a section.
Spinner and throws have exactly the probabilities of the design.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement
from math import lcm, prod

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
    """Return the sections between which a spinner or throws decide, in the order of the circle.

    mechanism: a mechanism of one of the classical designs for yes/no questions.
    by_hand: True for throws. Then the harmless question is really asked.
    """
    spec = mechanism.spec()
    design = spec["design"]
    no_row, yes_row = spec["rows"]
    if design == "warner":
        return Section("statement", yes_row[1]), Section("opposite", yes_row[0])
    if design == UNRELATED and by_hand:
        p = Fraction(spec["parameters"]["p"])
        return Section("truth", p.numerator), Section("harmless", p.denominator - p.numerator)

    # Only the act "yes" turns a true No into a Yes, and only the act "no" a true Yes into a No.
    yes_weight = no_row[1]
    no_weight = yes_row[0]
    truth_weight = spec["den"] - yes_weight - no_weight
    yes_act, no_act = "yes", "no"
    if design == UNRELATED:
        yes_act, no_act = "harmless-yes", "harmless-no"
    return (
        Section("truth", truth_weight),
        Section(yes_act, yes_weight),
        Section(no_act, no_weight),
    )


def dice_needed(parts: Sequence[Section]) -> tuple[int, ...] | None:
    """Return the sides of the dice or coins that decide between the sections.

    These are the fewest throws that have the exact probabilities, and of these the throws with the
    fewest results. For example, (2, 6) is a coin and a die. Return None if even MOST_THROWS throws
    do not have the probabilities.
    """
    total_weight = sum(part.weight for part in parts)
    probabilities = [Fraction(part.weight, total_weight) for part in parts]
    # All results are equally likely, so their number must be a multiple of each denominator.
    multiple = lcm(*(probability.denominator for probability in probabilities))

    for n_throws in range(1, MOST_THROWS + 1):
        fitting = [
            sides
            for sides in combinations_with_replacement(SIDES, n_throws)
            if prod(sides) % multiple == 0
        ]
        if fitting:
            return min(fitting, key=prod)
    return None


def is_statement(mode: str, mechanism: Mechanism | None) -> bool:
    """Return whether the respondent says if a statement is true, instead of answering Yes or No.

    Respondents do so with Warner's design, if they see the spinner or randomize by hand.

    mode: who randomizes the answer.
    mechanism: None for a background question.
    """
    return mode != Mode.AUTOMATIC and mechanism is not None and mechanism.name == "warner"


@dataclass(frozen=True)
class Throw:
    """A result of one throw: a face from `first` to `last` of something with so many `sides`.

    The heads of a coin are the face 1.
    """

    sides: int
    first: int
    last: int


@dataclass(frozen=True)
class Outcome:
    """One line of the instructions by hand: if all these throws come out, do `act`."""

    throws: tuple[Throw, ...]
    act: str


def throw_outcomes(parts: Sequence[Section]) -> list[Outcome]:
    """Return every result of the throws with the act that it leads to.

    parts: sections for which `dice_needed` is not None.
    """
    sides = dice_needed(parts)
    total_weight = sum(part.weight for part in parts)
    results_per_weight = Fraction(prod(sides), total_weight)
    # The weights are whole numbers of results, as dice_needed found throws that fit.
    ends = accumulate(int(part.weight * results_per_weight) for part in parts)
    acts = [part.act for part in parts]
    return _outcomes(sides, 0, list(zip(ends, acts, strict=True)), ())


def _outcomes(
    sides: tuple[int, ...], start: int, ends: list[tuple[int, str]], previous: tuple[Throw, ...]
) -> list[Outcome]:
    """Return the outcomes of the throws of `sides`, which follow the `previous` throws.

    The results of all throws together are numbered, and each section has the numbers up to its
    end. The results of the previous throws leave the numbers from `start` on.

    sides: the sides of the throws that have not been made yet; at least one.
    ends: the end of each section, which is the first number of the next one, and its act.
    """
    outcomes: list[Outcome] = []
    numbers_per_face = prod(sides[1:])
    for face in range(1, sides[0] + 1):
        first_number = start + (face - 1) * numbers_per_face
        remaining = [section for section in ends if first_number < section[0]]
        end, act = remaining[0]
        throw = Throw(sides[0], face, face)

        if first_number + numbers_per_face > end:
            # This face belongs to several sections, so the next throw has to decide.
            outcomes += _outcomes(sides[1:], first_number, ends, (*previous, throw))
            continue

        if outcomes:
            last = outcomes[-1]
            if last.act == act and len(last.throws) == len(previous) + 1:
                # Neighbouring faces with the same act are one line.
                throw = Throw(sides[0], last.throws[-1].first, face)
                outcomes.pop()
        outcomes.append(Outcome((*previous, throw), act))
    return outcomes


def mode_problems(
    *, mode: str, kind: str, design: str, mechanism: Mechanism | None, harmless: str = ""
) -> dict[str, str]:
    """Return why a question cannot be asked in a mode, by field; empty if it can.

    kind, design: the keys of the kind of question and of its design.
    mechanism: None if the question has no design, or no valid one.
    harmless: the text of the harmless question.
    """
    if mode not in Mode.values:
        return {"mode": "Choose who scrambles the answer."}
    if mode == Mode.AUTOMATIC or mechanism is None:
        return {}

    name = f"“{Mode(mode).label}”"
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
