"""Parameters of designs as people type them -> exact numbers, or what is wrong with them in plain words."""

import re
from fractions import Fraction
from math import lcm

from mechanisms.chance.determinant import is_singular
from surveys.site.expressions import full_match

NUMBER = re.compile(r"-?([0-9]{1,20}( ?/ ?[0-9]{1,20})?|[0-9]{0,20}\.[0-9]{1,20})")
LONGEST_NUMBER = 50  # characters
MINIMUM_EPSILON = Fraction(1, 100)  # below it a million answers say nearly nothing
MAXIMUM_EPSILON = 20  # beyond it the odds are 500 million to one: nothing is protected any more


def parse_number(letter: str, text: str, import_only: bool = False) -> Fraction:
    """A parameter as typed -> an exact number. Raises ValueError with the message for its field.

    import_only: 0 and 1 are allowed, for designs that protect some answers and not others.
    """
    text = text.strip()
    number, shown = _exact(text), _shortened(text)
    if letter == "epsilon":
        if not MINIMUM_EPSILON <= number <= MAXIMUM_EPSILON:
            raise ValueError(
                f"Enter an epsilon from {float(MINIMUM_EPSILON)} to {MAXIMUM_EPSILON}, not {shown}."
            )
    elif letter == "gamma":
        if not 0 < number < Fraction(1, 2):
            raise ValueError(f"Enter a gamma above 0 and below 1/2, not {shown}.")
    elif letter == "hashes":
        if number not in (1, 2, 3, 4):
            raise ValueError(f"Enter 1 to 4 bits, not {shown}.")
    elif not 0 <= number <= 1:
        raise ValueError(f"Enter a probability between 0 and 1, not {shown}.")
    elif number in (0, 1) and not import_only:
        raise ValueError(
            f"Enter a value between 0 and 1. With {shown} an answer received could prove the true one."
        )
    return number


def _exact(text: str) -> Fraction:
    # Only what fits this form reaches Fraction, which would work on 1e999999999 for hours.
    if not text:
        raise ValueError("Enter a number, for example 3/4 or 0.75.")
    if full_match(r"[0-9]{1,20},[0-9]{1,20}", text, LONGEST_NUMBER):
        raise ValueError(
            f"Write {text.replace(',', '.')}, with a point and no comma, or a fraction such as 3/4."
        )
    try:
        if full_match(NUMBER, text, LONGEST_NUMBER):
            return Fraction(text.replace(" ", ""))
    except ZeroDivisionError:
        pass
    raise ValueError(f"“{_shortened(text)}” is not a number. Write it as 3/4 or 0.75.")


def _shortened(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "…"


def parse_matrix(text: str, size: int) -> list[list[Fraction]]:
    """ "3/4 1/4; 1/4 3/4" -> rows of exact numbers. Raises ValueError with the message for its field."""
    rows = [
        re.split(r"[\s,]+", line.strip())
        for line in re.split(r"[;\n]", text.strip())
        if line.strip()
    ]
    if [len(row) for row in rows] != [size] * size:
        raise ValueError(
            f"Write {size} rows of {size} numbers, the rows with ; between them, as 3/4 1/4; 1/4 3/4."
        )
    numbers = [[_exact(cell) for cell in row] for row in rows]
    den = common_denominator(numbers)
    for place, row in enumerate(numbers, 1):
        if min(row) < 0 or sum(row) != 1:
            raise ValueError(
                f"Row {place}: its numbers must be probabilities that sum to 1, not to {sum(row)}."
            )
    if is_singular([[int(cell * den) for cell in row] for row in numbers]):
        raise ValueError("With these rows nothing can be estimated: the matrix cannot be inverted.")
    return numbers


def common_denominator(rows: list[list[Fraction]]) -> int:
    return lcm(*(cell.denominator for row in rows for cell in row))
