"""The column “relevant” of an XLSForm: conditions of the forms that a question here can have, both ways.

Taken are comparisons of ${name} with a number or the name of a choice, selected(), not(), and, or, and parentheses.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from surveys.definition.kinds import kind_of
from surveys.definition.routing import conditions
from surveys.definition.routing.conditions import Among, Condition, Joint
from surveys.definition.routing.filters import ADVICE
from surveys.site.expressions import full_match

TOKEN = re.compile(
    r"\s*(?:(\$\{[^{}]{1,200}\})|(-?[0-9]{1,9})(?![0-9.])|'([^']{0,200})'|\"([^\"]{0,200})\"|(!=|<=|>=|[=<>(),])|([a-z]{2,8}))",
)
LONGEST = 2000  # characters of a condition
DEEPEST = 8  # parentheses
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True)
class Known:
    """A question that stands before: what of it a condition needs. labels: name of a choice -> its label."""

    key: str
    text: str
    kind: str
    labels: Mapping[str, str]
    numbers: range = range(0)
    always: bool = True  # whether it is asked of everybody


def read(text: str, known: Mapping[str, Known]) -> Condition:
    """ValueError, with why, for what is no such condition. known: name in the form -> the question."""
    if len(text) > LONGEST:
        raise ValueError(f"it has more than {LONGEST:,} characters")
    condition = _Parser(text, known).whole()
    return _together(condition)


class _Parser:
    def __init__(self, text: str, known: Mapping[str, Known]) -> None:
        self.known, self.tokens, self.at, self.depth = known, _tokens(text), 0, 0

    def whole(self) -> Condition:
        condition = self._any()
        if self.at < len(self.tokens):
            raise ValueError(f"“{self.tokens[self.at][1][:20]}” is not understood there")
        return condition

    def _any(self) -> Condition:
        return self._row("or", self._all, every=False)

    def _all(self) -> Condition:
        return self._row("and", self._one, every=True)

    def _row(self, word: str, part: Callable[[], Condition], *, every: bool) -> Condition:
        parts = [part()]
        while self._take(word):
            parts.append(part())
        return Joint(tuple(parts), every) if len(parts) > 1 else parts[0]

    def _one(self) -> Condition:
        if self._take("("):
            return self._inside()
        if self._take("not"):
            self._need("(")
            return self._opposite(self._inside())
        if self._take("selected"):
            self._need("(")
            question = self._question()
            self._need(",")
            condition = self._compared(question, "=", self._value())
            self._need(")")
            return condition
        return self._comparison()

    def _inside(self) -> Condition:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ValueError("too many nested parentheses")
        condition = self._any()
        self._need(")")
        self.depth -= 1
        return condition

    def _comparison(self) -> Condition:
        if self._kind() == "name":
            question, sign, value = self._question(), self._sign(), self._value()
        else:
            value, sign, question = self._value(), self._sign(), self._question()
            sign = MIRRORED.get(sign, sign)
        return self._compared(question, sign, value)

    def _compared(self, question: Known, sign: str, value: str) -> Condition:
        if sign == "!=":
            return self._opposite(self._compared(question, "=", value))
        if kind_of(question).is_number:
            return Among(question.key, _span(question, sign, value))
        if sign != "=":
            raise ValueError(f"“{question.text}” has choices, which need =")
        if value not in question.labels:
            raise ValueError(f"“{value[:40]}” is not a choice of “{question.text}”")
        return Among(question.key, (question.labels[value],))

    def _opposite(self, condition: Condition) -> Condition:
        if isinstance(condition, Joint):
            return Joint(tuple(map(self._opposite, condition.parts)), not condition.every)
        question = next(each for each in self.known.values() if each.key == condition.of)
        if not question.always:
            raise ValueError(
                f"“{question.text}” has its own condition, so the opposite is not clear"
            )
        if not isinstance(condition.answers, range):
            return Among(
                condition.of,
                tuple(
                    label for label in question.labels.values() if label not in condition.answers
                ),
            )
        low, high = question.numbers.start, question.numbers.stop
        ends = [range(low, condition.answers.start), range(condition.answers.stop, high)]
        parts = tuple(Among(condition.of, each) for each in ends if each)
        return (
            Joint(parts, every=False)
            if len(parts) > 1
            else parts[0]
            if parts
            else Among(condition.of, ())
        )

    def _question(self) -> Known:
        name = self._next("name", "the name of a question, as ${age},")
        question = self.known.get(name[2:-1].strip())
        if question is None:
            raise ValueError(f"“{name}” is not an imported question before this one")
        if kind_of(question).sensitive:
            raise ValueError(f"“{question.text}” {ADVICE}")
        return question

    def _sign(self) -> str:
        return self._next("sign", "one of = != < <= > >=")

    def _value(self) -> str:
        return self._next("value", "a number or the name of a choice in quotation marks")

    def _kind(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def _next(self, kind: str, wanted: str) -> str:
        if self._kind() != kind:
            there = f"“{self.tokens[self.at][1][:20]}”" if self._kind() else "the end"
            raise ValueError(f"{wanted} is expected where {there} is")
        self.at += 1
        return self.tokens[self.at - 1][1]

    def _take(self, word: str) -> bool:
        there = self.at < len(self.tokens) and self.tokens[self.at] == ("word", word)
        self.at += there
        return there

    def _need(self, word: str) -> None:
        if not self._take(word):
            raise ValueError(f"“{word}” is missing")


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, at = [], 0
    while at < len(text.rstrip()):
        token = TOKEN.match(text, at)
        if token is None:
            raise ValueError(f"“{text[at:].strip()[:20]}” is not understood")
        name, number, single, double, mark, word = token.groups()
        value = next((each for each in (number, single, double) if each is not None), None)
        if mark and mark in "(),":
            word, mark = mark, None
        pairs = (("name", name), ("value", value), ("sign", mark), ("word", word))
        tokens.append(next(pair for pair in pairs if pair[1] is not None))
        at = token.end()
    if not tokens:
        raise ValueError("it is empty")
    return tokens


def _span(question: Known, sign: str, value: str) -> range:
    if not full_match("-?[0-9]{1,9}", value, longest=10):
        raise ValueError(f"“{question.text}” asks for a whole number, not “{value[:40]}”")
    number, (low, high) = int(value), (question.numbers.start, question.numbers.stop)
    ends = {
        "=": (number, number + 1),
        "<": (low, number),
        "<=": (low, number + 1),
        ">": (number + 1, high),
        ">=": (number, high),
    }[sign]
    return range(max(low, ends[0]), min(high, ends[1]))


def _together(condition: Condition) -> Condition:
    """With one part for each question where that says the same: 18 or more, and 25 or less, is 18 to 25.

    ValueError where nobody would be left.
    """
    if isinstance(condition, Joint):
        parts: list[Condition] = []
        for part in map(_together, _flat(condition)):
            same = next(
                (
                    place
                    for place, each in enumerate(parts)
                    if _can_join(each, part, every=condition.every)
                ),
                None,
            )
            if same is None:
                parts.append(part)
            else:
                parts[same] = _joined(parts[same], part, every=condition.every)
        condition = Joint(tuple(parts), condition.every) if len(parts) > 1 else parts[0]
    if isinstance(condition, Among) and not condition.answers:
        raise ValueError("no one would get this question")
    return condition


def _flat(joint: Joint) -> list[Condition]:
    """Without one “and” inside another."""
    parts: list[Condition] = []
    for part in joint.parts:
        parts += _flat(part) if isinstance(part, Joint) and part.every == joint.every else [part]
    return parts


def _can_join(one: Condition, other: Condition, *, every: bool) -> bool:
    if not (isinstance(one, Among) and isinstance(other, Among) and one.of == other.of):
        return False
    first, second = one.answers, other.answers
    if not (isinstance(first, range) and isinstance(second, range)):
        return True
    return every or (first.start <= second.stop and second.start <= first.stop)


def _joined(one: Among, other: Among, *, every: bool) -> Condition:
    first, second = one.answers, other.answers
    if isinstance(first, range) and isinstance(second, range):
        pick = (max, min) if every else (min, max)
        return Among(
            one.of, range(pick[0](first.start, second.start), pick[1](first.stop, second.stop))
        )
    if every:
        return Among(one.of, tuple(str(each) for each in first if each in second))
    return Among(one.of, tuple(dict.fromkeys(map(str, [*first, *second]))))


class Dropped:
    """Questions of the form that are left out, and what that does to the conditions of others."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.depending: dict[str, int] = {}

    def add(self, key: str, row: int) -> None:
        self.rows[key], self.depending[key] = row, 0

    def without(self, question: dict[str, Any]) -> dict[str, Any]:
        """The question with what is left of its condition; nobody is asked less for it."""
        if "when" not in question:
            return question
        condition = conditions.parse(question["when"])
        named = {leaf.of for leaf in conditions.iter_leaves(condition)} & self.rows.keys()
        for key in named:
            self.depending[key] += 1
        left = _without(condition, named) if named else condition
        return question | {"when": conditions.condition_to_data(left) if left else None}

    def notes(self) -> Iterator[str]:
        for key, number in self.depending.items():
            if number:
                asked = "1 question is" if number == 1 else f"{number} questions are"
                yield (
                    f"Sheet survey, row {self.rows[key]}: {asked} asked of more people than in the form, because "
                    f"“{key}” in their conditions is left out. The rest of the conditions stays."
                )


def _without(condition: Condition, named: Collection[str]) -> Condition | None:
    """What still follows if nothing is known of these questions; None for everybody."""
    if isinstance(condition, Among):
        return None if condition.of in named else condition
    parts = [_without(part, named) for part in condition.parts]
    if not condition.every and None in parts:
        return None
    return conditions.combine_all(*parts) if condition.every else condition


def write(condition: Condition, names: Mapping[str, Mapping[str, str]]) -> str:
    """As XLSForm writes it. names: key of a question with choices -> label -> the name of the choice."""
    if isinstance(condition, Joint):
        word = " and " if condition.every else " or "
        return word.join(
            f"({write(part, names)})"
            if isinstance(part, Joint) or _is_several(part)
            else write(part, names)
            for part in condition.parts
        )
    of, answers = f"${{{condition.of}}}", condition.answers
    if isinstance(answers, range):
        return (
            f"{of} = {answers[0]}"
            if len(answers) == 1
            else f"{of} >= {answers[0]} and {of} <= {answers[-1]}"
        )
    return " or ".join(f"{of} = '{names[condition.of][str(label)]}'" for label in answers)


def _is_several(part: Among) -> bool:
    return len(part.answers) > 1
