"""A randomized question as explanation: what goes with its truth, which nobody knows."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import block_diag
from scipy.special import chdtrc, expit

from mechanisms import checks
from mechanisms.analysis import hidden, verdicts
from mechanisms.analysis.answers import Answers, answers
from mechanisms.analysis.basis import Basis, basis
from mechanisms.analysis.cells import Cells, collapse
from mechanisms.analysis.comparisons import Significance
from mechanisms.analysis.correlation import Variable
from mechanisms.analysis.effects import mean_share
from mechanisms.analysis.newton import Optimum, inverse, maximize
from mechanisms.analysis.rows import Rows, checked_rows, design_matrix, report_count
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray, IntArray
from mechanisms.designs.general import Matrix
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals

_STARTS = (0.0, 2.0, -2.0)  # of z's effect: the likelihood may have more than one peak


def regress_on(
    outcome: Any,
    mechanism: Mechanism,
    reports: Any,
    design: Any,
    *,
    own: Any = None,
    family: str = "logit",
    counts: Any = None,
    choice: int = 1,
    asked: Any = None,
) -> "Predictor":
    """What goes with a randomized answer z: the regression of an outcome on a design and z, by maximum likelihood.

    outcome: 0 and 1 of a direct question, or a `Variable` with the reports of another mechanism (family "logit");
    numbers (family "normal"). mechanism, reports, choice: of z. design: shape (n, p), with its own ones; z comes last,
    after it. own: the columns that z itself depends on (a logit), by default the same. counts, asked: as for `regress`.
    ValueError as for `regress`. Imai, Park and Greene (2015, Political Analysis 23); Blair, Imai and Zhou (2015, JASA
    110).
    """
    checks.one_of("family", family, ("logit", "normal"))
    table = design_matrix("design", design)
    extra = table if own is None else design_matrix("own", own)
    if len(extra) != len(table):
        raise ValueError(
            f"own has {len(extra)} rows and design has {len(table)}; allowed is one row for each respondent"
        )
    kept = checked_rows(
        np.hstack([table, extra]) if own is not None else table,
        report_count(reports),
        counts=counts,
        asked=asked,
    )
    return Predictor(
        answers(mechanism, kept.keep(reports), choice), outcome, kept, table.shape[1], family
    )


class Predictor:
    """A fitted regression on a hidden truth z.

    n: respondents. coefficients, standard_errors: of the outcome's model, shape (p + 1,): the design's columns, then z.
    own_coefficients, own_standard_errors: of z's model, a logit. covariance: of z's, the outcome's, and for "normal" ln
    sigma, in this order, from the observed information; nan where it has no inverse. sigma: of the normal outcome, None
    for a logit. log_likelihood: at the maximum. verdict, reason, effective_events, needed_n: what can be believed of
    z's own model, as for `Regression`; where it is "boundary", nothing here is to be shown.
    """

    def __init__(self, found: Answers, outcome: Any, rows: Rows, columns: int, family: str) -> None:
        self.n, self.family, self._columns = rows.n, family, columns
        self._cells, self._start = _cells(found, outcome, rows, family)
        both = rows.design.shape[1]
        self._own = slice(columns, both) if both > columns else slice(0, columns)
        overall = verdicts.overall_shares(found, rows)
        self._share = float(np.clip(overall.shares[1], 0.5 / self.n, 1 - 0.5 / self.n))
        fit = self._fit(np.arange(columns))
        self.log_likelihood, self.converged = fit.found.point.log_likelihood, fit.found.converged
        place, self.covariance = fit.outside()
        errors = np.sqrt(np.maximum(self.covariance.diagonal(), 0))
        cut = self._own.stop - self._own.start
        self.own_coefficients, self.own_standard_errors = place[:cut], errors[:cut]
        self.coefficients, self.standard_errors = (
            each[cut : cut + columns + 1] for each in (place, errors)
        )
        self.sigma = float(np.exp(place[-1])) if family == "normal" else None
        self.effective_events = verdicts.effective_events(overall, self.n, cut)
        self.needed_n = verdicts.needed_n(self.n, self.effective_events)
        self.verdict, self.reason = verdicts.judge(
            self.effective_events, float(fit.shares().min()), self.n, converged=self.converged
        )

    def interval(self, confidence: float = 0.95) -> FloatArray:
        """Wald intervals of the outcome's coefficients, shape (p + 1, 2)."""
        level = checks.between("confidence", confidence, 0, 1)
        return intervals.wald(self.coefficients, self.standard_errors, level)

    @property
    def se(self) -> FloatArray:
        """The standard errors, by a shorter name."""
        return self.standard_errors

    def conf_int(self, alpha: float = 0.05) -> FloatArray:
        """The intervals at 1 - alpha, by the name that they have in statsmodels."""
        return self.interval(1 - alpha)

    def effect(
        self,
        design1: Any,
        design0: Any,
        counts: Any,
        *,
        own: Any = None,
        z: tuple[int, int] | None = None,
    ) -> tuple[float, float]:
        """The mean share of the outcome at the rows of one design less that at the rows of another, and its standard
        error by the delta method; family "logit".

        counts: how many each row stands for, shape (rows,). z: the truth at the one and at the other, such as (1, 0);
        by default what z's own model says at the rows of `own`, its columns (by default those of design0).
        """
        if self.family != "logit":
            raise ValueError('effect is for shares; allowed is family "logit"')
        mass = checks.indices("counts", counts, 2**53).astype(np.float64)
        of_z = design_matrix("own", design0 if own is None else own)
        found = []
        for name, given, truth in zip(
            ("design1", "design0"), (design1, design0), z or (None, None), strict=True
        ):
            tables = (of_z, design_matrix(name, given))
            found.append(
                mean_share(
                    self.own_coefficients, self.coefficients, tables, mass / mass.sum(), truth
                )
            )
        (at_one, slope_one), (at_other, slope_other) = found
        slope = slope_one - slope_other
        return at_one - at_other, float(np.sqrt(max(float(slope @ self.covariance @ slope), 0.0)))

    def test(self, columns: int | Iterable[int]) -> Significance:
        """Whether the outcome's coefficients of these columns (p is z's) are all 0, by the likelihood ratio."""
        wanted = [columns] if isinstance(columns, int | np.integer) else list(columns)
        chosen = checks.index_set("columns", wanted, self._columns + 1)
        if not chosen:
            raise ValueError("columns is []; allowed is at least one column")
        left = np.array(
            [each for each in range(self._columns) if each not in chosen], dtype=np.int64
        )
        lost = (
            self.log_likelihood
            - self._fit(left, self._columns not in chosen).found.point.log_likelihood
        )
        statistic = max(2 * lost, 0.0)
        return Significance(statistic, len(chosen), float(chdtrc(len(chosen), statistic)))

    def _fit(self, columns: IntArray, with_z: bool = True) -> "_Fit":
        """The best of several searches, on some of the outcome's columns, with or without z among them."""
        design, mass = self._cells.design, self._cells.pattern_mass
        own, outcome = basis(design[:, self._own], mass), basis(design[:, columns], mass)
        number = [] if self.family == "logit" else [design[:, -1:]]
        table = np.hstack([own.columns, outcome.columns, *number])
        p = own.columns.shape[1]
        blocks = hidden.Blocks(
            slice(0, p),
            slice(p, p + columns.size),
            None if self.family == "logit" else table.shape[1] - 1,
        )
        cells = self._cells.with_design(table)
        starts = [
            self._place(own, outcome, start) for start in (_STARTS if with_z else _STARTS[:1])
        ]
        free = np.ones(starts[0].size, dtype=bool)
        free[p + columns.size] = with_z
        found = [
            maximize(lambda place: hidden.look(cells, blocks, place), start, free)
            for start in starts
        ]
        best = max(
            found,
            key=lambda each: (
                np.nan_to_num(each.point.log_likelihood, nan=-np.inf),
                each.converged,
            ),
        )
        return _Fit(best, own, outcome)

    def _place(self, own: Basis, outcome: Basis, effect: float) -> FloatArray:
        """Where a search starts: z's share and the outcome's as they are overall, and a first guess of z's effect."""
        mass = self._cells.pattern_mass / self._cells.pattern_mass.sum()
        of_z = mass @ own.columns * np.log(self._share / (1 - self._share))
        if self.family == "logit":
            level = np.log(self._start / (1 - self._start)) - effect * self._share
            return np.concatenate([of_z, mass @ outcome.columns * level, [effect]])
        y, spread = self._cells.design[:, -1], self._start
        line = (mass * (y - effect * spread * self._share)) @ outcome.columns
        return np.concatenate([of_z, line, [effect * spread, np.log(spread)]])


