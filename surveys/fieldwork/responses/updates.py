"""When results come: the last update and the next one. Never how many have answered since: nobody can watch it rise."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from surveys.fieldwork.responses.held import LEAST
from surveys.models import Survey
from surveys.site import clock

HOUR = timedelta(hours=1)
FIRST = 2 * LEAST  # responses, from which on there are results while people can still answer


@dataclass(frozen=True)
class Updates:
    """n: responses in the report. last, next: None where there is none."""

    n: int
    last: datetime | None
    next: datetime | None

    @property
    def first_at(self) -> int:
        """From how many responses on there are results."""
        return FIRST if self.next else LEAST


def update_times(survey: Survey) -> Updates:
    """Return when the report was last updated and when the next update is due."""
    instrument, now = survey.instrument, clock.clock_now()
    looked = clock.happened(instrument.looked)
    n = instrument.tally.get("n", 0)
    takes = survey.status in (Survey.Status.OPEN, Survey.Status.PAUSED) and not survey.is_over
    if survey.import_only or not takes or survey.results_after_closing:
        return Updates(n, looked if n else None, None)
    hour = now.replace(minute=0, second=0, microsecond=0)
    return Updates(n, looked if n else None, max(hour, looked or hour) + HOUR)
