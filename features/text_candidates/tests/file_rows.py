"""The table of candidates, with distinct values: see tests/whole_site/test_file_rows.py."""

from types import SimpleNamespace

import numpy as np

from features.text_candidates.candidate_rounds import SEARCHED, RoundResult
from features.text_candidates.shape import candidates_csv
from mechanisms import Candidates
from tests.helpers.filled_tables import FilledTable, FilledTables


def filled_candidates() -> FilledTable:
    """A candidate that is counted, none of them, and a candidate that waits for its count."""
    candidates = Candidates(
        n=401,
        level=0.025,
        texts=("heroin",),
        counts=np.array([201]),
        shares=np.array([0.25]),
        standard_errors=np.array([0.125]),
        intervals=np.array([[0.06, 0.44]]),
        significance=np.array([0.003]),
        none=SimpleNamespace(share=0.75, standard_error=0.07),
        possible=np.array([0.08]),
    )
    counted = RoundResult(number=1, level=0.025, texts=("Heroin",), found=candidates, points=(17,))
    waiting = RoundResult(number=2, level=0.0125, texts=("Crack",))
    row = {
        "variable": "drug",
        "round": 1,
        "level": 0.025,
        "candidate": "Heroin",
        "n": 401,
        "reports": 201,
        "corrected": 0.25,
        "standard_error": 0.125,
        "low": 0.06,
        "high": 0.44,
        "found": True,
        "significance": 0.003,
        "possible": 0.08,
        "point": 17,
        "note": SEARCHED,
    }
    numbers = (
        "reports",
        "corrected",
        "standard_error",
        "low",
        "high",
        "found",
        "significance",
        "possible",
        "point",
    )
    nothing = dict.fromkeys(numbers)
    none = (
        row | nothing | {"candidate": "(none of these)", "corrected": 0.75, "standard_error": 0.07}
    )
    later = row | nothing | {"candidate": "Crack", "round": 2, "level": 0.0125, "n": 0}
    return FilledTable(candidates_csv("drug", [counted, waiting]), [row, none, later])


TABLES: FilledTables = {candidates_csv: filled_candidates}
