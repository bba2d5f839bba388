"""Parameters of designs: exact numbers from what people type, or messages on what is wrong."""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from mechanisms.chance.determinant import is_singular
from surveys.site.expressions import full_match

# A whole number, a fraction or a decimal number, as people may type it.
NUMBER = re.compile(r"-?([0-9]{1,20}( ?/ ?[0-9]{1,20})?|[0-9]{0,20}\.[0-9]{1,20})")
# The most characters of a number.
LONGEST_NUMBER = 50
# With a smaller epsilon a million answers say nearly nothing.
MINIMUM_EPSILON = Fraction(1, 100)
# With a larger one the odds are 500 million to one, so that nothing is protected any more.
MAXIMUM_EPSILON = 20


def parse_number(name: str, text: str, import_only: bool = False) -> Fraction:
    """Return the parameter `name` of a design as an exact number, from what people type.

    Raises ValueError with a message for the field, if the text is not a number, or if the parameter
    cannot have this value. The parameters "epsilon", "gamma" and "hashes" (a number of bits) have
    limits of their own. Every other parameter is a probability, above 0 and below 1.

    import_only: True to allow the probabilities 0 and 1, with which a design protects some
        answers and not others.
    """
    text = text.strip()
    number = _parse_fraction(text)
    short_text = _shorten(text)
    if name == "epsilon":
        if not MINIMUM_EPSILON <= number <= MAXIMUM_EPSILON:
            raise ValueError(
                f"Enter an epsilon from {float(MINIMUM_EPSILON)} to {MAXIMUM_EPSILON}, "
                f"not {short_text}."
            )
    elif name == "gamma":
        if not 0 < number < Fraction(1, 2):
            raise ValueError(f"Enter a gamma above 0 and below 1/2, not {short_text}.")
    elif name == "hashes":
        if number not in (1, 2, 3, 4):
            raise ValueError(f"Enter 1 to 4 bits, not {short_text}.")
    elif not 0 <= number <= 1:
        raise ValueError(f"Enter a probability between 0 and 1, not {short_text}.")
    elif number in (0, 1) and not import_only:
        raise ValueError(
            f"Enter a value between 0 and 1. With {short_text} an answer received could prove "
            "the true one."
        )
    return number


def _parse_fraction(text: str) -> Fraction:
    """Return a text such as "3/4" or "0.75" as an exact number.

    Raises ValueError, with a message for the field, if it is not a number. A number with a decimal
    comma, such as "0,75", is refused too, with advice to write a point.
    """
    if not text:
        raise ValueError("Enter a number, for example 3/4 or 0.75.")
    if full_match(r"[0-9]{1,20},[0-9]{1,20}", text, LONGEST_NUMBER):
        with_point = text.replace(",", ".")
        raise ValueError(
            f"Write {with_point}, with a point and no comma, or a fraction such as 3/4."
        )
    # Only a text of this format is passed to Fraction, which would work on 1e999999999 for hours. A
    # denominator of 0 gets the same message as any other text that is not a number.
    try:
        if full_match(NUMBER, text, LONGEST_NUMBER):
            return Fraction(text.replace(" ", ""))
    except ZeroDivisionError:
        pass
    raise ValueError(f"“{_shorten(text)}” is not a number. Write it as 3/4 or 0.75.")


def _shorten(text: str) -> str:
    """Return a text as a message quotes it: cut after 20 characters."""
    if len(text) <= 20:
        return text
    return text[:20] + "…"


def parse_matrix(text: str, size: int) -> list[list[Fraction]]:
    """Return the rows of a matrix of probabilities from a text such as "3/4 1/4; 1/4 3/4".

    Raises ValueError with a message for the field.

    size: the number of rows, and of numbers in each row.
    """
    # Rows end with a semicolon or a line break, and spaces or commas separate their numbers.
    rows = []
    for line in re.split(r"[;\n]", text.strip()):
        if line.strip():
            rows.append(re.split(r"[\s,]+", line.strip()))
    row_lengths = [len(row) for row in rows]
    if row_lengths != [size] * size:
        raise ValueError(
            f"Write {size} rows of {size} numbers, the rows with ; between them, "
            "as 3/4 1/4; 1/4 3/4."
        )

    numbers = []
    for row in rows:
        numbers.append([_parse_fraction(cell) for cell in row])
    den = common_denominator(numbers)
    for row_number, row in enumerate(numbers, 1):
        if min(row) < 0 or sum(row) != 1:
            raise ValueError(
                f"Row {row_number}: its numbers must be probabilities that sum to 1, "
                f"not to {sum(row)}."
            )
    # The test is exact with whole numbers only.
    if is_singular([integer_numerators(row, den) for row in numbers]):
        raise ValueError("With these rows nothing can be estimated: the matrix cannot be inverted.")
    return numbers


def common_denominator(rows: list[list[Fraction]]) -> int:
    """Return the least common denominator of all numbers in a matrix."""
    denominators: list[int] = []
    for row in rows:
        denominators += [cell.denominator for cell in row]
    return lcm(*denominators)


def integer_numerators(row: Sequence[Fraction], den: int) -> list[int]:
    """Return the numerators of fractions over a common denominator: 1/2 and 1/4 over 4 are 2 and 1.

    den: a multiple of the denominator of each fraction.
    """
    return [int(cell * den) for cell in row]
