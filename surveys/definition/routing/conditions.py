"""Conditions: which respondents are asked a question, by their answers to background questions.

An instrument stores {"of": "age", "from": 18, "to": 25} for numbers, {"of": "sex", "in": [0, 2]}
for codes of answers, and {"all": [...]} and {"any": [...]} of such conditions. A draft names the
answers of "in" by their labels, so that a choice that is inserted before them changes nobody's
path. static/respondent/paths.js evaluates the same conditions.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, TypeVar

# The value of a comparison: a bool for one respondent, or an array for several.
T = TypeVar("T", bool, Any)
# The key that an instrument has for a Joint, by its attribute `every`.
WORD_BY_EVERY = {True: "all", False: "any"}
# The smallest numbers by question key, for conditions without codes of numbers.
NO_NUMBERS: Mapping[str, int] = {}


@dataclass(frozen=True)
class Among:
    """A comparison: the answer to the question with the key `of` is one of `answers`.

    A respondent who was not asked that question, or who declined to answer it, does not meet the
    comparison. In an instrument `answers` are codes. In a draft they are labels, or the numbers
    themselves.
    """

    of: str
    answers: tuple[int, ...] | tuple[str, ...] | range


@dataclass(frozen=True)
class Joint:
    """Several conditions. If `every` is True all of them must hold, otherwise at least one."""

    parts: tuple["Condition", ...]
    every: bool


Condition = Among | Joint


def parse(data: dict[str, Any], first: Mapping[str, int] = NO_NUMBERS) -> Condition:
    """Return the condition that an instrument or a draft stores as `data`.

    first: for an instrument, the smallest number of each question that asks for a number, by the
        key of the question. The smallest number has the code 0. Drafts store no codes, so their
        conditions are parsed without it.
    """
    # Several conditions are joined by the word "all" or "any".
    for every, word in WORD_BY_EVERY.items():
        if word in data:
            parts = tuple(parse(part, first) for part in data[word])
            return Joint(parts, every=every)

    key = data["of"]
    if "in" in data:
        return Among(key, tuple(data["in"]))

    # The comparison is with a range of numbers, "to" included.
    smallest = first.get(key, 0)
    lowest_code = data["from"] - smallest
    highest_code = data["to"] - smallest
    return Among(key, range(lowest_code, highest_code + 1))


def condition_to_data(
    condition: Condition, first: Mapping[str, int] = NO_NUMBERS
) -> dict[str, Any]:
    """Return a condition as an instrument or a draft stores it, the reverse of `parse`.

    first: the smallest numbers, as in `parse`.
    """
    if isinstance(condition, Joint):
        parts = [condition_to_data(part, first) for part in condition.parts]
        return {WORD_BY_EVERY[condition.every]: parts}

    key = condition.of
    answers = condition.answers
    if isinstance(answers, range):
        smallest = first.get(key, 0)
        lowest_number = answers.start + smallest
        highest_number = answers.stop - 1 + smallest
        return {"of": key, "from": lowest_number, "to": highest_number}
    return {"of": key, "in": list(answers)}


def iter_leaves(condition: Condition) -> Iterator[Among]:
    """Yield the single comparisons of a condition, which are its leaves, in their order."""
    if isinstance(condition, Among):
        yield condition
        return
    for part in condition.parts:
        yield from iter_leaves(part)


def evaluate(condition: Condition, is_among: Callable[[Among], T]) -> T:
    """Return whether a condition holds, for one respondent or for each of several.

    is_among: a function that returns whether one comparison holds: a bool, or a Boolean array with
        an element for each respondent. The result of `evaluate` has the same type.
    """
    if isinstance(condition, Among):
        return is_among(condition)
    values = [evaluate(part, is_among) for part in condition.parts]
    # The operators & and | also work element by element on arrays.
    operator = and_ if condition.every else or_
    return reduce(operator, values)


def map_leaves(condition: Condition, leaf: Callable[[Among], Among]) -> Condition:
    """Return the condition with every comparison replaced.

    leaf: a function that returns the new comparison for an old one.
    """
    if isinstance(condition, Among):
        return leaf(condition)
    parts = tuple(map_leaves(part, leaf) for part in condition.parts)
    return Joint(parts, condition.every)


def combine_all(*conditions: Condition | None) -> Condition | None:
    """Return the condition that all of these conditions hold, or None if all of them are None."""
    present = tuple(condition for condition in conditions if condition)
    if not present:
        return None
    if len(present) == 1:
        return present[0]
    return Joint(present, every=True)
