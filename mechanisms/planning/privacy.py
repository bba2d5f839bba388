"""What an epsilon is, what it adds up to, and what it means. Nothing here ever rounds an epsilon down.

`Mechanism.epsilon` is the nearest float; sums here are never below the sum of the floats that they are given.
"""

import heapq
import math
from collections.abc import Iterable
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction

from mechanisms import checks
from mechanisms.chance.integers import exp_capped
from mechanisms.checks import Probability
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.yes_no import GeneralizedResponse

_HALF = Fraction(1, 2)


def epsilon_of(p: Probability, q: Probability) -> float:
    """Epsilon of keeping a Yes with probability p and a No with probability q; never below the real number.

    ln max(p/(1-q), q/(1-p)) and their inverses; inf where a chance is 0. ValueError for p + q = 1.
    """
    (no_no, no_yes), (yes_no, yes_yes) = GeneralizedResponse(p, q).probabilities()
    return max(_log_up(yes_yes, no_yes), _log_up(yes_no, no_no))


def epsilon_of_gamma(gamma: Probability) -> float:
    """ln((1 + 2 gamma)/(1 - 2 gamma)), for p = q = 1/2 + gamma; never below the real number."""
    p = p_of_gamma(gamma)
    return epsilon_of(p, p)


def p_of_gamma(gamma: Probability) -> Fraction:
    """1/2 + gamma, with gamma above 0 and at most 1/2."""
    exact = checks.probability("gamma", gamma)
    if not 0 < exact <= _HALF:
        raise ValueError(f"gamma is {exact}; allowed is above 0 and at most 1/2")
    return _HALF + exact


def gamma_of_p(p: Probability) -> Fraction:
    """p - 1/2, for p = q above 1/2."""
    exact = checks.probability("p", p)
    if exact <= _HALF:
        raise ValueError(f"p is {exact}; allowed is above 1/2")
    return exact - _HALF


def p_of_epsilon(epsilon: float) -> Fraction:
    """p = q = e/(1 + e) in steps of 2**-32, rounded to the private side: its epsilon is never above the given one."""
    return GeneralizedResponse.from_epsilon(epsilon).probabilities()[1][1]


def gamma_of_epsilon(epsilon: float) -> Fraction:
    """(e - 1)/(2 (e + 1)), rounded to the private side like `p_of_epsilon`."""
    return gamma_of_p(p_of_epsilon(epsilon))


def survey_epsilon(
    mechanisms: Iterable[Mechanism], drawn: Iterable[Mechanism] = (), count: int = 0
) -> float:
    """What one response to a survey may reveal in total: the sum over its sensitive questions.

    Basic composition (Dwork and Roth 2014, theorem 3.14); inf where one of them is.

    drawn: questions of which each person is asked only `count`, drawn by lot whatever the answers are. Of these the
    `count` largest count: a response (S, y) has the chance prod M_j(x_j, y_j) / C(d, count) over j in S, so which
    questions were asked cancels, and the worst S has the largest losses. ValueError for more than there are.
    """
    lot = [mechanism.epsilon for mechanism in drawn]
    asked = heapq.nlargest(checks.whole("count", count, 0, len(lot)), lot)
    return total_epsilon([*(mechanism.epsilon for mechanism in mechanisms), *asked])


def respondent_epsilon(surveys: Iterable[Iterable[Mechanism]]) -> float:
    """What one person who answered several surveys may have revealed in total: the sum over all of them."""
    return total_epsilon(survey_epsilon(mechanisms) for mechanisms in surveys)


def total_epsilon(epsilons: Iterable[float]) -> float:
    """The sum of privacy losses, never below their exact sum. 0 for none."""
    losses = [_loss(epsilon) for epsilon in epsilons]
    if any(map(math.isinf, losses)):
        return math.inf
    exact = sum(map(Fraction, losses), Fraction(0))
    nearest = float(exact)
    return nearest if Fraction(nearest) >= exact else math.nextafter(nearest, math.inf)


def round_up(epsilon: float, digits: int = 4) -> float:
    """Epsilon as it is shown: rounded up, so that no page promises more privacy than there is.

    ln 3 is 1.0987, 2 ln 3 is 2.1973. Infinity stays infinite. ValueError for a negative number or NaN.
    """
    value = _loss(epsilon)
    if math.isinf(value):
        return value
    step = Decimal(1).scaleb(-checks.whole("digits", digits, 0, 15))
    return float(Decimal(repr(value)).quantize(step, rounding=ROUND_CEILING))


def odds_percent(epsilon: float) -> int:
    """100 e / (1 + e) in whole percent, rounded up.

    Somebody who sees the report and started from 50:50 guesses the truth right at most that many times in 100.
    """
    chance = 100 / (1 + math.exp(-_loss(epsilon)))
    return math.ceil(
        chance - 1e-9
    )  # ln 3 means exactly 75, whichever way the logarithm was rounded


def odds_sentence(epsilon: float) -> str:
    """Return the privacy loss as a sentence about odds."""
    if math.isinf(_loss(epsilon)):
        return "A report can give the truth away for certain."
    times = odds_percent(epsilon)
    often = f"at most {times} times in 100" if times < 100 else "more than 99 in 100 times"
    return f"A guess that starts at 50:50 is right {often}."


def error_bound(epsilon: float, n: int) -> float:
    """A bound on the expected absolute error of a yes/no share from n reports of the symmetric design.

    c / (2 sqrt(n)) with c = (e + 1)/(e - 1): the standard error is at most that, as r (1 - r) is at most 1/4, and the
    expected absolute error at most the standard error (Jensen).
    """
    e = exp_capped(checks.epsilon(epsilon))
    return (1 + 2 / (e - 1)) / (2 * math.sqrt(checks.whole("n", n, 1)))


def _log_up(a: Fraction, b: Fraction) -> float:
    """|ln(a/b)| rounded up to a float."""
    if a == 0 or b == 0:
        return math.inf
    ratio = max(a / b, b / a)
    with localcontext() as context:
        context.prec = 60
        exact = (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()
        nearest = float(exact)
        return nearest if Decimal(nearest) >= exact else math.nextafter(nearest, math.inf)


def _loss(epsilon: float) -> float:
    value = float(epsilon)
    if math.isnan(value) or value < 0:
        raise ValueError(f"epsilon is {epsilon!r}; allowed is a number from 0 to infinity")
    return value
