"""The standard error of a difference of means of decoded reports, even if all are alike.

Shares of a matrix design that has no line are means of decoded reports, too.
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
    """Return the standard error of a weighted sum of group means.

    It is the largest of three: the sandwich error (HC1), the classical error with equal variances,
    and the error with the least variances that the design allows.

    Parameters
    ----------
    weights : array_like of shape (groups,)
        The weight of each group's mean, such as 1 and -1 for a difference.
    n : array_like of shape (groups,)
        The number of respondents of each group, above 0.
    variances : array_like of shape (groups,)
        The mean squared distance of a group's decoded reports from their mean or fitted mean.
    least : float or array_like of shape (groups,), default 0
        The least variance of a decoded report (`Mechanism.least_variance`); 0 if the answers are
        not randomized.
    coefficients : int, optional
        The number of coefficients behind the means; by default one for each group.

    Returns
    -------
    float
        The standard error, in the unit of the decoded reports.

    Raises
    ------
    ValueError
        For shapes that do not fit, a group without respondents, or no more respondents than
        coefficients.

    References
    ----------
    MacKinnon and White (1985, Journal of Econometrics 29) for HC1.
    """
    weights_of_groups = numbers("weights", weights)
    respondents = numbers("n", n)
    variances_of_groups = numbers("variances", variances)
    shape = weights_of_groups.shape
    if len(shape) != 1 or respondents.shape != shape or variances_of_groups.shape != shape:
        shapes = f"{shape}, {respondents.shape} and {variances_of_groups.shape}"
        raise ValueError(
            f"weights, n and variances have shapes {shapes}; allowed is (groups,) of each"
        )
    checks.positive("n", float(respondents.min(initial=np.inf)))
    if coefficients is None:
        coefficients = weights_of_groups.size
    total = float(respondents.sum())
    if total <= coefficients:
        raise ValueError(
            f"n sums to {total:g}; "
            f"allowed are more respondents than the {coefficients} coefficients"
        )

    multipliers = weights_of_groups**2 / respondents
    least_variances = np.asarray(least, float)
    correction = respondents.sum() / (respondents.sum() - coefficients)
    pooled_variance = float(respondents @ variances_of_groups / respondents.sum())
    sandwich: FloatArray = correction * (multipliers @ variances_of_groups)
    classical: FloatArray = correction * pooled_variance * multipliers.sum()
    smallest_possible: FloatArray = (multipliers * least_variances).sum()
    largest = float(max(sandwich, classical, smallest_possible))
    return float(np.sqrt(largest))
