"""Many responses at once: truths drawn evenly, randomized by each question's own mechanism, straight into batches."""

from collections.abc import Mapping

import numpy as np

from surveys.definition.instrument import FrozenQuestion, FrozenSurvey
from surveys.definition.parsing import paper
from surveys.fieldwork.responses.records import add_up, mask, record_dtype, tally
from surveys.fieldwork.responses.simulated_records import leave_out_questions, randomize_column
from surveys.models import Batch, Instrument

SLICE = 10_000


def fill(instrument: Instrument, n: int, seed: int = 1, missing: float = 0) -> None:
    """Releases n more responses, the same ones for the same seed. missing: the share of reports that there are not."""
    frozen, rng = paper(instrument), np.random.default_rng(seed)
    for start in range(0, n, SLICE):
        rows = np.zeros(min(SLICE, n - start), record_dtype(frozen))
        for item in frozen.items:
            rows[item.key] = column(item, len(rows), rng)
        leave_out_questions(frozen, rows, rng)
        if missing:
            absent = {key: rng.random(len(rows)) < missing for key in frozen.optional}
            mask(frozen, rows, absent)
            for key, places in absent.items():
                rows[key][places] = 0
        Batch.objects.create(instrument=instrument, n=len(rows), records=rows.tobytes())
        instrument.tally = add_up(instrument.tally, tally(frozen, rows))
    instrument.save(update_fields=["tally"])


def column(item: FrozenQuestion, n: int, rng: np.random.Generator) -> np.ndarray:
    if item.mechanism and item.mechanism.select == "any":
        return item.mechanism.randomize_stored(rng.integers(0, 2, (n, item.size)), rng)
    # Not evenly: the first choices are the most frequent.
    truths = np.minimum(rng.geometric(0.4, n) - 1, item.size - 1)
    if item.mechanism is None:
        if item.declined is not None:  # one in ten
            truths = np.where(
                rng.random(n) < 0.1, item.declined, np.minimum(truths, item.declined - 1)
            )
        return truths
    return item.mechanism.randomize_stored(truths, rng)


def simulated_records(
    frozen: FrozenSurvey, truths: Mapping[str, np.ndarray], rng: np.random.Generator
) -> bytes:
    """Return the records of people whose true answers are known, one after the other.

    truths: question key -> what randomize_column takes.
    """
    rows = np.zeros(len(truths[frozen.items[0].key]), record_dtype(frozen))
    for item in frozen.items:
        rows[item.key] = randomize_column(item, truths[item.key], rng)
    leave_out_questions(frozen, rows, rng)
    return rows.tobytes()
