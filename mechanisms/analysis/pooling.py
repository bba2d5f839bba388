"""Pooling tallies that were collected under different parameters, such as two epsilons."""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import chdtrc

from mechanisms import checks
from mechanisms.analysis.comparisons import Significance, homogeneity
from mechanisms.checks import FloatArray
from mechanisms.estimation.likelihoods import Group, JointLikelihood


@dataclass(frozen=True)
class Pooled:
    """One estimate from several tallies. All arrays have shape (size,), intervals (size, 2).

    proportions: unclipped maximum of the joint likelihood. standard_errors: from the expected information there.
    intervals: profile likelihood. statistics: twice the log-likelihood that pooling loses, choice by choice.
    homogeneity: the test that all groups have the same shares; for more than one free share the smallest p-value
    times their number (Bonferroni), with the statistic it belongs to.
    """

    n: int
    confidence: float
    proportions: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    statistics: FloatArray
    homogeneity: Significance


def pool(groups: Sequence[Group], confidence: float = 0.95) -> Pooled:
    """Maximize the joint likelihood of several (mechanism, tally) pairs.

    Only for the same wording, the same choices and the same population: the likelihood assumes one common share, which
    `homogeneity` tests. Weighting the separate estimates by their estimated variances instead would favour whichever
    happened to come out near 0 or 1. ValueError as for `JointLikelihood`, or for fewer than 2 groups.
    """
    joint = JointLikelihood(groups)
    if len(groups) < 2:
        raise ValueError(f"groups has {len(groups)} group; allowed is at least 2")
    level = checks.between("confidence", confidence, 0, 1)
    statistics = homogeneity(joint)
    worst, free = float(statistics.max()), max(mechanism.free_shares for mechanism, _ in groups)
    p_value = min(1.0, free * float(chdtrc(len(groups) - 1, worst)))
    return Pooled(
        n=sum(tally.n for _, tally in groups),
        confidence=level,
        proportions=joint.maximum(),
        standard_errors=joint.standard_errors(),
        intervals=joint.interval(level),
        statistics=statistics,
        homogeneity=Significance(worst, len(groups) - 1, p_value),
    )
