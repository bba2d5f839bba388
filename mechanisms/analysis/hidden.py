"""The likelihood of a model with a hidden truth z, which explains an outcome y.

Only reports tell about z, so the log-likelihood is the sum over cells of
m ln(sum over z of L_z P(z | x) f(y | x, z)), with the mass m of a cell and the likelihood L_z of
its report. The outcome is a logit or normal.

The slope of the log-likelihood of one state is a few numbers, each times columns of its own:
z - P(z = 1) times the design of z, and what f gives times the design of the outcome, times z, and
for a normal outcome times 1 for ln sigma. All sums need only the moments of these numbers in each
pattern.

References
----------
Louis, T. A. (1982). Finding the observed information matrix when using the EM algorithm. Journal of
the Royal Statistical Society B 44, 226-233: the observed information is the sum over states of
tau (-Hessian), less the variance of the slopes under tau, the posterior probability of a state.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from mechanisms.analysis.cells import Cells
from mechanisms.analysis.newton import Likelihood, LikelihoodTerms, sum_terms
from mechanisms.analysis.softmax import posteriors
from mechanisms.checks import FloatArray

# The hidden truth and the outcome of each state of a logit.
_STATES_OF_LOGIT = ((0, 0), (0, 1), (1, 0), (1, 1))


class Blocks(NamedTuple):
    """The columns of the cells' design by the part of the model that they belong to.

    Attributes
    ----------
    own : slice
        The columns of the design of z.
    outcome : slice
        The columns of the design of the outcome.
    y : int or None
        The column of a normal outcome; None for a logit.
    """

    own: slice
    outcome: slice
    y: int | None

    def columns(self, design: FloatArray) -> list[FloatArray]:
        """Return for each number of a slope the columns that it is multiplied with.

        Parameters
        ----------
        design : ndarray of shape (patterns, columns)
            The design of the cells.

        Returns
        -------
        list of ndarray, each of shape (patterns, any number)
            The design of z, the design of the outcome, 1 for the effect of z, and for a normal
            outcome 1 for ln sigma.
        """
        ones = np.ones((len(design), 1))
        columns = [design[:, self.own], design[:, self.outcome], ones]
        if self.y is not None:
            columns.append(ones)
        return columns


class States(NamedTuple):
    """The states of each pattern at some parameters.

    Attributes
    ----------
    log_chance : ndarray of shape (patterns, states)
        The logarithm of the probability of the state, and of a normal y given the state.
    slopes : ndarray of shape (patterns, states, numbers)
        The numbers of the slope of `log_chance`.
    curved : ndarray of shape (patterns, states, numbers, numbers)
        Minus the second derivatives of `log_chance`.
    usual : ndarray of shape (patterns, states, numbers, numbers)
        The mean of `curved` over y.
    """

    log_chance: FloatArray
    slopes: FloatArray
    curved: FloatArray
    usual: FloatArray


class _HiddenTruth(NamedTuple):
    """The model of z at some parameters, for each pattern.

    log_probabilities: ln P(z) for z = 0 and 1, shape (patterns, 2). share: P(z = 1), shape
    (patterns,).
    """

    log_probabilities: FloatArray
    share: FloatArray


def look(cells: Cells, blocks: Blocks, place: FloatArray) -> Likelihood:
    """Return the log-likelihood and its derivatives at some parameters.

    Parameters
    ----------
    cells : Cells
        Their values are the likelihood of the report in each state: z = 0 and 1, or for a logit
        (z, y) in the order 00, 01, 10, 11.
    blocks : Blocks
        The columns of their design.
    place : ndarray of shape (P,)
        The parameters: the coefficients of z, those of the outcome, the effect of z, and for a
        normal outcome ln sigma.

    Returns
    -------
    Likelihood
    """
    # Parameters that are far away may overflow. The search halves such a step.
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        parts = []
        for _, part in cells.parts():
            parts.append(_slopes(part, blocks, place))
    return sum_terms(parts, lambda: _complete_information(cells, blocks, place))


def _states(cells: Cells, blocks: Blocks, place: FloatArray) -> States:
    if blocks.y is None:
        return _logit_states(cells, blocks, place)
    return _normal_states(cells, blocks, blocks.y, place)


def _posteriors(cells: Cells, states: States) -> tuple[FloatArray, float]:
    """Return tau, shape (cells, states), and the log-likelihood."""
    # The largest probability of each pattern is divided by, so that not all of them are too small.
    highest = states.log_chance.max(axis=1)
    relative = np.exp(states.log_chance - highest[:, np.newaxis])
    joint = cells.values * cells.spread(relative)
    tau, log_likelihood = posteriors(cells, joint)
    return tau, log_likelihood + float(cells.pattern_mass @ highest)


def _complete_information(cells: Cells, blocks: Blocks, place: FloatArray) -> FloatArray:
    """Return the information if truths were known, shape (P, P)."""
    states = _states(cells, blocks, place)
    tau, _ = _posteriors(cells, states)
    state_mass = cells.sums(tau * cells.mass[:, np.newaxis])
    inner = np.einsum("ps,psrt->prt", state_mass, states.usual)
    return _information(blocks.columns(cells.design), inner)


def _slopes(cells: Cells, blocks: Blocks, place: FloatArray) -> LikelihoodTerms:
    """Return the log-likelihood of the cells, its slope and their observed information."""
    states = _states(cells, blocks, place)
    tau, log_likelihood = _posteriors(cells, states)
    state_mass = cells.sums(tau * cells.mass[:, np.newaxis])

    # The variance of the slopes under tau is their mean square less the square of their mean.
    mean_slopes = np.einsum("cs,csr->cr", tau, cells.spread(states.slopes))
    weighted_slopes = state_mass[:, :, np.newaxis] * states.slopes
    mean_squares = np.matmul(weighted_slopes.transpose(0, 2, 1), states.slopes)
    variance = mean_squares - cells.products(mean_slopes, cells.mass)
    curvature = np.einsum("ps,psrt->prt", state_mass, states.curved)

    columns = blocks.columns(cells.design)
    numbers = weighted_slopes.sum(axis=1)
    score = []
    for number, block in enumerate(columns):
        score.append(block.T @ numbers[:, number])
    return LikelihoodTerms(
        log_likelihood=log_likelihood,
        score=np.concatenate(score),
        observed_information=_information(columns, curvature - variance),
    )


def _information(columns: list[FloatArray], inner: FloatArray) -> FloatArray:
    """Return the sum over patterns of x_u x_v' A_uv, block by block, shape (P, P).

    columns: the columns x of each number u. inner: A, shape (patterns, numbers, numbers).
    """
    rows = []
    for u, left in enumerate(columns):
        row = []
        for v, right in enumerate(columns):
            weighted = left * inner[:, u, v, np.newaxis]
            row.append(weighted.T @ right)
        rows.append(row)
    return np.block(rows)


def _hidden_truth(z_design: FloatArray, coefficients: FloatArray) -> _HiddenTruth:
    """Return the logit of z. Its coefficients are as many as the columns of its design."""
    linear_predictor = z_design @ coefficients
    log_no = -np.logaddexp(0, linear_predictor)
    log_yes = -np.logaddexp(0, -linear_predictor)
    return _HiddenTruth(
        log_probabilities=np.stack([log_no, log_yes], axis=1), share=expit(linear_predictor)
    )


def _logit_states(cells: Cells, blocks: Blocks, place: FloatArray) -> States:
    """Return the states (z, y) of a logit in the order 00, 01, 10, 11.

    The numbers of a slope are z - P(z = 1), y - P(y = 1) and z (y - P(y = 1)).
    """
    z_design = cells.design[:, blocks.own]
    outcome_design = cells.design[:, blocks.outcome]
    z_columns = z_design.shape[1]
    hidden = _hidden_truth(z_design, place[:z_columns])
    line_of_no = outcome_design @ place[z_columns:-1]
    effect = place[-1]

    n = len(outcome_design)
    log_chance = np.empty((n, 4))
    slopes = np.zeros((n, 4, 3))
    curved = np.zeros((n, 4, 3, 3))
    z_variance = hidden.share * (1 - hidden.share)
    for state, (z, y) in enumerate(_STATES_OF_LOGIT):
        line = line_of_no + z * effect
        share = expit(line)
        log_outcome = -np.logaddexp(0, line if y == 0 else -line)
        log_chance[:, state] = hidden.log_probabilities[:, z] + log_outcome

        residual = y - share
        slopes[:, state] = np.stack([z - hidden.share, residual, z * residual], axis=1)
        variance = share * (1 - share)
        curved[:, state, 0, 0] = z_variance
        curved[:, state, 1:, 1:] = variance[:, np.newaxis, np.newaxis] * _products_with(z)
    # The second derivatives of a logit do not depend on y.
    return States(log_chance=log_chance, slopes=slopes, curved=curved, usual=curved)


def _normal_states(cells: Cells, blocks: Blocks, y_column: int, place: FloatArray) -> States:
    """Return the states z = 0 and 1 of a normal outcome.

    With the error e of y, the numbers of a slope are z - P(z = 1), e / sigma^2, z e / sigma^2 and
    e^2 / sigma^2 - 1.
    """
    z_design = cells.design[:, blocks.own]
    outcome_design = cells.design[:, blocks.outcome]
    y = cells.design[:, y_column]
    z_columns = z_design.shape[1]
    hidden = _hidden_truth(z_design, place[:z_columns])
    line_of_no = outcome_design @ place[z_columns:-2]
    effect = place[-2]
    log_sigma = place[-1]
    precision = np.exp(log_sigma) ** -2

    n = len(y)
    log_chance = np.empty((n, 2))
    slopes = np.zeros((n, 2, 4))
    curved = np.zeros((n, 2, 4, 4))
    usual = np.zeros((n, 2, 4, 4))
    for z in (0, 1):
        error = y - line_of_no - z * effect
        log_z = hidden.log_probabilities[:, z]
        log_chance[:, z] = log_z - error**2 * precision / 2 - log_sigma - np.log(2 * np.pi) / 2

        pull = error * precision
        slopes[:, z] = np.stack([z - hidden.share, pull, z * pull, error * pull - 1], axis=1)

        usual[:, z, 0, 0] = hidden.share * (1 - hidden.share)
        usual[:, z, 1:3, 1:3] = precision * _products_with(z)
        # Over y, the mean of e is 0, and the mean of 2 e^2 / sigma^2 is 2.
        curved[:, z] = usual[:, z]
        usual[:, z, 3, 3] = 2
        mixed = (2 * pull)[:, np.newaxis] * np.array([1, z])
        curved[:, z, 1:3, 3] = mixed
        curved[:, z, 3, 1:3] = mixed
        curved[:, z, 3, 3] = 2 * error * pull
    return States(log_chance=log_chance, slopes=slopes, curved=curved, usual=usual)


def _products_with(z: int) -> FloatArray:
    """Return the products of 1 and z, the factors of the outcome's slopes, shape (2, 2).

    The square of z is z.
    """
    return np.array([[1, z], [z, z]])
