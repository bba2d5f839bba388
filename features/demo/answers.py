"""The records that invented people leave, who answer as their truths are: randomized, picked and led along the
paths as respondents' devices do it."""

from collections.abc import Mapping

import numpy as np

from surveys.definition.instrument import SurveyDefinition
from surveys.fieldwork.responses.records import record_dtype
from surveys.fieldwork.responses.simulated_records import leave_out_questions, randomize_column

NOT_ASKED = -1  # the truth of a question that a person is not asked


def records(
    frozen: SurveyDefinition, truths: Mapping[str, np.ndarray], seed: int | np.random.Generator
) -> bytes:
    """One record for each person, in their order. truths: question key -> code of the true answer, shape (n,); where
    several can be chosen 0 and 1, shape (n, size); of a text question the texts."""
    rng = np.random.default_rng(seed)
    rows = np.zeros(len(truths[frozen.items[0].key]), record_dtype(frozen))
    for item in frozen.items:
        truth = truths[item.key]
        rows[item.key] = randomize_column(
            item, truth if item.is_written else np.maximum(truth, 0), rng
        )
    leave_out_questions(frozen, rows, rng)  # that takes away what is there for NOT_ASKED
    return rows.tobytes()
