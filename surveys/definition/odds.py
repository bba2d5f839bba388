"""The numbers in the explanations that respondents read, all computed from the mechanism, and what they amount to.

The words around the odds are in templates/respondent/parts, for any page to show exactly what respondents will see:

    {% load respond %}
    {% include "respondent/parts/scrambled.html" with item=item odds=item|odds %}      the sentence of a question

`item` is a sensitive QuestionDefinition of an instrument; freeze_question makes one of a question
that is being written.

Wrap the includes in {% language "de" %} for another language.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from mechanisms import odds_percent
from surveys.definition.instrument import QuestionDefinition

MOST_PEOPLE = 1_000_000
MOST = 99  # in 100: the most that a question may give away which people are asked here


@dataclass(frozen=True)
class Odds:
    """How often one answer is recorded: for `chosen` of `of` people who choose it, and `other` of `of` who do not.

    shape "pair": two answers, the one spoken of is the first in the order they are shown; "direct": any one of several
    answers; "band": the number sent lies in one that belongs to the answer; "group": it stands for many answers, this
    one among them; "text": what is sent fits the text that was written, or any other; "marks": one mark per answer, and
    recorded means marked; "picked": the same of so many answers as are `picked` by chance, and only these are sent;
    "bits": a text sets bits of a row, and recorded means sent as set, of so many bits, not people. `about` says that
    the counts are rounded.
    """

    shape: str
    size: int
    of: int
    chosen: int
    other: int
    about: bool
    picked: int

    @property
    def not_chosen(self) -> int:
        return self.of - self.chosen

    @property
    def not_other(self) -> int:
        return self.of - self.other


def odds(item: QuestionDefinition, first: int = 0) -> Odds:
    """The odds of a sensitive question; `first` is the answer shown first, of which a pair speaks."""
    shape, chosen, other = item.mechanism.contrast(first)
    of, counts, about = as_people(chosen, other)
    picked = round(item.mechanism.reported_fraction * item.size)
    return Odds(shape, item.size, of, *counts, about, picked)


def as_people(*chances: Fraction) -> tuple[int, tuple[int, ...], bool]:
    """Chances as whole people: (of how many, how many each, whether rounded). 3/4 and 1/4 are 75 and 25 of 100.

    Exact up to 1,000 people. Nobody pictures 5,547 of 10,000: there it is about 55 of 100, where that tells the chances
    apart.
    """
    den = lcm(*(chance.denominator for chance in chances))
    if 100 % den and den <= 12:
        return den, tuple(int(chance * den) for chance in chances), False
    of = 100
    while of < MOST_PEOPLE and not _fits(of, den, chances):
        of *= 10
    return of, tuple(round(chance * of) for chance in chances), of % den != 0


def _fits(of: int, den: int, chances: tuple[Fraction, ...]) -> bool:
    """Whether so many people say it exactly; failing that, without a false 0, a false all or a false equality."""
    if of % den == 0:
        return True
    rounded = {round(chance * of) for chance in chances}
    return (
        1_000 % den != 0
        and len(rounded) == len(set(chances))
        and min(rounded) > 0
        and max(rounded) < of
    )


def is_beyond(epsilon: float) -> bool:
    """Whether the guess can be right more than 99 in 100 times; one of exactly 99 is not."""
    return odds_percent(epsilon) > MOST
