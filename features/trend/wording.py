"""The sentences around a trend."""

from features.trend.trend import Trend
from surveys.site.number_format import count_of, format_count

SAME_PEOPLE = "If the same people answered again, the ranges are wider than necessary."
CAUSE = "A change is not a cause."


def headline(trend: Trend) -> str:
    """The first clear change, or that there is none."""
    if clear := trend.clear:
        return clear[0].main.headline
    return f"No clear change since {trend.earlier.since}"


def summary(trend: Trend) -> str:
    """ "1 of 3 questions that were asked the same way shows a clear change so far."."""
    clear, every = len(trend.clear), len(trend.questions)
    verb = "shows" if clear == 1 else "show"
    asked = (
        f"{format_count(clear)} of {format_count(every)} questions"
        if every > 1
        else f"{format_count(clear)} of 1 question"
    )
    return f"{asked} asked the same way {verb} a clear change{'' if trend.now.survey.is_over else ' so far'}."


def sizes(trend: Trend) -> str:
    so_far = "" if trend.now.survey.is_over else " so far"
    return f"{count_of(trend.earlier.n, 'response', 'responses')} then, {format_count(trend.now.n)} now{so_far}."
