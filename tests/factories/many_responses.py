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

# The most responses of one batch, so that a million responses need little memory.
BATCH_SIZE = 10_000


def add_invented_responses(
    instrument: Instrument, n: int, seed: int = 1, missing: float = 0
) -> None:
    """Store n invented responses as batches, and add them to the tally of the instrument.

    seed: the same seed gives the same responses.
    missing: the probability that a question that may have no report has none.
    """
    definition = parse_instrument(instrument)
    rng = np.random.default_rng(seed)
    for start in range(0, n, BATCH_SIZE):
        records = np.zeros(min(BATCH_SIZE, n - start), record_dtype(definition))
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
    # A stored report that is missing is 0.
    for key, is_missing in is_missing_by_key.items():
        records[key][is_missing] = 0


def random_reports(item: QuestionDefinition, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return n reports, as they are stored, of random truths.

    The truth is the answer with code k with probability 0.4 * 0.6**k, so the first answers are the
    most frequent ones; the last answer takes what remains. In a multiple selection, each option is
    chosen with probability 1/2. One in ten declines a question without a mechanism that allows it.

    item: a question of any kind except for a short text.
    """
    mechanism = item.mechanism
    # The mechanism of a multiple selection takes a row of bits for each respondent.
    if mechanism and mechanism.select == "any":
        return mechanism.randomize_stored(rng.integers(0, 2, (n, item.size)), rng)

    truths = np.minimum(rng.geometric(0.4, n) - 1, item.size - 1)
    if mechanism:
        return mechanism.randomize_stored(truths, rng)
    if item.decline_code is None:
        return truths
    # The decline is the last answer, so other truths end at the code before it.
    other_truths = np.minimum(truths, item.decline_code - 1)
    declines = rng.random(n) < 0.1
    return np.where(declines, item.decline_code, other_truths)


def simulated_records(
    definition: SurveyDefinition, truths: Mapping[str, np.ndarray], rng: np.random.Generator
) -> bytes:
    """Return the records of respondents whose true answers are known, one after the other.

    As on a device, the answers are randomized, and questions are left out that a respondent is not
    asked.

    truths: question key -> the true answers of all respondents, as randomize_column() takes them.
    """
    first_key = definition.items[0].key
    n_respondents = len(truths[first_key])
    records = np.zeros(n_respondents, record_dtype(definition))
    for item in definition.items:
        records[item.key] = randomize_column(item, truths[item.key], rng)
    leave_out_questions(definition, records, rng)
    return records.tobytes()
