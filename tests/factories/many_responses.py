"""Many responses at once: truths drawn evenly, randomized by each question's own mechanism, straight into batches."""

from collections.abc import Mapping

import numpy as np

from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import (
    add_tallies,
    count_responses,
    mark_missing,
    record_dtype,
)
from surveys.fieldwork.responses.simulated_records import leave_out_questions, randomize_column
from surveys.models import Batch, Instrument

SLICE = 10_000


def add_invented_responses(
    instrument: Instrument, n: int, seed: int = 1, missing: float = 0
) -> None:
    """Add n invented responses directly to the batches."""
    frozen, rng = parse_instrument(instrument), np.random.default_rng(seed)
    for start in range(0, n, SLICE):
        rows = np.zeros(min(SLICE, n - start), record_dtype(frozen))
        for item in frozen.items:
            rows[item.key] = random_reports(item, len(rows), rng)
        leave_out_questions(frozen, rows, rng)
        if missing:
            absent = {key: rng.random(len(rows)) < missing for key in frozen.keys_with_missing}
            mark_missing(frozen, rows, absent)
            for key, places in absent.items():
                rows[key][places] = 0
        Batch.objects.create(instrument=instrument, n=len(rows), records=rows.tobytes())
        instrument.tally = add_tallies(instrument.tally, count_responses(frozen, rows))
    instrument.save(update_fields=["tally"])


def random_reports(item: QuestionDefinition, n: int, rng: np.random.Generator) -> np.ndarray:
    if item.mechanism and item.mechanism.select == "any":
        return item.mechanism.randomize_stored(rng.integers(0, 2, (n, item.size)), rng)
    # Not evenly: the first choices are the most frequent.
    truths = np.minimum(rng.geometric(0.4, n) - 1, item.size - 1)
    if item.mechanism is None:
        if item.decline_code is not None:  # one in ten
            truths = np.where(
                rng.random(n) < 0.1, item.decline_code, np.minimum(truths, item.decline_code - 1)
            )
        return truths
    return item.mechanism.randomize_stored(truths, rng)


def simulated_records(
    frozen: SurveyDefinition, truths: Mapping[str, np.ndarray], rng: np.random.Generator
) -> bytes:
    """Return the records of people whose true answers are known, one after the other.

    truths: question key -> what randomize_column takes.
    """
    rows = np.zeros(len(truths[frozen.items[0].key]), record_dtype(frozen))
    for item in frozen.items:
        rows[item.key] = randomize_column(item, truths[item.key], rng)
    leave_out_questions(frozen, rows, rng)
    return rows.tobytes()
