"""The progress of a survey, as far as anyone may know it: rounded, and as of the last release."""

from datetime import timedelta

from surveys.accounts.history import What
from surveys.fieldwork.responses.released import read_released
from surveys.models import Survey
from surveys.site import clock
from surveys.site.errors import Refused

# The time without a run of the timer after which the survey's team is warned.
LONGEST_WITHOUT_TIMER = timedelta(hours=2)


def count_received(survey: Survey) -> dict[str, int]:
    """Return how many responses are "released", how many are "waiting", and their sum, "received".

    Released responses are in the report, and their number is exact. Stored responses wait until
    they are released. Their number is as of the last release, and rounded down to a multiple of
    held.LEAST_IN_A_RELEASE. Raise Refused for a draft.
    """
    if survey.is_draft:
        raise Refused("A draft has no responses.")
    tally, waiting = read_released(survey.instrument)
    n_released = tally["n"]
    return {"released": n_released, "waiting": waiting, "received": n_released + waiting}


def is_settled(survey: Survey) -> bool:
    """Return whether the survey is over and its last release is done.

    The results of a settled survey change only if it is reopened.

    The last release is done if it left fewer than held.LEAST_IN_A_RELEASE responses. If the closing
    time has come, the last release must also be that of the closing time or a later one. Files of
    an import-only survey are added without a release, so it is settled as soon as it is over.

    The number of unreleased responses is as of the last release. The current one would show when
    the twentieth response arrives to anyone who asks again and again.
    """
    instrument = survey.instrument
    closes = survey.closes
    # `waiting` is the number of unreleased responses, rounded down to a multiple of 20.
    if not survey.is_over or instrument.waiting:
        return False

    has_closing_time = not survey.import_only and closes is not None
    # Before the closing time, the survey was closed by hand, and this has released at once.
    if not has_closing_time or closes > clock.clock_now():
        return True

    last_release = clock.happened(instrument.looked)
    return last_release is not None and last_release >= closes


def is_neglected(survey: Survey) -> bool:
    """Return whether the timer (“manage.py seal”) has not run for a survey for too long.

    This is longer than LONGEST_WITHOUT_TIMER, counted from the last release, even if it released
    nothing; if there was none, from publishing; or else from creation. A time in the future is
    ignored, since the clock was wrong. If no time is left, return True.

    Return False for a draft, an import-only survey, and one that was closed by hand. A survey that
    was closed by its closing time still needs the timer.
    """
    # The status of a survey does not change when its closing time comes.
    needs_timer = survey.status in (Survey.Status.OPEN, Survey.Status.PAUSED)
    if not needs_timer or survey.import_only:
        return False

    published = survey.events.filter(what=What.PUBLISHED).values_list("when", flat=True).last()
    # The column `looked` has the hour of the last release.
    last_sign = clock.happened(survey.instrument.looked)
    if last_sign is None:
        last_sign = clock.happened(published)
    if last_sign is None:
        last_sign = clock.happened(survey.created)
    return last_sign is None or last_sign < clock.clock_now() - LONGEST_WITHOUT_TIMER
