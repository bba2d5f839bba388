"""Many invented responses, randomized by each question's mechanism and stored as batches."""

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

# The responses of one batch.
SLICE = 10_000


def add_invented_responses(
    instrument: Instrument, n: int, seed: int = 1, missing: float = 0
) -> None:
    """Store n invented responses as batches, and add them to the tally of the instrument.

    missing: the probability that a question that may have no report has none.
    """
    definition = parse_instrument(instrument)
    rng = np.random.default_rng(seed)
    for start in range(0, n, SLICE):
        records = np.zeros(min(SLICE, n - start), record_dtype(definition))
        for item in definition.items:
            records[item.key] = random_reports(item, len(records), rng)
        leave_out_questions(definition, records, rng)
        if missing:
            _remove_reports(definition, records, missing, rng)
        Batch.objects.create(instrument=instrument, n=len(records), records=records.tobytes())
        tally = count_responses(definition, records)
        instrument.tally = add_tallies(instrument.tally, tally)
    instrument.save(update_fields=["tally"])


def _remove_reports(
    definition: SurveyDefinition, records: np.ndarray, missing: float, rng: np.random.Generator
) -> None:
    """Remove reports at random, with probability `missing`, and mark them as missing."""
    is_missing_by_key = {}
    for key in definition.keys_with_missing:
        is_missing_by_key[key] = rng.random(len(records)) < missing
    mark_missing(definition, records, is_missing_by_key)
    for key, is_missing in is_missing_by_key.items():
        records[key][is_missing] = 0


def random_reports(item: QuestionDefinition, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return n reports, as they are stored, of random truths.

    The first answers are the most frequent truths. In a multiple selection, every option has the
    same probability. One in ten declines a question without a mechanism that allows it.
    """
    mechanism = item.mechanism
    if mechanism and mechanism.select == "any":
        return mechanism.randomize_stored(rng.integers(0, 2, (n, item.size)), rng)

    truths = np.minimum(rng.geometric(0.4, n) - 1, item.size - 1)
    if mechanism:
        return mechanism.randomize_stored(truths, rng)
    if item.decline_code is None:
        return truths
    declines = rng.random(n) < 0.1
    return np.where(declines, item.decline_code, np.minimum(truths, item.decline_code - 1))


def simulated_records(
    definition: SurveyDefinition, truths: Mapping[str, np.ndarray], rng: np.random.Generator
) -> bytes:
    """Return the records of respondents whose true answers are known, one after the other.

    truths: question key -> the true answers, as randomize_column() takes them.
    """
    first_key = definition.items[0].key
    records = np.zeros(len(truths[first_key]), record_dtype(definition))
    for item in definition.items:
        records[item.key] = randomize_column(item, truths[item.key], rng)
    leave_out_questions(definition, records, rng)
    return records.tobytes()
