"""The day on which the responses of a survey are deleted, and what must happen before it."""

from datetime import UTC, datetime, time

from surveys.models import Survey
from surveys.site import clock


def deletion_settings(survey: Survey) -> dict[str, str]:
    """Return the part of an instrument about deletion; empty if the survey names no day."""
    if not survey.delete_on:
        return {}
    return {"delete_on": survey.delete_on.isoformat()}


def deletion_time(survey: Survey) -> datetime | None:
    """Return when the responses must be deleted, at the start of the day in UTC, or None."""
    if not survey.delete_on:
        return None
    return datetime.combine(survey.delete_on, time(), UTC)


def is_deletion_due(survey: Survey) -> bool:
    """Return whether the time has come at which the responses must be deleted.

    Return False if the survey names no day of deletion.
    """
    due = deletion_time(survey)
    return due is not None and due <= clock.clock_now()


def deletion_problem(survey: Survey) -> str:
    """Return why the day of deletion keeps a draft from being published, or an empty string.

    The day must not have begun yet, in UTC, and the closing time must not be after its start. There
    is no problem if the survey names no day of deletion.
    """
    if is_deletion_due(survey):
        return f"Choose a later day of deletion, or remove it. {survey.delete_on} is past."
    return closing_problem(survey, survey.closes)


def closing_problem(survey: Survey, closes: datetime | None) -> str:
    """Return why the survey cannot close at this time, or an empty string if it can.

    It must close before its responses are deleted, since a later closing time would never come: the
    site closes a survey that is still open when it deletes the responses. For the same reason a
    survey without a closing time has no problem. Nor has one without a day of deletion.

    closes: the closing time, or None for none.
    """
    due = deletion_time(survey)
    if due is None or closes is None or closes <= due:
        return ""
    return (
        f"Close the survey before {survey.delete_on}, or choose a later day of deletion. "
        f"It would close on {closes.astimezone(UTC):%Y-%m-%d %H:%M} UTC, and the responses are "
        "deleted from 00:00 UTC of that day."
    )
