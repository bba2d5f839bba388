"""Randomized-response mechanisms: exact integers in, honest estimates out. Needs NumPy and SciPy only.

    from mechanisms import Warner
    m = Warner("3/4")
    reports = m.randomize(truths, rng)            # 0 = No, 1 = Yes
    e = m.estimate(m.tally(reports))
    e.proportions[1], e.standard_errors[1], e.intervals[1]

Besides the names here: `mechanisms.privacy` (accounting), `mechanisms.planning` (sample sizes and power),
`mechanisms.central` (what a trusted server would have shown) and `mechanisms.diagnostics` (signs of wrong reports). The
formulas and their sources are in docs/statistics.md.

The rooms, each importing only those before it: `chance` draws whole numbers, `estimation` leads from counts to shares,
`designs` says what is done to an answer, `planning` comes before a survey and `analysis` after it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what the table below says, for readers of types
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

# Module -> its names here. Each is imported when it is first used: who counts a file needs no regression.
_HOMES = {
    "": "planning",
    "analysis": "diagnostics",
    "analysis.among": "LeastSquaresAmong least_squares_among",
    "analysis.association": "Association",
    "analysis.comparisons": "Significance equal_groups_test equal_values_test likelihood_ratio_test z_test",
    "analysis.contrasts": "CellContrasts ContrastCells",
    "analysis.correlation": "Variable correlate",
    "analysis.differences": "Differences GroupReports difference_side",
    "analysis.linear": "LeastSquares least_squares",
    "analysis.mean_errors": "mean_error",
    "analysis.pairs": "PairTally pair_tally",
    "analysis.pooling": "Pooled pool",
    "analysis.predictors": "Predictor regress_on",
    "analysis.raking": "rake",
    "analysis.regression": "Regression regress",
    "analysis.results": "Effect Prediction",
    "analysis.several": "benjamini_hochberg holm",
    "analysis.tables": "CrossTable cross",
    "analysis.weights": "WeightedEstimate weighted_estimate",
    "designs.direct": "DirectEncoding",
    "designs.general": "Matrix",
    "designs.geometry": "Geometry",
    "designs.marks": "OptionSampling",
    "designs.mechanism": "Mechanism",
    "designs.rappor": "Rappor",
    "designs.specs": "from_spec",
    "designs.subset": "SubsetSelection",
    "designs.unary": "UnaryEncoding",
    "designs.window": "Window",
    "designs.written": "Written",
    "designs.yes_no": "Crosswise ForcedResponse GeneralizedResponse Kuk Mangat OneSided Triangular TwoCoin"
    " UnrelatedQuestion Warner",
    "estimation.candidates": "Candidates",
    "estimation.estimates": "Estimate Functional",
    "estimation.finite": "FiniteEstimate",
    "estimation.likelihoods": "log_likelihood",
    "estimation.mixtures": "ConvergenceError",
    "estimation.tallies": "Tally",
    "planning": "central privacy",
    "planning.central": "compare_with_central laplace_error",
    "planning.privacy": "odds_percent round_up",
    "planning.recommendation": "Recommendation best_known_error recommend total_error",
    "planning.texts": "recommend_for_texts",
    "version": "__version__",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}
if not TYPE_CHECKING:
    __all__ = sorted(_HOME)  # noqa: PLE0605 (a list, made of the table)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(".".join(filter(None, (__name__, _HOME[name]))))
    value = getattr(home, name, None) if home.__name__ != __name__ else None
    value = value or import_module(f"{home.__name__}.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_HOME]
