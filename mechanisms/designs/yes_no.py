"""The designs for one yes/no question. Each supplies its two chances of a Yes and its words; nothing else
differs.

Report 1 is what the design counts: Yes, "true", "same", a red card.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from mechanisms import checks
from mechanisms.chance.integers import Den, fit_epsilon, integer_rows, log_ratio
from mechanisms.checks import Probability
from mechanisms.designs.matrix import MatrixMechanism

MODELS = (
    "Yu, J.-W., Tian, G.-L., & Tang, M.-L. (2008). Two new models for survey sampling with sensitive characteristic: "
    "Design and analysis. Metrika, 67(3), 251–263."
)


class YesNo(MatrixMechanism):
    """A yes/no design: P(report Yes) = c pi + d, c = yes_given_yes - yes_given_no, d = yes_given_no."""

    size = 2
    PARAMETERS: tuple[str, ...] = ()

    def __init__(
        self,
        parameters: dict[str, Fraction],
        yes_given_yes: Fraction,
        yes_given_no: Fraction,
        den: int | None,
    ) -> None:
        if yes_given_yes == yes_given_no:
            given = ", ".join(f"{name} = {value}" for name, value in parameters.items())
            raise ValueError(
                f"{given} makes a reported Yes equally likely ({yes_given_no}) whatever the truth; "
                "allowed is anything else, for nothing could be estimated"
            )
        self.parameters = {name: str(value) for name, value in parameters.items()}
        self.rows, self.den = integer_rows(
            [[1 - yes_given_no, yes_given_no], [1 - yes_given_yes, yes_given_yes]], den
        )

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "YesNo":
        rows, den, parameters = (
            checks.rows("rows", spec["rows"]),
            checks.denominator(spec["den"]),
            spec["parameters"],
        )
        checks.keys("parameters", parameters, set(cls.PARAMETERS))
        mechanism: YesNo = cls(**parameters, den=den)
        expected = mechanism.spec()
        if expected["rows"] != rows or expected["parameters"] != dict(parameters):
            raise ValueError(
                f"rows is {checks.show(rows)} with parameters {dict(parameters)}; "
                f"allowed are rows {expected['rows']} with parameters {expected['parameters']}"
            )
        return mechanism


class Warner(YesNo):
    """The sensitive statement is drawn with probability p, its negation otherwise (Warner 1965, JASA 60).

    p: any probability but 1/2; below 1/2 is legal. 0 and 1 randomize nothing.
    """

    PARAMETERS = ("p",)
    name = "warner"
    source = (
        "Warner, S. L. (1965). Randomized response: A survey technique for eliminating evasive answer bias. Journal of "
        "the American Statistical Association, 60(309), 63–69."
    )
    title = "Warner's spinner"
    description = "A spinner picks the statement or its opposite; the respondent says whether the picked one is true."

    def __init__(self, p: Probability, *, den: int | None = None) -> None:
        p = checks.probability("p", p)
        super().__init__({"p": p}, p, 1 - p, den)


class ForcedResponse(YesNo):
    """The truth, a forced Yes or a forced No, with three probabilities that sum to 1 (Boruch 1971).

    ValueError when they do not sum to 1 exactly, or when `truth` is 0.
    """

    PARAMETERS = ("truth", "yes", "no")
    name = "forced-response"
    source = (
        "Boruch, R. F. (1971). Assuring confidentiality of responses in social research: A note on strategies. The "
        "American Sociologist, 6(4), 308–311."
    )
    title = "Forced response"
    description = "Chance decides whether the respondent answers truthfully, says Yes, or says No."

    def __init__(
        self, truth: Probability, yes: Probability, no: Probability, *, den: int | None = None
    ) -> None:
        truth, yes, no = (
            checks.probability(name, value)
            for name, value in (("truth", truth), ("yes", yes), ("no", no))
        )
        if truth + yes + no != 1:
            raise ValueError(
                f"truth, yes, no is {truth}, {yes}, {no}; allowed are probabilities that sum to 1 exactly"
            )
        super().__init__({"truth": truth, "yes": yes, "no": no}, truth + yes, yes, den)


class TwoCoin(YesNo):
    """Heads: the truth. Tails: a second coin answers (Dwork and Roth 2014, section 3.2). Epsilon is ln 3."""

    name = "two-coin"
    source = (
        "Dwork, C., & Roth, A. (2014). The algorithmic foundations of differential privacy. Foundations and Trends in "
        "Theoretical Computer Science, 9(3–4), 211–407."
    )
    title = "Two coins"
    description = (
        "Heads on the first coin: answer truthfully. Tails: the second coin gives the answer."
    )

    def __init__(self, *, den: int | None = None) -> None:
        super().__init__({}, Fraction(3, 4), Fraction(1, 4), den)


class GeneralizedResponse(YesNo):
    """A Yes stays Yes with probability p, a No stays No with probability q; p + q is not 1."""

    PARAMETERS = ("p", "q")
    name = "generalized"
    title = "Generalized randomized response"
    description = "A Yes is reported as Yes, and a No as No, each with its own known probability."

    def __init__(self, p: Probability, q: Probability, *, den: int | None = None) -> None:
        p, q = checks.probability("p", p), checks.probability("q", q)
        super().__init__({"p": p, "q": q}, p, 1 - q, den)

    @classmethod
    def from_epsilon(cls, epsilon: float, *, den: Den = checks.MAX_DEN) -> "GeneralizedResponse":
        """The symmetric design that spends at most this epsilon: p = q = e/(1 + e), rounded to the private
        side.

        den: the denominator, or "survey" for the smallest of 4, 6, 10, 100, ... with 0.99 of the declared
        epsilon.
        """
        lie, den = fit_epsilon(
            epsilon,
            den,
            realized=lambda lie, den: log_ratio(max(den - lie, 0), lie),
            guess=lambda e, den: den / (1 + e),
        )
        p = Fraction(den - lie, den)
        return cls(p, p, den=den)

    @classmethod
    def from_gamma(cls, gamma: Probability) -> "GeneralizedResponse":
        """p = q = 1/2 + gamma, with gamma above 0 and at most 1/2 (Kearns and Roth's form)."""
        exact = checks.probability("gamma", gamma)
        if not 0 < exact <= Fraction(1, 2):
            raise ValueError(f"gamma is {exact}; allowed is above 0 and at most 1/2")
        return cls(Fraction(1, 2) + exact, Fraction(1, 2) + exact)


class UnrelatedQuestion(YesNo):
    """The sensitive question with probability p, else a harmless one (Greenberg et al. 1969, JASA 64).

    p: above 0. prevalence: the known share of Yes to the harmless question.
    """

    PARAMETERS = ("p", "prevalence")
    name = "unrelated-question"
    source = (
        "Greenberg, B. G., Abul-Ela, A.-L. A., Simmons, W. R., & Horvitz, D. G. (1969). The unrelated question "
        "randomized response model: Theoretical framework. Journal of the American Statistical Association, 64(326), "
        "520–539."
    )
    title = "Unrelated question"
    description = (
        "Chance picks the sensitive question or a harmless one whose share of Yes is known."
    )

    def __init__(self, p: Probability, prevalence: Probability, *, den: int | None = None) -> None:
        p, prevalence = checks.probability("p", p), checks.probability("prevalence", prevalence)
        other = (1 - p) * prevalence
        super().__init__({"p": p, "prevalence": prevalence}, p + other, other, den)


class Crosswise(YesNo):
    """Report 1 says that the answers to two questions are the same (Yu, Tian and Tang 2008, Metrika 67).

    prevalence: the known Yes rate of the innocuous question; any but 1/2.
    """

    PARAMETERS = ("prevalence",)
    name = "crosswise"
    source = MODELS
    title = "Crosswise model"
    description = "The respondent only says whether the sensitive and a harmless question have the same answer."

    def __init__(self, prevalence: Probability, *, den: int | None = None) -> None:
        prevalence = checks.probability("prevalence", prevalence)
        super().__init__({"prevalence": prevalence}, prevalence, 1 - prevalence, den)


class Triangular(YesNo):
    """Report 1 says that at least one of two answers is Yes (Yu, Tian and Tang 2008). Epsilon is infinite.

    prevalence: the known Yes rate of the innocuous question, below 1.
    """

    PARAMETERS = ("prevalence",)
    name = "triangular"
    source = MODELS
    title = "Triangular model"
    description = (
        "The respondent says No only if both the sensitive and a harmless question are answered No."
    )

    def __init__(self, prevalence: Probability, *, den: int | None = None) -> None:
        prevalence = checks.probability("prevalence", prevalence)
        super().__init__({"prevalence": prevalence}, Fraction(1), prevalence, den)


class Mangat(YesNo):
    """Carriers say Yes; others No with probability p (Mangat 1994, JRSS B 56). Epsilon is infinite."""

    PARAMETERS = ("p",)
    name = "mangat"
    source = (
        "Mangat, N. S. (1994). An improved randomized response strategy. Journal of the Royal Statistical Society, "
        "Series B, 56(1), 93–95."
    )
    title = "Mangat's design"
    description = (
        "Whoever has the trait says Yes; the others say No with a known probability, else Yes."
    )

    def __init__(self, p: Probability, *, den: int | None = None) -> None:
        p = checks.probability("p", p)
        super().__init__({"p": p}, Fraction(1), 1 - p, den)


class Kuk(YesNo):
    """Two decks of cards; report 1 is a red card (Kuk 1990, Biometrika 77).

    p1: share of red cards in the deck of carriers. p2: in the deck of the others.
    """

    PARAMETERS = ("p1", "p2")
    name = "kuk"
    source = (
        "Kuk, A. Y. C. (1990). Asking sensitive questions indirectly. Biometrika, 77(2), 436–438."
    )
    title = "Kuk's cards"
    description = "The truth decides from which of two decks a card is drawn; only the card's colour is reported."

    def __init__(self, p1: Probability, p2: Probability, *, den: int | None = None) -> None:
        p1, p2 = checks.probability("p1", p1), checks.probability("p2", p2)
        super().__init__({"p1": p1, "p2": p2}, p1, p2, den)


class OneSided(YesNo):
    """Garbling: a No becomes Yes with probability `rate`, a Yes stays. Epsilon is infinite."""

    PARAMETERS = ("rate",)
    name = "one-sided"
    title = "One-sided garbling"
    description = "Some No answers, a known share, are turned into Yes; every Yes stays."

    def __init__(self, rate: Probability, *, den: int | None = None) -> None:
        rate = checks.probability("rate", rate)
        super().__init__({"rate": rate}, Fraction(1), rate, den)


DESIGNS: tuple[type[YesNo], ...] = (
    Warner,
    ForcedResponse,
    TwoCoin,
    GeneralizedResponse,
    UnrelatedQuestion,
    Crosswise,
    Triangular,
    Mangat,
    Kuk,
    OneSided,
)
