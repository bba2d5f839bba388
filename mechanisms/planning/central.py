"""What privacy on the device costs, compared with a trusted server that adds noise to its counts."""

import math
from typing import NamedTuple

from mechanisms import checks
from mechanisms.designs.unary import Select, UnaryEncoding
from mechanisms.estimation.estimates import Estimate


class CentralComparison(NamedTuple):
    """Expected absolute errors of the shares, as fractions.

    local: of the largest standard error, sqrt(2/pi) of it (the mean absolute value of a normal error).
    central: of Laplace noise on a trusted server at the same epsilon, without sampling.
    """

    local: float
    central: float

    @property
    def ratio(self) -> float:
        """How many times larger the local error is."""
        return self.local / self.central


def laplace_error(epsilon: float, n: int, size: int = 2, select: Select = "one") -> float:
    """Expected absolute error of a share when a trusted server adds Laplace noise to its counts.

    The scale is the number of counts that one person can change, over epsilon (Dwork and Roth 2014, section 3.3): the
    one count of a yes/no question, two of a histogram of choices, all `size` where all that apply are chosen. The mean
    absolute value of that noise is its scale.
    """
    epsilon, n, size = checks.epsilon(epsilon), checks.whole("n", n, 1), checks.size(size)
    one_choice = 1 if size == 2 else 2
    changed = size if checks.one_of("select", select, ("one", "any")) == "any" else one_choice
    return changed / (epsilon * n)


def compare_with_central(estimate: Estimate) -> CentralComparison:
    """The error of an estimate beside that on a trusted server. ValueError if epsilon is infinite."""
    mechanism = estimate.mechanism
    local = math.sqrt(2 / math.pi) * float(estimate.standard_errors.max())
    select: Select = mechanism.select if isinstance(mechanism, UnaryEncoding) else "one"
    return CentralComparison(local, laplace_error(mechanism.epsilon, estimate.n, mechanism.size, select))
