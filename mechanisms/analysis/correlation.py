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


class Variable(NamedTuple):
    """values: numbers of shape (n,) with mechanism None; else reports of a mechanism, of which `choice` is meant."""

    values: Any
    mechanism: Mechanism | None = None
    choice: int = 1


class _Parts(NamedTuple):
    """deviations: from the mean, shape (n,). variance: of the truth. bend: what each value says about that variance."""

    deviations: FloatArray
    variance: float
    bend: FloatArray


def correlate(first: Variable, second: Variable, confidence: float = 0.95) -> Association:
    """The correlation of the truths behind two variables, with its standard error and Wald interval.

    r = C / sqrt(A B): C the covariance of the decoded values, A and B the variances of the truths, pi (1 - pi) of a
    randomized one. The noise of different questions is independent, so it adds to no covariance (Fox and Tracy 1984,
    Social Science Research 13). It may come out outside of [-1, 1]. ValueError for different lengths, a share that is
    not inside (0, 1), or a number that is always the same.
    """
    level = checks.between("confidence", confidence, 0, 1)
    one, other = _parts("first", first), _parts("second", second)
    if one.deviations.size != other.deviations.size:
        lengths = f"{one.deviations.size} and {other.deviations.size}"
        raise ValueError(f"first and second have {lengths} values; allowed are equally many")
    products, scale = one.deviations * other.deviations, np.sqrt(one.variance * other.variance)
    together = products.mean()
    value = float(together / scale)
    psi = (products - together) / scale - value / 2 * (
        one.bend / one.variance + other.bend / other.variance
    )
    error = float(np.sqrt(np.mean(psi**2) / psi.size))
    low, high = intervals.wald(np.array(value), np.array(error), level)
    return Association(value, error, (float(low), float(high)))


def _parts(name: str, variable: Variable) -> _Parts:
    if not isinstance(variable, Variable):
        raise ValueError(f"{name} is {checks.show(variable)}; allowed is a Variable")
    if variable.mechanism is None:
        return _numbers(name, variable.values)
    found = answers(variable.mechanism, variable.values, checks.whole("choice", variable.choice, 0))
    if found.codes.size == 0:
        raise ValueError(f"{name} is empty; allowed is at least one report")
    scores = found.scores(np.arange(found.kinds))[:, 0][found.codes]
    share = float(scores.mean())
    if not 0 < share < 1:
        raise ValueError(
            f"{name} has a decoded share of {share:.4g}; allowed for a correlation is one inside (0, 1)"
        )
    deviations = scores - share
    return _Parts(deviations, share * (1 - share), (1 - 2 * share) * deviations)


def _numbers(name: str, values: Any) -> _Parts:
    numbers = arrays.numbers(name, values)
    if numbers.ndim != 1 or numbers.size == 0:
        raise ValueError(
            f"{name} has shape {numbers.shape}; allowed is (n,), with at least one value"
        )
    deviations = numbers - numbers.mean()
    variance = float(np.mean(deviations**2))
    if variance <= 1e-24 * float(np.max(np.abs(numbers))) ** 2:
        raise ValueError(
            f"{name} is always {numbers[0]:g}; allowed for a correlation are different values"
        )
    return _Parts(deviations, variance, deviations**2 - variance)
