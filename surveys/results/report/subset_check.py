"""Whether the questions that people were asked by lot are those of the lot, whatever their background answers are.

In each group by a background answer every drawn question is asked of about the same part of those on its path. Whoever
begins anew until a question suits them shows here, if such people are more common in one group than in another. And
among those whose background answers ask for the same questions every set of as many of these is about as common: this
sees how often each question is asked, and which ones together.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from math import comb
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc

from mechanisms.chance import binomial
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.kinds import BANDS
from surveys.definition.response_format import QuestionSubset
from surveys.fieldwork.responses import released
from surveys.fieldwork.responses.records import drawable_respondents, has_report
from surveys.models import Instrument
from surveys.results.disclosure.kept import cached_count

LEAST_EXPECTED = (
    5  # people in each set; with fewer the chi-square distribution is none of its statistic
)
MOST_SETS = 10_000  # of a lot; of more there are too few people in each
SetsAsked = Mapping[
    tuple[bytes, bytes], int
]  # for each draw.of a byte: whether it is open to somebody, whether asked


def groups(frozen: SurveyDefinition) -> list[QuestionDefinition]:
    """The background questions whose answers make the groups; of numbers there are too many."""
    return [
        item
        for item in frozen.items
        if item.mechanism is None and not (item.traits.is_number or item.kind == BANDS)
    ]


def asked_by_group(
    frozen: SurveyDefinition, instrument: Instrument
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """For each drawn question its key, how many on its path were in each group, and how many of them were asked; shape
    (groups,).

    In one pass; memory: one batch.
    """
    within = groups(frozen)

    def count() -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        none = np.zeros(sum(item.size for item in within), dtype=np.int64)
        people = {key: none.copy() for key in (frozen.draw.of if frozen.draw else ())}
        asked = {key: none.copy() for key in people}
        for rows in released.iter_batches(instrument) if asked and within else ():
            everybody, on_path = _counts(frozen, rows, within), drawable_respondents(frozen, rows)
            for key in asked:
                people[key] += (
                    _counts(frozen, rows[on_path[key]], within) if key in on_path else everybody
                )
                asked[key] += _counts(frozen, rows[has_report(frozen, rows, key)], within)
        return people, asked

    people, asked = cached_count(instrument, ("asked by group",), count)
    return ((key, people[key], numbers) for key, numbers in asked.items() if within)


def _counts(
    frozen: SurveyDefinition, rows: np.ndarray, within: list[QuestionDefinition]
) -> np.ndarray:
    each = [
        np.bincount(rows[item.key][has_report(frozen, rows, item.key)], minlength=item.size)
        for item in within
    ]
    return np.concatenate(each)


def p_value(people: np.ndarray, asked: np.ndarray, part: float) -> float:
    """At most the chance that some group is as far from its part as the farthest here.

    Exact binomial tests of all groups, their limits shared (Bonferroni): a lot that knows nothing of groups asks
    everybody with the same chance, whoever is in which.
    """
    there = people > 0
    return float(
        min(
            1.0,
            binomial.two_sided(asked[there], people[there], part).min(initial=1.0) * there.sum(),
        )
    )


class Sets(NamedTuple):
    """Pearson's chi-square of the sets of questions that people were asked. people: of whom."""

    people: int
    statistic: float
    freedom: int

    @property
    def p_value(self) -> float:
        """Of a statistic as large as this, for large numbers in every set."""
        return float(chdtrc(self.freedom, self.statistic))


def sets_asked(frozen: SurveyDefinition, instrument: Instrument) -> Sets | None:
    """None without a lot, or where too few people were asked. In one pass; memory: one batch, and one number for each
    set."""
    draw = frozen.draw
    if draw is None or comb(len(draw.of), draw.count) > MOST_SETS:
        return None

    def count() -> Counter[tuple[bytes, bytes]]:
        people: Counter[tuple[bytes, bytes]] = Counter()
        for rows in released.iter_batches(instrument):
            on_path, everybody = drawable_respondents(frozen, rows), np.ones(len(rows), bool)
            is_open = np.stack([on_path.get(key, everybody) for key in draw.of], axis=1)
            asked = np.stack([has_report(frozen, rows, key) for key in draw.of], axis=1)
            people += count_sets(is_open, asked)
        return people

    return chi_square(draw, cached_count(instrument, ("sets asked",), count))


def count_sets(is_open: np.ndarray, asked: np.ndarray) -> Counter[tuple[bytes, bytes]]:
    """How many people each pair of them holds; both bool, shape (people, questions of the lot)."""
    both, times = np.unique(np.hstack([is_open, asked]), axis=0, return_counts=True)
    size = is_open.shape[1]
    return Counter(
        {
            (row[:size].tobytes(), row[size:].tobytes()): n
            for row, n in zip(both, times.tolist(), strict=True)
        }
    )


def chi_square(draw: QuestionSubset, counts: SetsAsked) -> Sets | None:
    """Where o of the d questions are open to a person, and m are picked, each set of j open ones has the chance
    C(d - o, m - j) / C(d, m). Summed over all sets of open questions that have enough people."""
    together: dict[bytes, dict[bytes, int]] = {}
    for (is_open, asked), n in counts.items():
        together.setdefault(is_open, {})[asked] = n
    people, statistic, freedom = 0, 0.0, 0
    for is_open, sets in together.items():
        n, chances = sum(sets.values()), _chances(draw, sum(is_open))
        possible = sum(comb(sum(is_open), size) for size in chances)
        if possible == 1 or n * min(chances.values()) < LEAST_EXPECTED:
            continue
        people += n
        # Of the sum of (came - expected)^2 / expected what the sets that came add, less n for all of them.
        statistic += sum(came**2 / (n * chances[sum(asked)]) for asked, came in sets.items()) - n
        freedom += possible - 1
    return Sets(people, statistic, freedom) if freedom else None


def _chances(draw: QuestionSubset, is_open: int) -> dict[int, float]:
    """How many of the open questions are asked -> the chance of each set of so many."""
    closed, count = len(draw.of) - is_open, draw.count
    sizes = range(max(0, count - closed), min(count, is_open) + 1)
    return {size: comb(closed, count - size) / comb(len(draw.of), count) for size in sizes}
