"""The history of surveys: what researchers did to a survey is stored as events."""

from django.contrib.auth.models import AbstractBaseUser

from surveys.models import Event, Survey

What = Event.What
# The most characters of the detail of an event. The rest is cut off.
DETAIL_LENGTH = 600
# Events that change the survey itself: its texts, its state, or what is known of it. Events of
# its team, its files or its place in a list are not among them.
EDIT_EVENTS = (
    What.CREATED,
    What.CHANGED,
    What.PUBLISHED,
    What.PREPARED,
    What.IMPORTED,
    What.SCHEDULED,
    What.PAUSED,
    What.REOPENED,
    What.CLOSED,
)


def record(
    survey: Survey | None, user: AbstractBaseUser | None, what: str, detail: str = ""
) -> Event:
    """Store an event in the history of a survey, and return the event.

    Code calls this when a researcher, or the site, has done something to a survey or its team.

    survey: None if the survey has been deleted.
    user: the user who did it, or None for the site itself, as when a command runs.
    what: one of `What`, the kinds of events.
    detail: what the event was about, such as the name of a file. It is cut to DETAIL_LENGTH
        characters.
    """
    # The name is stored besides the user, since the history keeps it when the account is deleted.
    name = user.get_username() if user else "the site"
    return Event.objects.create(
        survey=survey, user=user, name=name, what=what, detail=detail[:DETAIL_LENGTH]
    )
