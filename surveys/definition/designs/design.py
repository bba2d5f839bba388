"""A row of the table of designs: everything that is said of one, but for the statistics of its mechanism."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mechanisms import Mechanism
from mechanisms.designs.orders import LONGEST

MOST_MARKED = LONGEST  # answers; of more of them a report of one mark for each would be long, and a matrix larger still
EPSILON = "The privacy loss, a number above 0: 1 is strong protection, 4 is light."
USUAL_EPSILON = "1"


@dataclass(frozen=True)
class Level:
    """The place of a design in the levels, which take the most precise design of a place.

    of: the questions: "one" of several answers, of "two" or of a long "list", "any" of them, "ordered" numbers and
    scales for their mean, "text"; empty where no level takes it.
    reason: why it is taken; from the mechanisms of this place, the most precise first, where they are compared.
    parameters: those of the design, from the epsilon and, of two answers, the chance that one is kept; None where they
    make another design.
    """

    of: str = ""
    reason: str | Callable[[Sequence[Mechanism]], str] = ""
    parameters: Callable[[str, Fraction | None], dict[str, str] | None] = lambda epsilon, kept: {
        "epsilon": epsilon
    }


@dataclass(frozen=True)
class Design:
    key: str
    title: str
    advice: str  # to the author: one or two sentences
    parameters: dict[str, str]  # letter -> what it means
    start: dict[str, str]  # letter -> a value that makes a good design
    build: Callable[..., Mechanism]  # (size, **parameters)
    check: Callable[..., dict[str, str]] = lambda **_: {}  # parameters -> errors by letter
    two_answers_only: bool = False
    select: str = "one"  # "any": for questions with several answers at once, and for nothing else; "ordered": for
    # numbers and scales, and for nothing else; "text": for written answers, and for nothing else
    ordered: bool = False  # whether it serves numbers and scales too
    devices_only: bool = False  # whether no file brings such reports
    by_people: bool = False  # whether respondents can draw it themselves, with a spinner or by hand
    tells_yes: bool = False  # whether its parameters tell Yes from No
    yes: str = ""  # what a report of Yes says where that is not simply Yes
    most: int = MOST_MARKED  # answers
    level: Level = Level()
    after: str = (
        ""  # the design that it follows on the author's page, where that is not the row before
    )


def in_page_order(rows: Iterable[Design]) -> list[Design]:
    """As the author's page lists them: what is taken most often stands first."""
    rows = list(rows)

    def followed(row: Design) -> Iterator[Design]:
        yield row
        for each in rows:
            if each.after == row.key:
                yield from followed(each)

    return [each for row in rows if not row.after for each in followed(row)]


def even(letter: str) -> Callable[..., dict[str, str]]:
    message = f"With {letter} = 1/2 nothing can be estimated."
    return lambda **given: {letter: message} if given[letter] == Fraction(1, 2) else {}


def anything_but(number: int, letter: str) -> Callable[..., dict[str, str]]:
    message = f"With {number} nothing can be estimated."
    return lambda **given: {letter: message} if given[letter] == number else {}
