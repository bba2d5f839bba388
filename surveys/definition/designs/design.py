"""The classes of the catalogue of designs: everything about a design but its statistics."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mechanisms import Mechanism
from mechanisms.designs.orders import MOST_ANSWERS_AS_BITS

# The most answers of a question whose reports have a mark for each answer. With more answers the
# reports would be long, and the matrix of the mechanism even larger.
MOST_MARKED = MOST_ANSWERS_AS_BITS
# The explanation and the first value of the parameter epsilon, which many designs have.
EPSILON_HELP = "The privacy loss, a number above 0: 1 is strong protection, 4 is light."
USUAL_EPSILON = "1"

# A check takes the parameters of a design by name, and returns error messages by parameter.
Check = Callable[..., dict[str, str]]


def _only_epsilon(epsilon: str, keep_probability: Fraction | None) -> dict[str, str]:
    """Return the parameters, for a level, of a design whose only parameter is epsilon.

    keep_probability: not used. Every function of this kind gets it.
    """
    return {"epsilon": epsilon}


def _accept_all(**parameters: object) -> dict[str, str]:
    """Return no error messages: the check of designs whose parameters always fit together."""
    return {}


@dataclass(frozen=True)
class Level:
    """The use of a design by the levels of protection, which take the most precise design.

    `questions` are the questions for which the design competes: those with "one" of several
    answers, of "two" answers, of a long "list", with "any" number of answers, "ordered" ones
    (numbers and scales) for their mean, or "text". It is empty if no level uses the design.

    `reason` says to authors why the design is recommended. If the designs for these questions are
    compared, it is a function of their mechanisms, of which the most precise one is the first.

    `parameters` returns the parameters of the design at an epsilon. For questions with two answers
    it also gets the probability that an answer is kept. It returns None if this design cannot
    have these properties.
    """

    questions: str = ""
    reason: str | Callable[[Sequence[Mechanism]], str] = ""
    parameters: Callable[[str, Fraction | None], dict[str, str] | None] = _only_epsilon


@dataclass(frozen=True)
class Design:
    """One design that authors can choose, or that answers in a file were randomized with.

    - `key` names the design in drafts and survey files, and `title` names it for authors.
    - `advice` has a few sentences for authors.
    - `parameters` explains each parameter, by its name.
    - `start` has, for each parameter, a value that makes a good design.
    - `build` returns the mechanism: build(size, **parameters).
    - `check` returns error messages for parameters that do not fit together, by parameter.
    - `two_answers_only` is True if the question must have exactly two answers.
    - `select` has the questions that the design is for: "one" answer of several, "any" number of
      answers, "ordered" answers (numbers and scales), or "text".
    - `ordered` is True if the design also serves numbers and scales.
    - `devices_only` is True if no file can have reports of this design.
    - `by_people` is True if respondents can randomize themselves, with a spinner or by hand.
    - `tells_yes` is True if the parameters treat Yes and No differently.
    - `yes` says what a report of Yes means, if it does not simply mean Yes.
    - `most` is the largest number of answers.
    - `level` says how the levels of protection use the design.
    - `listed_after` is the key of the design that it follows on the author's page, if that is not
      the row before.
    """

    key: str
    title: str
    advice: str
    parameters: dict[str, str]
    start: dict[str, str]
    build: Callable[..., Mechanism]
    check: Check = _accept_all
    two_answers_only: bool = False
    select: str = "one"
    ordered: bool = False
    devices_only: bool = False
    by_people: bool = False
    tells_yes: bool = False
    yes: str = ""
    most: int = MOST_MARKED
    level: Level = Level()
    listed_after: str = ""


def in_page_order(rows: Iterable[Design]) -> list[Design]:
    """Return the designs in the order of the author's page, on which the usual ones come first.

    A design with `listed_after` comes after that design. It is left out if that design is not
    among the rows.
    """
    rows = list(rows)
    ordered: list[Design] = []

    def append_with_followers(row: Design) -> None:
        """Append a row to `ordered`, and then the rows that are listed after it."""
        ordered.append(row)
        for other in rows:
            if other.listed_after == row.key:
                append_with_followers(other)

    for row in rows:
        if not row.listed_after:
            append_with_followers(row)
    return ordered


def reject_half(name: str) -> Check:
    """Return a function for Design.check that rejects the value 1/2 for a parameter.

    name: the name of the parameter. Any other value gives no error message.
    """

    def check(**parameters: Fraction) -> dict[str, str]:
        """Return a message if the parameter is 1/2."""
        if parameters[name] == Fraction(1, 2):
            return {name: f"With {name} = 1/2 nothing can be estimated."}
        return {}

    return check


def reject_value(number: int, name: str) -> Check:
    """Return a function for Design.check that rejects the value `number` for a parameter.

    name: the name of the parameter. Any other value gives no error message.
    """

    def check(**parameters: Fraction) -> dict[str, str]:
        """Return a message if the parameter is `number`."""
        if parameters[name] == number:
            return {name: f"With {number} nothing can be estimated."}
        return {}

    return check
