"""The day on which a survey says that its responses are deleted, and what may not come after it."""

from datetime import UTC, datetime, time

from django.utils import timezone

from surveys.models import Survey


def deletion_settings(survey: Survey) -> dict[str, str]:
    """Return what the instrument stores about deletion; empty if the survey names no day."""
    return {"delete_on": survey.delete_on.isoformat()} if survey.delete_on else {}


def deletion_time(survey: Survey) -> datetime | None:
    """Return when the responses must be deleted, at the start of the day in UTC, or None."""
    return datetime.combine(survey.delete_on, time(), UTC) if survey.delete_on else None


def is_reached(survey: Survey) -> bool:
    """Whether that day has come."""
    due = deletion_time(survey)
    return due is not None and due <= timezone.now()


def deletion_problem(survey: Survey) -> str:
    """Return why a survey with these times cannot be published, or an empty string."""
    if is_reached(survey):
        return f"Choose a later day of deletion, or remove it. {survey.delete_on} is past."
    return wrong_closing(survey, survey.closes)


def wrong_closing(survey: Survey, closes: datetime | None) -> str:
    """Why the survey cannot close then; nothing where it can."""
    due = deletion_time(survey)
    if due is None or closes is None or closes <= due:
        return ""
    return (
        f"Close the survey before {survey.delete_on}, or choose a later day of deletion. It would close on "
        f"{closes.astimezone(UTC):%Y-%m-%d %H:%M} UTC, and the responses are deleted from 00:00 UTC of that day."
    )
