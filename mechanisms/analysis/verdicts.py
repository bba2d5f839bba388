"""What can be believed of a logit: how many effective events each of its columns has."""

import math
from typing import NamedTuple

import numpy as np

from mechanisms.analysis.answers import Answers
from mechanisms.analysis.rows import Rows
from mechanisms.checks import FloatArray

ENOUGH, FEW = 10.0, 3.0


class Overall(NamedTuple):
    """All respondents together, without a design. shares: decoded, one for each state. worth: of one report, in true
    answers: pi (1 - pi) over the variance of a decoded report; 0 where the decoded share is not inside (0, 1).
    """

    shares: FloatArray
    worth: FloatArray


def overall(answers: Answers, rows: Rows) -> Overall:
    came = np.bincount(answers.codes, rows.mass, answers.kinds)
    kinds = np.flatnonzero(came)
    scores, part = answers.scores(kinds), came[kinds] / came.sum()
    shares = part @ scores
    if shares.size == 1:
        scores, shares = np.hstack([1 - scores, scores]), np.array([1 - shares[0], shares[0]])
    spread = part @ (scores - shares) ** 2
    true = np.maximum(shares * (1 - shares), 0.0)
    worth = np.divide(true, spread, out=np.zeros_like(true), where=spread > 0)
    return Overall(shares, np.minimum(worth, 1.0))


def effective_events(found: Overall, n: float, columns: int) -> float:
    """E = n rho min(pi, 1 - pi) / columns of the least favoured state, rho = c^2 pi (1 - pi) / (lambda (1 - lambda)).

    The rarer answers that true reports would have to show for the same information, for each column of the design
    (compare Peduzzi et al. 1996, J. Clinical Epidemiology 49, for ten events per variable).
    """
    rarer = np.minimum(found.shares, 1 - found.shares)
    return max(0.0, float((n * found.worth * rarer).min()) / columns)


def needed_n(n: int, events: float) -> int | None:
    """How many respondents would do for the verdict "fine"; None where no number of them is in sight."""
    return math.ceil(ENOUGH * n / events) if events > 0 else None


def judge(events: float, least_share: float, n: int, *, converged: bool) -> tuple[str, str]:
    """The verdict, and why it is not "fine"."""
    if events < FEW:
        return (
            "boundary",
            f"{events:.2g} effective events for each column; allowed for odds are at least {FEW:g}",
        )
    if not converged:
        return (
            "boundary",
            "the likelihood has no maximum: some combination of the columns tells the answers apart",
        )
    if least_share < 1 / (2 * n):
        return (
            "boundary",
            f"a fitted share is {least_share:.2g}, nearer to 0 or 1 than {n} respondents can tell",
        )
    if events < ENOUGH:
        return (
            "few",
            f"{events:.2g} effective events for each column; {ENOUGH:g} make odds reliable",
        )
    return "fine", ""
