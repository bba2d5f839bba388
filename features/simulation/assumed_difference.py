"""An assumed difference: a group gives an answer, or a number, more often or less than all others."""

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

# The size that is assumed where nobody says otherwise.
USUAL = 0.1
ROUNDING = 1e-9
# The keys of answers that a message lists.
MOST_LISTED = 8
ALL_ALIKE = (
    "Choose another group. This one has no one in it, or everyone, so there is nothing to compare."
)
# The assumed share of each answer, by the key of the question.
Shares = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Difference:
    """A difference between a group and all others, or by a number.

    outcome: an answer to a scrambled question, or the mean of its numbers.
    by: a background question.
    group: the code of an answer to `by`; None if `by` asks for a number.
    size: how much higher the outcome is in the group than in all others, or for each UNIT more of
        the number: a fraction, for a mean a part of the range of its numbers. Negative means lower.
        The shares among all people stay as they are assumed.
    """

    outcome: SurveyVariable
    by: QuestionDefinition
    group: int | None
    size: float

    @property
    def explain(self) -> str:
        """What explains the outcome, as the linked model is asked for it."""
        return f"{self.by.key}:number" if self.group is None else self.by.key

    @property
    def span(self) -> float:
        """What a size of 1 is in the unit of the outcome: the range of the numbers of a mean."""
        if not self.outcome.is_mean:
            return 1.0
        numbers = self.outcome.item.answer_values
        return float(numbers[-1] - numbers[0])

    def answer_shares(self, shares: Shares) -> FloatArray:
        """Return the shares of the answers among the people with each answer to `by`.

        The result has the shape (by.size, item.size). Raises Invalid if a share is impossible.
        """
        directions = self._directions(shares)
        if not self.steps(shares).any():
            raise Invalid({"group": ALL_ALIKE})
        overall = np.array(shares[self.outcome.item.key])
        limit = _largest_size(overall, directions if self.size > 0 else -directions)
        if abs(self.size) > limit + ROUNDING:
            way = "more" if self.size > 0 else "less"
            problem = f"With these shares at most {self._amount(limit)} {way} are possible."
            raise Invalid({"difference": problem})
        return (overall + self.size * directions).clip(0, 1)

    def values(self, shares: Shares) -> FloatArray:
        """Return the share or mean of the outcome among the people with each answer to `by`."""
        answer_shares = self.answer_shares(shares)
        if self.outcome.choice is not None:
            return answer_shares[:, self.outcome.choice]
        numbers = np.array(self.outcome.item.answer_values, dtype=np.float64)
        # The people who declined gave no number. Their share is the last one.
        gave_number = answer_shares[:, : len(numbers)]
        return gave_number @ numbers / gave_number.sum(axis=1)

    def truths(self, by: IntArray, shares: Shares, rng: np.random.Generator) -> np.ndarray:
        """Return true answers of people with these answers to `by`, as a simulation invents them."""
        item = self.outcome.item
        answer_shares = self.answer_shares(shares)
        if item.traits.select == "any":
            return (rng.random((len(by), item.size)) < answer_shares[by]).astype(np.uint8)
        truths = np.zeros(len(by), dtype=np.int64)
        for code, group_shares in enumerate(answer_shares):
            members = np.flatnonzero(by == code)
            probabilities = group_shares / group_shares.sum()
            truths[members] = rng.choice(item.size, len(members), p=probabilities)
        return truths

    def steps(self, shares: Shares) -> FloatArray:
        """Return how far each answer to `by` is from the mean of all people, shape (by.size,).

        A group is 1 and all others 0, and a number is in units of UNIT. All steps are 0 if all
        people are alike.
        """
        people = np.array(shares[self.by.key])
        if self.group is None:
            positions = np.array([int(label) for label in self.by.choices]) / UNIT
        else:
            positions = (np.arange(self.by.size) == self.group).astype(np.float64)
        steps: FloatArray = positions - people @ positions
        if np.ptp(steps[people > 0]) <= ROUNDING:
            return np.zeros(self.by.size)
        return steps

    def largest_size(self, shares: Shares) -> float:
        """Return the largest positive size that is possible; 0 if all people are alike."""
        if not self.steps(shares).any():
            return 0.0
        return _largest_size(np.array(shares[self.outcome.item.key]), self._directions(shares))

    def direction(self, shares: Shares) -> FloatArray:
        """Return how the shares of the answers change with the size, for people one step above.

        The result has the shape (item.size,). Over all people the changes add up to 0, because
        their steps do.
        """
        item = self.outcome.item
        overall = np.array(shares[item.key], dtype=np.float64)
        change = np.zeros(item.size)
        if self.outcome.choice is None:
            numbers = np.array(item.answer_values, dtype=np.float64)
            gave_number = overall[: len(numbers)]
            weights = gave_number / gave_number.sum()
            distances = numbers - weights @ numbers
            variance = weights @ distances**2
            # Shares that change in proportion to the distance from the mean move it the most evenly.
            if variance > 0:
                change[: len(numbers)] = self.span * gave_number * distances / variance
            return change
        change[self.outcome.choice] = 1.0
        rest = 1 - overall[self.outcome.choice]
        if item.traits.select != "any" and rest > 0:
            # All other answers give way in proportion to their shares.
            is_other = np.arange(item.size) != self.outcome.choice
            change[is_other] = -overall[is_other] / rest
        return change

    def in_words(self, shares: Shares) -> str:
        """Return the assumption: "Assumed: 28.0% of “South” and 18.0% of all others …"."""
        if self.outcome.choice is None:
            return self._mean_in_words(shares)
        answer = (
            f"have the true answer “{self.outcome.item.choices[self.outcome.choice]}” to "
            f"“{self.outcome.item.text}”"
        )
        if self.group is None:
            way = "more" if self.size > 0 else "fewer"
            step = f"for each {UNIT} more in “{self.by.text}”"
            return f"Assumed: {step} {self._amount(abs(self.size))} {way} {answer}."
        group_share, other_share = self._group_and_others(shares)
        group = f"“{self.by.choices[self.group]}”"
        return (
            f"Assumed: {format_percent(group_share)} of {group} and "
            f"{format_percent(other_share)} of all others {answer}."
        )

    def _mean_in_words(self, shares: Shares) -> str:
        mean = f"the true mean of “{self.outcome.item.text}” is"
        if self.group is None:
            way = "higher" if self.size > 0 else "lower"
            step = f"for each {UNIT} more in “{self.by.text}”"
            return f"Assumed: {step} {mean} {self._amount(abs(self.size))} {way}."
        group_mean, other_mean = self._group_and_others(shares)
        group = f"“{self.by.choices[self.group]}”"
        return f"Assumed: {mean} {group_mean:.3g} for {group} and {other_mean:.3g} for all others."

    def _group_and_others(self, shares: Shares) -> tuple[float, float]:
        """Return the outcome in the group, and among all others, who have the same one."""
        values = self.values(shares)
        other_code = (self.group + 1) % self.by.size
        return float(values[self.group]), float(values[other_code])

    def _directions(self, shares: Shares) -> FloatArray:
        """Return how the shares of the answers change with the size, shape (by.size, item.size)."""
        return np.outer(self.steps(shares), self.direction(shares))

    def _amount(self, size: float) -> str:
        """Return a size with its unit: "2.5 percentage points", "1.2 hours"."""
        if not self.outcome.is_mean:
            return f"{points_in_view(size, 1)} percentage points"
        unit = self.outcome.item.unit or "points"
        return f"{size * self.span:.3g} {unit}"


