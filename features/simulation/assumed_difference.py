"""An assumed difference: people of one group give an answer more often, or less, than all others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mechanisms.checks import FloatArray, IntArray
from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis import selection
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.predictors import UNIT
from surveys.site.errors import Invalid
from surveys.site.number_format import NBSP, format_percent, points_in_view

USUAL = 0.1  # of all people, where nobody says otherwise
ROUNDING = 1e-9
Shares = Mapping[
    str, Sequence[float]
]  # question key -> of each answer, as a rehearsal assumes them


@dataclass(frozen=True)
class Difference:
    """outcome: one answer to a scrambled question. by: a background question; group: the code of one of its answers,
    None for a number. size: by how much the share of the outcome is higher in the group than in all others, a fraction,
    or how much higher per UNIT more of the number. The assumed share of all people stays as it is.
    """

    outcome: SurveyVariable
    by: QuestionDefinition
    group: int | None
    size: float

    @property
    def explain(self) -> str:
        """What explains the outcome, as the analysis is asked for it."""
        return f"{self.by.key}:number" if self.group is None else self.by.key

    def chances(self, shares: Shares) -> FloatArray:
        """The share of the outcome among those with each answer to `by`. Invalid where one is no share."""
        share, step = (
            shares[self.outcome.item.key][self.outcome.choice],
            _step(self.by, self.group, shares),
        )
        if not step.any():
            raise Invalid(
                {
                    "group": (
                        "Choose another group. This one has no one in it, or everyone, so there is nothing to compare."
                    )
                }
            )
        shifted: FloatArray = share + self.size * step
        if shifted.min() < -ROUNDING or shifted.max() > 1 + ROUNDING:
            limit = most(share, step if self.size > 0 else -step)
            way = "more" if self.size > 0 else "less"
            raise Invalid(
                {"difference": f"With these shares at most {_points(limit)} {way} are possible."}
            )
        return shifted.clip(0, 1)

    def truths(self, by: IntArray, shares: Shares, rng: np.random.Generator) -> np.ndarray:
        """What people with these answers to `by` would truly answer, as a rehearsal invents it."""
        item, choice = self.outcome.item, self.outcome.choice
        is_true = rng.random(len(by)) < self.chances(shares)[by]
        if item.traits.select == "any":
            drawn = (rng.random((len(by), item.size)) < np.array(shares[item.key])).astype(np.uint8)
            drawn[:, choice] = is_true
            return drawn
        others = np.array(shares[item.key], dtype=np.float64)
        others[choice] = 0
        return np.where(is_true, choice, rng.choice(item.size, len(by), p=others / others.sum()))

    def in_words(self, shares: Shares) -> str:
        """ "Assumed: 28.0% of “South” and 18.0% of all others have the true answer “Yes” to “...”." """
        answer = (
            f"have the true answer “{self.outcome.item.choices[self.outcome.choice]}” to "
            f"“{self.outcome.item.text}”"
        )
        if self.group is None:
            way = "more" if self.size > 0 else "fewer"
            per = f"for each {UNIT} more in “{self.by.text}”"
            return f"Assumed: {per} {_points(abs(self.size))} {way} {answer}."
        chances = self.chances(shares)
        rest = chances[(self.group + 1) % self.by.size]
        group = f"“{self.by.choices[self.group]}”"
        return (
            f"Assumed: {format_percent(chances[self.group])} of {group} and "
            f"{format_percent(rest)} of all others {answer}."
        )


def _points(size: float) -> str:
    return f"{points_in_view(size, 1)} percentage points"


def _step(by: QuestionDefinition, group: int | None, shares: Shares) -> FloatArray:
    """How far each answer to `by` is from the mean of all people: in the group or not, or a number in units.

    All 0 where all people are alike.
    """
    people = np.array(shares[by.key])
    at = (
        np.arange(by.size) == group
        if group is not None
        else np.array([int(label) for label in by.choices]) / UNIT
    )
    away: FloatArray = at - people @ at
    there = away[people > 0]
    return away if np.ptp(there) > ROUNDING else np.zeros(by.size)


def most(share: float, step: FloatArray) -> float:
    """The largest size with which every share stays a share."""
    with np.errstate(divide="ignore"):
        room = np.where(
            step > 0, (1 - share) / np.abs(step), np.where(step < 0, share / np.abs(step), np.inf)
        )
    return float(room.min())


def outcomes(items: Iterable[QuestionDefinition]) -> list[tuple[str, str]]:
    """Each answer that may differ, as an address names it, with its label."""
    scrambled = [
        item
        for item in items
        if item.mechanism is not None and item.tells_shares and item.makes_groups
    ]
    return [
        (name, f"{label} · {item.text}")
        for item in scrambled
        for name, label in selection.answers_of(item)
    ]


def groups(items: Iterable[QuestionDefinition]) -> list[tuple[str, str]]:
    """Each group that may differ, and each number; the groups first."""
    own = [item for item in items if item.mechanism is None and item.size > 1 and item.makes_groups]
    named = [
        (f"{item.key}:{code}", f"{label} · {item.text}")
        for item in own
        if not item.traits.is_background_number
        for code, label in enumerate(item.choices)
        if code != item.decline_code
    ]
    numbers = [item for item in own if item.traits.is_background_number]
    return [*named, *((item.key, f"Per {UNIT} more · {item.text}") for item in numbers)]


def read(
    items: Sequence[QuestionDefinition], outcome: str, group: str, difference: float
) -> Difference:
    """ "tax:1", "region:1" or "age" -> a difference. Invalid at outcome, group or difference."""
    errors = {}
    for name, text, allowed in (
        ("outcome", outcome, outcomes(items)),
        ("group", group, groups(items)),
    ):
        if text not in dict(allowed):
            names = ", ".join(each for each, _ in allowed[:8]) or "none"
            errors[name] = f"“{text[: selection.LONGEST]}” is not one of these: {names}."
    if not -1 <= difference <= 1 or not difference:
        errors["difference"] = (
            f"The difference must be from −100 to 100{NBSP}percentage points, and not 0."
        )
    if errors:
        raise Invalid(errors)
    known = {item.key: item for item in items}
    (key, _, choice), (by, _, code) = outcome.partition(":"), group.partition(":")
    return Difference(
        SurveyVariable(known[key], int(choice)), known[by], int(code) if code else None, difference
    )


def usual(items: Sequence[QuestionDefinition], shares: Shares) -> tuple[str, str, float] | None:
    """The outcome, group and size that are assumed where nobody says otherwise; None where nothing can differ."""
    known = {item.key: item for item in items}
    for outcome, _ in outcomes(items):
        key, _, choice = outcome.partition(":")
        for group, _ in groups(items):
            by, _, code = group.partition(":")
            step = _step(known[by], int(code) if code else None, shares)
            limit = most(shares[key][int(choice)], step) if step.any() else 0.0
            size = min(USUAL, int(limit * 1000) / 1000)
            if size > 0:
                return outcome, group, size
    return None
