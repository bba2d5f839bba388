"""The catalogue of designs that respondents may be asked with, as rows of a table.

A row has everything about a design except its statistics, which are in the mechanisms package.
Designs of answers that were collected elsewhere are in surveys.definition.designs.external.
"""

from fractions import Fraction

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Geometry,
    OptionSampling,
    Rappor,
    SubsetSelection,
    TwoCoin,
    UnaryEncoding,
    UnrelatedQuestion,
    Warner,
    Window,
    Written,
)
from mechanisms.designs.orders import MOST_POINTS
from mechanisms.designs.window import LEAST_EPSILON
from surveys.definition.designs.design import (
    EPSILON_HELP,
    USUAL_EPSILON,
    Design,
    Level,
    reject_half,
    reject_value,
)
from surveys.definition.designs.reasons import one_number_reason, picking_reason, precision_reason

# The functions `..._problems` are checks of single designs: see Design.check. The functions
# `..._parameters` return the parameters of a design for a level: see Level.parameters.

# The reason for two coins and for Warner’s spinner, which are equally precise at one epsilon.
TWO_ANSWERS_REASON = "No design with this epsilon is more precise for two answers."


def _generalized_problems(p: Fraction, q: Fraction) -> dict[str, str]:
    """Return {"q": a message} if p and q sum to 1, else an empty dictionary.

    This is the check of the design “generalized”: a Yes stays with probability p, a No with q.
    """
    if p + q == 1:
        return {"q": "Choose p and q that don’t sum to 1. Otherwise nothing can be estimated."}
    return {}


def _forced_response_problems(truth: Fraction, yes: Fraction, no: Fraction) -> dict[str, str]:
    """Return a message, by parameter, if the probabilities of forced response do not fit together.

    They fit if they sum to 1 and `truth` is above 0. The result is then an empty dictionary.

    truth, yes, no: the probabilities that the truth, a forced Yes and a forced No is sent.
    """
    if not truth:
        message = (
            "Choose a value above 0. Otherwise no answer is kept, and nothing can be estimated."
        )
        return {"truth": message}
    total = truth + yes + no
    if total != 1:
        return {"no": f"The three probabilities must sum to 1, not {total}."}
    return {}


def _unary_problems(p: Fraction, q: Fraction) -> dict[str, str]:
    """Return {"q": a message} if p and q are equal, else an empty dictionary.

    This is the check of the design “unary”: the mark of the chosen answer is set with probability
    p, and every other mark with q.
    """
    if p == q:
        return {"q": "p and q must differ, or nothing can be estimated."}
    return {}


def _window_problems(epsilon: Fraction) -> dict[str, str]:
    """Return {"epsilon": a message} if it is too small for a mean, else an empty dictionary."""
    if epsilon < Fraction(str(LEAST_EPSILON)):
        message = (
            f"Choose an epsilon of at least {LEAST_EPSILON} for a mean. Below it even a "
            "million answers are too uncertain."
        )
        return {"epsilon": message}
    return {}


def _rappor_problems(hashes: Fraction, f: Fraction, p: Fraction, q: Fraction) -> dict[str, str]:
    """Return {"q": a message} if q is not below p, else an empty dictionary.

    A check gets all parameters of its design. RAPPOR sends a bit that is 1 as 1 with probability p,
    and a bit that is 0 with q. `hashes` and `f` fit any p and q.
    """
    if p <= q:
        return {"q": "q must be below p, or nothing can be estimated."}
    return {}


def _two_coin_parameters(epsilon: str, keep_probability: Fraction | None) -> dict[str, str] | None:
    """Return {} if two coins keep an answer with this probability, or None if they do not.

    Two coins have no parameters: they always keep 3 of 4 answers. So a level uses them only if this
    is the probability that it needs.

    epsilon: not used. Every function of this kind gets it.
    keep_probability: the probability that an answer is kept, for the epsilon of the level.
    """
    if keep_probability == Fraction(3, 4):
        return {}
    return None


def _warner_parameters(epsilon: str, keep_probability: Fraction | None) -> dict[str, str]:
    """Return the parameters of Warner’s spinner that keeps answers with this probability.

    epsilon: not used. Every function of this kind gets it.
    """
    return {"p": str(keep_probability)}


def _build_window(size: int, epsilon: Fraction, *, separate_decline: bool = False) -> Window:
    """Return the mechanism of the design “window” for a question with `size` answers.

    separate_decline: True if the last answer is “Prefer not to say”, which is not a number.
    """
    n_numbers = size - 1 if separate_decline else size
    # With den="survey" the probabilities are fractions that are easy to say.
    return Window(n_numbers, float(epsilon), aside=separate_decline, den="survey")


