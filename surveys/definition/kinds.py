"""The kinds of questions, and what is true of each: a row of traits a kind.

Rooms ask these traits. What is none, such as a template or a sentence, stands in a table of the room with an entry a
kind; `tests/web/test_order.py` lists these tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeVar

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from mechanisms.designs.texts import MOST_CANDIDATES
from surveys.models import Question

Kind = Question.Kind
T = TypeVar("T")
MAXIMUM_CHOICES = 100
LONGEST_LIST = 20_000  # choices of a question with one answer
MOST_SHARES = 11  # numbers, or points of a scale, whose shares can be asked for one by one


@dataclass(frozen=True)
class Traits:
    """select: what an answer is: "one" choice, "any" number of them, one of an "ordered" row, or "text".

    choices: who makes the list of answers. fixed: those that the kind makes, each after its name in files. has_yes:
    whether these start with No and Yes; then people read Yes first, and sentences speak of it. most: choices at most
    that an author may write; of written answers, candidates. own: settings that only some kinds have.
    """

    key: str
    select: Literal["one", "any", "ordered", "text"]
    own: frozenset[str]
    sensitive: bool = True
    choices: Literal["author", "numbers", "fixed", "none"] = "author"
    fixed: tuple[tuple[str, Promise], ...] = ()
    has_yes: bool = False
    most: int = MAXIMUM_CHOICES
    in_grid: bool = True

    def has_setting(self, name: str) -> bool:
        """Return whether questions of this kind have a setting, by its name in definition.fields, or `choices`."""
        if name == "choices":
            return self.choices in ("author", "none")
        if name == "none":
            return self.choices == "author"
        return name in self.own or name not in OF_SOME_KINDS

    @property
    def is_written(self) -> bool:
        return self.select == "text"

    @property
    def is_number(self) -> bool:
        """Whether the answer is typed as a number."""
        return self.choices == "numbers"

    @property
    def is_background_number(self) -> bool:
        return self.is_number and not self.sensitive

    @property
    def has_mean(self) -> bool:
        return self.select == "ordered"

    @property
    def is_ordered(self) -> bool:
        """Whether its answers are sensitive numbers, or points of a scale, that have a mean."""
        return self.has_mean and self.sensitive

    @property
    def may_be_long(self) -> bool:
        """Whether one answer is chosen of a list that may be too long to stand on a page."""
        return self.most == LONGEST_LIST

    @property
    def keeps_declining_apart(self) -> bool:
        """Whether “Prefer not to say” is none of its answers, and not one more choice inside a matrix."""
        return self.has_mean or not self.sensitive

    def in_order(self, answers: Sequence[T]) -> list[T]:
        """Answers, or what belongs to each, as people read them: Yes before No, though Yes has index 1."""
        return [*reversed(answers[:2]), *answers[2:]] if self.has_yes else [*answers]


def kind(key: str, select: Any, *own: str, **traits: Any) -> Traits:
    return Traits(key, select, frozenset(own), **traits)


PROTECTED = ("design", "parameters", "everyone")
NO, YES = ("no", pgettext_lazy("answer", "No")), ("yes", pgettext_lazy("answer", "Yes"))
BY_A_PERSON = (
    "mode",
    "harmless",
    "statement",
    "opposite",
)  # settings of a draw that a person makes
RANGE = ("minimum", "maximum")
KINDS = {
    each.key: each
    for each in (
        kind(
            Kind.YES_NO,
            "one",
            *PROTECTED,
            *BY_A_PERSON,
            "anchor",
            choices="fixed",
            fixed=(NO, YES),
            has_yes=True,
        ),
        kind(Kind.CHOICE, "one", *PROTECTED, most=LONGEST_LIST),
        kind(Kind.ANY, "any", *PROTECTED, in_grid=False),
        kind(
            Kind.QUANTITY,
            "ordered",
            *PROTECTED,
            "aim",
            *RANGE,
            "step",
            "unit",
            choices="numbers",
            in_grid=False,
        ),
        kind(Kind.SCALE, "ordered", *PROTECTED, "aim", most=MOST_SHARES),
        kind(Kind.WRITTEN, "text", *PROTECTED, choices="none", most=MOST_CANDIDATES, in_grid=False),
        kind(Kind.BACKGROUND, "one", "cut", sensitive=False, most=LONGEST_LIST),
        kind(
            Kind.NUMBER, "ordered", "cut", *RANGE, sensitive=False, choices="numbers", in_grid=False
        ),
    )
}
# Sensitive kinds whose answers are chosen from a list. The API names this set of values SensitiveKindEnum.
SENSITIVE_CHOICES = [
    key for key, traits in KINDS.items() if traits.sensitive and traits.select in ("one", "any")
]
OF_SOME_KINDS = frozenset().union(*(traits.own for traits in KINDS.values()))
BANDS = "bands"  # no kind of the column: a background number, as somebody sees it who sees groups of its answers
SHOWN = KINDS | {BANDS: replace(KINDS[Kind.BACKGROUND], most=MAXIMUM_CHOICES)}


class OfAKind(Protocol):
    """A question of a draft, of an instrument, of a report."""

    @property
    def kind(self) -> str: ...


def kind_of(question: OfAKind) -> Traits:
    """Of BANDS the traits of a background question."""
    return SHOWN[question.kind]


def is_background(kind: str) -> bool:
    """Whether answers are sent as they are; not so of a text that is no kind."""
    return kind in KINDS and not KINDS[kind].sensitive
