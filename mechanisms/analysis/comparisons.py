"""Tests of a share against a value, and of groups against each other."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, ndtr, xlog1py, xlogy

from mechanisms import checks
from mechanisms.chance.arrays import numbers, positives
from mechanisms.checks import FloatArray
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.decoding import Decoder
from mechanisms.estimation.estimates import Estimate
from mechanisms.estimation.likelihoods import Group, JointLikelihood, check_group, log_likelihood
from mechanisms.estimation.tallies import Tally


class Significance(NamedTuple):
    """The result of a test.

    Attributes
    ----------
    statistic : float
        A chi-square, or a z.
    degrees : int
        The degrees of freedom of the chi-square; 0 for a z.
    p_value : float
        Two-sided, from 0 to 1.
    """

    statistic: float
    degrees: int
    p_value: float


def likelihood_ratio_test(
    mechanism: Mechanism, tally: Tally, share: float, choice: int = 1
) -> Significance:
    """Return the test of whether the true share of a choice is a given one.

    Parameters
    ----------
    mechanism : Mechanism
        A mechanism whose reports for a choice depend on the share of this choice alone.
    tally : Tally
        The counts of the reports.
    share : float
        The share that is tested.
    choice : int, default 1
        The answer, counted from 0.

    Returns
    -------
    Significance
        Twice the log-likelihood that the given share loses against the share of greatest
        likelihood: a chi-square with one degree of freedom.

    Raises
    ------
    ValueError
        If the reports are impossible under the share, or if no report is informative about the
        choice.

    References
    ----------
    Wilks, S. S. (1938). The large-sample distribution of the likelihood ratio for testing composite
    hypotheses. Annals of Mathematical Statistics 9, 60-62.
    """
    line = check_group(mechanism, tally)
    choice = checks.whole("choice", choice, 0, mechanism.size - 1)
    reports = _informative_reports(mechanism, tally, choice)
    observed = mechanism.support_counts(tally)[choice] / reports
    best_share = (observed - line.offset[choice]) / line.slope[choice]

    shares = np.array([best_share, share])
    at_best, at_share = log_likelihood(mechanism, tally, shares, choice)
    if not np.isfinite(at_share):
        raise ValueError(
            f"share is {share!r}; allowed is one under which the observed share {observed:.6g} is"
            " possible"
        )
    return _chi_square_test(2 * (at_best - at_share), 1)


def equal_groups_test(groups: Sequence[Group], choice: int = 1) -> Significance:
    """Return the likelihood ratio test of whether groups have the same true share of a choice.

    Parameters
    ----------
    groups : sequence of (Mechanism, Tally)
        At least two groups of different people. The mechanisms may differ.
    choice : int, default 1
        The answer, counted from 0.

    Returns
    -------
    Significance
        A chi-square with one degree of freedom less than there are groups.

    Raises
    ------
    ValueError
        If there is only one group, or if a group has no report that is informative about the
        choice.

    References
    ----------
    Wilks, S. S. (1938). The large-sample distribution of the likelihood ratio for testing composite
    hypotheses. Annals of Mathematical Statistics 9, 60-62.
    """
    joint = JointLikelihood(groups)
    if len(groups) < 2:
        raise ValueError(f"groups has {len(groups)} group; allowed is at least 2")
    choice = checks.whole("choice", choice, 0, joint.size - 1)
    for mechanism, tally in groups:
        _informative_reports(mechanism, tally, choice)
    statistic = float(homogeneity(joint)[choice])
    return _chi_square_test(statistic, len(groups) - 1)


def equal_values_test(values: ArrayLike, standard_errors: ArrayLike) -> Significance:
    """Return the test of whether groups have the same true value, such as a mean.

    Parameters
    ----------
    values : array_like, shape (groups,)
        The estimate of each group, of which there are at least two.
    standard_errors : array_like, shape (groups,)
        Their standard errors, above 0.

    Returns
    -------
    Significance
        The weighted squares of the values around their weighted mean: a chi-square with one degree
        of freedom less than there are groups.

    Raises
    ------
    ValueError
        If the shapes differ, there is only one group, or an error is not above 0.

    References
    ----------
    Cochran, W. G. (1954). The combination of estimates from different experiments. Biometrics 10,
    101-129.
    """
    estimates = numbers("values", values)
    errors = positives("standard_errors", standard_errors)
    if estimates.shape != errors.shape or estimates.ndim != 1 or estimates.size < 2:
        raise ValueError(
            f"values has shape {estimates.shape} and standard_errors {errors.shape}; allowed is"
            " (groups,) for both, at least 2"
        )
    weights = errors**-2.0
    mean = weights @ estimates / weights.sum()
    deviations = estimates - mean
    statistic = float(weights @ deviations**2)
    return _chi_square_test(statistic, estimates.size - 1)


def homogeneity(joint: JointLikelihood) -> FloatArray:
    """Return twice the log-likelihood that a common share loses against a share for each group.

    Parameters
    ----------
    joint : JointLikelihood
        The likelihood of several groups.

    Returns
    -------
    ndarray of shape (size,)
        The statistic of each answer, at least 0.
    """
    observed = joint.counts / np.maximum(joint.n, 1)
    common = joint.reports(joint.maximum())
    separate_likelihood = _binomial_log_likelihood(joint, observed).sum(axis=0)
    common_likelihood = _binomial_log_likelihood(joint, common).sum(axis=0)
    statistics: FloatArray = np.maximum(2 * (separate_likelihood - common_likelihood), 0.0)
    return statistics


def _binomial_log_likelihood(joint: JointLikelihood, probabilities: FloatArray) -> FloatArray:
    """Return the log-likelihood of each group and answer at these probabilities of support."""
    support_terms = xlogy(joint.counts, probabilities)
    other_terms = xlog1py(joint.n - joint.counts, -probabilities)
    log_likelihoods: FloatArray = support_terms + other_terms
    return log_likelihoods


def z_test(first: Group, second: Group, choice: int = 1) -> Significance:
    """Return the z-test of whether two groups have the same true share of a choice.

    The difference of the estimates is divided by its standard error if the shares are equal. This
    is the error at the common share of greatest likelihood, so the designs may differ. With the
    errors of the two estimates, which come out small where few reports come, the test would reject
    up to twice too often. They are used only for matrices of more than two answers, whose reports
    do not depend on one share.

    Parameters
    ----------
    first, second : (Mechanism, Tally)
        The two groups, of different people.
    choice : int, default 1
        The answer, counted from 0.

    Returns
    -------
    Significance
        A z, with 0 degrees.

    Raises
    ------
    ValueError
        If the standard error is 0, or if a group has no report that is informative about the
        choice.

    References
    ----------
    Mee, R. W. (1984). Confidence bounds for the difference between two probabilities. Biometrics
    40, 1175-1176: the score test, whose error is that at the supposed difference.
    """
    estimates = []
    for mechanism, tally in (first, second):
        estimates.append(Estimate(mechanism, tally, confidence=0.95, interval="wald"))
    choice = checks.whole("choice", choice, 0, estimates[0].mechanism.size - 1)
    for mechanism, tally in (first, second):
        _informative_reports(mechanism, tally, choice)

    first_share = float(estimates[0].proportions[choice])
    second_share = float(estimates[1].proportions[choice])
    if any(estimate.mechanism.line() is None for estimate in estimates):
        variance = sum(float(estimate.standard_errors[choice]) ** 2 for estimate in estimates)
    else:
        variance = _variance_if_equal(JointLikelihood([first, second]), choice)
    if variance == 0:
        raise ValueError(
            "the standard error is 0; allowed are tallies of which one has both reports"
        )
    z = (first_share - second_share) / np.sqrt(variance)
    p_value = 2 * ndtr(-abs(z))
    return Significance(statistic=float(z), degrees=0, p_value=float(p_value))


def _variance_if_equal(joint: JointLikelihood, choice: int) -> float:
    """Return the variance of the difference if both groups have the likeliest common share."""
    probabilities = joint.reports(joint.maximum())
    variances = probabilities * (1 - probabilities) / (joint.n * joint.slope**2)
    return float(variances.sum(axis=0)[choice])


def _informative_reports(mechanism: Decoder, tally: Tally, choice: int) -> int:
    """Return how many reports are informative about the choice. Raise ValueError if none is."""
    reports = int(mechanism.informative_reports(tally)[choice])
    if not reports:
        raise ValueError(
            f"tally has no report that speaks of choice {choice}; allowed is at least one"
        )
    return reports


def _chi_square_test(statistic: float, degrees: int) -> Significance:
    # A statistic that is 0 may come out below 0 by rounding.
    value = max(float(statistic), 0.0)
    return Significance(statistic=value, degrees=degrees, p_value=float(chdtrc(degrees, value)))
