"""The meaning of epsilon, and the sum of the privacy losses of several reports.

No function rounds an epsilon down. `Mechanism.epsilon` is the nearest float, and a sum here is
never below the sum of its floats.
"""

import heapq
import math
from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction

from mechanisms import checks
from mechanisms.chance.integers import exp_capped
from mechanisms.checks import Probability
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.yes_no import GeneralizedResponse
from mechanisms.formatting import round_up_decimal

_HALF = Fraction(1, 2)


def epsilon_of(p: Probability, q: Probability) -> float:
    """
    Return the epsilon of a design for Yes and No, never below the real number.

    It is the largest of ln(p/(1-q)), ln(q/(1-p)) and the logarithms of their inverses.

    Parameters
    ----------
    p : str, float, Fraction or Decimal
        The probability that a Yes is reported as Yes.
    q : str, float, Fraction or Decimal
        The probability that a No is reported as No.

    Returns
    -------
    float
        Epsilon. It is infinite if a report is impossible for one of the answers.

    Raises
    ------
    ValueError
        If p + q = 1, or one of them is not a probability.
    """
    (no_no, no_yes), (yes_no, yes_yes) = GeneralizedResponse(p, q).probabilities()
    return max(_log_up(yes_yes, no_yes), _log_up(yes_no, no_no))


def epsilon_of_gamma(gamma: Probability) -> float:
    """
    Return the epsilon of p = q = 1/2 + gamma, never below the real number.

    It is ln((1 + 2 gamma)/(1 - 2 gamma)).

    Parameters
    ----------
    gamma : str, float, Fraction or Decimal
        A number above 0 and at most 1/2.

    Returns
    -------
    float
        Epsilon.

    Raises
    ------
    ValueError
        If `gamma` is outside of its range.
    """
    p = p_of_gamma(gamma)
    return epsilon_of(p, p)


def p_of_gamma(gamma: Probability) -> Fraction:
    """
    Return p = q = 1/2 + gamma.

    Parameters
    ----------
    gamma : str, float, Fraction or Decimal
        A number above 0 and at most 1/2.

    Returns
    -------
    Fraction
        The probability that a report is the truth.

    Raises
    ------
    ValueError
        If `gamma` is outside of its range.
    """
    exact = checks.probability("gamma", gamma)
    if not 0 < exact <= _HALF:
        raise ValueError(f"gamma is {exact}; allowed is above 0 and at most 1/2")
    return _HALF + exact


def gamma_of_p(p: Probability) -> Fraction:
    """
    Return gamma = p - 1/2 for p = q.

    Parameters
    ----------
    p : str, float, Fraction or Decimal
        The probability that a report is the truth, above 1/2.

    Returns
    -------
    Fraction
        Gamma.

    Raises
    ------
    ValueError
        If `p` is not above 1/2.
    """
    exact = checks.probability("p", p)
    if exact <= _HALF:
        raise ValueError(f"p is {exact}; allowed is above 1/2")
    return exact - _HALF


def p_of_epsilon(epsilon: float) -> Fraction:
    """
    Return p = q = e/(1 + e) in steps of 2**-32, where e is the exponential of epsilon.

    The probability is rounded so that its epsilon is never above the given one.

    Parameters
    ----------
    epsilon : float
        The privacy loss, above 0.

    Returns
    -------
    Fraction
        The probability that a report is the truth.
    """
    return GeneralizedResponse.from_epsilon(epsilon).probabilities()[1][1]


def gamma_of_epsilon(epsilon: float) -> Fraction:
    """
    Return gamma = (e - 1)/(2 (e + 1)), rounded as `p_of_epsilon` is.

    Parameters
    ----------
    epsilon : float
        The privacy loss, above 0.

    Returns
    -------
    Fraction
        Gamma.
    """
    return gamma_of_p(p_of_epsilon(epsilon))


def survey_epsilon(
    mechanisms: Iterable[Mechanism], question_subset: Iterable[Mechanism] = (), count: int = 0
) -> float:
    """
    Return what one response to a survey may reveal in total: the sum over its sensitive questions.

    This is basic composition. From a question subset each person is asked only `count` questions,
    picked at random whatever the answers are. The `count` largest epsilons of the subset are added.
    A response (S, y) has the probability prod M_j(x_j, y_j) / C(d, count) over the questions j in
    S, so which questions were asked cancels, and the worst S has the largest losses.

    Parameters
    ----------
    mechanisms : iterable of Mechanism
        The mechanisms of the questions that everyone is asked.
    question_subset : iterable of Mechanism, optional
        The mechanisms of the questions from which each device picks.
    count : int, default 0
        The number of questions that are picked.

    Returns
    -------
    float
        The sum. It is infinite if an epsilon is.

    Raises
    ------
    ValueError
        If `count` is above the number of questions in `question_subset`.

    References
    ----------
    Dwork, C., & Roth, A. (2014). The algorithmic foundations of differential privacy. Foundations
    and Trends in Theoretical Computer Science, 9, 211–407, theorem 3.14.
    """
    subset_losses = [mechanism.epsilon for mechanism in question_subset]
    picked_count = checks.whole("count", count, 0, len(subset_losses))
    largest = heapq.nlargest(picked_count, subset_losses)
    losses = [mechanism.epsilon for mechanism in mechanisms]
    return total_epsilon([*losses, *largest])


