"""How numbers are written: on pages, in figures and in sentences."""

import math
from datetime import date

import mechanisms

NOTHING = 0.5  # half an interval that holds all shares
NBSP = "\N{NO-BREAK SPACE}"


def format_count(value: int) -> str:
    """Return 32561 as "32,561"."""
    return f"{value:,}"


def count_of(value: int, one: str, several: str) -> str:
    """1 -> "1 person is", 32561 -> "32,561 people are": a count with the words for one thing or for several."""
    return f"{format_count(value)} {one if value == 1 else several}"


def format_percent(share: float, digits: int = 1) -> str:
    """Return 0.1121 as "11.2%", with a real minus sign."""
    rounded = round(100 * share, digits) + 0.0
    return f"{rounded:.{digits}f}%".replace("-", "−")


def rounded_outwards(share: float, digits: int, *, up: bool) -> str:
    """An end of a range as a bound: "4.3%" for .0421 upwards."""
    scale = 10.0 ** (digits + 2)
    steps = math.ceil(share * scale - 1e-9) if up else math.floor(share * scale + 1e-9)
    return format_percent(steps / scale, digits)


def format_points(share: float, digits: int = 2) -> str:
    """Return a standard error in percentage points."""
    return f"{100 * share:.{digits}f}"


def format_margin(half: float) -> str:
    """Return half an interval in percentage points: "±2.7"."""
    return f"±{100 * half:.1f}" if half < 0.0995 else f"±{100 * half:.0f}"


def digits_in_view(width: float) -> int:
    """Decimals of per cents on the screen: none, unless a range of this width would vanish in the rounding."""
    return 0 if width >= 0.02 else 1 if width >= 0.002 else 2


def decimals_excluding_zero(interval: tuple[float, float], digits: int) -> int:
    """Return how many decimals an interval needs so that none of its ends is written as 0 if it excludes 0.

    interval: in the unit in which it is written, so of shares in per cent.
    digits: the decimals that it has at least.
    """
    low, high = interval
    if low <= 0 <= high:
        return digits
    nearest = min(abs(low), abs(high))
    while round(nearest, digits) == 0:
        digits += 1
    return digits


def short_range(low: float, high: float, digits: int = 0, unit: str = "%") -> str:
    """ "24 to 29%": the ends in per cent, the unit once."""
    ends = (format_percent(end, digits).removesuffix("%") for end in (low, high))
    return f"{' to '.join(ends)}{unit}"


def points_in_view(difference: float, digits: int = 0) -> str:
    """A difference of shares in percentage points, without the word."""
    return format_percent(difference, digits).removesuffix("%")


def epsilon_in_view(value: float, digits: int = 1) -> str:
    """A privacy loss with fewer digits, never rounded down."""
    return "infinite" if math.isinf(value) else f"{mechanisms.round_up(value, digits):.{digits}f}"


def precision(half: float) -> str:
    """A margin, unless it is so wide that nothing is known."""
    return format_margin(half) if half < NOTHING else "nothing known"


def percent_range(interval: tuple[float, float]) -> str:
    low, high = interval
    digits = decimals_excluding_zero((100 * low, 100 * high), 1)
    return f"{format_percent(low, digits)} to {format_percent(high, digits)}"


def format_level(confidence: float) -> str:
    """Return 0.95 as "95%"."""
    return f"{100 * confidence:.4g}%"


def epsilon(value: float) -> str:
    """A privacy loss with four digits, never rounded down."""
    if math.isinf(value):
        return "infinite"
    return f"{mechanisms.round_up(value):.4f}"


def finite_or_none(value: float | None) -> float | None:
    """Return a number as JSON can hold it: None if it is infinite."""
    return value if value is not None and math.isfinite(value) else None


def format_p_value(p_value: float) -> str:
    """Return a p value: "p = 0.043", or a bound if it is tiny."""
    sign, value = ("<", "0.000001") if p_value < 1e-6 else ("=", f"{p_value:.2g}")
    return f"p{NBSP}{sign}{NBSP}{value}"


def day_of(day: date) -> str:
    """ "22 November 2026"."""
    return f"{day.day} {day:%B %Y}"


def join_with_and(texts: list[str], word: str = "and") -> str:
    """Return ["a", "b", "c"] as "a, b and c"."""
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {word} {texts[-1]}"
