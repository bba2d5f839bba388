"""Which part of the people is expected on the path of each question with a condition, for planning.

As its author says, else as if the answers of a question were equally frequent and different questions unrelated.
"""

import math
from collections.abc import Mapping
from fractions import Fraction

from surveys.definition.freezing import answer_labels
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.routing.conditions import Among, Condition, iter_leaves
from surveys.definition.routing.filters import Branching
from surveys.models import Survey

EVERYONE = Fraction(1)


def expected_shares(
    whens: Mapping[str, Condition], sizes: Mapping[str, int], said: Mapping[str, int]
) -> dict[str, Fraction]:
    """Return the expected share of respondents for each conditional question.

    whens: in the order of the survey. sizes: how many answers a question has, “Prefer not to say” left out. said: what
    the author expects, in whole percent.
    """
    expected: dict[str, Fraction] = {}

    def part(condition: Condition) -> Fraction:
        if isinstance(condition, Among):
            size = sizes[condition.of]
            among = sum(code in range(size) for code in condition.answers)
            return Fraction(among, size) * expected.get(condition.of, EVERYONE)
        each = [part(inner) for inner in condition.parts]
        return math.prod(each) if condition.every else 1 - math.prod(1 - one for one in each)

    for key, when in whens.items():
        expected[key] = Fraction(said[key], 100) if key in said else part(when) or EVERYONE
    return expected


def expected_shares_draft(whom: Branching) -> dict[str, Fraction]:
    """Return the expected share of respondents who are asked each question of a draft, by key.

    Questions with a broken condition are treated as questions without one.
    """
    named = {leaf.of for when in whom.conditions.values() for leaf in iter_leaves(when)}
    sizes = {
        each.key: len(answer_labels(each)) - each.decline
        for each in whom.questions
        if each.key in named
    }
    said = {each.key: each.expected_asked for each in whom.questions if each.expected_asked}
    order = [each.key for each in whom.questions if each.key in whom.conditions]
    return expected_shares({key: whom.conditions[key] for key in order}, sizes, said)


def expected_shares_published(frozen: SurveyDefinition, survey: Survey) -> dict[str, Fraction]:
    """Return the expected share of respondents that each conditional question is asked of."""
    whens = {item.key: item.when for item in frozen.items if item.when}
    if not whens:
        return {}
    rows = survey.questions.filter(expected_asked__isnull=False).values_list(
        "key", "expected_asked"
    )
    return expected_shares(
        whens, {item.key: item.size - item.aside for item in frozen.items}, dict(rows)
    )
