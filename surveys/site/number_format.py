"""Format numbers for pages, figures and sentences."""

import math
from datetime import date
from decimal import ROUND_UP, Context, Decimal

import mechanisms

# Half the length of an interval that holds all shares from 0 to 1: the estimate says nothing.
WIDEST_HALF = 0.5
NBSP = "\N{NO-BREAK SPACE}"

# Smaller p values are not written out, only that they are below this one.
SMALLEST_P_VALUE = 1e-6


def format_count(value: int) -> str:
    """Return 32561 as "32,561"."""
    return f"{value:,}"


def round_up_to_two_digits(number: int) -> int:
    """Return a number of people that is at least `number`, with two digits: 8,341 as 8,400."""
    unit = 10 ** max(len(str(number)) - 2, 0)
    return math.ceil(number / unit) * unit


def format_upper_bound(value: float) -> str:
    """Return a positive number with two digits, never rounded down: 1.41 as "1.5", and 123 as "130".

    A text that says "at most" needs it.
    """
    # Nine digits are enough that what rounding made of a short number does not count.
    exact = Decimal(f"{value:.9g}")
    rounded = Context(prec=2, rounding=ROUND_UP).plus(exact)
    return f"{rounded:f}"


def count_of(value: int, one: str, several: str) -> str:
    """Return a count with its words: "1 person is" or "32,561 people are".

    one: the words for one thing.
    several: the words for any other number of things.
    """
    words = one if value == 1 else several
    return f"{format_count(value)} {words}"


def format_percent(share: float, digits: int = 1) -> str:
    """Return 0.1121 as "11.2%", with a real minus sign.

    digits: the number of decimals.
    """
    # Adding 0.0 turns a negative zero into a positive one.
    rounded = round(100 * share, digits) + 0.0
    return f"{rounded:.{digits}f}%".replace("-", "−")


def format_points(share: float, digits: int = 2) -> str:
    """Return a standard error of a share in percentage points, without a unit: 0.0123 as "1.23".

    digits: the number of decimals.
    """
    return f"{100 * share:.{digits}f}"


def format_margin(half: float) -> str:
    """Return a margin of error of a share in percentage points: 0.027 as "±2.7", and 0.27 as "±27".

    There is one decimal, and none if the rounded number is 10 or more.

    half: half the length of the interval of the share, from 0 to 1.
    """
    # From 0.0995 on, half an interval with one decimal would be rounded to "10.0".
    digits = 1 if half < 0.0995 else 0
    return f"±{100 * half:.{digits}f}"


def digits_in_view(width: float) -> int:
    """Return how many decimals pages show of the two ends of a range of shares, in per cent.

    There are none, one or two, so that the ends of a narrow range are not rounded to one number.

    width: the difference of the two ends, as shares from 0 to 1.
    """
    # The ends differ by at least two units of the last decimal, if two decimals suffice for that. A
    # unit is a share of 0.01 without decimals, and of 0.001 with one decimal.
    if width >= 0.02:
        return 0
    if width >= 0.002:
        return 1
    return 2


def decimals_excluding_zero(interval: tuple[float, float], digits: int) -> int:
    """Return how many decimals to write the ends of an interval with, so that neither becomes 0.

    Otherwise an interval that excludes 0 would seem to hold it. For an interval that holds 0,
    `digits` is returned.

    interval: in the unit in which it is written, so of shares in per cent.
    digits: the least number of decimals.
    """
    low, high = interval
    if low <= 0 <= high:
        return digits
    # The end that is nearer to 0 needs more decimals.
    nearest = min(abs(low), abs(high))
    while round(nearest, digits) == 0:
        digits += 1
    return digits


def points_in_view(difference: float, digits: int = 0) -> str:
    """Return a difference of shares in percentage points, without a unit: -0.05 as "−5".

    digits: the number of decimals.
    """
    return format_percent(difference, digits).removesuffix("%")


def epsilon_in_view(value: float, digits: int = 1) -> str:
    """Return a privacy loss (epsilon) for pages: 1.0986 as "1.1", or "infinite".

    It is never rounded down, so that no protection is promised that is not there.

    digits: the number of decimals.
    """
    if math.isinf(value):
        return "infinite"
    return f"{mechanisms.round_up(value, digits):.{digits}f}"


def precision(half: float) -> str:
    """Return a margin of error of a share, such as "±2.7", or "nothing known" from 0.5 on.

    From 0.5 on, the interval can hold all shares from 0 to 1.

    half: half the length of the interval of the share, from 0 to 1.
    """
    return format_margin(half) if half < WIDEST_HALF else "nothing known"


def percent_range(interval: tuple[float, float]) -> str:
    """Return an interval of shares in per cent: (0.241, 0.29) as "24.1% to 29.0%".

    It has more decimals if one end of an interval that excludes 0 would be rounded to 0.
    """
    low, high = interval
    digits = decimals_excluding_zero((100 * low, 100 * high), 1)
    return f"{format_percent(low, digits)} to {format_percent(high, digits)}"


def format_level(confidence: float) -> str:
    """Return a confidence level in per cent, with four digits at most: 0.95 as "95%"."""
    return f"{100 * confidence:.4g}%"


def epsilon(value: float) -> str:
    """Return a privacy loss (epsilon) with four decimals, never rounded down, or "infinite".

    For example, 1.09861 is "1.0987". Where few decimals are enough, use `epsilon_in_view`.
    """
    return epsilon_in_view(value, 4)


def finite_or_none(value: float | None) -> float | None:
    """Return a number that JSON can hold: None for an infinite number, NaN or None."""
    if value is None or not math.isfinite(value):
        return None
    return value


def format_p_value(p_value: float) -> str:
    """Return a p value with at most two significant digits: 0.0432 as "p = 0.043".

    A value below SMALLEST_P_VALUE is "p < 0.000001". The spaces are no-break spaces.
    """
    if p_value < SMALLEST_P_VALUE:
        return f"p{NBSP}<{NBSP}{SMALLEST_P_VALUE:.6f}"
    # The format of a float would give a very small value an exponent, as 1.2e-05.
    rounded = Decimal(f"{p_value:.2g}")
    return f"p{NBSP}={NBSP}{rounded:f}"


def day_of(day: date) -> str:
    """Return a date as "22 November 2026"."""
    return f"{day.day} {day:%B %Y}"


def join_with_and(texts: list[str], word: str = "and") -> str:
    """Return ["a", "b", "c"] as "a, b and c", and a single text unchanged.

    texts: at least one text.
    word: the word before the last text, such as "or".
    """
    if len(texts) == 1:
        return texts[0]
    first_texts = ", ".join(texts[:-1])
    return f"{first_texts} {word} {texts[-1]}"
