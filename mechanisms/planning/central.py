"""What privacy on the device costs, compared with a trusted server that adds noise to its counts."""

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

secure_uint32: NextUint32 = partial(secrets.randbits, 32)  # from the operating system


class CentralComparison(NamedTuple):
    """Expected absolute errors of the shares, as fractions.

    local: of the largest standard error that is known, sqrt(2/pi) of it (the mean absolute value of a normal error).
    central: of Laplace noise on a trusted server at the same epsilon, without sampling.
    """

    local: float
    central: float

    @property
    def ratio(self) -> float:
        """How many times larger the local error is."""
        return self.local / self.central


def counts_changed(size: int, select: Select = "one") -> int:
    """How many counts of a question with `size` answers one person can change, each by one.

    Two where one of several is chosen, all where all that apply are. Of a yes/no question one is enough to publish,
    Yes: the others are No.
    """
    size, is_any = checks.size(size), checks.one_of("select", select, ("one", "any")) == "any"
    one_choice = 1 if size == 2 else 2
    return size if is_any else one_choice


def release(
    counts: Sequence[int],
    epsilon: Probability,
    changed: int = 2,
    next_uint32: NextUint32 = secure_uint32,
) -> list[int]:
    """Counts of true answers as a trusted server may publish them: each with discrete Laplace noise of its own.

    counts: whole numbers from 0. They can come out negative; whoever cuts that off shifts their mean.
    epsilon: above 0, exact: '11/10' or Fraction(11, 10); a float means the decimal number that Python prints for it.
    changed: how many of the counts one person can change, each by one: see `counts_changed`.
    next_uint32: a source of unsigned 32-bit integers, by default the operating system's for secrets.

    The noise x has chance tanh(r/2) exp(-r |x|) with r = epsilon/changed. Whatever one person answered, a result has
    chances whose ratio is at most exp(epsilon). It is drawn by whole numbers alone (Canonne, Kamath and Steinke 2020).
    """
    true = checks.counts(counts)
    rate = checks.exact_epsilon(epsilon) / checks.whole("changed", changed, 1)
    return [count + laplace.discrete_laplace(rate, next_uint32) for count in true]


def simulate(
    counts: Sequence[int], epsilon: float, changed: int = 2, draws: int = 1, rng: Seed = None
) -> IntArray:
    """What `release` could give, `draws` times over: shape (draws, number of counts).

    With floats and a generator that can be repeated: to plan and to teach, never for the counts of real people.
    """
    true = np.array(checks.counts(counts))
    rate = checks.epsilon(epsilon) / checks.whole("changed", changed, 1)
    shape = (checks.whole("draws", draws, 1), len(true))
    return true + laplace.simulate_laplace(rate, shape, checks.generator(rng))


def noise_error(epsilon: float, changed: int = 2) -> float:
    """The mean absolute value of the noise of `release`: 1/sinh(epsilon/changed), just less than changed/epsilon."""
    return 1 / math.sinh(min(checks.epsilon(epsilon) / checks.whole("changed", changed, 1), 700.0))


def noise_reach(epsilon: float, changed: int = 2, confidence: float = 0.95) -> int:
    """The least whole number that the noise of `release` does not exceed, up or down, with this chance or more."""
    rate = checks.epsilon(epsilon) / checks.whole("changed", changed, 1)
    beyond = 1 - checks.between("confidence", confidence, 0, 1)
    # Beyond m lie 2 a^(m + 1)/(1 + a), with a = exp(-rate).
    return max(0, math.ceil(math.log(2 / (1 + math.exp(-rate)) / beyond) / rate - 1 - 1e-12))


def laplace_error(epsilon: float, n: int, size: int = 2, select: Select = "one") -> float:
    """Expected absolute error of a share when a trusted server adds Laplace noise to its counts.

    The scale is the number of counts that one person can change, over epsilon (Dwork and Roth 2014, section 3.3): the
    one count of a yes/no question, two of a histogram of choices, all `size` where all that apply are chosen. The mean
    absolute value of that noise is its scale.
    """
    epsilon, n = checks.epsilon(epsilon), checks.whole("n", n, 1)
    return counts_changed(size, select) / (epsilon * n)


def compare_with_central(estimate: Estimate) -> CentralComparison:
    """The error of an estimate beside that on a trusted server. ValueError if epsilon is infinite."""
    mechanism = estimate.mechanism
    local = math.sqrt(2 / math.pi) * float(np.nanmax(estimate.standard_errors))
    return CentralComparison(
        local, laplace_error(mechanism.epsilon, estimate.n, mechanism.size, mechanism.select)
    )
