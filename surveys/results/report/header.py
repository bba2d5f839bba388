"""What a report is about: from when to when people could answer, and in which state the survey is."""

from datetime import date

from django.utils import timezone

from surveys.accounts.history import What
from surveys.models import Survey
from surveys.site import clock
from surveys.site.number_format import day_of

STATES = {
    "open": "open",
    "paused": "paused",
    "closed": "closed",
    "scheduled": "not open yet",
    "filling": "being filled",
}


def field_period(survey: Survey) -> str:
    """Return "12 October to 6 November 2026, closed"."""
    state = STATES.get(survey.state, survey.state)
    whens = dict(
        survey.events.filter(what__in=(What.PUBLISHED, What.CLOSED))
        .order_by("when")
        .values_list("what", "when")
    )
    begun = survey.opens or whens.get(What.PUBLISHED)
    if begun is None:
        return state
    ended = (
        survey.closes
        if survey.closes and survey.closes <= clock.clock_now()
        else whens.get(What.CLOSED)
    )
    first = timezone.localdate(begun)
    if not survey.is_over or ended is None:
        return f"since {day_of(first)}, {state}"
    return f"{_span(first, timezone.localdate(ended))}, {state}"


def _span(first: date, last: date) -> str:
    if first >= last:
        return day_of(last)
    begun = day_of(first) if first.year != last.year else f"{first.day} {first:%B}"
    return f"{begun} to {day_of(last)}"
