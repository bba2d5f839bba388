"""Randomized-response mechanisms: exact integers in, honest estimates out. Needs NumPy and SciPy only.

    from mechanisms import Warner
    m = Warner("3/4")
    reports = m.randomize(truths, rng)            # 0 = No, 1 = Yes
    e = m.estimate(m.tally(reports))
    e.proportions[1], e.standard_errors[1], e.intervals[1]

The formulas and their sources are in docs/statistics.md.
"""

from mechanisms.direct import DirectEncoding
from mechanisms.estimates import Estimate
from mechanisms.general import Matrix
from mechanisms.mechanism import Mechanism
from mechanisms.privacy import odds_percent, round_up
from mechanisms.specs import from_spec
from mechanisms.subset import SubsetSelection
from mechanisms.tallies import Tally
from mechanisms.unary import UnaryEncoding
from mechanisms.yes_no import (
    Crosswise,
    ForcedResponse,
    GeneralizedResponse,
    Kuk,
    Mangat,
    OneSided,
    Triangular,
    TwoCoin,
    UnrelatedQuestion,
    Warner,
)

__all__ = [
    "Crosswise",
    "DirectEncoding",
    "Estimate",
    "ForcedResponse",
    "GeneralizedResponse",
    "Kuk",
    "Mangat",
    "Matrix",
    "Mechanism",
    "OneSided",
    "SubsetSelection",
    "Tally",
    "Triangular",
    "TwoCoin",
    "UnaryEncoding",
    "UnrelatedQuestion",
    "Warner",
    "from_spec",
    "odds_percent",
    "round_up",
]
