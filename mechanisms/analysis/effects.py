"""Mean shares of an outcome that depends on a hidden truth z, and how they move with the parameters."""

import numpy as np

from mechanisms.checks import FloatArray


def mean_share(
    own: FloatArray,
    coefficients: FloatArray,
    tables: tuple[FloatArray, FloatArray],
    mass: FloatArray,
    z: int | None,
) -> tuple[float, FloatArray]:
    """The mean of P(y = 1 | x, z) over rows with these weights, which sum to 1, and its slopes in (own, coefficients).

    own: of z's logit, shape (q,). coefficients: of the outcome's, z's effect last, shape (p + 1,). tables: the rows of
    z's design, shape (n, q), and of the outcome's, (n, p). z: the same for everybody, or None for what z's own model
    says of each row.
    """
    of_z, of_outcome = tables
    chance = _share(of_z @ own) if z is None else np.full(len(mass), float(z))
    at_no = _share(of_outcome @ coefficients[:-1])
    at_yes = _share(of_outcome @ coefficients[:-1] + coefficients[-1])
    weights = {
        0: mass * (1 - chance) * at_no * (1 - at_no),
        1: mass * chance * at_yes * (1 - at_yes),
    }
    bends = mass * chance * (1 - chance) * (at_yes - at_no) if z is None else np.zeros(len(mass))
    slopes = [bends @ of_z, (weights[0] + weights[1]) @ of_outcome, weights[1].sum(keepdims=True)]
    return float(mass @ ((1 - chance) * at_no + chance * at_yes)), np.concatenate(slopes)


def _share(odds: FloatArray) -> FloatArray:
    found: FloatArray = 1 / (1 + np.exp(-odds))
    return found
