"""The designs for one yes/no question.

Each design supplies its two probabilities of a Yes and its texts; nothing else differs. Report 1 is
what the design counts: Yes, "true", "same", or a red card.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from mechanisms import checks
from mechanisms.chance.integers import Den, fit_outcome_weight, integer_rows
from mechanisms.checks import Probability
from mechanisms.designs.matrix import MatrixMechanism

YU_TIAN_TANG_2008 = (
    "Yu, J.-W., Tian, G.-L., & Tang, M.-L. (2008). Two new models for survey sampling with"
    " sensitive characteristic: Design and analysis. Metrika, 67(3), 251–263."
)


class YesNo(MatrixMechanism):
    """
    The base class of yes/no designs.

    Report 1, or "Yes", is what a design counts, and report 0 is the other one. For the true share
    pi of Yes, the expected share of report 1 is c * pi + d, with c = yes_given_yes - yes_given_no
    and d = yes_given_no. So pi is estimated by (observed share - d) / c.

    Parameters
    ----------
    parameters : dict of str to Fraction
        The parameters of the design, by name.
    yes_given_yes : Fraction
        The probability that a true Yes is reported as Yes.
    yes_given_no : Fraction
        The probability that a true No is reported as Yes.
    den : int or None
        The denominator. None for the least common one of the probabilities.

    Raises
    ------
    ValueError
        If the two probabilities are equal, so that nothing can be estimated.
    """

    size = 2
    # The names of the parameters, which are arguments of the class and keys of its specification.
    PARAMETERS: tuple[str, ...] = ()

    def __init__(
        self,
        parameters: dict[str, Fraction],
        yes_given_yes: Fraction,
        yes_given_no: Fraction,
        den: int | None,
    ) -> None:
        if yes_given_yes == yes_given_no:
            values = ", ".join(f"{name} = {value}" for name, value in parameters.items())
            raise ValueError(
                f"{values} makes a reported Yes equally likely ({yes_given_no}) whatever the truth;"
                " allowed is anything else, for nothing could be estimated"
            )
        self.parameters = {name: str(value) for name, value in parameters.items()}
        # A row has the probabilities of the reports 0 and 1, given the truth 0 (No) or 1 (Yes).
        row_of_no = [1 - yes_given_no, yes_given_no]
        row_of_yes = [1 - yes_given_yes, yes_given_yes]
        self.rows, self.den = integer_rows([row_of_no, row_of_yes], den)

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "YesNo":
        """Return the mechanism of a specification. Raises ValueError if it is not allowed.

        A specification has both the parameters of the design and the rows of weights. The mechanism
        is created from the parameters, and must have exactly these rows.
        """
        rows = checks.rows("rows", spec["rows"])
        den = checks.denominator(spec["den"])
        parameters = spec["parameters"]
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
    """
    A spinner picks the sensitive statement or its negation, and the respondent says if it is true.

    Report 1 says that the picked statement is true. Its probability is p if the sensitive statement
    is true, and 1 - p if it is not.

    Parameters
    ----------
    p : str, float, Fraction or Decimal
        The probability of the sensitive statement. Any probability but 1/2 is allowed; 0 and 1
        randomize nothing.
    den : int, optional
        The denominator, by default the least common one of the probabilities.

    References
    ----------
    Warner, S. L. (1965). Randomized response: A survey technique for eliminating evasive answer
    bias. JASA, 60(309), 63-69.
    """

    PARAMETERS = ("p",)
    name = "warner"
    source = (
        "Warner, S. L. (1965). Randomized response: A survey technique for eliminating evasive"
        " answer bias. Journal of the American Statistical Association, 60(309), 63–69."
    )
    title = "Warner's spinner"
    description = (
        "A spinner picks the statement or its opposite; the respondent says whether the picked one"
        " is true."
    )

    def __init__(self, p: Probability, *, den: int | None = None) -> None:
        p = checks.probability("p", p)
        super().__init__({"p": p}, yes_given_yes=p, yes_given_no=1 - p, den=den)


class ForcedResponse(YesNo):
    """
    The respondent tells the truth, or is forced to say Yes or No.

    Report 1 is a Yes. Its probability is truth + yes for a true Yes, and `yes` for a true No.

    Parameters
    ----------
    truth, yes, no : str, float, Fraction or Decimal
        The probabilities of the truth, a forced Yes and a forced No. They sum to 1, and `truth` is
        above 0.
    den : int, optional
        The denominator, by default the least common one of the probabilities.

    Raises
    ------
    ValueError
        If the probabilities do not sum to exactly 1, or if `truth` is 0.

    References
    ----------
    Boruch, R. F. (1971). Assuring confidentiality of responses in social research: A note on
    strategies. The American Sociologist, 6(4), 308-311.
    """

    PARAMETERS = ("truth", "yes", "no")
    name = "forced-response"
    source = (
        "Boruch, R. F. (1971). Assuring confidentiality of responses in social research: A note on"
        " strategies. The American Sociologist, 6(4), 308–311."
    )
    title = "Forced response"
    description = "Chance decides whether the respondent answers truthfully, says Yes, or says No."

    def __init__(
        self, truth: Probability, yes: Probability, no: Probability, *, den: int | None = None
    ) -> None:
        truth = checks.probability("truth", truth)
        yes = checks.probability("yes", yes)
        no = checks.probability("no", no)
        if truth + yes + no != 1:
            raise ValueError(
                f"truth, yes, no is {truth}, {yes}, {no}; allowed are probabilities that sum to 1"
                " exactly"
            )
        parameters = {"truth": truth, "yes": yes, "no": no}
        super().__init__(parameters, yes_given_yes=truth + yes, yes_given_no=yes, den=den)


class TwoCoin(YesNo):
    """
    Heads: the respondent tells the truth. Tails: a second coin answers. Epsilon is ln 3.

    Both coins are fair. Report 1 is a Yes. Its probability is 3/4 for a true Yes, and 1/4 for a
    true No.

    Parameters
    ----------
    den : int, optional
        The denominator, by default 4.

    References
    ----------
    Dwork, C., & Roth, A. (2014). The algorithmic foundations of differential privacy. Foundations
    and Trends in Theoretical Computer Science, 9(3-4), section 3.2.
    """

    name = "two-coin"
    source = (
        "Dwork, C., & Roth, A. (2014). The algorithmic foundations of differential privacy."
        " Foundations and Trends in Theoretical Computer Science, 9(3–4), 211–407."
    )
    title = "Two coins"
    description = (
        "Heads on the first coin: answer truthfully. Tails: the second coin gives the answer."
    )

    def __init__(self, *, den: int | None = None) -> None:
        super().__init__({}, yes_given_yes=Fraction(3, 4), yes_given_no=Fraction(1, 4), den=den)


class GeneralizedResponse(YesNo):
    """
    A Yes stays Yes with probability p, and a No stays No with probability q.

    Report 1 is a Yes. Its probability is p for a true Yes, and 1 - q for a true No.

    Parameters
    ----------
    p, q : str, float, Fraction or Decimal
        The probabilities. Their sum is not 1.
    den : int, optional
        The denominator, by default the least common one of the probabilities.
    """

    PARAMETERS = ("p", "q")
    name = "generalized"
    title = "Generalized randomized response"
    description = "A Yes is reported as Yes, and a No as No, each with its own known probability."

    def __init__(self, p: Probability, q: Probability, *, den: int | None = None) -> None:
        p = checks.probability("p", p)
        q = checks.probability("q", q)
        super().__init__({"p": p, "q": q}, yes_given_yes=p, yes_given_no=1 - q, den=den)

    @classmethod
    def from_epsilon(cls, epsilon: float, *, den: Den = checks.MAX_DEN) -> "GeneralizedResponse":
        """
        Return the symmetric design for an epsilon, with p = q = e^epsilon / (1 + e^epsilon).

        The probabilities are rounded so that the realized epsilon is not above the declared one.

        Parameters
        ----------
        epsilon : float
            The declared epsilon, above 0.
        den : int or "survey", default 2**32
            The denominator. "survey" chooses the smallest of 4, 6, 10, 100, ... with 0.99 of the
            declared epsilon.

        Returns
        -------
        GeneralizedResponse
            The mechanism.
        """
        # The weight of a lie is rounded up, which favours privacy.
        lie, den = fit_outcome_weight(epsilon, den)
        p = Fraction(den - lie, den)
        return cls(p, p, den=den)

    @classmethod
    def from_gamma(cls, gamma: Probability) -> "GeneralizedResponse":
        """
        Return the symmetric design with p = q = 1/2 + gamma, as Kearns and Roth write it.

        Parameters
        ----------
        gamma : str, float, Fraction or Decimal
            The advantage of the truth, above 0 and at most 1/2.

        Returns
        -------
        GeneralizedResponse
            The mechanism.

        Raises
        ------
        ValueError
            If `gamma` is out of its range.
        """
        exact = checks.probability("gamma", gamma)
        if not 0 < exact <= Fraction(1, 2):
            raise ValueError(f"gamma is {exact}; allowed is above 0 and at most 1/2")
        return cls(Fraction(1, 2) + exact, Fraction(1, 2) + exact)


class UnrelatedQuestion(YesNo):
    """
    The respondent answers the sensitive question with probability p, or else a harmless one.

    Report 1 is a Yes. Its probability is p + (1 - p) * prevalence for a true Yes to the sensitive
    question, and (1 - p) * prevalence for a true No.

    Parameters
    ----------
    p : str, float, Fraction or Decimal
        The probability of the sensitive question, above 0.
    prevalence : str, float, Fraction or Decimal
        The known share of Yes to the harmless question.
    den : int, optional
        The denominator, by default the least common one of the probabilities.

    References
    ----------
    Greenberg, B. G., Abul-Ela, A.-L. A., Simmons, W. R., & Horvitz, D. G. (1969). The unrelated
    question randomized response model: Theoretical framework. JASA, 64(326), 520-539.
    """

    PARAMETERS = ("p", "prevalence")
    name = "unrelated-question"
    source = (
        "Greenberg, B. G., Abul-Ela, A.-L. A., Simmons, W. R., & Horvitz, D. G. (1969). The"
        " unrelated question randomized response model: Theoretical framework. Journal of the"
        " American Statistical Association, 64(326), 520–539."
    )
    title = "Unrelated question"
    description = (
        "Chance picks the sensitive question or a harmless one whose share of Yes is known."
    )

    def __init__(self, p: Probability, prevalence: Probability, *, den: int | None = None) -> None:
        p = checks.probability("p", p)
        prevalence = checks.probability("prevalence", prevalence)
        harmless_yes = (1 - p) * prevalence
        parameters = {"p": p, "prevalence": prevalence}
        super().__init__(
            parameters, yes_given_yes=p + harmless_yes, yes_given_no=harmless_yes, den=den
        )


class Crosswise(YesNo):
    """
    Report 1 says that the sensitive and a harmless question have the same answer.

    Its probability is the prevalence for a true Yes to the sensitive question, and 1 - prevalence
    for a true No.

    Parameters
    ----------
    prevalence : str, float, Fraction or Decimal
        The known share of Yes to the harmless question: any but 1/2.
    den : int, optional
        The denominator, by default the least common one of the probabilities.

    References
    ----------
    Yu, J.-W., Tian, G.-L., & Tang, M.-L. (2008). Two new models for survey sampling with sensitive
    characteristic: Design and analysis. Metrika, 67(3), 251-263.
    """

    PARAMETERS = ("prevalence",)
    name = "crosswise"
    source = YU_TIAN_TANG_2008
    title = "Crosswise model"
    description = (
        "The respondent only says whether the sensitive and a harmless question have the same"
        " answer."
    )

    def __init__(self, prevalence: Probability, *, den: int | None = None) -> None:
        prevalence = checks.probability("prevalence", prevalence)
        super().__init__(
            {"prevalence": prevalence},
            yes_given_yes=prevalence,
            yes_given_no=1 - prevalence,
            den=den,
        )


class Triangular(YesNo):
    """
    Report 1 says that at least one of two answers is Yes. Epsilon is infinite.

    The answers are those to the sensitive and to a harmless question. The probability of report 1
    is 1 for a true Yes to the sensitive question, and the prevalence for a true No. So report 0
    reveals a No.

    Parameters
    ----------
    prevalence : str, float, Fraction or Decimal
        The known share of Yes to the harmless question, below 1.
    den : int, optional
        The denominator, by default the least common one of the probabilities.

    References
    ----------
    Yu, J.-W., Tian, G.-L., & Tang, M.-L. (2008). Two new models for survey sampling with sensitive
    characteristic: Design and analysis. Metrika, 67(3), 251-263.
    """

    PARAMETERS = ("prevalence",)
    name = "triangular"
    source = YU_TIAN_TANG_2008
    title = "Triangular model"
    description = (
        "The respondent says No only if both the sensitive and a harmless question are answered No."
    )

    def __init__(self, prevalence: Probability, *, den: int | None = None) -> None:
        prevalence = checks.probability("prevalence", prevalence)
        super().__init__(
            {"prevalence": prevalence},
            yes_given_yes=Fraction(1),
            yes_given_no=prevalence,
            den=den,
        )


class Mangat(YesNo):
    """
    Respondents with the trait say Yes, and the others No with probability p. Epsilon is infinite.

    The trait is a true Yes. The probability of report 1, a Yes, is 1 with the trait and 1 - p
    without it. So report 0 reveals a No.

    Parameters
    ----------
    p : str, float, Fraction or Decimal
        The probability that a true No is reported as No, above 0.
    den : int, optional
        The denominator, by default the least common one of the probabilities.

    References
    ----------
    Mangat, N. S. (1994). An improved randomized response strategy. JRSS B, 56(1), 93-95.
    """

    PARAMETERS = ("p",)
    name = "mangat"
    source = (
        "Mangat, N. S. (1994). An improved randomized response strategy. Journal of the Royal"
        " Statistical Society, Series B, 56(1), 93–95."
    )
    title = "Mangat's design"
    description = (
        "Whoever has the trait says Yes; the others say No with a known probability, else Yes."
    )

    def __init__(self, p: Probability, *, den: int | None = None) -> None:
        p = checks.probability("p", p)
        super().__init__({"p": p}, yes_given_yes=Fraction(1), yes_given_no=1 - p, den=den)


class Kuk(YesNo):
    """
    The truth decides from which of two decks a card is drawn; report 1 is a red card.

    Its probability is p1 with the trait (a true Yes), and p2 without it.

    Parameters
    ----------
    p1 : str, float, Fraction or Decimal
        The share of red cards in the deck of respondents with the trait.
    p2 : str, float, Fraction or Decimal
        The share of red cards in the deck of the others.
    den : int, optional
        The denominator, by default the least common one of the probabilities.

    References
    ----------
    Kuk, A. Y. C. (1990). Asking sensitive questions indirectly. Biometrika, 77(2), 436-438.
    """

    PARAMETERS = ("p1", "p2")
    name = "kuk"
    source = (
        "Kuk, A. Y. C. (1990). Asking sensitive questions indirectly. Biometrika, 77(2), 436–438."
    )
    title = "Kuk's cards"
    description = (
        "The truth decides from which of two decks a card is drawn; only the card's colour is"
        " reported."
    )

    def __init__(self, p1: Probability, p2: Probability, *, den: int | None = None) -> None:
        p1 = checks.probability("p1", p1)
        p2 = checks.probability("p2", p2)
        super().__init__({"p1": p1, "p2": p2}, yes_given_yes=p1, yes_given_no=p2, den=den)


class OneSided(YesNo):
    """
    A No becomes Yes with probability `rate`, and a Yes stays Yes. Epsilon is infinite.

    The probability of report 1, a Yes, is 1 for a true Yes and `rate` for a true No. So report 0
    reveals a No.

    Parameters
    ----------
    rate : str, float, Fraction or Decimal
        The probability that a true No is reported as Yes, below 1.
    den : int, optional
        The denominator, by default the least common one of the probabilities.
    """

    PARAMETERS = ("rate",)
    name = "one-sided"
    title = "One-sided garbling"
    description = "Some No answers, a known share, are turned into Yes; every Yes stays."

    def __init__(self, rate: Probability, *, den: int | None = None) -> None:
        rate = checks.probability("rate", rate)
        super().__init__({"rate": rate}, yes_given_yes=Fraction(1), yes_given_no=rate, den=den)


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
