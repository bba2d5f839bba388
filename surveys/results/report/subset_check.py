"""Whether the questions that people were asked by lot have nothing to do with their background answers.

In each group by a background answer every drawn question is asked of about the same part. Whoever loads the page anew
until a question suits them shows here, if such people are more common in one group than in another.
"""

from collections.abc import Iterator

import numpy as np

from mechanisms.chance import binomial
from surveys.definition.instrument import FrozenQuestion, FrozenSurvey
from surveys.definition.kinds import BANDS
from surveys.fieldwork.responses import released
from surveys.fieldwork.responses.records import given
from surveys.models import Instrument


def groups(frozen: FrozenSurvey) -> list[FrozenQuestion]:
    """The background questions whose answers make the groups; of numbers there are too many."""
    return [
        item for item in frozen.items if item.mechanism is None and not (item.traits.is_number or item.kind == BANDS)
    ]


def asked_by_group(frozen: FrozenSurvey, instrument: Instrument) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """For each drawn question its key, how many were in each group, and how many of them were asked; shape (groups,).

    In one pass; memory: one batch.
    """
    within = groups(frozen)
    sizes = [item.size for item in within]
    people = np.zeros(sum(sizes), dtype=np.int64)
    asked = {key: people.copy() for key in (frozen.draw.of if frozen.draw else ())}
    for rows in released.rows(instrument) if asked and within else ():
        people += _counts(frozen, rows, within)
        for key in asked:
            asked[key] += _counts(frozen, rows[given(frozen, rows, key)], within)
    return ((key, people, numbers) for key, numbers in asked.items() if within)


def _counts(frozen: FrozenSurvey, rows: np.ndarray, within: list[FrozenQuestion]) -> np.ndarray:
    each = [np.bincount(rows[item.key][given(frozen, rows, item.key)], minlength=item.size) for item in within]
    return np.concatenate(each)


def p_value(people: np.ndarray, asked: np.ndarray, part: float) -> float:
    """At most the chance that some group is as far from its part as the farthest here.

    Exact binomial tests of all groups, their limits shared (Bonferroni): a lot that knows nothing of groups asks
    everybody with the same chance, whoever is in which.
    """
    there = people > 0
    return float(min(1.0, binomial.two_sided(asked[there], people[there], part).min(initial=1.0) * there.sum()))
