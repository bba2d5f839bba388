"""Tests: a share against a value, and groups against each other."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, ndtr, xlog1py, xlogy

from mechanisms import checks
from mechanisms.chance.arrays import numbers, positives
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.decoding import Decoder
from mechanisms.estimation.estimates import Estimate
from mechanisms.estimation.likelihoods import Group, JointLikelihood, check_group, log_likelihood
from mechanisms.estimation.tallies import Tally


class Significance(NamedTuple):
    """statistic: chi-square or z. degrees: of freedom of the chi-square, 0 for a z. p_value: two-sided."""

    statistic: float
    degrees: int
    p_value: float


def likelihood_ratio_test(
    mechanism: Mechanism, tally: Tally, share: float, choice: int = 1
) -> Significance:
    """Whether the true share of a choice is a given one (Wilks 1938; one degree of freedom).

    ValueError for a share under which the reports are impossible.
    """
    line = check_group(mechanism, tally)
    choice = checks.whole("choice", choice, 0, mechanism.size - 1)
    observed = mechanism.support_counts(tally)[choice] / _asked(mechanism, tally, choice)
    best = (observed - line.offset[choice]) / line.slope[choice]
    at_best, at_share = log_likelihood(mechanism, tally, np.array([best, share]), choice)
    if not np.isfinite(at_share):
        raise ValueError(
            f"share is {share!r}; allowed is one under which the observed share {observed:.6g} is possible"
        )
    return _chi_square(2 * (at_best - at_share), 1)


def equal_groups_test(groups: Sequence[Group], choice: int = 1) -> Significance:
    """Whether groups have the same true share of a choice, by the likelihood ratio; groups - 1 degrees of freedom.

    groups: (mechanism, tally) pairs; the mechanisms may differ.
    """
    joint = JointLikelihood(groups)
    if len(groups) < 2:
        raise ValueError(f"groups has {len(groups)} group; allowed is at least 2")
    choice = checks.whole("choice", choice, 0, joint.size - 1)
    for group in groups:
        _asked(*group, choice)
    return _chi_square(float(homogeneity(joint)[choice]), len(groups) - 1)


def equal_values_test(values: ArrayLike, standard_errors: ArrayLike) -> Significance:
    """Whether groups have the same true value, such as a mean, from estimates with errors (Cochran 1954, Biometrics
    10): the weighted squares around their mean, a chi-square with groups - 1 degrees of freedom.

    values, standard_errors: of each group, shape (groups,), the errors above 0.
    """
    estimates, errors = numbers("values", values), positives("standard_errors", standard_errors)
    if estimates.shape != errors.shape or estimates.ndim != 1 or estimates.size < 2:
        raise ValueError(
            f"values has shape {estimates.shape} and standard_errors {errors.shape}; allowed is (groups,) for both, "
            "at least 2"
        )
    weights = errors**-2.0
    around = estimates - weights @ estimates / weights.sum()
    return _chi_square(float(weights @ around**2), estimates.size - 1)


def homogeneity(joint: JointLikelihood) -> checks.FloatArray:
    """Twice the log-likelihood that one common share loses against a share for each group, shape (size,)."""
    observed = joint.counts / np.maximum(joint.n, 1)
    apart = _binomial(joint, observed).sum(axis=0)
    together = _binomial(joint, joint.reports(joint.maximum())).sum(axis=0)
    lost: checks.FloatArray = np.maximum(2 * (apart - together), 0.0)
    return lost


def _binomial(joint: JointLikelihood, chances: checks.FloatArray) -> checks.FloatArray:
    value: checks.FloatArray = xlogy(joint.counts, chances) + xlog1py(
        joint.n - joint.counts, -chances
    )
    return value


def z_test(first: Group, second: Group, choice: int = 1) -> Significance:
    """Whether two groups have the same true share of a choice: the difference over its standard error if they do.

    That is the error at the common share of greatest likelihood, so the designs may differ. With the errors of the two
    estimates instead, which come out small where few reports come, the test rejects up to twice too often; only for
    matrices of more than two answers, whose reports do not depend on one share, are these taken. ValueError where the
    error is 0.
    """
    estimates = [
        Estimate(mechanism, tally, confidence=0.95, interval="wald")
        for mechanism, tally in (first, second)
    ]
    choice = checks.whole("choice", choice, 0, estimates[0].mechanism.size - 1)
    for group in (first, second):
        _asked(*group, choice)
    one, other = (float(estimate.proportions[choice]) for estimate in estimates)
    if any(estimate.mechanism.line() is None for estimate in estimates):
        variance = sum(float(estimate.standard_errors[choice]) ** 2 for estimate in estimates)
    else:
        variance = _variance_if_equal(JointLikelihood([first, second]), choice)
    if variance == 0:
        raise ValueError(
            "the standard error is 0; allowed are tallies of which one has both reports"
        )
    z = (one - other) / np.sqrt(variance)
    return Significance(float(z), 0, float(2 * ndtr(-abs(z))))


def _variance_if_equal(joint: JointLikelihood, choice: int) -> float:
    """The variance of the difference of two estimates when both groups have the share of greatest likelihood."""
    chances = joint.reports(joint.maximum())
    variances = chances * (1 - chances) / (joint.n * joint.slope**2)
    return float(variances.sum(axis=0)[choice])


def _asked(mechanism: Decoder, tally: Tally, choice: int) -> int:
    """How many reports speak of the choice. ValueError for none."""
    found = int(mechanism.informative_reports(tally)[choice])
    if not found:
        raise ValueError(
            f"tally has no report that speaks of choice {choice}; allowed is at least one"
        )
    return found


def _chi_square(statistic: float, degrees: int) -> Significance:
    value = max(float(statistic), 0.0)
    return Significance(value, degrees, float(chdtrc(degrees, value)))
