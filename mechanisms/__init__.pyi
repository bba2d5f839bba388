"""The names of the library with their types. `__init__.py` imports each when it is first used."""

from mechanisms import planning as planning
from mechanisms.analysis import diagnostics as diagnostics
from mechanisms.analysis.among import (
    LeastSquaresAmong as LeastSquaresAmong,
    least_squares_among as least_squares_among,
)
from mechanisms.analysis.association import Association as Association
from mechanisms.analysis.comparisons import (
    Significance as Significance,
    equal_groups_test as equal_groups_test,
    equal_values_test as equal_values_test,
    likelihood_ratio_test as likelihood_ratio_test,
    z_test as z_test,
)
from mechanisms.analysis.contrasts import (
    CellContrasts as CellContrasts,
    ContrastCells as ContrastCells,
)
from mechanisms.analysis.correlation import Variable as Variable, correlate as correlate
from mechanisms.analysis.differences import (
    Differences as Differences,
    GroupReports as GroupReports,
    difference_side as difference_side,
)
from mechanisms.analysis.linear import (
    LeastSquares as LeastSquares,
    least_squares as least_squares,
)
from mechanisms.analysis.mean_errors import mean_error as mean_error
from mechanisms.analysis.pairs import PairTally as PairTally, pair_tally as pair_tally
from mechanisms.analysis.pooling import Pooled as Pooled, pool as pool
from mechanisms.analysis.predictors import Predictor as Predictor, regress_on as regress_on
from mechanisms.analysis.raking import rake as rake
from mechanisms.analysis.regression import Regression as Regression, regress as regress
from mechanisms.analysis.results import Effect as Effect, Prediction as Prediction
from mechanisms.analysis.several import benjamini_hochberg as benjamini_hochberg, holm as holm
from mechanisms.analysis.tables import CrossTable as CrossTable, cross as cross
from mechanisms.analysis.weights import (
    WeightedEstimate as WeightedEstimate,
    weighted_estimate as weighted_estimate,
)
from mechanisms.designs.direct import DirectEncoding as DirectEncoding
from mechanisms.designs.general import Matrix as Matrix
from mechanisms.designs.geometry import Geometry as Geometry
from mechanisms.designs.marks import OptionSampling as OptionSampling
from mechanisms.designs.mechanism import Mechanism as Mechanism
from mechanisms.designs.rappor import Rappor as Rappor
from mechanisms.designs.specs import from_spec as from_spec
from mechanisms.designs.subset import SubsetSelection as SubsetSelection
from mechanisms.designs.unary import UnaryEncoding as UnaryEncoding
from mechanisms.designs.window import Window as Window
from mechanisms.designs.written import Written as Written
from mechanisms.designs.yes_no import (
    Crosswise as Crosswise,
    ForcedResponse as ForcedResponse,
    GeneralizedResponse as GeneralizedResponse,
    Kuk as Kuk,
    Mangat as Mangat,
    OneSided as OneSided,
    Triangular as Triangular,
    TwoCoin as TwoCoin,
    UnrelatedQuestion as UnrelatedQuestion,
    Warner as Warner,
)
from mechanisms.estimation.candidates import Candidates as Candidates
from mechanisms.estimation.estimates import Estimate as Estimate, Functional as Functional
from mechanisms.estimation.finite import FiniteEstimate as FiniteEstimate
from mechanisms.estimation.likelihoods import log_likelihood as log_likelihood
from mechanisms.estimation.mixtures import ConvergenceError as ConvergenceError
from mechanisms.estimation.tallies import Tally as Tally
from mechanisms.planning import central as central, privacy as privacy
from mechanisms.planning.central import (
    compare_with_central as compare_with_central,
    laplace_error as laplace_error,
)
from mechanisms.planning.privacy import odds_percent as odds_percent, round_up as round_up
from mechanisms.planning.recommendation import (
    Recommendation as Recommendation,
    best_known_error as best_known_error,
    recommend as recommend,
    total_error as total_error,
)
from mechanisms.planning.texts import recommend_for_texts as recommend_for_texts
from mechanisms.version import __version__ as __version__
