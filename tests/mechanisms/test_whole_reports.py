"""The log-likelihood of whole reports of bits is that of their chances, without a constant left out."""

from math import comb

import numpy as np
import pytest

from mechanisms import SubsetSelection, UnaryEncoding, regress
from mechanisms.designs.bits import BitMechanism


def chance(mechanism: BitMechanism, report: np.ndarray, truth: int) -> float:
    """Of a whole report, from the definition of the design."""
    if isinstance(mechanism, SubsetSelection):
        p, k, w = mechanism.keep / mechanism.den, mechanism.size, mechanism.width
        return p / comb(k - 1, w - 1) if report[truth] else (1 - p) / comb(k - 1, w)
    rates = np.where(np.arange(mechanism.size) == truth, float(mechanism.p), float(mechanism.q))
    return float(np.prod(np.where(report == 1, rates, 1 - rates)))


@pytest.mark.parametrize("mechanism", [UnaryEncoding(4, "3/4", "1/4"), SubsetSelection(5, 2.0)])
@pytest.mark.parametrize("weights", [None, np.array([1.0, 3.0] * 300)])
def test_it_is_the_sum_of_log_chances(mechanism: BitMechanism, weights: np.ndarray | None) -> None:
    """At the fitted shares; the sum was positive for 4 answers and 5,000 people."""
    rng = np.random.default_rng(1)
    shares = [0.5, 0.3, *[0.2 / (mechanism.size - 2)] * (mechanism.size - 2)]
    reports = mechanism.randomize(rng.choice(mechanism.size, 600, p=shares), rng)
    fitted = regress(mechanism, reports, np.ones((600, 1)), choice=None, weights=weights)
    odds = np.exp(np.append(0.0, fitted.coefficients[0]))
    shares = odds / odds.sum()
    chances = np.array(
        [
            [chance(mechanism, report, truth) for truth in range(mechanism.size)]
            for report in reports
        ]
    )
    logs = np.log(chances @ shares)
    assert fitted.log_likelihood == pytest.approx(
        logs.sum() if weights is None else weights @ logs, rel=1e-9
    )
    assert fitted.log_likelihood < 0
