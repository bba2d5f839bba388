"""How many have answered, as far as anybody may know: in whole groups, and only as of the last release."""

from datetime import timedelta

from surveys.accounts.history import What
from surveys.fieldwork.responses import held
from surveys.fieldwork.responses.released import read_released
from surveys.models import Survey
from surveys.site import clock
from surveys.site.errors import Refused

LEAST = held.LEAST  # whoever tells of numbers tells of their groups
PATIENCE = timedelta(hours=2)  # without a release run, until those who run the survey are told


def count_received(survey: Survey) -> dict[str, int]:
    """Return how many responses are released and waiting. Raises Refused for a draft."""
    if survey.is_draft:
        raise Refused("A draft has no responses.")
    tally, waiting = read_released(survey.instrument)
    return {"released": tally["n"], "waiting": waiting, "received": tally["n"] + waiting}


def is_settled(survey: Survey) -> bool:
    """Whether the survey is closed and its last release is made: its results can change no more unless it is opened.

    By what the last run noted: whoever asks again and again must not learn when a twentieth response comes.
    """
    instrument, closes = survey.instrument, survey.closes
    if not survey.is_over or instrument.waiting:
        return False
    by_time = not survey.import_only and closes is not None and closes <= clock.clock_now()
    looked = clock.happened(instrument.looked)
    return not by_time or (looked is not None and looked >= closes)


def is_neglected(survey: Survey) -> bool:
    """Whether the timer that seals and releases does not run: people may answer, and nobody ever looks."""
    taking = survey.status in (Survey.Status.OPEN, Survey.Status.PAUSED) and not survey.import_only
    if not taking:
        return False
    opened = survey.events.filter(what=What.PUBLISHED).values_list("when", flat=True).last()
    begun = (
        clock.happened(survey.instrument.looked)
        or clock.happened(opened)
        or clock.happened(survey.created)
    )
    return begun is None or begun < clock.clock_now() - PATIENCE
