"""The number of respondents that a mean of a window design needs, whatever they answer.

The estimated standard error of a mean depends on the answers. The least favourable distribution of
answers has the largest one, so a number of respondents that is enough there is enough everywhere.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from mechanisms import checks
from mechanisms.chance.arrays import positives, smallest_n
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.designs.window import Window
from mechanisms.estimation.intervals import normal_quantile
from mechanisms.estimation.windows import WindowMixture

# In how many surveys, at the least favourable distribution, the half-width is as promised.
ASSURANCE = 0.95


class LeastFavourable(NamedTuple):
    """The distribution of two values with the largest variance of one report's part in a mean.

    Attributes
    ----------
    low, high : int
        The two truths that are answered, from 0 to values - 1.
    part : float
        The share of respondents whose answer is `low`, from 0 to 1.
    variance : float
        n times the variance of the estimated mean, in squared units of the scores.
    """

    low: int
    high: int
    part: float
    variance: float


class _Moments(NamedTuple):
    """Means of the weights d and g of one report for each value, each of shape (values,).

    d estimates the sum of scores, and g the share of respondents who gave a number. g is 1 in each
    report if there is no separate decline.
    """

    squares: FloatArray  # E[d^2 | value]
    products: FloatArray  # E[d g | value]
    given_squares: FloatArray  # E[g^2 | value]


class _ReportWeights(NamedTuple):
    """The weights d and g of each possible report, each of shape (reports,)."""

    d: FloatArray
    g: FloatArray


class _Spread(NamedTuple):
    """The mean and the error of the estimated variance of one report's part in a mean.

    expected: the variance itself. error: the standard deviation, times the root of n, with which
    it is estimated from n reports. Both are in squared units of the scores.
    """

    expected: float
    error: float


def least_favourable(window: Window, scores: ArrayLike | None = None) -> LeastFavourable:
    r"""
    Return the distribution of values with the largest variance of the estimated mean.

    Let :math:`d` and :math:`g` be the weights of a report for the sum of the scores and for the
    share of respondents who gave a number. The estimated mean is that of :math:`d` divided by that
    of :math:`g`, and n times its variance is, with shares :math:`p_x` of values and the mean
    :math:`M = \sum_x p_x s_x`, if everyone gives a number,

    .. math:: V(p) = \sum_x p_x (E[d^2|x] - 2 M E[d g|x] + M^2 E[g^2|x]).

    For a given :math:`M` this is linear in p under two linear conditions, so its maximum is at a
    distribution of two values at most (the basic solutions of a linear program, Dantzig 1963). For
    a pair of values, V is a polynomial of degree three in the share of the lower one, whose maximum
    is at an end or at a root of the derivative. Without a separate decline, g is 1 and
    :math:`V(p) = \sum_x p_x E[d^2|x] - M^2` has degree two.

    Parameters
    ----------
    window : Window
        The mechanism.
    scores : array_like, shape (values,), optional
        The score of each value. By default it is the value, from 0 to values - 1.

    Returns
    -------
    LeastFavourable
        The two values, the share of the lower one, and the variance.

    References
    ----------
    Dantzig, G. B. (1963). Linear programming and extensions. Princeton University Press.
    """
    value_scores = _scores(window, scores)
    moments = _moments(window, value_scores)
    low, high = np.triu_indices(window.values, k=1)
    polynomials = _variance_polynomials(value_scores, moments, low, high)

    parts = _candidate_parts(polynomials)
    variances = np.zeros_like(parts)
    for coefficient in polynomials:
        variances = variances * parts + coefficient
    # The first axis has the candidates for the share, the second one the pairs.
    candidate, pair = np.unravel_index(int(variances.argmax()), variances.shape)
    return LeastFavourable(
        low=int(low[pair]),
        high=int(high[pair]),
        part=float(parts[candidate, pair]),
        variance=float(variances[candidate, pair]),
    )


def mean_half_width(
    window: Window,
    n: ArrayLike,
    scores: ArrayLike | None = None,
    confidence: float = 0.95,
    assurance: float = ASSURANCE,
) -> FloatArray:
    r"""
    Return the half-width that the interval of a mean has at most, whatever people answer.

    At the least favourable distribution the estimated variance of one report's part has the mean
    :math:`\sigma^2`, and by the delta method the standard deviation :math:`\tau / \sqrt n`. So in
    the share `assurance` of surveys the half-width is at most

    .. math:: z \sqrt{(\sigma^2 + z_a \tau / \sqrt n) / n}

    with the normal quantiles z of the confidence and :math:`z_a` of the assurance (one-sided).
    Without a separate decline, :math:`\tau^2` is the fourth central moment of the weight of
    a report less :math:`\sigma^4` (Cramér 1946, section 27.4).

    Parameters
    ----------
    window : Window
        The mechanism.
    n : array_like
        The number of respondents who are asked, all of whom give a number.
    scores : array_like, shape (values,), optional
        The score of each value. By default it is the value, from 0 to values - 1.
    confidence : float, default 0.95
        The confidence level of the interval.
    assurance : float, default 0.95
        The share of surveys in which the half-width holds at the least favourable distribution.

    Returns
    -------
    ndarray of float64
        Half the length of the interval in the unit of the scores, of the shape of `n`. By default
        that is one step between two values.

    Raises
    ------
    ValueError
        If `n` is not positive, or a level is not between 0 and 1.

    References
    ----------
    Cramér, H. (1946). Mathematical methods of statistics. Princeton University Press.
    """
    people = positives("n", n)
    z = normal_quantile(checks.between("confidence", confidence, 0, 1))
    spread = _spread(window, _key(scores))
    variance = spread.expected + _one_sided(assurance) * spread.error / np.sqrt(people)
    half: FloatArray = z * np.sqrt(variance / people)
    return half


def sample_size_for_mean(
    window: Window,
    width: ArrayLike,
    scores: ArrayLike | None = None,
    confidence: float = 0.95,
    assurance: float = ASSURANCE,
) -> IntArray:
    """
    Return the smallest number of respondents whose `mean_half_width` is at most `width`.

    Parameters
    ----------
    window : Window
        The mechanism.
    width : array_like
        Half the length of the interval in the unit of the scores, by default one step between two
        values.
    scores : array_like, shape (values,), optional
        The score of each value. By default it is the value, from 0 to values - 1.
    confidence : float, default 0.95
        The confidence level of the interval.
    assurance : float, default 0.95
        The share of surveys in which the half-width holds at the least favourable distribution.

    Returns
    -------
    ndarray of int64
        The number of respondents who are asked, of the shape of `width`.

    Raises
    ------
    ValueError
        If `width` is not positive, or a level is not between 0 and 1.
    """
    goal = positives("width", width)

    def is_enough(n: FloatArray) -> BoolArray:
        half = mean_half_width(window, n, scores, confidence=confidence, assurance=assurance)
        return half <= goal

    return smallest_n(is_enough)


def _one_sided(assurance: float) -> float:
    """Return the normal quantile that a share `assurance` of values stays below."""
    return float(ndtri(checks.between("assurance", assurance, 0, 1)))


def _key(scores: ArrayLike | None) -> tuple[float, ...] | None:
    """Return scores in a form that a cache can hold."""
    if scores is None:
        return None
    return tuple(np.asarray(scores, dtype=np.float64).tolist())


def _scores(window: Window, scores: ArrayLike | None) -> FloatArray:
    """Return the score of each value, shape (values,)."""
    if scores is None:
        return np.arange(window.values, dtype=np.float64)
    return np.asarray(scores, dtype=np.float64)[: window.values]


def _report_weights(window: Window, value_scores: FloatArray) -> _ReportWeights:
    if not window.aside:
        return _ReportWeights(
            d=window.unbiased_weights(value_scores),
            g=np.ones(window.reports),
        )
    # The separate decline adds nothing to the sum of scores, and gave no number.
    is_number = np.append(np.ones(window.values), 0.0)
    return _ReportWeights(
        d=window.unbiased_weights(np.append(value_scores, 0.0)),
        g=window.unbiased_weights(is_number),
    )


def _moments(window: Window, value_scores: FloatArray) -> _Moments:
    d, g = _report_weights(window, value_scores)
    # The mixture knows P(report | truth). Its counts of reports are not used here.
    mixture = WindowMixture(np.ones(window.reports, np.int64), window.windows)
    squares = mixture.gather(d**2)
    products = mixture.gather(d * g)
    given_squares = mixture.gather(g**2)
    return _Moments(
        squares=squares[: window.values],
        products=products[: window.values],
        given_squares=given_squares[: window.values],
    )


def _variance_polynomials(
    value_scores: FloatArray, moments: _Moments, low: IntArray, high: IntArray
) -> list[FloatArray]:
    """Return the coefficients of V for each pair of values, from degree three down to 0.

    The variable is the share of the lower value. All means over both values are linear in it: each
    is that at the higher value, plus a rise times this share.

    value_scores, low, high: the scores of all values, and the two values of each pair.
    """
    # The means at the higher value: M, E[d^2], E[d g] and E[g^2].
    mean = value_scores[high]
    square = moments.squares[high]
    product = moments.products[high]
    unit = moments.given_squares[high]
    mean_rise = value_scores[low] - mean
    square_rise = moments.squares[low] - square
    product_rise = moments.products[low] - product
    unit_rise = moments.given_squares[low] - unit

    # V is square - 2 mean product + mean^2 unit, whose factors are all linear.
    cubic = mean_rise**2 * unit_rise
    twice_mean_squared_rise = 2 * mean * mean_rise
    quadratic = twice_mean_squared_rise * unit_rise + mean_rise**2 * unit
    quadratic = quadratic - 2 * mean_rise * product_rise
    linear = square_rise - 2 * (mean * product_rise + mean_rise * product)
    linear = linear + mean**2 * unit_rise + twice_mean_squared_rise * unit
    constant = square - 2 * mean * product + mean**2 * unit
    return [cubic, quadratic, linear, constant]


def _candidate_parts(polynomials: list[FloatArray]) -> FloatArray:
    """Return the shares at which V can be largest, shape (4, pairs): the ends, and both roots."""
    cubic, quadratic, linear, _ = polynomials
    # The derivative is a x^2 + 2 b x + c. Both roots come from one sum of two numbers of the same
    # sign, so that nothing is lost where a is 0, or nearly so.
    a = 3 * cubic
    b = quadratic
    c = linear
    root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
    total = -(b + np.copysign(root, b))
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = np.stack([total / a, c / total])
    finite_roots = np.nan_to_num(roots, nan=0.0, posinf=1.0, neginf=0.0)
    clipped_roots = np.clip(finite_roots, 0.0, 1.0)
    ends = [np.zeros((1, a.size)), np.ones((1, a.size))]
    return np.concatenate([*ends, clipped_roots])


@lru_cache(maxsize=1024)
def _spread(window: Window, scores: tuple[float, ...] | None) -> _Spread:
    """Return what is known of the estimated variance at the least favourable distribution.

    The estimated variance of the ratio of the means of d and g is the mean of (d - M g)^2 divided
    by the squared mean of g. Its first-order change with one report is phi^2 - 2 sigma^2 g
    - 2 E[phi g] phi, where phi is d - M g and the mean of g is 1.
    """
    value_scores = _scores(window, scores)
    worst = least_favourable(window, value_scores)
    shares = np.zeros(window.size)
    shares[worst.low] += worst.part
    shares[worst.high] += 1 - worst.part
    mixture = WindowMixture(np.ones(window.reports, np.int64), window.windows)
    probabilities = mixture.mix(shares)

    d, g = _report_weights(window, value_scores)
    mean = probabilities @ d
    phi = d - mean * g
    variance = probabilities @ phi**2
    covariance = probabilities @ (phi * g)
    change = phi**2 - 2 * variance * g - 2 * covariance * phi
    mean_change = probabilities @ change
    error = np.sqrt(probabilities @ (change - mean_change) ** 2)
    return _Spread(expected=float(variance), error=float(error))
