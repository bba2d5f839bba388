"""Writing the history: one line for each thing that a researcher did to a survey."""

from django.contrib.auth.models import AbstractBaseUser

from surveys.models import Event, Survey

What = Event.What
LENGTH = 600
# What changed the survey itself, its texts, its state or what is known of it; not its team, files or place in a list.
EDITS = (
    *(What.CREATED, What.CHANGED, What.PUBLISHED, What.PREPARED, What.IMPORTED),
    *(What.SCHEDULED, What.PAUSED, What.REOPENED, What.CLOSED),
)


def record(
    survey: Survey | None, user: AbstractBaseUser | None, what: str, detail: str = ""
) -> Event:
    """user: None for the site itself, as when a command runs. survey: None of one that is no more."""
    name = user.get_username() if user else "the site"
    return Event.objects.create(
        survey=survey, user=user, name=name, what=what, detail=detail[:LENGTH]
    )
