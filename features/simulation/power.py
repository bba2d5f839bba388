"""What an analysis says of invented people who differ as assumed, and how many people such a difference takes."""

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from features.regression.model.model import Model, model
from features.simulation.assumed_difference import ROUNDING, Difference, Shares
from mechanisms.checks import FloatArray
from mechanisms.planning import power_of_groups, sample_size_of_groups
from mechanisms.planning.channels import Channel
from surveys.authoring.planning.precision import respondents_needed
from surveys.definition.instrument import SurveyDefinition
from surveys.fieldwork.responses.records import count_responses, has_report
from surveys.results.analysis.predictors import UNIT
from surveys.results.analysis.refusals import TooFew
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.kept import Counted
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.intervals import CONFIDENCE
from surveys.site.errors import Invalid
from surveys.site.number_format import (
    format_count,
    format_percent,
    join_with_and,
    round_up_to_two_digits,
)

POWER = 0.8


class Invented(ReaderView):
    """The sight of people who are in no database: whoever invents them sees everything."""

    def __init__(self, frozen: SurveyDefinition, rows: np.ndarray) -> None:
        self.paper, self._rows = frozen, rows

    def rows(self, group: Group) -> Iterator[np.ndarray]:
        yield self._rows

    def cached_count(self, asked: tuple[Hashable, ...], count: Callable[[], Counted]) -> Counted:
        return count()

    def tallies_by(self, group: Group, key: str) -> tuple[int, int, list[dict]]:
        chosen = np.where(has_report(self.paper, self._rows, key), self._rows[key], -1)
        sizes = {item.key: item.size for item in self.paper.items}
        parts = [
            count_responses(self.paper, self._rows[chosen == choice])
            for choice in range(sizes[key])
        ]
        return len(self._rows), len(self._rows), parts


@dataclass(frozen=True)
class Supposed:
    """model: the analysis; None where `refused` says why there is none. power: the chance that it tells the difference
    from chance with n people. needed: how many people make that POWER. Both None where a design has no such number.
    """

    difference: Difference
    assumed: str
    sizes: str  # of the groups that are compared, in words; empty for a number
    n: int
    model: Model | None
    refused: str
    power: float | None
    needed: int | None

    @property
    def sentence(self) -> str:
        """What was assumed, and how many people it takes."""
        if self.power is None or self.needed is None:
            return self.assumed
        surveys = min(max(round(100 * self.power), 1), 99)
        return (
            f"{self.assumed} With {format_count(self.n)} respondents{self.sizes} such a "
            "difference is clear in about "
            f"{surveys} of 100 surveys. For {POWER * 100:.0f} of 100 you need about "
            f"{format_count(round_up_to_two_digits(self.needed))}."
        )


def suppose(
    frozen: SurveyDefinition, rows: np.ndarray, difference: Difference, shares: Shares
) -> Supposed:
    """The analysis of these rows, which were invented with this difference."""
    fitted, refused = None, ""
    try:
        fitted = model(Invented(frozen, rows), difference.outcome.name, [difference.explain])
    except (TooFew, Invalid) as refusal:
        refused = (
            " ".join(refusal.errors.values()) if isinstance(refusal, Invalid) else str(refusal)
        )
    return Supposed(
        difference,
        difference.in_words(shares),
        _sizes(difference, shares),
        len(rows),
        fitted,
        refused,
        *planned(frozen, difference, shares, len(rows)),
    )


def _sizes(difference: Difference, shares: Shares) -> str:
    if difference.group is None:
        return ""
    people = _own(difference, shares)
    groups = people[people > 0]
    if np.ptp(groups) < ROUNDING:
        return f" in {groups.size} groups of equal size"
    return f" in {groups.size} groups ({join_with_and([format_percent(float(part), 0) for part in groups])})"


def planned(
    frozen: SurveyDefinition, difference: Difference, shares: Shares, n: int
) -> tuple[float | None, int | None]:
    """The power with n respondents, and how many there must be for POWER; see `_two_groups`."""
    item = difference.outcome.item
    if item.mechanism.line() is None:
        return None, None
    first, second, part, ratio, comparisons = _two_groups(difference, shares)
    test = Channel.of(item.mechanism, difference.outcome.choice), first, second
    options = {"alpha": (1 - CONFIDENCE) / comparisons, "ratio": ratio}
    asked = frozen.expected_share_asked(item.key)
    power = power_of_groups(*test, max(n * float(asked) * part, 1.0), **options)
    needed = math.ceil(int(sample_size_of_groups(*test, POWER, **options)) / part)
    return float(power), respondents_needed(needed, asked)


def _two_groups(difference: Difference, shares: Shares) -> tuple[float, float, float, float, int]:
    """Two groups of the author's own answers: their shares of the outcome, the first one's part of all people, how many
    times as large the second is, and how many pairs of groups there are, each of which is looked at.

    Of a group: the largest other one, which is what the model compares with. A slope is found as surely as the
    difference between two halves that are one standard deviation above and below the mean (Hsieh, Bloch and Larsen
    1998, Statistics in Medicine 17).
    """
    people, chances = np.array(shares[difference.by.key]), difference.chances(shares)
    if difference.group is None:
        numbers = np.array([int(label) for label in difference.by.choices]) / UNIT
        spread = float(np.sqrt(people @ (numbers - people @ numbers) ** 2))
        share = float(people @ chances)
        low, high = np.clip(
            [share - difference.size * spread, share + difference.size * spread], 0, 1
        )
        return float(low), float(high), 0.5, 1.0, 1
    people = _own(difference, shares)
    others = np.where(np.arange(people.size) == difference.group, 0, people)
    other = int(others.argmax())
    part, ratio = float(people[other]), float(people[difference.group] / people[other])
    return (
        float(chances[other]),
        float(chances[difference.group]),
        part,
        ratio,
        math.comb(int((people > 0).sum()), 2),
    )


def _own(difference: Difference, shares: Shares) -> FloatArray:
    """The parts of the people in each group, “Prefer not to say” left out."""
    people = np.array(shares[difference.by.key], dtype=np.float64)
    if difference.by.decline_code is not None:
        people[difference.by.decline_code] = 0
    return people / people.sum()
