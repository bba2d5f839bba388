"""The literature that a methods section names for estimates, intervals and possible shares; designs name their own."""

from mechanisms import Warner
from surveys.results.estimates import maximum_likelihood

ESTIMATION = (
    "Chaudhuri, A., & Mukerjee, R. (1988). Randomized Response: Theory and "
    "Techniques. New York: Marcel Dekker."
)
FINITE = (
    Warner.source
)  # where the variance is parted into that of the sampling and that of the randomization
POSSIBLE = {
    maximum_likelihood.NAME: "Dempster, A. P., Laird, N. M., & Rubin, D. B. (1977). Maximum likelihood from incomplete "
    "data via the EM algorithm. Journal of the Royal Statistical Society, Series B, 39(1), 1–38.",
    "Norm-Sub": "Wang, T., Lopuhaä-Zwakenberg, M., Li, Z., Skoric, B., & Li, N. (2020). Locally differentially private "
    "frequency estimation with consistency. Network and Distributed System Security Symposium (NDSS).",
}
INTERVALS = {
    "wilson": "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of "
    "the American Statistical Association, 22(158), 209–212.",
    "exact": "Clopper, C. J., & Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the "
    "case of the binomial. Biometrika, 26(4), 404–413.",
    "likelihood": "Wilks, S. S. (1938). The large-sample distribution of the likelihood ratio for testing composite "
    "hypotheses. Annals of Mathematical Statistics, 9(1), 60–62.",
}
