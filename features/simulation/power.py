"""What the report says of invented people who differ as assumed, and the chance that it says so."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from features.regression.model.model import Model, model
from features.regression.model.wording import sentences as model_sentences
from features.simulation.assumed_difference import ROUNDING, Difference, Shares
from features.simulation.invented import InventedView
from features.simulation.planned_means import PlannedSide, least_variance_of, planned_mean
from features.simulation.planned_page import PlannedPage, reports_about_answer, shares_asked
from mechanisms.checks import FloatArray
from mechanisms.planning.channels import Channel
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.results.analysis.groups.groups import ComparedAnswer, compare_by_address
from surveys.results.analysis.refusals import TooFew
from surveys.results.disclosure.subgroups import TooSmall
from surveys.results.report.groups import MOST_GROUPS
from surveys.site.errors import Invalid
from surveys.site.number_format import format_percent, join_with_and
from surveys.statements.family import ALONE, Family
from surveys.statements.plans import (
    NEVER,
    PlannedShare,
    Power,
    PowerStatement,
    power_of_means,
    power_of_shares,
    smallest_number_of_people,
)

Result = TypeVar("Result")


@dataclass(frozen=True)
class Attempt(Generic[Result]):
    """An analysis, or None and why there is none."""

    result: Result | None
    problem: str = ""


@dataclass(frozen=True)
class Supposed:
    """An assumed difference, the chance that the report calls it clear, and what the report says.

    assumed: the difference in words.
    plan: the chance with n people; None where a design has no such number.
    view: the invented people.
    lacks_people: True if the number of people for TARGET_POWER can be computed, and was not.
    """

    difference: Difference
    assumed: str
    plan: PowerStatement | None
    view: InventedView
    lacks_people: bool

    @property
    def sentence(self) -> str:
        """What was assumed, and the chance that the report will call it clear."""
        if self.plan is None:
            return self.assumed
        return f"{self.assumed} {self.plan.sentence}"

    @property
    def sentences(self) -> list[str]:
        """What the report says of these people: Compare about groups, Factors about a number."""
        if self.difference.group is None:
            return model_sentences(self.model.result) if self.model.result else []
        return self._comparison.result.sentences if self._comparison.result else []

    @property
    def problem(self) -> str:
        """Why the report says nothing; "" if it says something."""
        if self.difference.group is None:
            return self.model.problem
        return self._comparison.problem

    @cached_property
    def model(self) -> Attempt[Model]:
        """The linked model, which adjusts for nothing."""
        explained = [self.difference.explain]
        return attempt(lambda: model(self.view, self.difference.outcome.name, explained))

    @cached_property
    def _comparison(self) -> Attempt[ComparedAnswer]:
        by = self.difference.by.key
        return attempt(lambda: compare_by_address(self.view, by, self.difference.outcome.name))


def attempt(analysis: Callable[[], Result]) -> Attempt[Result]:
    """Return the result of an analysis, or why the report refuses it."""
    try:
        return Attempt(analysis())
    except Invalid as refusal:
        return Attempt(None, problem=" ".join(refusal.errors.values()))
    except (TooFew, TooSmall) as refusal:
        return Attempt(None, problem=str(refusal))


def suppose(
    definition: SurveyDefinition,
    rows: np.ndarray,
    difference: Difference,
    shares: Shares,
    *,
    with_people: bool = True,
) -> Supposed:
    """Return what is planned and found for invented people, whose answers have the difference.

    rows: their responses.
    with_people: whether to compute how many people are needed, which takes half a second.
    """
    plan = planned_power(definition, difference, shares, len(rows), with_people=with_people)
    return Supposed(
        difference=difference,
        assumed=difference.in_words(shares),
        plan=plan,
        view=InventedView(definition, rows),
        lacks_people=plan is not None and not with_people,
    )


def planned_power(
    definition: SurveyDefinition,
    difference: Difference,
    shares: Shares,
    n: int,
    *,
    with_people: bool = True,
) -> PowerStatement | None:
    """Return the chance that the report calls the difference clear with n respondents.

    Return None if the report makes no groups of the question.
    """
    if difference.group is not None and difference.by.size > MOST_GROUPS:
        return None
    plan = DifferencePlan(
        definition=definition,
        difference=difference,
        shares=shares,
        asked_by_key=shares_asked(definition, difference.by, shares),
    )
    people = None
    if with_people:
        people = smallest_number_of_people(lambda number: plan.power(number).chance)
    return PowerStatement(
        n=n,
        groups=_groups_in_words(difference, shares),
        power=plan.power(n),
        family=plan.family(n),
        people_for_target=people,
    )


@dataclass(frozen=True)
class DifferencePlan:
    """The plan of an assumed difference. The fields are those of `PlannedPage`."""

    definition: SurveyDefinition
    difference: Difference
    shares: Shares
    asked_by_key: Mapping[str, FloatArray]

    @property
    def item(self) -> QuestionDefinition:
        """The question whose answers differ."""
        return self.difference.outcome.item

    @cached_property
    def answer_shares(self) -> FloatArray:
        """The shares of the answers for each answer to `by`, shape (by.size, item.size)."""
        return self.difference.answer_shares(self.shares)

    def page(self, n: int) -> PlannedPage:
        """Return the page that compares the groups of n respondents."""
        return PlannedPage(
            definition=self.definition,
            by=self.difference.by,
            shares=self.shares,
            n=n,
            asked_by_key=self.asked_by_key,
        )

    def family(self, n: int) -> Family:
        """Return the statements that are decided together: of the page, or of the linked model."""
        if self.difference.group is None:
            return ALONE
        return self.page(n).family_of(self.item)

    def power(self, n: int) -> Power:
        """Return the chance that the report calls the difference clear with n respondents."""
        if self.difference.group is None:
            return self._power_of_slope(n)
        return self._power_of_group(n)

    def _power_of_group(self, n: int) -> Power:
        """Return the chance that Compare calls the named group different from all others.

        It is 0 if the page does not name the group, because it is too small.
        """
        group_code = self.difference.group
        groups = self.page(n).groups(self.item)
        named = [group for group in groups if group.codes == (group_code,)]
        if not named:
            return NEVER
        people = named[0].people
        other_people = sum(group.people for group in groups) - people
        # The answers of all others have the same shares.
        other_code = (group_code + 1) % self.difference.by.size
        return self._power_between(
            PlannedSide(self.answer_shares[group_code], reports_about_answer(self.item, people)),
            PlannedSide(
                self.answer_shares[other_code], reports_about_answer(self.item, other_people)
            ),
            self.family(n),
        )

    def _power_of_slope(self, n: int) -> Power:
        """Return the chance that the linked model calls the slope of a number clear.

        A slope is found as surely as the difference between two halves of the people, whose numbers
        are one standard deviation above and below the mean (Hsieh, Bloch and Larsen 1998,
        Statistics in Medicine 17).
        """
        people = np.array(self.shares[self.difference.by.key])
        overall = np.array(self.shares[self.item.key])
        deviation = math.sqrt(people @ self.difference.steps(self.shares) ** 2)
        change = self.difference.size * deviation * self.difference.direction(self.shares)
        asked = n * float(people @ self.asked_by_key[self.item.key])
        reports = reports_about_answer(self.item, round(asked)) // 2
        return self._power_between(
            PlannedSide((overall + change).clip(0, 1), reports),
            PlannedSide((overall - change).clip(0, 1), reports),
            ALONE,
        )

    def _power_between(self, first: PlannedSide, second: PlannedSide, family: Family) -> Power:
        outcome = self.difference.outcome
        if outcome.choice is not None and self.item.mechanism.line() is not None:
            return power_of_shares(
                Channel.of(self.item.mechanism, outcome.choice),
                PlannedShare(float(first.answer_shares[outcome.choice]), first.n),
                PlannedShare(float(second.answer_shares[outcome.choice]), second.n),
                family,
            )
        return power_of_means(
            planned_mean(outcome, first),
            planned_mean(outcome, second),
            least_variance_of(outcome),
            family,
        )


def _groups_in_words(difference: Difference, shares: Shares) -> str:
    """Return the groups in words that follow the number of respondents; "" for a number."""
    if difference.group is None:
        return ""
    people = np.array(shares[difference.by.key], dtype=np.float64)
    if difference.by.decline_code is not None:
        people[difference.by.decline_code] = 0
    sizes = people[people > 0] / people.sum()
    if np.ptp(sizes) < ROUNDING:
        return f"in {sizes.size} groups of equal size"
    parts = [format_percent(float(size), 0) for size in sizes]
    return f"in {sizes.size} groups ({join_with_and(parts)})"
