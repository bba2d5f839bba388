"""How many people will probably be the only ones with their combination of background answers.

Background answers are not scrambled, so such a combination is a pseudonym: it leads from a person whose answers someone
knows to their response, and from the response in one version of a survey to the one in the next.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import prod

from surveys.definition.instrument import SurveyDefinition
from surveys.models import Survey

RECOGNIZED = "Someone who knows a person’s background answers may recognize their response."
FOLLOWED = "This is a new version, so these people can be followed from version to version."
LEAST_PEOPLE = 2  # one person alone is the only one with any answers
FEWER_QUESTIONS = "Ask fewer background questions, or with fewer choices."


@dataclass(frozen=True)
class Uniqueness:
    """The people who are expected, and in how many ways their background answers can be combined."""

    people: int
    combinations: int
    is_draft: bool
    is_new_version: bool

    @property
    def expected(self) -> float:
        """The number of people who are expected to be the only ones with their combination.

        If the G combinations are equally common, each of N people shares theirs with no other with the probability
        (1 - 1/G)^(N - 1): each of the others has one of the remaining combinations, independently.
        """
        return self.people * (1 - 1 / self.combinations) ** (self.people - 1)

    @property
    def is_expected(self) -> bool:
        """True if at least one person is expected to be the only one with their combination."""
        return round(self.expected) > 0

    @property
    def in_short(self) -> str:
        """The number for a chip."""
        if not self.is_expected:
            return "None unique"
        return f"About {round(self.expected):,} unique"

    @property
    def sentence(self) -> str:
        """What an author, an ethics board or the person who invites people reads."""
        assumed = f"if all {self.combinations:,} combinations are equally common."
        if not self.is_expected:
            return (
                f"Probably none of the {self.people:,} people will be the only one with their combination of "
                f"background answers, {assumed}"
            )
        only_ones = "the only one" if round(self.expected) == 1 else "the only ones"
        sentences = [
            f"About {round(self.expected):,} of the {self.people:,} people will probably be {only_ones} with their "
            f"combination of background answers, {assumed}",
            RECOGNIZED,
        ]
        if self.is_new_version:
            sentences.append(FOLLOWED)
        if self.is_draft:
            sentences.append(FEWER_QUESTIONS)
        return " ".join(sentences)


def uniqueness_of(survey: Survey, sizes: Iterable[int]) -> Uniqueness | None:
    """Return what is expected of a survey, or None if there are no two people or no background answers to combine.

    sizes: how many answers each background question has.
    """
    several = [size for size in sizes if size > 1]
    people = survey.expected_people
    if not several or people is None or people < LEAST_PEOPLE:
        return None
    return Uniqueness(
        people=people,
        combinations=prod(several),
        is_draft=survey.is_draft,
        is_new_version=survey.predecessor_id is not None,
    )


def sentences_for_a_board(survey: Survey, frozen: SurveyDefinition) -> list[str]:
    """Return what an ethics board reads: the sentence without advice for the author, or nothing."""
    unique = uniqueness_of(
        survey, [question.size for question in frozen.items if question.mechanism is None]
    )
    return [] if unique is None else [replace(unique, is_draft=False).sentence]
