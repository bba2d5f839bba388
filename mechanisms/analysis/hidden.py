"""A model with a truth z that only reports tell about, which explains an outcome y: sum of m ln sum over z of L_z
P(z|x) f(y|x, z).

The slope of one state's log-likelihood is a few numbers, each times columns of its own: z - P(z) times z's design, and
what f gives times the outcome's design, times z, and (normal) times 1 for ln sigma. So all sums need only these
numbers' moments in each pattern. Observed information: sum over states of tau (-Hessian) less the variance of the
slopes under tau (Louis 1982).
"""

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from mechanisms.analysis.cells import Cells
from mechanisms.analysis.newton import Likelihood, LikelihoodTerms, sum_terms
from mechanisms.analysis.softmax import posteriors
from mechanisms.checks import FloatArray


class Blocks(NamedTuple):
    """Columns of z's design and of the outcome's in the cells' design; y: the column of a number as outcome, None for a
    logit.
    """

    own: slice
    outcome: slice
    y: int | None

    def columns(self, design: FloatArray) -> list[FloatArray]:
        """For each number of a slope the columns that it is times: z's, the outcome's, 1 for z, and 1 for ln sigma."""
        ones = np.ones((len(design), 1))
        return [design[:, self.own], design[:, self.outcome], ones] + (
            [] if self.y is None else [ones]
        )


class States(NamedTuple):
    """For each pattern and state: log_chance of the state, and of y given it, (patterns, states); slopes, (patterns,
    states, numbers); curved: minus the second derivatives; usual: their mean over y; both (patterns, states, numbers,
    numbers).
    """

    log_chance: FloatArray
    slopes: FloatArray
    curved: FloatArray
    usual: FloatArray


def look(cells: Cells, blocks: Blocks, place: FloatArray) -> Likelihood:
    """The log-likelihood and its derivatives at (z's coefficients, the outcome's, z's effect, ln sigma)."""
    with np.errstate(
        over="ignore", divide="ignore", invalid="ignore"
    ):  # far away; such a step is halved
        parts = [_look(part, blocks, place) for _, part in cells.parts()]
    return sum_terms(parts, lambda: _complete(cells, blocks, place))


def _states(cells: Cells, blocks: Blocks, place: FloatArray) -> States:
    return _logit(cells, blocks, place) if blocks.y is None else _normal(cells, blocks, place)


def _posteriors(cells: Cells, states: States) -> tuple[FloatArray, float]:
    """tau, shape (cells, states), and the log-likelihood."""
    highest = states.log_chance.max(axis=1)
    joint = cells.values * cells.spread(np.exp(states.log_chance - highest[:, np.newaxis]))
    tau, log_likelihood = posteriors(cells, joint)
    return tau, log_likelihood + float(cells.pattern_mass @ highest)


def _complete(cells: Cells, blocks: Blocks, place: FloatArray) -> FloatArray:
    states = _states(cells, blocks, place)
    held = cells.sums(_posteriors(cells, states)[0] * cells.mass[:, np.newaxis])
    return _assemble(blocks.columns(cells.design), np.einsum("ps,psrt->prt", held, states.usual))


def _look(cells: Cells, blocks: Blocks, place: FloatArray) -> LikelihoodTerms:
    states = _states(cells, blocks, place)
    tau, log_likelihood = _posteriors(cells, states)
    held = cells.sums(tau * cells.mass[:, np.newaxis])
    guess = np.einsum("cs,csr->cr", tau, cells.spread(states.slopes))
    weighted = held[:, :, np.newaxis] * states.slopes
    unknown = np.matmul(weighted.transpose(0, 2, 1), states.slopes) - cells.products(
        guess, cells.mass
    )
    curved = np.einsum("ps,psrt->prt", held, states.curved)
    columns = blocks.columns(cells.design)
    slope = weighted.sum(axis=1)
    score = np.concatenate([each.T @ slope[:, number] for number, each in enumerate(columns)])
    return LikelihoodTerms(log_likelihood, score, _assemble(columns, curved - unknown))


def _assemble(columns: list[FloatArray], inner: FloatArray) -> FloatArray:
    return np.block(
        [
            [(one * inner[:, u, v, np.newaxis]).T @ other for v, other in enumerate(columns)]
            for u, one in enumerate(columns)
        ]
    )


def _z(cells: Cells, blocks: Blocks, place: FloatArray) -> tuple[FloatArray, FloatArray, int]:
    """ln P(z) for z = 0, 1, shape (patterns, 2), P(1), and how many coefficients that took."""
    own = cells.design[:, blocks.own]
    line = own @ place[: own.shape[1]]
    return (
        np.stack([-np.logaddexp(0, line), -np.logaddexp(0, -line)], axis=1),
        expit(line),
        own.shape[1],
    )


def _logit(cells: Cells, blocks: Blocks, place: FloatArray) -> States:
    """States (z, y) in the order 00, 01, 10, 11."""
    log_z, p, start = _z(cells, blocks, place)
    outcome = cells.design[:, blocks.outcome]
    plain = outcome @ place[start:-1]
    n = len(outcome)
    log_chance, slopes, curved = np.empty((n, 4)), np.zeros((n, 4, 3)), np.zeros((n, 4, 3, 3))
    for state, (z, y) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
        line = plain + z * place[-1]
        mu = expit(line)
        log_chance[:, state] = log_z[:, z] - np.logaddexp(0, line if y == 0 else -line)
        slopes[:, state] = np.stack([z - p, y - mu, z * (y - mu)], axis=1)
        curved[:, state, 0, 0] = p * (1 - p)
        curved[:, state, 1:, 1:] = (mu * (1 - mu))[:, np.newaxis, np.newaxis] * np.array(
            [[1, z], [z, z]]
        )
    return States(log_chance, slopes, curved, curved)


def _normal(cells: Cells, blocks: Blocks, place: FloatArray) -> States:
    """States z = 0, 1; the last parameter is ln sigma."""
    log_z, p, start = _z(cells, blocks, place)
    outcome, y = cells.design[:, blocks.outcome], cells.design[:, blocks.y]
    plain, sigma = outcome @ place[start:-2], np.exp(place[-1])
    n, precision = len(y), sigma**-2
    log_chance, slopes = np.empty((n, 2)), np.zeros((n, 2, 4))
    curved, usual = np.zeros((n, 2, 4, 4)), np.zeros((n, 2, 4, 4))
    for z in (0, 1):
        error = y - plain - z * place[-2]
        log_chance[:, z] = (
            log_z[:, z] - error**2 * precision / 2 - place[-1] - np.log(2 * np.pi) / 2
        )
        pull = error * precision
        slopes[:, z] = np.stack([z - p, pull, z * pull, error * pull - 1], axis=1)
        usual[:, z, 0, 0] = p * (1 - p)
        usual[:, z, 1:3, 1:3] = precision * np.array([[1, z], [z, z]])
        curved[:, z] = usual[:, z]
        usual[:, z, 3, 3] = 2
        curved[:, z, 1:3, 3] = curved[:, z, 3, 1:3] = (2 * pull)[:, np.newaxis] * np.array([1, z])
        curved[:, z, 3, 3] = 2 * error * pull
    return States(log_chance, slopes, curved, usual)
