"""The methods section of a paper on this survey, with its actual parameters and the references, ready to paste."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from mechanisms import Mechanism
from surveys.designs.words import chances
from surveys.publishing.instruments import Item, Paper
from surveys.reporting.numbers import count, epsilon, level, listed
from surveys.reporting.report import SurveyReport

ESTIMATION = (
    "Chaudhuri, A., & Mukerjee, R. (1988). Randomized Response: Theory and Techniques. New York: Marcel Dekker."
)
SIMPLEX = (
    "Wang, T., Lopuhaä-Zwakenberg, M., Li, Z., Skoric, B., & Li, N. (2020). Locally differentially private frequency "
    "estimation with consistency. Network and Distributed System Security Symposium (NDSS)."
)
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
    "wilson": (
        "Wilson score intervals for the share of reports, mapped through the design’s known chances",
        "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the "
        "American Statistical Association, 22(158), 209–212.",
    ),
    "exact": (
        "exact binomial intervals for the share of reports, mapped through the design’s known chances",
        "Clopper, C. J., & Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the case of "
        "the binomial. Biometrika, 26(4), 404–413.",
    ),
    "likelihood": (
        "the shares that a likelihood-ratio test does not reject",
        "Wilks, S. S. (1938). The large-sample distribution of the likelihood ratio for testing composite hypotheses. "
        "Annals of Mathematical Statistics, 9(1), 60–62.",
    ),
    "wald": ("the estimate plus and minus a normal quantile times its standard error (Wald)", None),
}
DRAWN = {
    "spinner": " The device drew a visible spinner, and the respondent answered as it said, so the estimate relies on "
    "respondents following the instruction, and on their spinning once: a page that is loaded again can be spun again.",
    "by-hand": " Respondents drew by hand and entered the outcome, so the estimate relies on their following the "
    "instruction.",
}


@dataclass(frozen=True)
class Methods:
    paragraphs: list[str]
    references: list[str]

    def __str__(self) -> str:
        return "\n\n".join([*self.paragraphs, "References", *self.references]) + "\n"


def methods(frozen: Paper, result: SurveyReport, about: str = "") -> Methods:
    sensitive = [item for item in frozen.items if item.mechanism is not None]
    paragraphs = [_survey(frozen, result, about), *map(_design, sensitive)]
    cited = [reference for item in sensitive for reference in _references(item.mechanism)]
    if sensitive:
        kinds = _kinds(result)
        paragraphs += [_estimation(result, kinds), _privacy(frozen, sensitive)]
        cited += [ESTIMATION, *(INTERVALS[kind][1] for kind in kinds)]
        cited += [SIMPLEX] if any(question.constrained_by == "Norm-Sub" for question in result.questions) else []
    return Methods(paragraphs, sorted(set(filter(None, cited))))


def _survey(frozen: Paper, result: SurveyReport, about: str) -> str:
    whom = f" This analysis is restricted to respondents for whom {about}." if about else ""
    if frozen.import_only:
        return _imported(frozen, result, whom)
    by_hand = any(item.mode == "by-hand" for item in frozen.items)
    where = (
        "on the respondent’s device, or by the respondent’s own hand where stated,"
        if by_hand
        else ("on the respondent’s device")
    )
    return (
        f"The survey “{frozen.title}” (Candor, instrument SHA-256 {frozen.sha256}) was answered in the browser; "
        f"n = {count(result.n)} responses are analysed.{whom} Answers to sensitive questions were randomized {where} "
        "before they were sent (randomized response, local differential privacy); the server "
        "never held them. Questions marked as background were sent as they are."
    )


def _imported(frozen: Paper, result: SurveyReport, whom: str) -> str:
    return (
        f"The responses to the survey “{frozen.title}” (Candor, instrument SHA-256 {frozen.sha256}) were collected "
        f"elsewhere and imported from files; n = {count(result.n)} responses are analysed.{whom} Answers to sensitive "
        "questions were randomized before they reached the files (randomized response), by the designs below; the "
        "estimates rely on these having been carried out as stated. Questions marked as background were recorded as "
        "they were given."
    )


def _design(item: Item) -> str:
    mechanism = item.mechanism
    return (
        f"“{item.text}” ({item.key}): {mechanism.title}{_parameters(mechanism)}; {chances(mechanism)}, "
        f"epsilon = {epsilon(mechanism.epsilon)}.{DRAWN.get(item.mode, '')}"
    )


def _parameters(mechanism: Mechanism) -> str:
    given = mechanism.spec().get("parameters") or {}
    return f" ({', '.join(f'{letter} = {value}' for letter, value in given.items())})" if given else ""


def _kinds(result: SurveyReport) -> list[str]:
    return list(dict.fromkeys(question.interval for question in result.questions if question.design))


def _estimation(result: SurveyReport, kinds: list[str]) -> str:
    confidence = level(next(question.confidence for question in result.questions))
    return (
        "True shares were estimated without bias by the moment estimator: for an observed share λ and a true share π "
        "with λ = cπ + d, the estimate is (λ − d)/c (for several answers the inverse of the design’s matrix), "
        "with standard error √(λ(1 − λ)/n)/|c|, which holds both the randomization and the sampling (Chaudhuri and "
        f"Mukerjee 1988). {confidence} confidence intervals are {listed([INTERVALS[kind][0] for kind in kinds])}. "
        "Estimates were not cut to the range from 0 to 1."
    )


def _privacy(frozen: Paper, sensitive: list[Item]) -> str:
    if math.isinf(frozen.epsilon):
        proving = [item.key for item in sensitive if not item.mechanism.publishable]
        return (
            f"The privacy loss per respondent is infinite: some reports to {listed(proving)} prove what a person "
            "answered. Nothing that differential privacy promises holds for these questions."
        )
    return (
        f"The privacy loss per respondent is at most epsilon = {epsilon(frozen.epsilon)} over "
        f"{len(sensitive)} sensitive question{'' if len(sensitive) == 1 else 's'} (sequential composition)."
    )


def _references(mechanism: Mechanism) -> Iterable[str]:
    if mechanism.name == "unary":
        return (RAPPOR,) if mechanism.p + mechanism.q == 1 else (OPTIMIZED,)
    return filter(None, [REFERENCES.get(mechanism.name)])
