"""How numbers are written on every page."""

from django import template

import mechanisms

register = template.Library()
NBSP = "\N{NO-BREAK SPACE}"


@register.filter
def count(value: int) -> str:
    """32561 -> "32,561"."""
    return f"{value:,}"


@register.filter
def percent(share: float, digits: int = 1) -> str:
    """0.1121 -> "11.2 %", with a real minus sign for estimates below zero."""
    return f"{100 * share:.{digits}f}{NBSP}%".replace("-", "−")


@register.filter
def points(share: float, digits: int = 2) -> str:
    """A standard error in percentage points."""
    return f"{100 * share:.{digits}f}"


@register.filter
def percent_range(interval: tuple[float, float]) -> str:
    return f"{percent(interval[0])} to {percent(interval[1])}"


@register.filter
def epsilon(value: float) -> str:
    """A privacy loss with four digits, never rounded down."""
    return f"{mechanisms.round_up(value):.4f}"


@register.filter
def odds(value: float) -> str:
    """How often a guess that starts at 50:50 can be right at most, in 100."""
    return str(mechanisms.odds_percent(value))
