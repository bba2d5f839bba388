"""What goes with an answer: logit of one choice, multinomial logit of all, from randomized reports."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import chdtrc, expit

from mechanisms import checks
from mechanisms.analysis import profile, softmax, verdicts
from mechanisms.analysis.answers import Answers, answers
from mechanisms.analysis.basis import basis
from mechanisms.analysis.cells import Cells, collapse
from mechanisms.analysis.comparisons import Significance
from mechanisms.analysis.linear import LeastSquares, least_squares_of
from mechanisms.analysis.newton import Optimum, inverse, maximize
from mechanisms.analysis.results import Fitted, Prediction
from mechanisms.analysis.rows import Rows, checked_rows, report_count
from mechanisms.analysis.sandwich import meat
from mechanisms.checks import FloatArray
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals
from mechanisms.estimation.constrained import norm_sub

_BLOCK = 2**22  # numbers that are looked at together


def regress(
    mechanism: Mechanism,
    reports: Any,
    design: Any,
    *,
    choice: int | None = 1,
    counts: Any = None,
    weights: Any = None,
    clusters: Any = None,
    asked: Any = None,
) -> "Regression":
    """The logit of a choice, or of all answers together, on the columns of a design, by maximum likelihood.

    reports: as for `mechanism.tally`. design: shape (n, p), finite numbers, with its own column of ones. choice: the
    answer whose share is explained against all others; None for all answers against the first. counts: how many
    respondents each row stands for, shape (n,). weights: above 0, shape (n,). clusters: a number or text for each row;
    respondents of one cluster may be alike. asked: True where the question was asked, shape (n,); other rows are left
    out. ValueError for shapes that do not fit, too few rows, or columns that others make up (named by their index).

    Maddala (1983, section 2.13) and Scheers and Dayton (1988, JASA 83) for the logit under randomized response.
    """
    table = checked_rows(
        design, report_count(reports), counts=counts, weights=weights, clusters=clusters, asked=asked
    )
    return Regression(answers(mechanism, table.keep(reports), choice), table)


class Regression(Fitted):
    """A fitted logit.

    coefficients: log odds, shape (p,), for all answers (p, size - 1): against the first. covariance: of the ravelled
    coefficients. errors: "observed" (the inverse of the observed information) or, with weights or clusters, "sandwich".
    log_likelihood: at the maximum. effective_events, verdict, reason: what
    can be believed. "fine"; "few", with a warning; "boundary": these coefficients are not to be shown; `instead` has
    least squares of the decoded reports, and `odds_ratios` is None. reason says why. needed_n: how many respondents
    would make it "fine".
    """

    def __init__(self, answers: Answers, rows: Rows) -> None:
        self.answers, self.rows = answers, rows
        cells = collapse(rows.standardized, answers.codes, answers.kinds, answers.likelihoods)
        if (cells.mass[~cells.values.any(axis=1)] > 0).any():
            raise ValueError(
                "reports holds one that no answer makes possible; allowed are reports of this mechanism"
            )
        self._basis = basis(cells.design, cells.pattern_mass)
        self._cells = cells.with_design(self._basis.columns)
        self._overall = verdicts.overall_shares(answers, rows)
        self._found = self._fit(self._cells)
        self.errors = "observed" if rows.weights is None and rows.clusters is None else "sandwich"
        scale, mass = answers.log_scale(answers.codes), rows.standardized.mass
        left_out = float(scale.sum() if mass is None else mass @ scale)
        self.log_likelihood = (self._found.point.log_likelihood + left_out) * rows.mean_weight
        self.converged = self._found.converged
        self.effective_events = verdicts.effective_events(
            self._overall, rows.effective_n, rows.design.shape[1]
        )
        self.needed_n = verdicts.needed_n(rows.n, self.effective_events)
        self.verdict, self.reason = verdicts.judge(
            self.effective_events, float(self._fitted.min()), rows.n, converged=self.converged
        )

    @property
    def states(self) -> int:
        return int(self._cells.values.shape[1])

    def _fit(self, cells: Cells) -> Optimum:
        """From intercepts at the overall shares: the nearest to them that the columns can be."""
        p, free = cells.design.shape[1], self.states - 1
        shares = np.maximum(norm_sub(self._overall.shares), 0.5 / self.n)
        level = np.log(shares[1:] / shares[0])
        constant = (
            cells.pattern_mass @ cells.design / cells.pattern_mass.sum()
        )  # the columns are orthonormal
        return self._search(cells, np.outer(constant, level).reshape(p * free))

    @staticmethod
    def _search(cells: Cells, start: FloatArray) -> Optimum:
        return maximize(lambda place: softmax.look(cells, place), start)

    @cached_property
    def _fitted(self) -> FloatArray:
        return softmax.shares(self._cells.design, self._at)

    @property
    def _at(self) -> FloatArray:
        """The coefficients in the model's own basis, shape (p, states - 1)."""
        return self._found.place.reshape(-1, self.states - 1)

    @cached_property
    def coefficients(self) -> FloatArray:  # type: ignore[override]
        found = self._basis.back(self._at)
        return found[:, 0] if self.answers.choice is not None else found

    @cached_property
    def covariance(self) -> FloatArray:  # type: ignore[override]
        return self.observed_covariance if self.errors == "observed" else self.robust_covariance

    @cached_property
    def observed_covariance(self) -> FloatArray:
        return self._outside(self._inverse)

    @cached_property
    def robust_covariance(self) -> FloatArray:
        """The sandwich: H^-1 (sum of w^2 s s') H^-1; for clusters their sums, times G/(G-1)."""
        residuals = softmax.residuals(self._cells, self._at)
        return self._outside(
            self._inverse @ meat(self._cells, residuals, self.rows.standardized) @ self._inverse
        )

    @cached_property
    def _inverse(self) -> FloatArray:
        found, size = inverse(self._found.point.observed), self._found.place.size
        return np.full((size, size), np.nan) if found is None else found

    def _outside(self, of_basis: FloatArray) -> FloatArray:
        return self._basis.covariance(of_basis, self.states - 1)

    @property
    def robust_standard_errors(self) -> FloatArray:
        return self._errors_of(self.robust_covariance)

    @cached_property
    def expected_standard_errors(self) -> FloatArray | None:
        """From the expected information. None for whole reports of bits, of which there are too many to expect."""
        mechanism = self.answers.mechanism
        if self.answers.choice is None and not isinstance(mechanism, MatrixMechanism):
            return None
        chances = self.answers.likelihoods(np.arange(self.answers.kinds))
        found = inverse(softmax.expected(self._cells, self._at, chances))
        size = self._found.place.size
        return self._errors_of(
            self._outside(np.full((size, size), np.nan) if found is None else found)
        )

    @cached_property
    def instead(self) -> LeastSquares | None:
        """Least squares of the decoded reports on the same columns where the verdict is "boundary", else None."""
        return least_squares_of(self.answers, self.rows) if self.verdict == "boundary" else None

    @property
    def odds_ratios(self) -> FloatArray | None:
        """exp(coefficients); None where the verdict is "boundary"."""
        with np.errstate(over="ignore"):
            return None if self.verdict == "boundary" else np.exp(self.coefficients)

    def test(self, columns: int | Iterable[int]) -> Significance:
        """Whether the coefficients of these columns are all 0: by the likelihood ratio; with weights or clusters by
        Wald.
        """
        chosen = self._columns(columns)
        if self.errors == "sandwich":
            return self.wald_test(chosen)
        left = np.setdiff1d(np.arange(len(self.coefficients)), chosen)
        root = self._basis.root[:, left]
        inner = np.linalg.qr(root)[0] if left.size else np.zeros((len(root), 0))
        cells = self._cells.with_design(self._cells.design @ inner)
        near = self._search(
            cells, (inner.T @ self._at).ravel()
        )  # from the model itself few steps are left
        alone = near if near.converged else self._fit(cells)
        lost = self._found.point.log_likelihood - alone.point.log_likelihood
        statistic, degrees = max(2 * lost, 0.0), chosen.size * (self.states - 1)
        return Significance(statistic, degrees, float(chdtrc(degrees, statistic)))

    def profile_interval(self, column: int, confidence: float = 0.95) -> FloatArray:
        """The coefficients of a column that a likelihood-ratio test does not reject, shape (2,), for all answers
        (size - 1, 2); infinite where none is rejected. ValueError with weights or clusters.
        """
        level = checks.between("confidence", confidence, 0, 1)
        column = checks.whole("column", column, 0, len(self.coefficients) - 1)
        if self.errors == "sandwich":
            raise ValueError(
                "profile_interval is for respondents without weights or clusters; allowed here is interval"
            )
        design = self._cells.design @ self._basis.root
        found = profile.intervals_of(
            self._cells.with_design(design), self._basis.back(self._at), column, level
        )
        return found[0] if self._single else found

    def _predict(self, design: FloatArray, confidence: float) -> Prediction:
        """Intervals on the logit's scale."""
        pi = softmax.shares(design, self._basis.back(self._at))
        step = max(1, _BLOCK // (pi.shape[1] * self.covariance.shape[0]))
        parts = [slice(start, start + step) for start in range(0, len(pi), step)]
        errors = np.concatenate(
            [softmax.errors(design[part], pi[part], self.covariance) for part in parts]
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = intervals.wald(np.log(pi / (1 - pi)), errors / (pi * (1 - pi)), confidence)
        ends = expit(ends)
        return Prediction(*((each[:, 1] if self._single else each) for each in (pi, errors, ends)))

    def _mean_share(self, design: FloatArray, mass: FloatArray) -> tuple[FloatArray, FloatArray]:
        pi = softmax.shares(design, self._basis.back(self._at))
        weighted, total = (
            design * mass[:, np.newaxis],
            np.zeros((design.shape[1], self.states * (self.states - 1))),
        )
        step = max(1, _BLOCK // total.shape[1])
        for start in range(0, len(pi), step):
            part = pi[start : start + step]
            total += weighted[start : start + step].T @ softmax.inner(part).reshape(len(part), -1)
        slopes = total.reshape(design.shape[1], self.states, self.states - 1).transpose(1, 0, 2)
        found = mass @ pi, slopes.reshape(self.states, -1)
        return (found[0][1:], found[1][1:]) if self._single else found
