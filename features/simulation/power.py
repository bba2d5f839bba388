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
from features.simulation.planned_page import PlannedPage, reports_about_answer, shares_asked
from mechanisms.checks import FloatArray
from mechanisms.planning.channels import Channel
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.results.analysis.groups.groups import ComparedAnswer, compare_by_address
from surveys.results.analysis.predictors import UNIT
from surveys.results.analysis.refusals import TooFew
from surveys.results.disclosure.subgroups import TooSmall
from surveys.results.report.groups import MOST_GROUPS
from surveys.site.errors import Invalid
from surveys.site.number_format import format_percent, join_with_and
from surveys.statements.family import ALONE
from surveys.statements.plans import (
    NEVER,
    PlannedShare,
    Power,
    PowerStatement,
    power_of_shares,
    power_of_slope,
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

    Return None if the design has no such number, or the report makes no groups of the question.
    """
    if difference.outcome.item.mechanism.line() is None:
        return None
    plan = DifferencePlan(
        definition=definition,
        difference=difference,
        shares=shares,
        asked_by_key=shares_asked(definition, difference.by, shares),
    )
    if difference.group is None:
        power, family = plan.power_of_slope(n), ALONE
    elif difference.by.size > MOST_GROUPS:
        return None
    else:
        power, family = plan.power_of_group(n), plan.page(n).family

    people = None
    if with_people:
        people = smallest_number_of_people(lambda number: plan.power(number).chance)
    return PowerStatement(
        n=n,
        groups=_groups_in_words(difference, shares),
        power=power,
        family=family,
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
    def channel(self) -> Channel:
        """The design of the answer that differs."""
        return Channel.of(self.item.mechanism, self.difference.outcome.choice)

    def page(self, n: int) -> PlannedPage:
        """Return the page that compares the groups of n respondents."""
        return PlannedPage(
            definition=self.definition,
            by=self.difference.by,
            shares=self.shares,
            n=n,
            asked_by_key=self.asked_by_key,
        )

    def power(self, n: int) -> Power:
        """Return the chance that the report calls the difference clear with n respondents."""
        if self.difference.group is None:
            return self.power_of_slope(n)
        return self.power_of_group(n)

    def power_of_group(self, n: int) -> Power:
        """Return the chance that Compare calls the named group different from all others.

        It is 0 if the page does not name the group, because it is too small.
        """
        page = self.page(n)
        groups = page.groups(self.item)
        named = [group for group in groups if group.codes == (self.difference.group,)]
        if not named:
            return NEVER
        people = named[0].people
        other_people = sum(group.people for group in groups) - people

        # All others have the same share.
        chances = self.difference.chances(self.shares)
        other_code = (self.difference.group + 1) % self.difference.by.size
        return power_of_shares(
            self.channel,
            PlannedShare(
                share=float(chances[self.difference.group]),
                n=reports_about_answer(self.item, people),
            ),
            PlannedShare(
                share=float(chances[other_code]),
                n=reports_about_answer(self.item, other_people),
            ),
            page.family,
        )

    def power_of_slope(self, n: int) -> Power:
        """Return the chance that the linked model calls the slope of a number clear."""
        people = np.array(self.shares[self.difference.by.key])
        numbers = np.array([int(label) for label in self.difference.by.choices]) / UNIT
        variance = people @ (numbers - people @ numbers) ** 2
        asked = n * float(people @ self.asked_by_key[self.item.key])
        return power_of_slope(
            self.channel,
            share=float(people @ self.difference.chances(self.shares)),
            change=self.difference.size * math.sqrt(variance),
            n=reports_about_answer(self.item, round(asked)),
            family=ALONE,
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
