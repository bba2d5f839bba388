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
from typing import Any

# Module -> its names here. Each is imported when it is first used: who counts a file needs no regression.
_HOMES = {
    "": "planning",
    "analysis": "diagnostics",
    "analysis.among": "LeastSquaresAmong least_squares_among",
    "analysis.association": "Association",
    "analysis.comparisons": "Significance equal_groups_test equal_values_test likelihood_ratio_test z_test",
    "analysis.contrasts": "CellContrasts ContrastCells",
    "analysis.correlation": "Variable correlate",
    "analysis.differences": "Differences Side difference_side",
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
    "designs.marks": "Marks",
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
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}
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
    return [*globals(), *__all__]
