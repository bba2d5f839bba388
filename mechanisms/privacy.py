"""What an epsilon is and what it means."""

import math
from decimal import ROUND_CEILING, Decimal

from mechanisms import checks


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

    Somebody who sees the report and started from 50:50 guesses the truth right at most that many times in
    100.
    """
    chance = 100 / (1 + math.exp(-min(_loss(epsilon), 700.0)))
    return math.ceil(chance - 1e-9)  # ln 3 means exactly 75, whichever way the logarithm was rounded


def _loss(epsilon: float) -> float:
    value = float(epsilon)
    if math.isnan(value) or value < 0:
        raise ValueError(f"epsilon is {epsilon!r}; allowed is a number from 0 to infinity")
    return value
