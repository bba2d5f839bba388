"""The day on which a survey says that its responses are deleted, and what may not come after it."""

from datetime import UTC, datetime, time

from django.utils import timezone

from surveys.models import Survey


def written(survey: Survey) -> dict[str, str]:
    """What the instrument holds beside the texts; empty where the survey names no day."""
    return {"delete_on": survey.delete_on.isoformat()} if survey.delete_on else {}


def deletion(survey: Survey) -> datetime | None:
    """From when on the responses are to be gone: the day begins in UTC, which every reader can reckon from."""
    return datetime.combine(survey.delete_on, time(), UTC) if survey.delete_on else None


def is_reached(survey: Survey) -> bool:
    """Whether that day has come."""
    due = deletion(survey)
    return due is not None and due <= timezone.now()


def problem(survey: Survey) -> str:
    """Why a survey with these times cannot be published; nothing where it can."""
    if is_reached(survey):
        return f"Choose a later day of deletion, or remove it. {survey.delete_on} is past."
    return wrong_closing(survey, survey.closes)


def wrong_closing(survey: Survey, closes: datetime | None) -> str:
    """Why the survey cannot close then; nothing where it can."""
    due = deletion(survey)
    if due is None or closes is None or closes <= due:
        return ""
    return (
        f"Close the survey before {survey.delete_on}, or choose a later day of deletion. It would close on "
        f"{closes.astimezone(UTC):%Y-%m-%d %H:%M} UTC, and the responses are deleted from 00:00 UTC of that day."
    )
