"""Models of answers as they are, against statsmodels; randomized ones against base R where it is installed."""

import warnings

import numpy as np
import pytest

from mechanisms import (
    ForcedResponse,
    Matrix,
    Warner,
    benjamini_hochberg,
    holm,
    least_squares,
    regress,
)
from tests.mechanisms.nigeria import nigeria, simulated
from tests.servers import subprocesses
from tests.servers.r import RSCRIPT, needs_r

with warnings.catch_warnings():  # of what statsmodels uses of pandas
    warnings.simplefilter("ignore")
    from statsmodels.discrete.discrete_model import Logit, MNLogit
    from statsmodels.regression.linear_model import OLS, WLS
    from statsmodels.stats.multitest import multipletests

DATA, TRUTHS = simulated(Matrix.identity(3), 2000, 0.8, 1, 3)
YES = (TRUTHS == 1).astype(int)
DESIGN, CLUSTERS = DATA["design"], np.random.default_rng(2).integers(0, 30, 2000)
WEIGHTS = np.random.default_rng(3).uniform(0.5, 3, 2000)


def close(value, tolerance=1e-8):
    return pytest.approx(np.array(value), rel=0, abs=tolerance)


def test_a_logit():
    found, peer = (
        regress(Matrix.identity(2), YES, DESIGN),
        Logit(YES, DESIGN).fit(disp=0, tol=1e-12),
    )
    assert found.coefficients == close(peer.params)
    assert found.standard_errors == close(peer.bse)
    assert found.log_likelihood == close(peer.llf, 1e-7)
    robust = Logit(YES, DESIGN).fit(disp=0, tol=1e-12, cov_type="HC0")
    assert found.robust_standard_errors == close(robust.bse)
    clustered = Logit(YES, DESIGN).fit(
        disp=0,
        tol=1e-12,
        cov_type="cluster",
        cov_kwds={"groups": CLUSTERS, "use_correction": False},
    )
    errors = regress(Matrix.identity(2), YES, DESIGN, clusters=CLUSTERS).standard_errors
    assert errors == close(clustered.bse * np.sqrt(30 / 29))


def test_a_multinomial_logit():
    found = regress(Matrix.identity(3), TRUTHS, DESIGN, choice=None)
    peer = MNLogit(TRUTHS, DESIGN).fit(disp=0, tol=1e-12)
    assert found.coefficients == close(peer.params)
    assert found.standard_errors == close(peer.bse)
    alone = MNLogit(TRUTHS, DESIGN[:, :2]).fit(disp=0, tol=1e-12)
    assert found.test(2).statistic == close(2 * (peer.llf - alone.llf), 1e-6)


def test_least_squares():
    scores = least_squares(Warner("3/4"), YES, DESIGN)
    peer = OLS((YES - 0.25) / 0.5, DESIGN).fit(cov_type="HC1")
    assert scores.coefficients == close(peer.params)
    assert scores.standard_errors == close(peer.bse)
    weighted = least_squares(None, YES.astype(float), DESIGN, weights=WEIGHTS)
    peer = WLS(YES, DESIGN, weights=WEIGHTS).fit(cov_type="HC1")
    assert weighted.standard_errors == close(peer.bse)
    clustered = least_squares(None, YES, DESIGN, clusters=CLUSTERS)
    peer = OLS(YES, DESIGN).fit(cov_type="cluster", cov_kwds={"groups": CLUSTERS})
    assert clustered.standard_errors == close(peer.bse)
    assert clustered.test([1, 2]).statistic == pytest.approx(
        float(peer.wald_test(np.eye(3)[1:], scalar=True).statistic)
    )


def test_p_values():
    values = np.random.default_rng(4).random(40) ** 3
    assert holm(values) == close(multipletests(values, method="holm")[1], 1e-15)
    assert benjamini_hochberg(values) == close(multipletests(values, method="fdr_bh")[1], 1e-15)


@needs_r
def test_a_randomized_logit_in_base_r():
    """glm with a link of its own: the chance of a reported Yes is d + c plogis(eta)."""
    code = """
    c <- 2/3; d <- 1/6
    link <- structure(list(linkfun = function(mu) qlogis(pmin(pmax((mu - d) / c, 1e-6), 1 - 1e-6)),
      linkinv = function(eta) d + c * plogis(eta), mu.eta = function(eta) c * plogis(eta) * plogis(-eta),
      valideta = function(eta) TRUE, name = "randomized"), class = "link-glm")
    yes <- c(497, 334); n <- c(1312, 1123); x <- c(0, 1)
    fit <- glm(cbind(yes, n - yes) ~ x, family = binomial(link), start = c(-1, 0), control = list(epsilon = 1e-14))
    cat(sprintf("%.12f", coef(fit)), sep = "\\n")
    """
    done = subprocesses.run([RSCRIPT, "--vanilla", "-e", code])
    found = regress(ForcedResponse("2/3", "1/6", "1/6"), **nigeria())
    assert found.coefficients == close([float(line) for line in done.stdout.split()], 2e-7)
