"""Whom a question is asked: a condition on the answers to background questions before it.

In an instrument: {"of": "age", "from": 18, "to": 25} for numbers, {"of": "sex", "in": [0, 2]} for the places of
answers, and {"all": [...]} and {"any": [...]} of such. A draft names the answers of "in" by their labels, so that a
choice put before them changes nobody's path. static/respondent/paths.js reads the same.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, TypeVar

T = TypeVar("T", bool, Any)
WORDS = {True: "all", False: "any"}
NOTHING: Mapping[str, int] = {}


@dataclass(frozen=True)
class Among:
    """Whose answer to a question is one of these. Whoever was not asked it, or declined, gave none of them.

    answers: codes; in a draft labels, or the numbers themselves.
    """

    of: str
    answers: tuple[int, ...] | tuple[str, ...] | range


@dataclass(frozen=True)
class Joint:
    """Of whom all of these hold, or any."""

    parts: tuple["Condition", ...]
    every: bool


Condition = Among | Joint


def parse(data: dict[str, Any], first: Mapping[str, int] = NOTHING) -> Condition:
    """first: the smallest number of each question that asks for one, whose code is 0; nothing for a draft's."""
    for word in WORDS.values():
        if word in data:
            return Joint(tuple(parse(part, first) for part in data[word]), word == "all")
    of = data["of"]
    if "in" in data:
        return Among(of, tuple(data["in"]))
    return Among(of, range(data["from"] - first.get(of, 0), data["to"] + 1 - first.get(of, 0)))


def condition_to_data(condition: Condition, first: Mapping[str, int] = NOTHING) -> dict[str, Any]:
    """Return a condition as the data that `parse` reads."""
    if isinstance(condition, Joint):
        return {
            WORDS[condition.every]: [condition_to_data(part, first) for part in condition.parts]
        }
    of, answers = condition.of, condition.answers
    if isinstance(answers, range):
        return {
            "of": of,
            "from": answers.start + first.get(of, 0),
            "to": answers.stop - 1 + first.get(of, 0),
        }
    return {"of": of, "in": list(answers)}


def iter_leaves(condition: Condition) -> Iterator[Among]:
    """Yield the single comparisons of a condition."""
    if isinstance(condition, Among):
        yield condition
    else:
        for part in condition.parts:
            yield from iter_leaves(part)


def evaluate(condition: Condition, is_among: Callable[[Among], T]) -> T:
    """Evaluate a condition for one respondent or for arrays of them."""
    if isinstance(condition, Among):
        return is_among(condition)
    parts = [evaluate(part, is_among) for part in condition.parts]
    return reduce(and_ if condition.every else or_, parts)


def map_leaves(condition: Condition, leaf: Callable[[Among], Among]) -> Condition:
    """Return the condition with every leaf replaced."""
    if isinstance(condition, Among):
        return leaf(condition)
    return Joint(tuple(map_leaves(part, leaf) for part in condition.parts), condition.every)


def combine_all(*conditions: Condition | None) -> Condition | None:
    """Return the condition that all given conditions hold; None if there is none."""
    there = tuple(condition for condition in conditions if condition)
    return Joint(there, every=True) if len(there) > 1 else there[0] if there else None
