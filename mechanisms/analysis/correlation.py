"""The correlation of two answers, or of an answer and a number, from randomized reports."""

from typing import Any, NamedTuple

import numpy as np

from mechanisms import checks
from mechanisms.analysis.answers import answers
from mechanisms.analysis.association import Association
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals

# A number varies if its variance is more than this part of its largest square, which is rounding.
_ROUNDING = 1e-24


class Variable(NamedTuple):
    """A variable: a number, or one answer to a randomized question.

    Attributes
    ----------
    values : array_like
        Numbers of shape (n,) if there is no mechanism, else reports of the mechanism.
    mechanism : Mechanism or None
        The mechanism of the reports; None for numbers.
    choice : int
        The answer that is meant, counted from 0. Numbers have none.
    """

    values: Any
    mechanism: Mechanism | None = None
    choice: int = 1


class _Moments(NamedTuple):
    """The moments of a variable that a correlation consists of.

    deviations: the decoded values less their mean, shape (n,). variance: that of the truth.
    variance_influences: the influence of each value on the estimated variance, shape (n,).
    """

    deviations: FloatArray
    variance: float
    variance_influences: FloatArray


def correlate(first: Variable, second: Variable, confidence: float = 0.95) -> Association:
    """Return the correlation of the truths behind two variables.

    It is r = C / sqrt(A B), with the covariance C of the decoded values, and the variances A and B
    of the truths, which are pi (1 - pi) for a randomized answer with the share pi. The noise of
    different questions is independent, so it adds to no covariance. The correlation may come out
    outside of [-1, 1].

    Parameters
    ----------
    first, second : Variable
        The variables, with equally many values.
    confidence : float, default 0.95
        The level of the interval, between 0 and 1.

    Returns
    -------
    Association
        With the standard error of the delta method, and Wald's interval.

    Raises
    ------
    ValueError
        If the lengths differ, if a decoded share is not inside (0, 1), or if a number is always the
        same.

    References
    ----------
    Fox, J. A. and Tracy, P. E. (1984). Measuring associations with randomized response. Social
    Science Research 13, 188-197.
    """
    level = checks.between("confidence", confidence, 0, 1)
    one = _moments("first", first)
    other = _moments("second", second)
    if one.deviations.size != other.deviations.size:
        lengths = f"{one.deviations.size} and {other.deviations.size}"
        raise ValueError(f"first and second have {lengths} values; allowed are equally many")

    products = one.deviations * other.deviations
    covariance = products.mean()
    scale = np.sqrt(one.variance * other.variance)
    value = float(covariance / scale)

    # The influence of each respondent on r, by the delta method.
    relative_influences = (
        one.variance_influences / one.variance + other.variance_influences / other.variance
    )
    influences = (products - covariance) / scale - value / 2 * relative_influences
    error = float(np.sqrt(np.mean(influences**2) / influences.size))
    low, high = intervals.wald(np.array(value), np.array(error), level)
    return Association(value=value, standard_error=error, interval=(float(low), float(high)))


def _moments(name: str, variable: Variable) -> _Moments:
    if not isinstance(variable, Variable):
        raise ValueError(f"{name} is {checks.show(variable)}; allowed is a Variable")
    if variable.mechanism is None:
        return _moments_of_numbers(name, variable.values)

    choice = checks.whole("choice", variable.choice, 0)
    reports = answers(variable.mechanism, variable.values, choice)
    if reports.codes.size == 0:
        raise ValueError(f"{name} is empty; allowed is at least one report")
    scores_of_kinds = reports.scores(np.arange(reports.kinds))[:, 0]
    scores = scores_of_kinds[reports.codes]
    share = float(scores.mean())
    if not 0 < share < 1:
        raise ValueError(
            f"{name} has a decoded share of {share:.4g}; allowed for a correlation is one inside"
            " (0, 1)"
        )
    deviations = scores - share
    return _Moments(
        deviations=deviations,
        variance=share * (1 - share),
        variance_influences=(1 - 2 * share) * deviations,
    )


def _moments_of_numbers(name: str, values: Any) -> _Moments:
    numbers = arrays.numbers(name, values)
    if numbers.ndim != 1 or numbers.size == 0:
        raise ValueError(
            f"{name} has shape {numbers.shape}; allowed is (n,), with at least one value"
        )
    deviations = numbers - numbers.mean()
    variance = float(np.mean(deviations**2))
    largest = float(np.max(np.abs(numbers)))
    if variance <= _ROUNDING * largest**2:
        raise ValueError(
            f"{name} is always {numbers[0]:g}; allowed for a correlation are different values"
        )
    return _Moments(
        deviations=deviations,
        variance=variance,
        variance_influences=deviations**2 - variance,
    )
