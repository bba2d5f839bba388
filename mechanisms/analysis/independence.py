"""Whether the answers of two questions are unrelated, from what their decoded reports say together."""

import numpy as np
from scipy.special import chdtrc

from mechanisms.analysis.basis import generalized_inverse
from mechanisms.analysis.comparisons import Significance
from mechanisms.checks import FloatArray
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.tallies import Tally

Side = tuple[Mechanism, Tally]


def independence(first: Side, second: Side, between: FloatArray) -> Significance:
    """n tr(S1^-1 C S2^-1 C'), chi-square. between: C, the covariance of both decoded questions, shape (k1, k2)."""
    (one, spread1), (other, spread2) = _contrasts(*first), _contrasts(*second)
    covariance = one @ between @ other.T
    (inverse1, rank1), (inverse2, rank2) = (
        generalized_inverse(spread1),
        generalized_inverse(spread2),
    )
    statistic, degrees = (
        first[1].n * float(np.trace(inverse1 @ covariance @ inverse2 @ covariance.T)),
        rank1 * rank2,
    )
    return Significance(statistic, degrees, float(chdtrc(degrees, statistic)) if degrees else 1.0)


def _contrasts(mechanism: Mechanism, tally: Tally) -> tuple[FloatArray, FloatArray]:
    """Each answer against the first, for choose-all every answer by itself; and the covariance of these."""
    k = mechanism.size
    alone = mechanism.select == "any"
    contrasts = np.eye(k) if alone else np.hstack([np.full((k - 1, 1), -1.0), np.eye(k - 1)])
    return contrasts, contrasts @ _spread(mechanism, tally) @ contrasts.T


def _spread(mechanism: Mechanism, tally: Tally) -> FloatArray:
    """The covariance of decoded reports as they came, shape (size, size)."""
    shares = tally.counts / tally.n
    if isinstance(mechanism, MatrixMechanism):
        return mechanism.decode_covariance(np.diag(shares) - np.outer(shares, shares))
    if tally.pairs is None:
        expected = mechanism.share_covariance(tally)
        if expected is None:
            raise ValueError(
                "tally has only counts; allowed for independence are choose-all bits with pairs"
            )
        return mechanism.decode_covariance(expected)
    return mechanism.decode_covariance(tally.pairs / tally.n - np.outer(shares, shares))
