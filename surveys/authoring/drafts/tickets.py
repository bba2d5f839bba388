"""Whether a draft asks invited people only, and in how many steps; and what its author should know about it."""

from collections.abc import Iterator
from math import prod

from django.contrib.auth.models import AbstractBaseUser

from surveys.authoring.drafts.drafts import changing
from surveys.authoring.planning.overview import Overview
from surveys.models import Survey
from surveys.site.errors import Invalid

SMALL = 20  # people, below whom nobody is hidden among the others
HINTS = {
    Survey.Tickets.NONE: "Whoever has the link can answer, also more than once.",
    Survey.Tickets.ONE: "People take a ticket and may answer right away. Whoever watches or logs the site’s "
    "connections can then guess by time and address which response is whose: in a trial 88 of 100 such "
    "pairs were matched.",
    Survey.Tickets.TWO: "People take their tickets until the survey opens. Then answers open, and no more tickets are "
    "given out. In the same trial 0.4 of 100 were matched, no more than by guessing. From 20 people on this is the "
    "usual way. It needs an opening time, which can only move later.",
}
TOO_FEW = (
    "{people} people are invited. Among fewer than 20 nobody is hidden well, and fewer than 20 answers show nothing."
)


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


def warnings(survey: Survey, seen: Overview) -> Iterator[tuple[str, str]]:
    """(in short, as a sentence) what deserves a thought before tickets are given out."""
    if not survey.tickets:
        return
    people = survey.invitees.count()
    if people < SMALL:
        yield f"{people} invited", TOO_FEW.format(people=f"{people:,}")
    sizes = [len(line.choices) for line in seen.lines if not line.is_sensitive and len(line.choices) > 1]
    if people >= SMALL and sizes and (each := people / prod(sizes)) < SMALL:
        yield (
            "Small groups",
            f"Background answers are sent as they are. They make {prod(sizes):,} groups, so of {people:,} invited "
            f"people {each:.1f} are in one on average, fewer than {SMALL}: whoever knows some people may recognise a "
            "response by its background answers. Ask fewer of them, or with fewer choices.",
        )
