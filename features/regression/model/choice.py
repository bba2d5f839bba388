"""Fitting: which model is made of the cells, and by which other one it is replaced where it cannot be believed."""

import numpy as np

from features.regression.model.design_matrix import Design
from features.regression.model.fits import DirectFit, LatentFit
from mechanisms import (
    LeastSquares,
    Predictor,
    Regression,
    Variable,
    least_squares,
    least_squares_among,
    regress,
    regress_on,
)
from surveys.results.analysis.cells import Cells
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.predictors import Term
from surveys.results.analysis.refusals import TooFew
from surveys.site.errors import Invalid
from surveys.site.number_format import format_count

SHARES, MEAN = "shares", "mean"
NO_LINE = "The design of this question is a matrix without odds for single answers."
CERTAIN = "the answer given the true answer is too close to certain for so few responses"


def _is_certain(fitted: Predictor, made: Design) -> bool:
    """Whether some share of the outcome, given the truth, is nearer to 0 or 1 than so many people can tell."""
    odds = made.table @ fitted.coefficients[:-1]
    furthest = np.abs([odds, odds + fitted.coefficients[-1]]).max()
    return bool(1 / (1 + np.exp(furthest)) < 1 / (2 * fitted.n))


def fit_of(
    part: SurveyVariable, cells: Cells, made: Design, kind: str
) -> tuple[Regression | None, DirectFit, str]:
    """The regression, what is shown in the end, and why that is another one."""
    if part.is_mean:
        return None, DirectFit(made, _of_means(part, cells, made)), ""
    data = part.mechanism, cells.reports(part), made.of_rows
    options = {"choice": part.answer, "counts": cells.counts}
    if kind == SHARES:
        return None, DirectFit(made, least_squares(*data, **options)), ""
    if part.choice is not None and not part.is_of_two:
        least = part.mechanism.least_variance(np.eye(part.mechanism.size)[part.choice])
        return None, DirectFit(made, least_squares(*data, **options, least=least)), NO_LINE
    regression = regress(*data, **options)
    return (
        regression,
        DirectFit(made, regression.instead or regression),
        regression.reason if regression.instead else "",
    )


def _of_means(part: SurveyVariable, cells: Cells, made: Design) -> LeastSquares:
    """TooFew where it is not known that anybody gave a number."""
    kinds, (scores, given) = cells.of(part), part.unbiased_values
    options = {"counts": cells.counts, "least": part.least_variances}
    if given is None:
        return least_squares(None, scores[kinds], made.of_rows, **options)
    try:
        return least_squares_among(scores[kinds], given[kinds], made.of_rows, **options)
    except ValueError:
        raise TooFew(
            f"Choose fewer or larger groups. In some group these {format_count(cells.n)} "
            "responses don’t show whether anyone "
            f"gave a number to “{part.item.full_text}” instead of “{part.item.choices[-1]}”."
        ) from None


def fit_with_truth(
    part: SurveyVariable, truth: Term, cells: Cells, made: Design
) -> tuple[Predictor, LatentFit, str]:
    """With a scrambled question that explains. TooFew where nothing of it can be believed."""
    if not part.is_of_two:
        raise Invalid({"outcome": f"{NO_LINE} A scrambled question can’t explain it."})
    outcome = Variable(cells.reports(part), part.mechanism)
    z = truth.part
    fitted = regress_on(outcome, z.mechanism, cells.reports(z), made.of_rows, counts=cells.counts)
    certain = _is_certain(fitted, made)
    if fitted.verdict != "boundary" and np.isfinite(fitted.standard_errors).all() and not certain:
        return fitted, LatentFit(made, fitted), ""
    would_do = (
        f" About {format_count(fitted.needed_n)} responses would be enough."
        if fitted.needed_n
        else ""
    )
    why = (
        fitted.reason
        if fitted.verdict == "boundary"
        else CERTAIN
        if certain
        else "its effect has no standard error"
    )
    raise TooFew(
        f"These responses don’t show what the true answer to “{truth.text}” is linked to: {why}.{would_do}"
    )