class _Fit(NamedTuple):
    found: Optimum
    own: Basis
    outcome: Basis

    def shares(self) -> FloatArray:
        """The fitted shares of z = 0 and 1 of each pattern."""
        yes = expit(self.own.columns @ self.found.place[: len(self.own.root)])
        return np.concatenate([yes, 1 - yes])

    def outside(self) -> tuple[FloatArray, FloatArray]:
        """The parameters and their covariance for the columns as they were given."""
        roots = [self.own.root, self.outcome.root]
        rest = np.eye(self.found.place.size - sum(len(root) for root in roots))
        back = np.linalg.inv(block_diag(*roots, rest))
        covariance = inverse(self.found.point.observed)
        if covariance is None:
            covariance = np.full(back.shape, np.nan)
        return back @ self.found.place, back @ covariance @ back.T


def _cells(found: Answers, outcome: Any, rows: Rows, family: str) -> tuple[Cells, float]:
    """The cells, and the outcome's overall share, for numbers their standard deviation."""
    chances = found.likelihoods(np.arange(found.kinds))
    if family == "normal":
        y = arrays.numbers("outcome", rows.keep(outcome))
        _fits(y.shape, found)
        spread = float(
            np.sqrt(np.average((y - np.average(y, weights=rows.counts)) ** 2, weights=rows.counts))
        )
        if spread == 0:
            raise ValueError(f"outcome is always {y[0]:g}; allowed are different numbers")
        wide = replace(rows, design=np.hstack([rows.design, y[:, np.newaxis]]))
        return collapse(wide, found.codes, found.kinds, chances.__getitem__), spread
    if isinstance(outcome, Variable) and outcome.mechanism is not None:
        other = answers(outcome.mechanism, rows.keep(outcome.values), outcome.choice)
    else:
        values = outcome.values if isinstance(outcome, Variable) else outcome
        other = answers(Matrix.identity(2), checks.indices("outcome", rows.keep(values), 2), 1)
    _fits(other.codes.shape, found)
    share = float(np.clip(verdicts.overall_shares(other, rows).shares[1], 0.5 / rows.n, 1 - 0.5 / rows.n))
    table = np.kron(chances, other.likelihoods(np.arange(other.kinds)))  # states 00, 01, 10, 11
    return collapse(
        rows, found.codes * other.kinds + other.codes, len(table), table.__getitem__
    ), share


def _fits(shape: tuple[int, ...], found: Answers) -> None:
    if shape != found.codes.shape:
        raise ValueError(
            f"outcome has shape {shape}; allowed is one value for each of {found.codes.size} reports"
        )
