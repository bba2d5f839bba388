"""The numbers in the explanations that respondents read, computed from the mechanism.

The words around the odds are in templates/respondent/parts, so that any page can show exactly what
respondents will see:

    {% load respond %}
    {% include "respondent/parts/scrambled.html" with item=item odds=item|odds %}

`item` is a sensitive QuestionDefinition of an instrument; freezing.build_question_definition makes
one of a question in a draft.

Wrap the includes in {% language "de" %} for another language.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from mechanisms import odds_percent
from surveys.definition.instrument import QuestionDefinition

# The largest number of people of whom the counts are.
MOST_PEOPLE = 1_000_000
# The largest number of people that is easy to imagine although it is not round, as in 1 of 6.
LARGEST_SMALL_NUMBER = 12
# The largest number of times in 100 that a guess between two answers of one person may be right.
MOST_RIGHT_GUESSES = 99


@dataclass(frozen=True)
class Odds:
    """The numbers of people for whom one answer is recorded: of those who choose it, and of others.

    Explanations for respondents state them: of 100 people who choose Yes, Yes is recorded for 75,
    and of 100 people who do not choose it, for 25.

    shape: what is recorded.
        "pair": one of two answers; the counts are about the answer that people read first.
        "direct": any one of several answers.
        "band": a number in the range that belongs to the answer.
        "group": a group of answers that includes this one.
        "text": a number that fits the text of the respondent, or any other text.
        "marks": every option, as selected or not; the counts are of options recorded as selected.
        "picked": as "marks", but only for `n_sent` options, which the device picks.
        "bits": bits that a text sets; the counts are of bits that are sent as set.
    size: the number of answers.
    total: the number of people who choose the answer, and of people who do not; 100 in the example.
        With "bits" it is a number of bits.
    recorded_if_chosen: for how many of `total` people the answer is recorded, if they choose it.
    recorded_if_other: for how many of `total` people it is recorded, if they do not choose it.
    is_rounded: True if the counts are rounded.
    n_sent: the number of options that are sent.
    """

    shape: str
    size: int
    total: int
    recorded_if_chosen: int
    recorded_if_other: int
    is_rounded: bool
    n_sent: int

    @property
    def unrecorded_if_chosen(self) -> int:
        """The number of people for whom the answer is not recorded, of `total` who choose it."""
        return self.total - self.recorded_if_chosen

    @property
    def unrecorded_if_other(self) -> int:
        """The number of people for whom it is not recorded, of `total` who choose another one."""
        return self.total - self.recorded_if_other


class PeopleCounts(NamedTuple):
    """Probabilities as whole numbers of people: `counts` of `total` people."""

    total: int
    counts: tuple[int, ...]
    is_rounded: bool


def odds(item: QuestionDefinition, first: int = 0) -> Odds:
    """Return how often an answer to a sensitive question is recorded, as explanations state it.

    first: the code of the answer that people read first; the odds of a pair are about this answer.
    """
    # The probabilities that the answer is recorded if it is chosen, and if another one is.
    shape, if_chosen, if_other = item.mechanism.contrast(first)
    people = as_people(if_chosen, if_other)
    recorded_if_chosen, recorded_if_other = people.counts
    # Most designs send all options; some send only a part of them.
    n_sent = round(item.mechanism.reported_fraction * item.size)
    return Odds(
        shape=shape,
        size=item.size,
        total=people.total,
        recorded_if_chosen=recorded_if_chosen,
        recorded_if_other=recorded_if_other,
        is_rounded=people.is_rounded,
        n_sent=n_sent,
    )


def as_people(*probabilities: Fraction) -> PeopleCounts:
    """Return probabilities as whole numbers of people: 3/4 and 1/4 are 75 and 25 of 100 people.

    The counts are exact if at most 1,000 people are enough for that. Otherwise they are rounded,
    since nobody can imagine 5,547 of 10,000 people: this is about 55 of 100, unless more people
    are needed to keep the probabilities apart.
    """
    # Counts are exact if the number of people is a multiple of this denominator.
    denominator = lcm(*(probability.denominator for probability in probabilities))
    # 100 people are usual, but 1 of 6 people is easier to imagine than 17 of 100.
    total = 100
    if denominator <= LARGEST_SMALL_NUMBER and 100 % denominator:
        total = denominator
    while total < MOST_PEOPLE and not _is_clear(total, denominator, probabilities):
        total *= 10
    counts = tuple(round(probability * total) for probability in probabilities)
    return PeopleCounts(total, counts, is_rounded=total % denominator != 0)


def _is_clear(total: int, denominator: int, probabilities: tuple[Fraction, ...]) -> bool:
    """Return whether `total` people are enough to state the probabilities.

    Exact counts always are. Rounded counts are clear if none of them is 0 or `total` and if
    different probabilities have different counts. If 1,000 people give exact counts, rounded ones
    are never clear, so that `as_people`, which tries larger and larger totals, goes on to these.

    denominator: the common denominator of the probabilities.
    """
    is_exact = total % denominator == 0
    if is_exact:
        return True
    is_exact_with_1000 = 1_000 % denominator == 0
    if is_exact_with_1000:
        return False
    counts = {round(probability * total) for probability in probabilities}
    are_different = len(counts) == len(set(probabilities))
    return are_different and min(counts) > 0 and max(counts) < total


def is_beyond(epsilon: float) -> bool:
    """Return whether a privacy loss is too large: a guess can be right more than 99 times in 100.

    It is a guess between two answers of one person. Return False for exactly 99 times.
    """
    return odds_percent(epsilon) > MOST_RIGHT_GUESSES
