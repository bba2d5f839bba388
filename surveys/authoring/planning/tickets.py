"""What the author of a draft should know before tickets are given out."""

from collections.abc import Iterator
from math import prod

from surveys.authoring.planning.overview import Overview
from surveys.models import Survey

SMALL = 20  # people, below whom nobody is hidden among the others
TOO_FEW = "{people} people are invited. Fewer than 20 hide no one well, and fewer than 20 responses give no report."


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
            f"Background answers are not scrambled. They make {prod(sizes):,} groups, so of {people:,} invited "
            f"people {each:.1f} are in one on average, fewer than {SMALL}. Someone who knows them may recognize "
            "a response. Ask fewer of them, or with fewer choices.",
        )
