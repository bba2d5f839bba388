"""Mean shares of an outcome that depends on a hidden truth z, and their slopes."""

import numpy as np

from mechanisms.checks import FloatArray


def mean_share(
    z_coefficients: FloatArray,
    coefficients: FloatArray,
    tables: tuple[FloatArray, FloatArray],
    mass: FloatArray,
    z: int | None,
) -> tuple[float, FloatArray]:
    """Return the mean of P(y = 1 | x, z) over weighted rows, and its slopes in all coefficients.

    Both P(z = 1) and P(y = 1 | x, z) are logits.

    Parameters
    ----------
    z_coefficients : ndarray of shape (q,)
        The coefficients of the logit of z.
    coefficients : ndarray of shape (p + 1,)
        The coefficients of the logit of the outcome. The effect of z is the last one.
    tables : tuple of two ndarrays, of shapes (n, q) and (n, p)
        The rows of the design of z, and those of the outcome.
    mass : ndarray of shape (n,)
        The weights of the rows, which sum to 1.
    z : int or None
        The truth that all rows have; None for the share of z that its own model gives each row.

    Returns
    -------
    mean : float
        From 0 to 1.
    slopes : ndarray of shape (q + p + 1,)
        The slopes in `z_coefficients` and in `coefficients`.
    """
    z_design, outcome_design = tables
    z_share = _logistic(z_design @ z_coefficients)
    if z is not None:
        z_share = np.full(len(mass), float(z))
    linear_predictor = outcome_design @ coefficients[:-1]
    share_if_no = _logistic(linear_predictor)
    share_if_yes = _logistic(linear_predictor + coefficients[-1])
    mean = float(mass @ ((1 - z_share) * share_if_no + z_share * share_if_yes))

    weights_if_no = mass * (1 - z_share) * share_if_no * (1 - share_if_no)
    weights_if_yes = mass * z_share * share_if_yes * (1 - share_if_yes)
    z_weights = mass * z_share * (1 - z_share) * (share_if_yes - share_if_no)
    if z is not None:
        # A truth that is set does not depend on the model of z.
        z_weights = np.zeros(len(mass))
    z_slopes = z_weights @ z_design
    outcome_slopes = (weights_if_no + weights_if_yes) @ outcome_design
    effect_slope = weights_if_yes.sum(keepdims=True)
    return mean, np.concatenate([z_slopes, outcome_slopes, effect_slope])


def _logistic(linear_predictor: FloatArray) -> FloatArray:
    """Return 1 / (1 + e^-x) of each value x."""
    share: FloatArray = 1 / (1 + np.exp(-linear_predictor))
    return share
