"""Whether a draft asks invited people only, and in how many steps."""

from django.contrib.auth.models import AbstractBaseUser

from surveys.authoring.drafts.drafts import changing
from surveys.models import Survey
from surveys.site.errors import Invalid

HINTS = {
    Survey.Tickets.NONE: "Whoever has the link can answer, also more than once.",
    Survey.Tickets.ONE: "People take a ticket and may answer right away. Whoever watches or logs the site’s "
    "connections can then guess by time and address which response is whose: in a trial 88 of 100 such "
    "pairs were matched.",
    Survey.Tickets.TWO: "People take their tickets until the survey opens. Then answers open, and no more tickets are "
    "given out. In the same trial 0.4 of 100 were matched, no more than by guessing. From 20 people on this is the "
    "usual way. It needs an opening time, which can only move later.",
}


def set_tickets(
    *, survey: Survey, tickets: str, by: AbstractBaseUser | None = None, edition: int | None = None
) -> Survey:
    """tickets: "" for anybody who has the link, "one" or "two" for invited people, by the number of steps.

    Raises surveys.site.errors.Invalid, and Refused for a survey that is no draft.
    """
    if tickets not in Survey.Tickets.values:
        raise Invalid({"tickets": "Choose one of these ways."})
    with changing(survey, ("tickets",), by, edition) as held:
        if tickets and held.import_only:
            raise Invalid({"tickets": "This survey takes its responses from files, so it invites nobody."})
        if not tickets and (people := held.invitees.count()):
            raise Invalid({"tickets": f"{people:,} people are invited. Take them off the list first."})
        held.tickets = tickets
    return held
