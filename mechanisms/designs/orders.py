"""The choice of the projective space for a long list: the order with the least error.

A projective space of order q, a prime, and dimension t has (q^t - 1) / (q - 1) points. Each point
is orthogonal to the same number of points, `Space.orthogonal`, and each pair of points to the same
number, `Space.both`. `mechanisms.estimation.projective` has the arithmetic.
"""

from functools import lru_cache

from mechanisms import checks
from mechanisms.chance.integers import exp_capped
from mechanisms.estimation.projective import Space

# A report is one unsigned 32-bit integer.
MOST_POINTS = 2**32 - 1
# The number of answers up to which a report with one bit for each answer is the better one.
MOST_ANSWERS_AS_BITS = 200
# The multiple of the least error that is accepted. A much smaller space may come as close, and its
# reports are counted faster.
ACCEPTED_ERROR_FACTOR = 1.01


def _primes_below(limit: int) -> tuple[int, ...]:
    """Return all primes below a limit, in order.

    A number is a prime if no smaller prime divides it.
    """
    primes: list[int] = []
    for number in range(2, limit):
        if all(number % prime for prime in primes):
            primes.append(number)
    return tuple(primes)


# The orders that are compared. The inner product of two vectors is calculated modulo the order.
ORDERS = _primes_below(200)


@lru_cache(maxsize=256)
def best_space(size: int, epsilon: float) -> Space:
    """
    Return the smallest space whose total squared error is at most 1% above the least one.

    For each order, the smallest space with a point for each answer is compared. All answers are
    assumed to be equally frequent.

    Parameters
    ----------
    size : int
        The number of answers.
    epsilon : float
        The declared epsilon, above 0.

    Returns
    -------
    Space
        The space, with at least one point for each answer.

    Raises
    ------
    ValueError
        If a report cannot distinguish so many answers, or if `epsilon` is not above 0.
    """
    size = checks.whole("size", size, 2, MOST_POINTS)
    e = exp_capped(checks.epsilon(epsilon))
    share = 1 / size

    spaces = [_smallest_space(order, size) for order in ORDERS]
    usable = [space for space in spaces if space.points <= MOST_POINTS]
    # All answers have the same variance, so that of one of them stands for the total error.
    least = min(variance(space, e, share) for space in usable)
    near = [space for space in usable if variance(space, e, share) <= ACCEPTED_ERROR_FACTOR * least]
    return min(near, key=lambda space: space.points)


def largest_space(order: int) -> Space:
    """
    Return the largest space of an order whose points a report can distinguish.

    A report is the number of a point, stored in 32 bits. Written answers use as many points as
    possible, so that two texts seldom have the same one.

    Parameters
    ----------
    order : int
        The order, a prime.

    Returns
    -------
    Space
        The space with this order and the largest dimension with at most `MOST_POINTS` points.
    """
    dimension = 2
    while Space(order, dimension + 1).points <= MOST_POINTS:
        dimension += 1
    return Space(order, dimension)


def _smallest_space(order: int, size: int) -> Space:
    """Return the smallest space of an order with at least `size` points.

    It can have more points than a report can distinguish.
    """
    dimension = 2
    while Space(order, dimension).points < size:
        dimension += 1
    return Space(order, dimension)


def support_probabilities(space: Space, e: float) -> tuple[float, float]:
    """
    Return the probabilities with which a report supports the true answer, and another one.

    A report is a point, and supports the answers whose points are orthogonal to it. Of N points, m
    are orthogonal to a given one, and c to two given ones. The m points that are orthogonal to the
    truth are each e times as probable as any other, so p = e * m / (e * m + N - m). A report that
    supports the truth supports another answer with probability c / m, and any other report does so
    with probability (m - c) / (N - m). So q = p * c / m + (1 - p) * (m - c) / (N - m).

    These are real numbers, not the integers of a mechanism.

    Parameters
    ----------
    space : Space
        The projective space.
    e : float
        The ratio of the probabilities of two reports: exp(epsilon).

    Returns
    -------
    p, q : float
        The probabilities for the true answer, and for any other one.

    References
    ----------
    Feldman, V., Nelson, J., Nguyen, H. L., & Talwar, K. (2022). Private frequency estimation via
    projective geometry. ICML 2022. arXiv:2203.00194.
    """
    points = space.points
    orthogonal = space.orthogonal
    to_two_points = space.both

    p = e * orthogonal / (e * orthogonal + points - orthogonal)
    others = orthogonal - to_two_points
    q = p * to_two_points / orthogonal + (1 - p) * others / (points - orthogonal)
    return p, q


def variance(space: Space, e: float, share: float) -> float:
    """
    Return n times the variance of the estimated share of an answer.

    A report supports the answer with probability r = q + share * (p - q), and the share is
    estimated by (r - q) / (p - q). So the result is r * (1 - r) / (p - q)^2.

    Parameters
    ----------
    space : Space
        The projective space.
    e : float
        The ratio of the probabilities of two reports: exp(epsilon).
    share : float
        The true share of the answer.

    Returns
    -------
    float
        The variance of one decoded report.
    """
    p, q = support_probabilities(space, e)
    support_share = q + share * (p - q)
    return support_share * (1 - support_share) / (p - q) ** 2
