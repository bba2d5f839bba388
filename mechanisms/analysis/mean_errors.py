"""The standard error of a difference of means of decoded reports, also where these happen to be alike.

Shares of a matrix without a line are means of decoded reports too.
"""

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance.arrays import numbers
from mechanisms.checks import FloatArray


def mean_error(
    weights: ArrayLike,
    n: ArrayLike,
    variances: ArrayLike,
    least: ArrayLike = 0.0,
    *,
    coefficients: int | None = None,
) -> float:
    """The standard error of a weighted sum of means: the largest of the sandwich's (HC1: MacKinnon and White 1985, J.
    Econometrics 29), the classical one of equal variances, and the one at the least variances that the design allows.

    weights: of the mean of each group, as 1 and -1 for a difference, shape (groups,). n: respondents of each group.
    variances: the mean squared distance of a group's decoded reports from its mean, or from its fitted one. least: the
    least variance of a decoded report (`Mechanism.least_variance`), a number or one for each group; 0 where answers are
    not randomized. coefficients: how many made the means, by default one for each group. ValueError for shapes that do
    not fit, a group without respondents, or no more respondents than coefficients.
    """
    each = numbers("weights", weights)
    people, spread = numbers("n", n), numbers("variances", variances)
    if each.ndim != 1 or people.shape != each.shape or spread.shape != each.shape:
        shapes = f"{each.shape}, {people.shape} and {spread.shape}"
        raise ValueError(
            f"weights, n and variances have shapes {shapes}; allowed is (groups,) of each"
        )
    checks.positive("n", float(people.min(initial=np.inf)))
    fitted, total = each.size if coefficients is None else coefficients, float(people.sum())
    if total <= fitted:
        raise ValueError(
            f"n sums to {total:g}; allowed are more respondents than the {fitted} coefficients"
        )
    return float(
        np.sqrt(
            _largest_variance(each**2 / people, people, spread, np.asarray(least, float), fitted)
        )
    )


def _largest_variance(
    shares: FloatArray, n: FloatArray, variances: FloatArray, least: FloatArray, p: int
) -> float:
    """shares: what the variance of each group counts for."""
    factor = n.sum() / (n.sum() - p)
    pooled = float(n @ variances / n.sum())
    return float(
        max(factor * (shares @ variances), factor * pooled * shares.sum(), (shares * least).sum())
    )
