"""Texts about results: numbers, intervals and tables for a terminal."""

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal

# The most results in one line.
MOST_IN_A_LINE = 3


def round_up_decimal(value: float, digits: int) -> float:
    """
    Return a number rounded up to some decimal places.

    Parameters
    ----------
    value : float
        A finite number.
    digits : int
        The number of decimal places.

    Returns
    -------
    float
        The rounded number, which is never below `value`.
    """
    step = Decimal(1).scaleb(-digits)
    return float(Decimal(repr(float(value))).quantize(step, rounding=ROUND_CEILING))


def epsilon_text(epsilon: float) -> str:
    """
    Return an epsilon as text, rounded up to four decimal places.

    Parameters
    ----------
    epsilon : float
        The privacy loss, from 0 to infinity.

    Returns
    -------
    str
        The number, or "infinite".
    """
    if math.isinf(epsilon):
        return "infinite"
    return str(round_up_decimal(epsilon, 4)).removesuffix(".0")


def number_text(value: float) -> str:
    """
    Return a share or a coefficient as text with three decimal places.

    Parameters
    ----------
    value : float
        The number. NaN and infinity are allowed.

    Returns
    -------
    str
        The text. A number that is rounded to 0 has no sign.
    """
    text = f"{value:.3f}"
    return text.removeprefix("-") if text == "-0.000" else text


def interval_text(interval: Sequence[float]) -> str:
    """
    Return an interval as text.

    Parameters
    ----------
    interval : sequence of float
        The lower and the upper end.

    Returns
    -------
    str
        The text, for example "0.206 to 0.397".
    """
    low, high = interval
    return f"{number_text(low)} to {number_text(high)}"


def confidence_text(confidence: float) -> str:
    """
    Return a confidence level as text, for example "95%".

    Parameters
    ----------
    confidence : float
        The level, between 0 and 1.

    Returns
    -------
    str
        The percentage.
    """
    return f"{100 * confidence:.6g}%"


def joined(parts: Sequence[str], total: int) -> str:
    """
    Return the first parts of a list in one line, and how many more there are.

    Parameters
    ----------
    parts : sequence of str
        The first parts.
    total : int
        The number of all parts.

    Returns
    -------
    str
        The parts with commas between them.
    """
    texts = list(parts)
    if total > len(texts):
        texts.append(f"and {total - len(texts)} more")
    return ", ".join(texts)


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """
    Return a table as text, with the first column at the left and numbers at the right.

    Parameters
    ----------
    header : sequence of str
        The titles of the columns.
    rows : sequence of sequences of str
        The cells of each row.

    Returns
    -------
    str
        A line for the header and one for each row.
    """
    table = [list(header), *[list(row) for row in rows]]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [row[0].ljust(widths[0])]
        for cell, width in zip(row[1:], widths[1:], strict=True):
            cells.append(cell.rjust(width))
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
