# What type checkers read in place of __init__.py, which imports a name when it is first used.
from mechanisms import planning
from mechanisms.analysis import diagnostics
from mechanisms.analysis.among import LeastSquaresAmong, least_squares_among
from mechanisms.analysis.association import Association
from mechanisms.analysis.comparisons import (
    Significance,
    equal_groups_test,
    equal_values_test,
    likelihood_ratio_test,
    z_test,
)
from mechanisms.analysis.contrasts import CellContrasts, ContrastCells
from mechanisms.analysis.correlation import Variable, correlate
from mechanisms.analysis.differences import Differences, Side, difference_side
from mechanisms.analysis.linear import LeastSquares, least_squares
from mechanisms.analysis.mean_errors import mean_error
from mechanisms.analysis.pairs import PairTally, pair_tally
from mechanisms.analysis.pooling import Pooled, pool
from mechanisms.analysis.predictors import Predictor, regress_on
from mechanisms.analysis.raking import rake
from mechanisms.analysis.regression import Regression, regress
from mechanisms.analysis.results import Effect, Prediction
from mechanisms.analysis.several import benjamini_hochberg, holm
from mechanisms.analysis.tables import CrossTable, cross
from mechanisms.analysis.weights import WeightedEstimate, weighted_estimate
from mechanisms.designs.direct import DirectEncoding
from mechanisms.designs.general import Matrix
from mechanisms.designs.geometry import Geometry
from mechanisms.designs.marks import Marks
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.rappor import Rappor
from mechanisms.designs.specs import from_spec
from mechanisms.designs.subset import SubsetSelection
from mechanisms.designs.unary import UnaryEncoding
from mechanisms.designs.window import Window
from mechanisms.designs.written import Written
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
from mechanisms.estimation.candidates import Candidates
from mechanisms.estimation.estimates import Estimate, Functional
from mechanisms.estimation.finite import FiniteEstimate
from mechanisms.estimation.likelihoods import log_likelihood
from mechanisms.estimation.mixtures import ConvergenceError
from mechanisms.estimation.tallies import Tally
from mechanisms.planning import central, privacy
from mechanisms.planning.central import compare_with_central, laplace_error
from mechanisms.planning.privacy import odds_percent, round_up
from mechanisms.planning.recommendation import Recommendation, best_known_error, recommend, total_error
from mechanisms.planning.texts import recommend_for_texts

__all__ = [
    "Association",
    "Candidates",
    "CellContrasts",
    "ContrastCells",
    "ConvergenceError",
    "CrossTable",
    "Crosswise",
    "Differences",
    "DirectEncoding",
    "Effect",
    "Estimate",
    "FiniteEstimate",
    "ForcedResponse",
    "Functional",
    "GeneralizedResponse",
    "Geometry",
    "Kuk",
    "LeastSquares",
    "LeastSquaresAmong",
    "Mangat",
    "Marks",
    "Matrix",
    "Mechanism",
    "OneSided",
    "PairTally",
    "Pooled",
    "Prediction",
    "Predictor",
    "Rappor",
    "Recommendation",
    "Regression",
    "Side",
    "Significance",
    "SubsetSelection",
    "Tally",
    "Triangular",
    "TwoCoin",
    "UnaryEncoding",
    "UnrelatedQuestion",
    "Variable",
    "Warner",
    "WeightedEstimate",
    "Window",
    "Written",
    "benjamini_hochberg",
    "best_known_error",
    "central",
    "compare_with_central",
    "correlate",
    "cross",
    "diagnostics",
    "difference_side",
    "equal_groups_test",
    "equal_values_test",
    "from_spec",
    "holm",
    "laplace_error",
    "least_squares",
    "least_squares_among",
    "likelihood_ratio_test",
    "log_likelihood",
    "mean_error",
    "odds_percent",
    "pair_tally",
    "planning",
    "pool",
    "privacy",
    "rake",
    "recommend",
    "recommend_for_texts",
    "regress",
    "regress_on",
    "round_up",
    "total_error",
    "weighted_estimate",
    "z_test",
]
