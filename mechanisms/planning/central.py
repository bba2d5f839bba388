"""The cost of privacy on the device, compared with a trusted server that adds noise to its counts.

References
----------
Canonne, C. L., Kamath, G., & Steinke, T. (2020). The discrete Gaussian for differential privacy.
NeurIPS 2020: the noise by whole numbers alone.

Dwork, C., & Roth, A. (2014). The algorithmic foundations of differential privacy. Foundations and
Trends in Theoretical Computer Science, 9, 211–407, section 3.3: the Laplace mechanism.
"""

import math
import secrets
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from mechanisms import checks
from mechanisms.chance import laplace
from mechanisms.chance.draw import NextUint32
from mechanisms.checks import IntArray, Probability
from mechanisms.designs.mechanism import Seed
from mechanisms.estimation.decoding import Select
from mechanisms.estimation.estimates import Estimate

# The random numbers of the operating system, which are meant for secrets.
secure_uint32: NextUint32 = partial(secrets.randbits, 32)

# The hyperbolic sine of a larger number is no float.
_LARGEST_RATE = 700.0


class CentralComparison(NamedTuple):
    """
    Expected absolute errors of the shares, as fractions.

    Attributes
    ----------
    local : float
        The error with privacy on the device: sqrt(2/pi) times the largest standard error that is
        known, which is the mean absolute value of a normal error.
    central : float
        The error of Laplace noise on a trusted server at the same epsilon, without sampling.
    """

    local: float
    central: float

    @property
    def ratio(self) -> float:
        """The number of times by which the local error is larger."""
        return self.local / self.central


def counts_changed(size: int, select: Select = "one") -> int:
    """
    Return how many counts of a question one person can change, each by one.

    If one of several answers is chosen, these are two counts. In a multiple selection these are all
    counts. Of a yes/no question it is enough to publish one count, that of Yes.

    Parameters
    ----------
    size : int
        The number of answers, at least 2.
    select : {"one", "any"}, default "one"
        The number of answers that can be true of a person: "any" for a multiple selection.

    Returns
    -------
    int
        The number of counts.
    """
    size = checks.size(size)
    if checks.one_of("select", select, ("one", "any")) == "any":
        return size
    return 1 if size == 2 else 2


def release(
    counts: Sequence[int],
    epsilon: Probability,
    changed: int = 2,
    next_uint32: NextUint32 = secure_uint32,
) -> list[int]:
    """
    Return counts of true answers as a trusted server may publish them.

    Each count gets its own discrete Laplace noise. The noise x has the probability
    tanh(r/2) exp(-r |x|) with r = epsilon/changed, and is randomized by whole numbers alone.
    Whatever one person answered, the probabilities of a result have a ratio of at most
    exp(epsilon).

    Parameters
    ----------
    counts : sequence of int
        The counts, each at least 0.
    epsilon : str, float, Fraction or Decimal
        The privacy loss, above 0. It is exact, such as '11/10' or Fraction(11, 10). A float means
        the decimal number that Python prints for it.
    changed : int, default 2
        The number of counts that one person can change, each by one: see `counts_changed`.
    next_uint32 : callable, optional
        A source of unsigned 32-bit integers. By default it is that of the operating system.

    Returns
    -------
    list of int
        The counts with noise. They may be negative. Setting negative ones to 0 would shift their
        mean.

    Raises
    ------
    ValueError
        If an argument is outside of its range.
    """
    true_counts = checks.counts(counts)
    rate = checks.exact_epsilon(epsilon) / checks.whole("changed", changed, 1)
    return [count + laplace.discrete_laplace(rate, next_uint32) for count in true_counts]


def simulate(
    counts: Sequence[int], epsilon: float, changed: int = 2, draws: int = 1, rng: Seed = None
) -> IntArray:
    """
    Return counts that `release` could return, many times over.

    They are computed with floats and a generator that can be repeated. That is good for planning
    and teaching, and not for the counts of real people.

    Parameters
    ----------
    counts : sequence of int
        The true counts, each at least 0.
    epsilon : float
        The privacy loss, above 0.
    changed : int, default 2
        The number of counts that one person can change, each by one: see `counts_changed`.
    draws : int, default 1
        The number of simulated releases.
    rng : int or numpy.random.Generator, optional
        The seed or the generator.

    Returns
    -------
    ndarray of int64, shape (draws, counts)
        The counts with noise.
    """
    true_counts = np.array(checks.counts(counts))
    rate = checks.epsilon(epsilon) / checks.whole("changed", changed, 1)
    shape = (checks.whole("draws", draws, 1), len(true_counts))
    noise = laplace.simulate_laplace(rate, shape, checks.generator(rng))
    return true_counts + noise


def noise_error(epsilon: float, changed: int = 2) -> float:
    """
    Return the mean absolute value of the noise of `release`.

    It is 1/sinh(epsilon/changed), just less than changed/epsilon.

    Parameters
    ----------
    epsilon : float
        The privacy loss, above 0.
    changed : int, default 2
        The number of counts that one person can change, each by one: see `counts_changed`.

    Returns
    -------
    float
        The error of one count.
    """
    rate = checks.epsilon(epsilon) / checks.whole("changed", changed, 1)
    return 1 / math.sinh(min(rate, _LARGEST_RATE))


def noise_reach(epsilon: float, changed: int = 2, confidence: float = 0.95) -> int:
    """
    Return the smallest whole number that the noise of `release` rarely exceeds, up or down.

    Parameters
    ----------
    epsilon : float
        The privacy loss, above 0.
    changed : int, default 2
        The number of counts that one person can change, each by one: see `counts_changed`.
    confidence : float, default 0.95
        The least probability that the noise does not exceed the number.

    Returns
    -------
    int
        The number, from 0.
    """
    rate = checks.epsilon(epsilon) / checks.whole("changed", changed, 1)
    tail = 1 - checks.between("confidence", confidence, 0, 1)
    # The noise exceeds m with probability 2 a^(m + 1)/(1 + a), where a = exp(-rate).
    real_reach = math.log(2 / (1 + math.exp(-rate)) / tail) / rate - 1
    return max(0, math.ceil(real_reach - 1e-12))


def laplace_error(epsilon: float, n: int, size: int = 2, select: Select = "one") -> float:
    """
    Return the expected absolute error of a share if a trusted server adds Laplace noise.

    The scale of the noise is the number of counts that one person can change, divided by epsilon
    (Dwork and Roth 2014). The mean absolute value of the noise is its scale.

    Parameters
    ----------
    epsilon : float
        The privacy loss, above 0.
    n : int
        The number of respondents, at least 1.
    size : int, default 2
        The number of answers, at least 2.
    select : {"one", "any"}, default "one"
        The number of answers that can be true of a person: "any" for a multiple selection.

    Returns
    -------
    float
        The error, a fraction.
    """
    checked_epsilon = checks.epsilon(epsilon)
    respondents = checks.whole("n", n, 1)
    return counts_changed(size, select) / (checked_epsilon * respondents)


def compare_with_central(estimate: Estimate) -> CentralComparison:
    """
    Return the error of an estimate, and the error that a trusted server would have.

    Parameters
    ----------
    estimate : Estimate
        The estimate.

    Returns
    -------
    CentralComparison
        Both errors.

    Raises
    ------
    ValueError
        If the epsilon of the mechanism is infinite.
    """
    mechanism = estimate.mechanism
    largest_error = float(np.nanmax(estimate.standard_errors))
    return CentralComparison(
        local=math.sqrt(2 / math.pi) * largest_error,
        central=laplace_error(mechanism.epsilon, estimate.n, mechanism.size, mechanism.select),
    )
