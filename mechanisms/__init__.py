"""Randomized-response mechanisms: exact integers in, honest estimates out. Needs NumPy and SciPy only.

    from mechanisms import Warner
    m = Warner("3/4")
    reports = m.randomize(truths, rng)            # 0 = No, 1 = Yes
    e = m.estimate(m.tally(reports))
    e.proportions[1], e.standard_errors[1], e.intervals[1]

Besides the names here: `mechanisms.privacy` (accounting), `mechanisms.planning` (sample sizes and power) and
`mechanisms.diagnostics` (signs of wrong reports). The formulas and their sources are in docs/statistics.md.

The rooms, each importing only those before it: `chance` draws whole numbers, `estimation` leads from counts to shares,
`designs` says what is done to an answer, `planning` comes before a survey and `analysis` after it.
"""

from mechanisms import planning
from mechanisms.analysis import diagnostics
from mechanisms.analysis.comparisons import Significance, equal_groups_test, likelihood_ratio_test, z_test
from mechanisms.analysis.pooling import Pooled, pool
from mechanisms.designs.direct import DirectEncoding
from mechanisms.designs.general import Matrix
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.specs import from_spec
from mechanisms.designs.subset import SubsetSelection
from mechanisms.designs.unary import UnaryEncoding
from mechanisms.designs.yes_no import (
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
from mechanisms.estimation.estimates import Estimate
from mechanisms.estimation.likelihoods import log_likelihood
from mechanisms.estimation.mixtures import ConvergenceError
from mechanisms.estimation.tallies import Tally
from mechanisms.planning import privacy
from mechanisms.planning.central import compare_with_central, laplace_error
from mechanisms.planning.privacy import odds_percent, round_up
from mechanisms.planning.recommendation import Recommendation, best_known_error, recommend, total_error

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
    "diagnostics",
    "equal_groups_test",
    "from_spec",
    "laplace_error",
    "likelihood_ratio_test",
    "log_likelihood",
    "odds_percent",
    "planning",
    "pool",
    "privacy",
    "recommend",
    "round_up",
    "total_error",
    "z_test",
]
