"""The page that compares groups, as it will be if people answer as assumed.

Its groups are made by the rules of the page from expected numbers of people, so its comparisons are
known before anyone answers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from features.simulation.assumed_difference import Shares
from mechanisms.checks import FloatArray
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.routing.paths import rows_left_out
from surveys.results.report.groups import group_rows, other_place
from surveys.statements.family import Compared, Family, compared_answers, comparisons_of_groups

# The people who are invented in each group to find out how many are on the path of a question.
PEOPLE_ON_PATHS = 20_000
SEED = 1


@dataclass(frozen=True)
class PlannedGroup:
    """A group of the page for one question.

    codes: the answers that make the group; more than one where small groups are together.
    people: the expected number of people in it who are asked the question.
    """

    codes: tuple[int, ...]
    people: int


@dataclass(frozen=True)
class PlannedPage:
    """A page that compares groups.

    by: the question whose answers make the groups.
    shares: the assumed shares of the answers to each question.
    n: the number of respondents.
    asked_by_key: the share of the people of each group who are asked a question, by its key; shape
        (by.size,). See `shares_asked`.
    """

    definition: SurveyDefinition
    by: QuestionDefinition
    shares: Shares
    n: int
    asked_by_key: Mapping[str, FloatArray]

    @cached_property
    def family(self) -> Family:
        """The family of all comparisons of the page."""
        group_sizes: dict[Compared, list[int]] = {}
        for item in self.definition.items:
            # Reports of option sampling are about some of the answers only.
            sizes = [reports_about_answer(item, group.people) for group in self.groups(item)]
            for answer in compared_answers(item):
                group_sizes[item.key, answer] = sizes
        return Family.for_page(self.definition.items, group_sizes)

    def family_of(self, item: QuestionDefinition) -> Family:
        """Return the family in which a question is decided.

        It is that of the page, if the page compares the question, and else that of its answer.
        """
        sizes = [reports_about_answer(item, group.people) for group in self.groups(item)]
        comparisons = comparisons_of_groups(sizes)
        if compared_answers(item) and comparisons:
            return self.family
        return Family(size=max(comparisons, 1))

    def groups(self, item: QuestionDefinition) -> list[PlannedGroup]:
        """Return the groups that are compared for a question. There are none, or at least two."""
        asked = self.n * np.array(self.shares[self.by.key]) * self.asked_by_key[item.key]
        sizes = np.rint(asked).astype(int).tolist()
        declined = set() if self.by.decline_code is None else {self.by.decline_code}
        rows = group_rows(sizes, sum(sizes), declined, other_place(self.by.choices))
        groups = []
        for codes in rows:
            people = sum(sizes[code] for code in codes)
            groups.append(PlannedGroup(codes=codes, people=people))
        return groups


def reports_about_answer(item: QuestionDefinition, people: int) -> int:
    """Return how many of the reports of so many people are about one given answer."""
    if item.mechanism is None:
        return people
    return round(people * item.mechanism.reported_fraction)


def shares_asked(
    definition: SurveyDefinition, by: QuestionDefinition, shares: Shares
) -> dict[str, FloatArray]:
    """Return the share of the people with each answer to `by` who are asked a question, by its key.

    Each array has the shape (by.size,). Conditions are decided for invented people, whose answers
    to different background questions are independent, as in a simulation.
    """
    asked = {}
    for item in definition.items:
        asked[item.key] = np.full(by.size, float(definition.expected_share_asked(item.key)))
    if not definition.keys_with_condition:
        return asked

    rng = np.random.default_rng(SEED)
    codes_by_key = {}
    for item in definition.items:
        if item.mechanism is None:
            codes_by_key[item.key] = rng.choice(item.size, PEOPLE_ON_PATHS, p=shares[item.key])
    for code in range(by.size):
        codes_by_key[by.key] = np.full(PEOPLE_ON_PATHS, code)
        left_out = rows_left_out(definition.items, codes_by_key.__getitem__, missing={})
        for key, is_left_out in left_out.items():
            asked[key][code] *= 1 - is_left_out.mean()
    return asked
