"""The last and the next update of a report.

They never say how many people have answered since the last update: nobody can watch it rise.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from surveys.fieldwork.responses.held import LEAST_IN_A_RELEASE
from surveys.models import Survey
from surveys.site import clock

HOUR = timedelta(hours=1)
# The number of responses from which on an open survey has results.
LEAST_IN_AN_OPEN_REPORT = 2 * LEAST_IN_A_RELEASE


@dataclass(frozen=True)
class Updates:
    """The number of responses in a report, and when it is updated.

    n: responses in the report.
    last: the start of the hour in which a release was last tried, even if it released nothing, or
        the closing time if this is later; None if the report is empty or no such time is known.
    next: the next update, or None if the report is not updated every hour.
    """

    n: int
    last: datetime | None
    next: datetime | None

    @property
    def first_at(self) -> int:
        """The number of responses that must have arrived before there are results.

        While the report is updated every hour, each release keeps LEAST_IN_A_RELEASE responses
        pending, and releases at least as many. So the first one needs twice that number.
        """
        is_updated_every_hour = self.next is not None
        if is_updated_every_hour:
            return LEAST_IN_AN_OPEN_REPORT
        return LEAST_IN_A_RELEASE


def update_times(survey: Survey) -> Updates:
    """Return when the report of a published survey was last updated and is updated next.

    There is no next update if the survey is closed or over, is import-only, or has results only
    after closing.
    """
    instrument = survey.instrument
    # The column `looked` has the hour of the last release, even if nothing could be released.
    last_look = clock.happened(instrument.looked)
    n = instrument.tally.get("n", 0)
    last_update = last_look if n else None

    is_running = survey.status in (Survey.Status.OPEN, Survey.Status.PAUSED)
    if not is_running or survey.is_over or survey.import_only or survey.results_after_closing:
        return Updates(n=n, last=last_update, next=None)

    # The next update is at the start of the hour after this one. The last release may be of a later
    # hour if the clock was up to an hour ahead.
    now = clock.clock_now()
    this_hour = now.replace(minute=0, second=0, microsecond=0)
    latest_hour = this_hour
    if last_look is not None:
        latest_hour = max(this_hour, last_look)
    return Updates(n=n, last=last_update, next=latest_hour + HOUR)
