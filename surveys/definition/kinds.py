"""The kinds of questions, with the traits of each kind.

Other packages ask for these traits instead of comparing kinds. What is not a trait, such as a
template or a sentence, is in a table of the package that needs it, with an entry for each kind;
`tests/web/test_order.py` lists these tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from mechanisms.designs.texts import MOST_CANDIDATES
from surveys.models import Question

Kind = Question.Kind
T = TypeVar("T")
# The most choices of a question that is not a list.
MAXIMUM_CHOICES = 100
# The most choices of a question with one answer.
LONGEST_LIST = 20_000
# The most numbers, or points of a scale, whose shares can be estimated one by one.
MOST_SHARES = 11


@dataclass(frozen=True)
class Traits:
    """The traits that all questions of one kind have.

    key: the kind, as the column of the question stores it.
    select: what an answer is: "one" choice, "any" number of choices, one of "ordered" values, or
        a "text".
    special_settings: the names of the settings that only some kinds have, and this one has.
    sensitive: True if the answers are randomized.
    choices: who makes the list of answers. "numbers" is a range with a smallest and a largest
        number, "fixed" are the answers of the kind, and "none" is for text answers.
    fixed: the answers that the kind makes: the name of each in files, and its label.
    has_yes: True if the answers start with No and Yes. People then read Yes first, and sentences
        are about Yes.
    most: the most choices that an author may write; for text answers, candidates.
    in_grid: True if the question can be a row of a grid.
    """

    key: str
    select: Literal["one", "any", "ordered", "text"]
    special_settings: frozenset[str]
    sensitive: bool = True
    choices: Literal["author", "numbers", "fixed", "none"] = "author"
    fixed: tuple[tuple[str, Promise], ...] = ()
    has_yes: bool = False
    most: int = MAXIMUM_CHOICES
    in_grid: bool = True

    def has_setting(self, name: str) -> bool:
        """Return whether questions of this kind have a setting.

        name: the name of the setting in definition.fields, or "choices".
        """
        # The choices of a text question are its candidates, the texts that are looked for.
        if name == "choices":
            return self.choices in ("author", "none")
        # The setting "none" marks one of the author's choices as “None of these”.
        if name == "none":
            return self.choices == "author"
        # Numbers and short texts are their own values in files.
        if name == "values":
            return self.choices in ("author", "fixed")
        # A setting that is not special to some kinds belongs to all of them.
        return name in self.special_settings or name not in SETTINGS_OF_SOME_KINDS

    @property
    def is_written(self) -> bool:
        """True if people answer with a short text."""
        return self.select == "text"

    @property
    def is_number(self) -> bool:
        """True if the answer is typed as a number, whether it is randomized or not."""
        return self.choices == "numbers"

    @property
    def is_background_number(self) -> bool:
        """True if the answer is typed as a number and is not randomized."""
        return self.is_number and not self.sensitive

    @property
    def has_mean(self) -> bool:
        """True if the answers are numbers or points of a scale."""
        return self.select == "ordered"

    @property
    def is_ordered(self) -> bool:
        """True if the answers are sensitive numbers or points of a scale, which have a mean."""
        return self.has_mean and self.sensitive

    @property
    def may_be_long(self) -> bool:
        """True if one answer is chosen from a list that can be too long for a page."""
        return self.most == LONGEST_LIST

    @property
    def keeps_declining_apart(self) -> bool:
        """True if “Prefer not to say” is separate from the answers, not one more choice."""
        return self.has_mean or not self.sensitive

    def in_order(self, answers: Sequence[T]) -> list[T]:
        """Return the answers, or a value for each, in the order in which people read them.

        Yes comes before No, although Yes has code 1. A third answer, “Prefer not to say”, stays
        last. Other kinds keep the order of the codes.

        answers: the answers, or their values, in the order of their codes.
        """
        if not self.has_yes:
            return list(answers)
        return [*reversed(answers[:2]), *answers[2:]]


# The settings of every sensitive question.
SENSITIVE_SETTINGS = ("design", "parameters", "everyone")
NO = ("no", pgettext_lazy("answer", "No"))
YES = ("yes", pgettext_lazy("answer", "Yes"))
# The settings of a question whose answer a person can randomize.
RANDOMIZING_SETTINGS = ("mode", "harmless", "statement", "opposite")
RANGE_SETTINGS = ("minimum", "maximum")
_TRAITS = (
    Traits(
        key=Kind.YES_NO,
        select="one",
        special_settings=frozenset((*SENSITIVE_SETTINGS, *RANDOMIZING_SETTINGS, "anchor")),
        choices="fixed",
        fixed=(NO, YES),
        has_yes=True,
    ),
    Traits(
        key=Kind.CHOICE,
        select="one",
        special_settings=frozenset(SENSITIVE_SETTINGS),
        most=LONGEST_LIST,
    ),
    Traits(
        key=Kind.ANY,
        select="any",
        special_settings=frozenset(SENSITIVE_SETTINGS),
        in_grid=False,
    ),
    Traits(
        key=Kind.QUANTITY,
        select="ordered",
        special_settings=frozenset((*SENSITIVE_SETTINGS, *RANGE_SETTINGS, "aim", "step", "unit")),
        choices="numbers",
        in_grid=False,
    ),
    Traits(
        key=Kind.SCALE,
        select="ordered",
        special_settings=frozenset((*SENSITIVE_SETTINGS, "aim")),
        most=MOST_SHARES,
    ),
    Traits(
        key=Kind.WRITTEN,
        select="text",
        special_settings=frozenset(SENSITIVE_SETTINGS),
        choices="none",
        most=MOST_CANDIDATES,
        in_grid=False,
    ),
    Traits(
        key=Kind.BACKGROUND,
        select="one",
        special_settings=frozenset(["cut"]),
        sensitive=False,
        most=LONGEST_LIST,
    ),
    Traits(
        key=Kind.NUMBER,
        select="ordered",
        special_settings=frozenset((*RANGE_SETTINGS, "cut")),
        sensitive=False,
        choices="numbers",
        in_grid=False,
    ),
)
KINDS = {traits.key: traits for traits in _TRAITS}
# Sensitive kinds whose answers are chosen from a list. The API names this set of values
# SensitiveKindEnum.
SENSITIVE_CHOICES = [
    key for key, traits in KINDS.items() if traits.sensitive and traits.select in ("one", "any")
]
SETTINGS_OF_SOME_KINDS = frozenset().union(*(traits.special_settings for traits in _TRAITS))
# The kind of a background number for readers who see only groups of its answers. The column of
# the question never has this value.
BANDS = "bands"
_KINDS_AND_BANDS = KINDS | {BANDS: replace(KINDS[Kind.BACKGROUND], most=MAXIMUM_CHOICES)}


class HasKind(Protocol):
    """An object with a kind: a question of a draft, of an instrument or of a report."""

    @property
    def kind(self) -> str:
        """The key of the kind of question; in a report it may also be BANDS."""


def kind_of(question: HasKind) -> Traits:
    """Return the traits of the kind of a question, such as whether its answers are randomized.

    BANDS has the traits of a background question with a short list.
    """
    return _KINDS_AND_BANDS[question.kind]


def is_background(kind: str) -> bool:
    """Return whether answers of this kind are sent as they are, without being randomized.

    kind: the key of a kind. For any other text the result is False.
    """
    return kind in KINDS and not KINDS[kind].sensitive
