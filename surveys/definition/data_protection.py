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
        return (
            f"The responses would be deleted on {survey.delete_on}, which is past. Choose a later day, or take it out."
        )
    return wrong_closing(survey, survey.closes)


def wrong_closing(survey: Survey, closes: datetime | None) -> str:
    """Why the survey cannot close then; nothing where it can."""
    due = deletion(survey)
    if due is None or closes is None or closes <= due:
        return ""
    return (
        f"The responses are to be deleted on {survey.delete_on}, and the survey would close after that day has begun "
        f"(00:00 UTC), on {closes.astimezone(UTC):%Y-%m-%d %H:%M} UTC. Close it before, or delete later."
    )