def _largest_size(overall: FloatArray, directions: FloatArray) -> float:
    """Return the largest size with which every share stays between 0 and 1."""
    if not directions.any():
        return 0.0
    room = np.full(directions.shape, np.inf)
    rises, falls = directions > 0, directions < 0
    shares = np.broadcast_to(overall, directions.shape)
    room[rises] = (1 - shares[rises]) / directions[rises]
    room[falls] = shares[falls] / -directions[falls]
    return float(room.min())


def outcomes(items: Iterable[QuestionDefinition]) -> list[tuple[str, str]]:
    """Return each answer and each mean that may differ, as an address names it, with its label."""
    options = []
    for item in items:
        if item.mechanism is None or item.is_written or not item.makes_groups:
            continue
        for name, label in selection.answers_of(item):
            options.append((name, f"{label} · {item.text}"))
    return options


def groups(items: Iterable[QuestionDefinition]) -> list[tuple[str, str]]:
    """Return each group that may differ, and after them each number, with labels."""
    group_options, number_options = [], []
    for item in items:
        if item.mechanism is not None or item.size < 2 or not item.makes_groups:
            continue
        if item.traits.is_background_number:
            number_options.append((item.key, f"Per {UNIT} more · {item.text}"))
            continue
        for code, label in enumerate(item.choices):
            if code != item.decline_code:
                group_options.append((f"{item.key}:{code}", f"{label} · {item.text}"))
    return group_options + number_options


def read(
    items: Sequence[QuestionDefinition], outcome: str, group: str, difference: float
) -> Difference:
    """Return the difference that names describe: "tax:1" or "hours", and "region:1" or "age".

    Raises Invalid at outcome, group or difference.
    """
    errors = {}
    if problem := _choice_problem(outcome, outcomes(items)):
        errors["outcome"] = problem
    if problem := _choice_problem(group, groups(items)):
        errors["group"] = problem
    if not -1 <= difference <= 1 or not difference:
        errors["difference"] = (
            f"The difference must be from −100 to 100{NBSP}percentage points, and not 0."
        )
    if errors:
        raise Invalid(errors)
    return _named_difference(items, outcome, group, difference)


def usual(items: Sequence[QuestionDefinition], shares: Shares) -> tuple[str, str, float] | None:
    """Return the outcome, group and size that are assumed where nobody says otherwise.

    Return None if nothing can differ.
    """
    for outcome, _ in outcomes(items):
        for group, _ in groups(items):
            difference = _named_difference(items, outcome, group, USUAL)
            # Cut to a tenth of a percentage point, so that it stays possible.
            limit = int(difference.largest_size(shares) * 1000) / 1000
            size = min(USUAL, limit)
            if size > 0:
                return outcome, group, size
    return None


def _choice_problem(name: str, options: Iterable[tuple[str, str]]) -> str:
    """Return why a name is none of the options; "" if it is one."""
    names = [option for option, _ in options]
    if name in names:
        return ""
    listed = ", ".join(names[:MOST_LISTED]) or "none"
    return f"“{name[: selection.LONGEST]}” is not one of these: {listed}."


def _named_difference(
    items: Sequence[QuestionDefinition], outcome: str, group: str, size: float
) -> Difference:
    item_by_key = {item.key: item for item in items}
    outcome_key, _, choice = outcome.partition(":")
    by_key, _, code = group.partition(":")
    return Difference(
        outcome=SurveyVariable(item_by_key[outcome_key], int(choice) if choice else None),
        by=item_by_key[by_key],
        group=int(code) if code else None,
        size=size,
    )
