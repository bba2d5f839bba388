"""What a report is about, in one line: how many responses of how many hoped for, from when to when."""

from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from surveys.accounts.history import What
from surveys.models import Survey
from surveys.results.estimates.report import SurveyReport
from surveys.site.number_format import count, day_of

STATES = {
    "open": "open",
    "paused": "paused",
    "closed": "closed",
    "scheduled": "not open yet",
    "filling": "being filled",
}


@dataclass(frozen=True)
class Standing:
    """n: "4,812", more: " responses of 5,000 hoped for", days: "12 October to 6 November 2026, closed"."""

    n: str
    more: str
    days: str


def standing(survey: Survey, result: SurveyReport) -> Standing:
    """Days only: when somebody answered is kept nowhere."""
    hoped = f" of {count(survey.target)} hoped for" if survey.target else ""
    return Standing(count(result.n), f" response{'' if result.n == 1 else 's'}{hoped}", days(survey))


def days(survey: Survey) -> str:
    """From when to when, and in which state."""
    state = STATES.get(survey.state, survey.state)
    whens = dict(
        survey.events.filter(what__in=(What.PUBLISHED, What.CLOSED)).order_by("when").values_list("what", "when")
    )
    begun = survey.opens or whens.get(What.PUBLISHED)
    if begun is None:
        return state
    ended = survey.closes if survey.closes and survey.closes <= timezone.now() else whens.get(What.CLOSED)
    first = timezone.localdate(begun)
    if not survey.is_over or ended is None:
        return f"since {day_of(first)}, {state}"
    return f"{_span(first, timezone.localdate(ended))}, {state}"


def _span(first: date, last: date) -> str:
    if first >= last:
        return day_of(last)
    begun = day_of(first) if first.year != last.year else f"{first.day} {first:%B}"
    return f"{begun} to {day_of(last)}"
