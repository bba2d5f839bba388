"""Randomized-response mechanisms: exact integers in, honest estimates out. Needs NumPy and SciPy only.

    from mechanisms import Warner
    m = Warner("3/4")
    reports = m.randomize(truths, rng)            # 0 = No, 1 = Yes
    e = m.estimate(m.tally(reports))
    e.proportions[1], e.standard_errors[1], e.intervals[1]

Besides the names here: `mechanisms.privacy` (accounting), `mechanisms.planning` (sample sizes and power) and
`mechanisms.diagnostics` (signs of wrong reports). The formulas and their sources are in docs/statistics.md.
"""

from mechanisms.central import compare_with_central, laplace_error
from mechanisms.comparisons import Significance, equal_groups_test, likelihood_ratio_test, z_test
from mechanisms.direct import DirectEncoding
from mechanisms.estimates import Estimate
from mechanisms.general import Matrix
from mechanisms.likelihoods import log_likelihood
from mechanisms.mechanism import Mechanism
from mechanisms.mixtures import ConvergenceError
from mechanisms.pooling import Pooled, pool
from mechanisms.privacy import odds_percent, round_up
from mechanisms.recommendation import Recommendation, best_known_error, recommend, total_error
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
    "ConvergenceError",
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
    "Pooled",
    "Recommendation",
    "Significance",
    "SubsetSelection",
    "Tally",
    "Triangular",
    "TwoCoin",
    "UnaryEncoding",
    "UnrelatedQuestion",
    "Warner",
    "best_known_error",
    "compare_with_central",
    "equal_groups_test",
    "from_spec",
    "laplace_error",
    "likelihood_ratio_test",
    "log_likelihood",
    "odds_percent",
    "pool",
    "recommend",
    "round_up",
    "total_error",
    "z_test",
]
