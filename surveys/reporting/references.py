"""The literature that a methods section names: for designs, estimates, intervals and possible shares."""

from collections.abc import Iterable

from mechanisms import Mechanism
from surveys.reporting import likeliest

ESTIMATION = (
    "Chaudhuri, A., & Mukerjee, R. (1988). Randomized Response: Theory and Techniques. New York: Marcel Dekker."
)
POSSIBLE = {
    likeliest.NAME: "Dempster, A. P., Laird, N. M., & Rubin, D. B. (1977). Maximum likelihood from incomplete data via "
    "the EM algorithm. Journal of the Royal Statistical Society, Series B, 39(1), 1–38.",
    "Norm-Sub": "Wang, T., Lopuhaä-Zwakenberg, M., Li, Z., Skoric, B., & Li, N. (2020). Locally differentially private "
    "frequency estimation with consistency. Network and Distributed System Security Symposium (NDSS).",
}
RAPPOR = (
    "Erlingsson, Ú., Pihur, V., & Korolova, A. (2014). RAPPOR: Randomized aggregatable privacy-preserving ordinal "
    "response. ACM Conference on Computer and Communications Security, 1054–1067."
)
OPTIMIZED = (
    "Wang, T., Blocki, J., Li, N., & Jha, S. (2017). Locally differentially private protocols for frequency "
    "estimation. USENIX Security Symposium, 729–745."
)
MODELS = (
    "Yu, J.-W., Tian, G.-L., & Tang, M.-L. (2008). Two new models for survey sampling with sensitive characteristic: "
    "Design and analysis. Metrika, 67(3), 251–263."
)
REFERENCES = {
    "warner": "Warner, S. L. (1965). Randomized response: A survey technique for eliminating evasive answer bias. "
    "Journal of the American Statistical Association, 60(309), 63–69.",
    "forced-response": "Boruch, R. F. (1971). Assuring confidentiality of responses in social research: A note on "
    "strategies. The American Sociologist, 6(4), 308–311.",
    "two-coin": "Dwork, C., & Roth, A. (2014). The algorithmic foundations of differential privacy. Foundations and "
    "Trends in Theoretical Computer Science, 9(3–4), 211–407.",
    "unrelated-question": "Greenberg, B. G., Abul-Ela, A.-L. A., Simmons, W. R., & Horvitz, D. G. (1969). The "
    "unrelated question randomized response model: Theoretical framework. Journal of the American Statistical "
    "Association, 64(326), 520–539.",
    "direct": "Kairouz, P., Oh, S., & Viswanath, P. (2016). Extremal mechanisms for local differential privacy. "
    "Journal of Machine Learning Research, 17(17), 1–51.",
    "crosswise": MODELS,
    "triangular": MODELS,
    "mangat": "Mangat, N. S. (1994). An improved randomized response strategy. Journal of the Royal Statistical "
    "Society, Series B, 56(1), 93–95.",
    "kuk": "Kuk, A. Y. C. (1990). Asking sensitive questions indirectly. Biometrika, 77(2), 436–438.",
    "subset": "Ye, M., & Barg, A. (2018). Optimal schemes for discrete distribution estimation under locally "
    "differential privacy. IEEE Transactions on Information Theory, 64(8), 5662–5676.",
}
INTERVALS = {
    "wilson": "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of "
    "the American Statistical Association, 22(158), 209–212.",
    "exact": "Clopper, C. J., & Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the "
    "case of the binomial. Biometrika, 26(4), 404–413.",
    "likelihood": "Wilks, S. S. (1938). The large-sample distribution of the likelihood ratio for testing composite "
    "hypotheses. Annals of Mathematical Statistics, 9(1), 60–62.",
}


def of_design(mechanism: Mechanism) -> Iterable[str]:
    if mechanism.name == "unary":
        return (RAPPOR,) if mechanism.p + mechanism.q == 1 else (OPTIMIZED,)
    return filter(None, [REFERENCES.get(mechanism.name)])
