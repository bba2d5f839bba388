"""Pooling of tallies that were collected under different parameters, such as two epsilons."""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import chdtrc

from mechanisms import checks
from mechanisms.analysis.comparisons import Significance, homogeneity
from mechanisms.checks import FloatArray
from mechanisms.estimation.likelihoods import Group, JointLikelihood


@dataclass(frozen=True)
class Pooled:
    """One estimate from several tallies.

    Attributes
    ----------
    n : int
        The number of respondents.
    confidence : float
        The confidence of each interval, inside (0, 1).
    proportions : ndarray of shape (size,)
        The unclipped maximum of the joint likelihood.
    standard_errors : ndarray of shape (size,)
        From the expected information at the maximum.
    intervals : ndarray of shape (size, 2)
        Profile-likelihood intervals.
    statistics : ndarray of shape (size,)
        Twice the log-likelihood that pooling loses, choice by choice.
    homogeneity : Significance
        The test that all groups have the same shares. With more than one free share, the smallest
        p-value times their number (Bonferroni), and the statistic of this p-value.
    """

    n: int
    confidence: float
    proportions: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    statistics: FloatArray
    homogeneity: Significance


def pool(groups: Sequence[Group], confidence: float = 0.95) -> Pooled:
    """Return one estimate from several pairs of a mechanism and a tally, by their joint likelihood.

    Pool only the same wording, the same choices and the same population: the likelihood assumes one
    common share, which `homogeneity` tests. To weight the separate estimates by their estimated
    variances instead would favour whichever happened to come out near 0 or 1.

    Parameters
    ----------
    groups : sequence of (Mechanism, Tally)
        At least 2 groups.
    confidence : float, default 0.95
        The confidence of each interval, inside (0, 1).

    Returns
    -------
    Pooled

    Raises
    ------
    ValueError
        As for `JointLikelihood`, or for fewer than 2 groups.
    """
    joint = JointLikelihood(groups)
    if len(groups) < 2:
        raise ValueError(f"groups has {len(groups)} group; allowed is at least 2")
    level = checks.between("confidence", confidence, 0, 1)

    statistics = homogeneity(joint)
    largest = float(statistics.max())
    degrees = len(groups) - 1
    free_shares = max(mechanism.free_shares for mechanism, _ in groups)
    p_value = min(1.0, free_shares * float(chdtrc(degrees, largest)))
    return Pooled(
        n=sum(tally.n for _, tally in groups),
        confidence=level,
        proportions=joint.maximum(),
        standard_errors=joint.standard_errors(),
        intervals=joint.interval(level),
        statistics=statistics,
        homogeneity=Significance(statistic=largest, degrees=degrees, p_value=p_value),
    )