DESIGNS = {
    design.key: design
    for design in (
        Design(
            key="two-coin",
            title="Two coins",
            advice=(
                "Heads on the first coin: the true answer is sent. Tails: a second coin decides "
                "between Yes and No. Strong protection that respondents can try with real coins."
            ),
            parameters={},
            start={},
            build=lambda size: TwoCoin(),
            two_answers_only=True,
            by_people=True,
            level=Level(
                questions="two",
                reason=TWO_ANSWERS_REASON,
                parameters=_two_coin_parameters,
            ),
        ),
        Design(
            key="warner",
            title="Warner’s spinner",
            advice=(
                "A spinner decides whether the answer or its opposite is sent. The first design "
                "ever proposed (1965). With 3/4 it is as strong as two coins."
            ),
            parameters={
                "p": (
                    "Probability that the spinner lands on the statement itself, not on its "
                    "opposite."
                )
            },
            start={"p": "3/4"},
            build=lambda size, p: Warner(p),
            check=reject_half("p"),
            two_answers_only=True,
            by_people=True,
            level=Level(questions="two", reason=TWO_ANSWERS_REASON, parameters=_warner_parameters),
        ),
        Design(
            key="forced-response",
            title="Forced response",
            advice=(
                "Chance decides: send the true answer, or Yes, or No whatever the answer is. The "
                "three probabilities must sum to 1."
            ),
            parameters={
                "truth": "Probability that the answer is kept.",
                "yes": "Probability that Yes is sent whatever the answer.",
                "no": "Probability that No is sent whatever the answer.",
            },
            start={"truth": "2/3", "yes": "1/6", "no": "1/6"},
            build=lambda size, truth, yes, no: ForcedResponse(truth, yes, no),
            check=_forced_response_problems,
            two_answers_only=True,
            by_people=True,
            tells_yes=True,
        ),
        Design(
            key="unrelated-question",
            title="Unrelated question",
            advice=(
                "Chance picks the sensitive question or a harmless one. You need to know how "
                "often the answer to the harmless one is Yes."
            ),
            parameters={
                "p": "Probability that the sensitive question is answered, not a harmless one.",
                "prevalence": "How often the answer to the harmless question is Yes.",
            },
            start={"p": "2/3", "prevalence": "1/2"},
            build=lambda size, p, prevalence: UnrelatedQuestion(p, prevalence),
            check=reject_value(0, "p"),
            two_answers_only=True,
            by_people=True,
            tells_yes=True,
        ),
        Design(
            key="generalized",
            title="Yes and No kept with different chances",
            advice=(
                "A Yes is kept with one probability, a No with another. For readers of the "
                "literature."
            ),
            parameters={
                "p": "Probability that a Yes stays Yes.",
                "q": "Probability that a No stays No.",
            },
            start={"p": "3/4", "q": "3/4"},
            build=lambda size, p, q: GeneralizedResponse(p, q),
            check=_generalized_problems,
            two_answers_only=True,
            tells_yes=True,
        ),
        Design(
            key="gamma",
            title="Yes and No kept alike, given by gamma",
            advice=(
                "A Yes and a No are each kept with probability 1/2 + gamma, as textbooks on "
                "privacy write it. Epsilon is ln((1 + 2 gamma)/(1 − 2 gamma))."
            ),
            parameters={
                "gamma": (
                    "Yes and No are each kept with probability 1/2 + gamma. It is below 1/2; 1/4 "
                    "is two coins."
                )
            },
            start={"gamma": "1/4"},
            build=lambda size, gamma: GeneralizedResponse.from_gamma(gamma),
            two_answers_only=True,
        ),
        Design(
            key="direct",
            title="Direct: the chosen answer, or one of the others by chance",
            advice=(
                "The true answer is sent more often than any other. Otherwise chance picks one of "
                "the others. The easiest to explain."
            ),
            parameters={"epsilon": EPSILON_HELP},
            start={"epsilon": USUAL_EPSILON},
            build=lambda size, epsilon: DirectEncoding(size, epsilon, den="survey"),
            ordered=True,
            level=Level(questions="one", reason=precision_reason),
        ),
        Design(
            key="unary",
            title="Unary: one scrambled bit per choice",
            advice=(
                "Every answer gets a mark, and chance decides which marks are set. For a design "
                "described by its two probabilities, as in the literature."
            ),
            parameters={
                "p": "Probability that the mark of the chosen answer is set.",
                "q": "Probability that the mark of any other answer is set.",
            },
            start={"p": "3/4", "q": "1/4"},
            build=UnaryEncoding,
            check=_unary_problems,
        ),
        Design(
            key="unary-symmetric",
            title="Unary, symmetric, from epsilon",
            advice=(
                "Every answer gets a mark. Each mark is flipped equally often, whether the answer "
                "was chosen or not."
            ),
            parameters={"epsilon": EPSILON_HELP},
            start={"epsilon": USUAL_EPSILON},
            build=lambda size, epsilon: UnaryEncoding.symmetric(size, epsilon, den="survey"),
            level=Level(questions="one", reason=precision_reason),
        ),
        Design(
            key="unary-optimized",
            title="Unary, optimized, from epsilon",
            advice="Every answer gets a mark. The probabilities measure rare answers best.",
            parameters={"epsilon": EPSILON_HELP},
            start={"epsilon": USUAL_EPSILON},
            build=lambda size, epsilon: UnaryEncoding.optimized(size, epsilon, den="survey"),
            level=Level(questions="one", reason=precision_reason),
            listed_after="subset",
        ),
        Design(
            key="subset",
            title=(
                "Subset selection: a small random group of answers, which the chosen one joins "
                "more often"
            ),
            advice=(
                "The device sends a random group of answers. The true answer is in it more often "
                "than any other. Good for many answers."
            ),
            parameters={"epsilon": EPSILON_HELP},
            start={"epsilon": USUAL_EPSILON},
            build=lambda size, epsilon: SubsetSelection(size, epsilon, den="survey"),
            ordered=True,
            level=Level(questions="one", reason=precision_reason),
            listed_after="direct",
        ),
        Design(
            key="geometry",
            title=(
                "Geometry: a number for a large group of answers, which the true one joins more "
                "often"
            ),
            advice=(
                "The device sends a number that means a large group of answers. The true answer "
                "is in it more often than any other. For lists of hundreds or thousands of "
                "answers."
            ),
            parameters={"epsilon": EPSILON_HELP},
            start={"epsilon": USUAL_EPSILON},
            build=lambda size, epsilon: Geometry(size, float(epsilon), den="survey"),
            most=MOST_POINTS,
            level=Level(questions="list", reason=one_number_reason),
        ),
        Design(
            key="marks",
            title="Some marks picked by chance, for several choices at once",
            advice=(
                "For multiple choice: the device picks one or a few marks at random, scrambles "
                "them, and sends only these. Needs by far the fewest people, but says nothing "
                "about two choices together."
            ),
            parameters={
                "epsilon": (
                    "The privacy loss of all choices together, used for the marks that are picked."
                )
            },
            start={"epsilon": USUAL_EPSILON},
            build=lambda size, epsilon: OptionSampling(size, epsilon, den="survey"),
            select="any",
            level=Level(questions="any", reason=picking_reason),
        ),
        Design(
            key="unary-any",
            title="One scrambled bit per choice, for several choices at once",
            advice=(
                "For multiple choice where pairs of choices matter: each choice has a mark, "
                "flipped with the same chance, and all are sent. Needs many more people."
            ),
            parameters={
                "epsilon": ("The privacy loss of all choices together, shared equally among them.")
            },
            start={"epsilon": USUAL_EPSILON},
            build=lambda size, epsilon: UnaryEncoding.symmetric(size, epsilon, "any", den="survey"),
            select="any",
            level=Level(questions="any", reason=precision_reason),
        ),
        Design(
            key="window",
            title="Window: a number, most often from a wide band around the true one",
            advice=(
                "The device sends a number. It lies in a wide band around the true one more often "
                "than anywhere else. For a mean."
            ),
            parameters={"epsilon": EPSILON_HELP},
            start={"epsilon": USUAL_EPSILON},
            build=_build_window,
            check=_window_problems,
            select="ordered",
            ordered=True,
            level=Level(
                questions="ordered", reason=("No other known design tells a mean more precisely.")
            ),
        ),
        Design(
            key="written",
            title="A hash: a number that fits the true text more often than any other",
            advice=(
                "For text answers: the device sends a number that fits the true text more often "
                "than any other text."
            ),
            parameters={"epsilon": EPSILON_HELP},
            start={"epsilon": USUAL_EPSILON},
            build=lambda size, epsilon: Written(float(epsilon), den="survey"),
            select="text",
            level=Level(
                questions="text",
                reason=("No other known design measures rare texts more precisely."),
            ),
        ),
        Design(
            key="rappor",
            title="RAPPOR: scrambled bits of the text",
            advice=(
                "For text answers, to compare with studies that used it. The hash needs fewer "
                "people."
            ),
            parameters={
                "hashes": "How many bits a text sets, 1 to 4. One needs the fewest people.",
                "f": "The permanent step flips each bit with probability f/2.",
                "p": (
                    "Probability that a bit that is then 1 is sent as 1, with a new draw each time."
                ),
                "q": "Probability that a bit that is then 0 is sent as 1.",
            },
            start={"hashes": "1", "f": "1/2", "p": "3/4", "q": "1/4"},
            build=lambda size, hashes, f, p, q: Rappor(hashes=int(hashes), f=f, p=p, q=q),
            check=_rappor_problems,
            select="text",
            devices_only=True,
        ),
    )
}
