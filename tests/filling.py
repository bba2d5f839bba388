"""Many responses at once: truths drawn evenly, randomized by each question's own mechanism, straight into batches."""

import numpy as np

from surveys.ballots.records import add_up, counts, record_dtype
from surveys.models import Batch, Instrument
from surveys.publishing.instruments import Item, paper

SLICE = 10_000


def fill(instrument: Instrument, n: int, seed: int = 1) -> None:
    """Releases n more responses, the same ones for the same seed."""
    frozen, rng = paper(instrument), np.random.default_rng(seed)
    for start in range(0, n, SLICE):
        rows = np.empty(min(SLICE, n - start), record_dtype(frozen))
        for item in frozen.items:
            rows[item.key] = column(item, len(rows), rng)
        Batch.objects.create(instrument=instrument, n=len(rows), records=rows.tobytes())
        instrument.tally = add_up(instrument.tally, {"n": len(rows), "counts": counts(frozen, rows)})
    instrument.save(update_fields=["tally"])


def column(item: Item, n: int, rng: np.random.Generator) -> np.ndarray:
    if getattr(item.mechanism, "select", "one") == "any":
        return item.mechanism.randomize_packed(rng.integers(0, 2, (n, item.size)), rng)
    # Not evenly: the first choices are the most frequent.
    truths = np.minimum(rng.geometric(0.4, n) - 1, item.size - 1)
    if item.mechanism is None:
        return truths
    return item.mechanism.randomize_packed(truths, rng) if item.is_string else item.mechanism.randomize(truths, rng)
