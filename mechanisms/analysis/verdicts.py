"""Verdicts on a logit: how many effective events each of its columns has, and what that allows."""

import math
from typing import NamedTuple

import numpy as np

from mechanisms.analysis.answers import Answers
from mechanisms.analysis.rows import Rows
from mechanisms.checks import FloatArray

# Effective events of each column: from ENOUGH on the verdict is "fine", below FEW "boundary".
ENOUGH, FEW = 10.0, 3.0


class Overall(NamedTuple):
    """The shares of all respondents together, without a design.

    Attributes
    ----------
    shares : ndarray of shape (states,)
        The decoded share of each state.
    worth : ndarray of shape (states,)
        How many true answers one report is worth, from 0 to 1: pi (1 - pi) over the variance of a
        decoded report; 0 if the decoded share pi is not inside (0, 1).
    """

    shares: FloatArray
    worth: FloatArray


class Verdict(NamedTuple):
    """A verdict on what can be believed of a logit.

    Attributes
    ----------
    verdict : "fine", "few" or "boundary"
        "few" asks for a warning; after "boundary" the coefficients must not be shown.
    reason : str
        Why the verdict is not "fine", or "" if it is.
    """

    verdict: str
    reason: str


def overall_shares(answers: Answers, rows: Rows) -> Overall:
    """Return the decoded shares of all respondents, and the worth of a report.

    Parameters
    ----------
    answers : Answers
        The reports, one for each row.
    rows : Rows
        The respondents with their counts and weights.

    Returns
    -------
    Overall
    """
    mass_by_kind = np.bincount(answers.codes, rows.mass, answers.kinds)
    kinds = np.flatnonzero(mass_by_kind)
    scores = answers.scores(kinds)
    parts = mass_by_kind[kinds] / mass_by_kind.sum()
    shares = parts @ scores
    if shares.size == 1:
        # The states of one choice are "not the choice" and "the choice".
        scores = np.hstack([1 - scores, scores])
        shares = np.array([1 - shares[0], shares[0]])
    variances = parts @ (scores - shares) ** 2
    variances_of_truths = np.maximum(shares * (1 - shares), 0.0)
    worth = np.divide(
        variances_of_truths,
        variances,
        out=np.zeros_like(variances_of_truths),
        where=variances > 0,
    )
    return Overall(shares=shares, worth=np.minimum(worth, 1.0))


def effective_events(overall: Overall, n: float, columns: int) -> float:
    """Return the effective events for each column, of the state that has fewest.

    E = n rho min(pi, 1 - pi) / columns, with rho = c^2 pi (1 - pi) / (lambda (1 - lambda)): so many
    rarer answers would give the same information if the reports were true.

    Parameters
    ----------
    overall : Overall
        The shares pi of all respondents, and the worth rho of a report.
    n : float
        The effective number of respondents.
    columns : int
        The columns of the design.

    Returns
    -------
    float
        Events, at least 0.

    References
    ----------
    Peduzzi et al. (1996, Journal of Clinical Epidemiology 49) for ten events per variable.
    """
    rarer_shares = np.minimum(overall.shares, 1 - overall.shares)
    events = n * overall.worth * rarer_shares
    return max(0.0, float(events.min()) / columns)


def needed_n(n: int, events: float) -> int | None:
    """Return how many respondents the verdict "fine" needs, or None if there are no events.

    Parameters
    ----------
    n : int
        The number of respondents.
    events : float
        Their effective events for each column.

    Returns
    -------
    int or None
    """
    if events > 0:
        return math.ceil(ENOUGH * n / events)
    return None


def judge(events: float, least_share: float, n: int, *, converged: bool) -> Verdict:
    """Return the verdict on a logit, with the reason why it is not "fine".

    Parameters
    ----------
    events : float
        The effective events for each column.
    least_share : float
        The smallest fitted share of any state.
    n : int
        The number of respondents.
    converged : bool
        True if the likelihood has a maximum.

    Returns
    -------
    Verdict
    """
    if events < FEW:
        return Verdict(
            verdict="boundary",
            reason=f"{events:.2g} effective events for each column; "
            f"allowed for odds are at least {FEW:g}",
        )
    if not converged:
        return Verdict(
            verdict="boundary",
            reason="the likelihood has no maximum: "
            "some combination of the columns tells the answers apart",
        )
    if least_share < 1 / (2 * n):
        return Verdict(
            verdict="boundary",
            reason=f"a fitted share is {least_share:.2g}, "
            f"nearer to 0 or 1 than {n} respondents can tell",
        )
    if events < ENOUGH:
        return Verdict(
            verdict="few",
            reason=f"{events:.2g} effective events for each column; {ENOUGH:g} make odds reliable",
        )
    return Verdict(verdict="fine", reason="")
