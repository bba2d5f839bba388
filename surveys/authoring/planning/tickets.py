"""What the author of a draft should know before tickets are given out."""

from collections.abc import Iterator
from math import prod

from surveys.authoring.planning.overview import Overview
from surveys.models import Survey
from surveys.site.number_format import count_of

SMALL = 20  # people, below whom nobody is hidden among the others
TOO_FEW = "Fewer than 20 hide no one well, and fewer than 20 responses give no report."
FEWER_QUESTIONS = "Ask fewer background questions, or with fewer choices."


def warnings(survey: Survey, seen: Overview) -> Iterator[tuple[str, str]]:
    """(in short, as a sentence) what deserves a thought before tickets are given out."""
    if not survey.tickets:
        return
    people = survey.invitees.count()
    if people < SMALL:
        yield f"{people} invited", f"{count_of(people, 'person is', 'people are')} invited. {TOO_FEW}"
    sizes = [len(line.choices) for line in seen.lines if not line.is_sensitive and len(line.choices) > 1]
    combinations = prod(sizes)
    if people >= SMALL and sizes and people / combinations < SMALL:
        yield "Small groups", _small_groups(people, combinations, is_draft=survey.is_draft)


def _small_groups(people: int, combinations: int, *, is_draft: bool) -> str:
    """Return what follows where the background answers can be combined in so many ways. Only a draft can be changed."""
    if combinations * 2 > people:
        follows = f"and only {people:,} people are invited. So many people may be the only one with theirs."
    else:
        follows = (
            f"so on average about {people / combinations:.0f} of the {people:,} invited people share one combination, "
            f"fewer than {SMALL}."
        )
    sentences = [
        f"Background answers are not scrambled. They can be combined in {combinations:,} ways, {follows}",
        "Someone who knows these answers of a person may recognize the response.",
    ]
    if is_draft:
        sentences.append(FEWER_QUESTIONS)
    return " ".join(sentences)
