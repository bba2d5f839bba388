"""How often the most frequent long report came, in memory that does not grow with the responses.

Reports are sorted into buckets by a fingerprint, which are counted in a first pass over the batches; a second pass
counts the reports of the fullest bucket exactly. A report that came suspiciously often fills its bucket. What is
found is never more than the truth, so no alarm comes from the short cut.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mechanisms.analysis.diagnostics import chance_of_repeats
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.fieldwork.responses import released
from surveys.fieldwork.responses.records import present_reports
from surveys.models import Instrument
from surveys.results.disclosure.kept import cached_count

BUCKET_BITS = 16


@dataclass(frozen=True)
class Repeats:
    """times: how often the report came. p_value: at most this by chance; see mechanisms.diagnostics."""

    item: QuestionDefinition
    n: int
    times: int
    p_value: float


def has_long_reports(item: QuestionDefinition) -> bool:
    """Whether reports are many marks that say more together than their counts do."""
    return item.mechanism is not None and item.mechanism.tells_by_rows


def most_repeated(frozen: SurveyDefinition, instrument: Instrument) -> list[Repeats]:
    """For each question with one choice whose reports are strings of bits."""
    items = [item for item in frozen.items if has_long_reports(item)]
    if not items:
        return []

    def count() -> dict[str, tuple[int, int]]:
        buckets = {item.key: np.zeros(2**BUCKET_BITS, dtype=np.int64) for item in items}
        for key, _, prints in _fingerprints(frozen, instrument, items):
            buckets[key] += np.bincount(prints, minlength=2**BUCKET_BITS)
        found: dict[str, Counter] = {item.key: Counter() for item in items}
        for key, reports, prints in _fingerprints(frozen, instrument, items):
            fullest = reports[prints == buckets[key].argmax()]
            found[key].update(map(bytes, fullest))
        return {
            key: (int(buckets[key].sum()), max(each.values(), default=0))
            for key, each in found.items()
        }

    times = cached_count(instrument, ("repeats",), count)
    return [_judged(item, *times[item.key]) for item in items]


def _judged(item: QuestionDefinition, n: int, times: int) -> Repeats:
    return Repeats(item, n, times, chance_of_repeats(item.mechanism, n, times))


def _fingerprints(
    frozen: SurveyDefinition, instrument: Instrument, items: list[QuestionDefinition]
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """(question key, reports of a batch, their buckets): the highest bits of a sum of random multiples of the bytes."""
    rng = np.random.default_rng(int(frozen.sha256, 16))
    widths = {item.key: item.report_format.field.shape[0] for item in items}
    weights = {
        key: rng.integers(2**64, size=width, dtype=np.uint64) | np.uint64(1)
        for key, width in widths.items()
    }
    for rows in released.iter_batches(instrument):
        for key, weight in weights.items():
            reports = present_reports(frozen, rows, key)
            prints = (reports.astype(np.uint64) * weight).sum(axis=1, dtype=np.uint64) >> np.uint64(
                64 - BUCKET_BITS
            )
            yield key, reports, prints.astype(np.int64)
