"""What the author of a draft should know before tickets are given out."""

from collections.abc import Iterator

from surveys.authoring.planning.overview import Overview
from surveys.authoring.planning.uniqueness import (
    FEWER_QUESTIONS,
    RECOGNIZED,
    Uniqueness,
    uniqueness_of,
)
from surveys.models import Survey
from surveys.site.number_format import count_of

SMALL = 20  # people, below whom nobody is hidden among the others
TOO_FEW = "Fewer than 20 hide no one well, and fewer than 20 responses give no report."


def warnings(survey: Survey, seen: Overview) -> Iterator[tuple[str, str]]:
    """(in short, as a sentence) what deserves a thought before tickets are given out."""
    if not survey.tickets:
        return
    people = survey.invitees.count()
    if people < SMALL:
        yield (
            f"{people} invited",
            f"{count_of(people, 'person is', 'people are')} invited. {TOO_FEW}",
        )
    unique = uniqueness_of(survey, seen.background_sizes)
    if (
        unique is not None
        and people >= SMALL
        and not unique.is_expected
        and people / unique.combinations < SMALL
    ):
        yield "Small groups", _small_groups(unique)


def _small_groups(unique: Uniqueness) -> str:
    """Return what follows where few people share each combination of background answers, and no one has their own."""
    shared_by = unique.people / unique.combinations
    sentences = [
        f"Background answers are not scrambled. They can be combined in {unique.combinations:,} ways, so on average "
        f"about {shared_by:.0f} of {unique.people:,} people share one combination. That is fewer than {SMALL}.",
        RECOGNIZED,
    ]
    if unique.is_draft:
        sentences.append(FEWER_QUESTIONS)
    return " ".join(sentences)