def respondent_epsilon(surveys: Iterable[Iterable[Mechanism]]) -> float:
    """
    Return what one person who answered several surveys may have revealed in total.

    Parameters
    ----------
    surveys : iterable of iterables of Mechanism
        The mechanisms of each survey.

    Returns
    -------
    float
        The sum over all surveys.
    """
    return total_epsilon(survey_epsilon(mechanisms) for mechanisms in surveys)


def total_epsilon(epsilons: Iterable[float]) -> float:
    """
    Return the sum of privacy losses, never below their exact sum.

    Parameters
    ----------
    epsilons : iterable of float
        The privacy losses, from 0 to infinity.

    Returns
    -------
    float
        The sum, 0 if there are none.

    Raises
    ------
    ValueError
        If an epsilon is negative or NaN.
    """
    losses = [_checked_loss(epsilon) for epsilon in epsilons]
    if any(map(math.isinf, losses)):
        return math.inf
    exact = sum(map(Fraction, losses), Fraction(0))
    nearest = float(exact)
    if Fraction(nearest) >= exact:
        return nearest
    return math.nextafter(nearest, math.inf)


def round_up(epsilon: float, digits: int = 4) -> float:
    """
    Return epsilon as it is shown: rounded up, so no page promises more privacy than there is.

    For example, ln 3 is 1.0987, and 2 ln 3 is 2.1973.

    Parameters
    ----------
    epsilon : float
        The privacy loss, from 0 to infinity.
    digits : int, default 4
        The number of decimal places, from 0 to 15.

    Returns
    -------
    float
        The rounded number. Infinity stays infinite.

    Raises
    ------
    ValueError
        If `epsilon` is negative or NaN.
    """
    value = _checked_loss(epsilon)
    if math.isinf(value):
        return value
    return round_up_decimal(value, checks.whole("digits", digits, 0, 15))


def odds_percent(epsilon: float) -> int:
    """
    Return how often the truth can be guessed from a report at most, in whole percent.

    Someone who considers both answers equally likely, and then sees the report, guesses the truth
    right at most this many times in 100. The number is 100 e/(1 + e), rounded up, where e is the
    exponential of epsilon.

    Parameters
    ----------
    epsilon : float
        The privacy loss, from 0 to infinity.

    Returns
    -------
    int
        A number from 50 to 100.

    Raises
    ------
    ValueError
        If `epsilon` is negative or NaN.
    """
    percent = 100 / (1 + math.exp(-_checked_loss(epsilon)))
    # Without the slack, ln 3 would be 75 or 76, depending on the rounding of the logarithm.
    return math.ceil(percent - 1e-9)


def odds_sentence(epsilon: float) -> str:
    """
    Return the privacy loss as a sentence about odds.

    Parameters
    ----------
    epsilon : float
        The privacy loss, from 0 to infinity.

    Returns
    -------
    str
        The sentence.

    Raises
    ------
    ValueError
        If `epsilon` is negative or NaN.
    """
    if math.isinf(_checked_loss(epsilon)):
        return "A report can give the truth away for certain."
    times = odds_percent(epsilon)
    frequency = "more than 99 in 100 times"
    if times < 100:
        frequency = f"at most {times} times in 100"
    return f"A guess that starts at 50:50 is right {frequency}."


def error_bound(epsilon: float, n: int) -> float:
    """
    Return a bound on the expected absolute error of a yes/no share under the symmetric design.

    The bound is c / (2 sqrt(n)) with c = (e + 1)/(e - 1), where e is the exponential of epsilon.
    The standard error is at most this number, since r (1 - r) is at most 1/4. The expected absolute
    error is at most the standard error (Jensen's inequality).

    Parameters
    ----------
    epsilon : float
        The privacy loss of one report, above 0.
    n : int
        The number of reports, at least 1.

    Returns
    -------
    float
        The bound, a fraction.
    """
    e = exp_capped(checks.epsilon(epsilon))
    reports = checks.whole("n", n, 1)
    return (1 + 2 / (e - 1)) / (2 * math.sqrt(reports))


def _log_up(a: Fraction, b: Fraction) -> float:
    """Return the absolute value of ln(a/b), rounded up to a float."""
    if a == 0 or b == 0:
        return math.inf
    ratio = max(a / b, b / a)
    with localcontext() as context:
        context.prec = 60
        exact = (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()
        nearest = float(exact)
        if Decimal(nearest) >= exact:
            return nearest
    return math.nextafter(nearest, math.inf)


def _checked_loss(epsilon: float) -> float:
    value = float(epsilon)
    if math.isnan(value) or value < 0:
        raise ValueError(f"epsilon is {epsilon!r}; allowed is a number from 0 to infinity")
    return value
