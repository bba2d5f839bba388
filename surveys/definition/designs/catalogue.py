"""The table of designs: a row has all that is said of one, but for its statistics, which are in the mechanisms package.

These are what respondents may be asked with; those of answers from elsewhere are in `external`.
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
    EPSILON,
    USUAL_EPSILON,
    Design,
    Level,
    anything_but,
    even,
)
from surveys.definition.designs.reasons import most_precise, one_number, picked

OF_TWO = "No design with this epsilon is more precise for two answers."


def _generalized(p: Fraction, q: Fraction) -> dict[str, str]:
    return (
        {"q": "Choose p and q that don’t sum to 1. Otherwise nothing can be estimated."}
        if p + q == 1
        else {}
    )


def _forced(truth: Fraction, yes: Fraction, no: Fraction) -> dict[str, str]:
    total = truth + yes + no
    if not truth:
        return {
            "truth": "Choose a value above 0. Otherwise no answer is kept, and nothing can be estimated."
        }
    return {"no": f"The three probabilities must sum to 1, not {total}."} if total != 1 else {}


def _unary(p: Fraction, q: Fraction) -> dict[str, str]:
    return {"q": "p and q must differ, or nothing can be estimated."} if p == q else {}


def _window(epsilon: Fraction) -> dict[str, str]:
    least = (
        f"Choose an epsilon of at least {LEAST_EPSILON} for a mean. Below it even a "
        "million answers are too uncertain."
    )
    return {"epsilon": least} if epsilon < Fraction(str(LEAST_EPSILON)) else {}


def _rappor(hashes: Fraction, f: Fraction, p: Fraction, q: Fraction) -> dict[str, str]:
    return {"q": "q must be below p, or nothing can be estimated."} if p <= q else {}


DESIGNS = {
    design.key: design
    for design in (
        Design(
            "two-coin",
            "Two coins",
            "Heads on the first coin: the true answer is sent. Tails: a second coin decides between Yes and No. "
            "Strong protection that respondents can try with real coins.",
            {},
            {},
            lambda size: TwoCoin(),
            two_answers_only=True,
            by_people=True,
            level=Level(
                "two", OF_TWO, lambda epsilon, kept: {} if kept == Fraction(3, 4) else None
            ),
        ),
        Design(
            "warner",
            "Warner’s spinner",
            "A spinner decides whether the answer or its opposite is sent. The first design ever proposed (1965). "
            "With 3/4 it is as strong as two coins.",
            {
                "p": "Probability that the spinner lands on the statement itself, not on its opposite."
            },
            {"p": "3/4"},
            lambda size, p: Warner(p),
            even("p"),
            two_answers_only=True,
            by_people=True,
            level=Level("two", OF_TWO, lambda epsilon, kept: {"p": str(kept)}),
        ),
        Design(
            "forced-response",
            "Forced response",
            "Chance decides: send the true answer, or Yes, or No whatever the answer is. The three probabilities "
            "must sum to 1.",
            {
                "truth": "Probability that the answer is kept.",
                "yes": "Probability that Yes is sent whatever the answer.",
                "no": "Probability that No is sent whatever the answer.",
            },
            {"truth": "2/3", "yes": "1/6", "no": "1/6"},
            lambda size, truth, yes, no: ForcedResponse(truth, yes, no),
            _forced,
            two_answers_only=True,
            by_people=True,
            tells_yes=True,
        ),
        Design(
            "unrelated-question",
            "Unrelated question",
            "Chance picks the sensitive question or a harmless one. You need to know how often the answer to the "
            "harmless one is Yes.",
            {
                "p": "Probability that the sensitive question is answered, not a harmless one.",
                "prevalence": "How often the answer to the harmless question is Yes.",
            },
            {"p": "2/3", "prevalence": "1/2"},
            lambda size, p, prevalence: UnrelatedQuestion(p, prevalence),
            anything_but(0, "p"),
            two_answers_only=True,
            by_people=True,
            tells_yes=True,
        ),
        Design(
            "generalized",
            "Yes and No kept with different chances",
            "A Yes is kept with one probability, a No with another. For readers of the literature.",
            {"p": "Probability that a Yes stays Yes.", "q": "Probability that a No stays No."},
            {"p": "3/4", "q": "3/4"},
            lambda size, p, q: GeneralizedResponse(p, q),
            _generalized,
            two_answers_only=True,
            tells_yes=True,
        ),
        Design(
            "gamma",
            "Yes and No kept alike, given by gamma",
            "A Yes and a No are each kept with probability 1/2 + gamma, as textbooks on privacy write it. Epsilon is "
            "ln((1 + 2 gamma)/(1 − 2 gamma)).",
            {
                "gamma": "Yes and No are each kept with probability 1/2 + gamma. It is below 1/2; 1/4 is two coins."
            },
            {"gamma": "1/4"},
            lambda size, gamma: GeneralizedResponse.from_gamma(gamma),
            two_answers_only=True,
        ),
        Design(
            "direct",
            "Direct: the chosen answer, or one of the others by chance",
            "The true answer is sent more often than any other. Otherwise chance picks one of the others. The "
            "easiest to explain.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: DirectEncoding(size, epsilon, den="survey"),
            ordered=True,
            level=Level("one", most_precise),
        ),
        Design(
            "unary",
            "Unary: one scrambled bit per choice",
            "Every answer gets a mark, and chance decides which marks are set. For a design described by its two "
            "probabilities, as in the literature.",
            {
                "p": "Probability that the mark of the chosen answer is set.",
                "q": "Probability that the mark of any other answer is set.",
            },
            {"p": "3/4", "q": "1/4"},
            UnaryEncoding,
            _unary,
        ),
        Design(
            "unary-symmetric",
            "Unary, symmetric, from epsilon",
            "Every answer gets a mark. Each mark is flipped equally often, whether the answer was chosen or not.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: UnaryEncoding.symmetric(size, epsilon, den="survey"),
            level=Level("one", most_precise),
        ),
        Design(
            "unary-optimized",
            "Unary, optimized, from epsilon",
            "Every answer gets a mark. The probabilities measure rare answers best.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: UnaryEncoding.optimized(size, epsilon, den="survey"),
            level=Level("one", most_precise),
            after="subset",
        ),
        Design(
            "subset",
            "Subset selection: a small random group of answers, which the chosen one joins more often",
            "The device sends a random group of answers. The true answer is in it more often than any other. Good "
            "for many answers.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: SubsetSelection(size, epsilon, den="survey"),
            ordered=True,
            level=Level("one", most_precise),
            after="direct",
        ),
        Design(
            "geometry",
            "Geometry: a number for a large group of answers, which the true one joins more often",
            "The device sends a number that means a large group of answers. The true answer is in it more often "
            "than any other. For lists of hundreds or thousands of answers.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: Geometry(size, float(epsilon), den="survey"),
            most=MOST_POINTS,
            level=Level("list", one_number),
        ),
        Design(
            "marks",
            "Some marks picked by chance, for several choices at once",
            "For multiple choice: the device picks one or a few marks at random, scrambles them, and sends only "
            "these. Needs by far the fewest people, but says nothing about two choices together.",
            {
                "epsilon": "The privacy loss of all choices together, used for the marks that are picked."
            },
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: OptionSampling(size, epsilon, den="survey"),
            select="any",
            level=Level("any", picked),
        ),
        Design(
            "unary-any",
            "One scrambled bit per choice, for several choices at once",
            "For multiple choice where pairs of choices matter: each choice has a mark, flipped with the same "
            "chance, and all are sent. Needs many more people.",
            {"epsilon": "The privacy loss of all choices together, shared equally among them."},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: UnaryEncoding.symmetric(size, epsilon, "any", den="survey"),
            select="any",
            level=Level("any", most_precise),
        ),
        Design(
            "window",
            "Window: a number, most often from a wide band around the true one",
            "The device sends a number. It lies in a wide band around the true one more often than anywhere else. "
            "For a mean.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon, aside=False: Window(
                size - aside, float(epsilon), aside=aside, den="survey"
            ),
            _window,
            select="ordered",
            ordered=True,
            level=Level("ordered", "No other known design tells a mean more precisely."),
        ),
        Design(
            "written",
            "A hash: a number that fits the true text more often than any other",
            "For text answers: the device sends a number that fits the true text more often than any other text.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: Written(float(epsilon), den="survey"),
            select="text",
            level=Level("text", "No other known design measures rare texts more precisely."),
        ),
        Design(
            "rappor",
            "RAPPOR: scrambled bits of the text",
            "For text answers, to compare with studies that used it. The hash needs fewer people.",
            {
                "hashes": "How many bits a text sets, 1 to 4. One needs the fewest people.",
                "f": "The permanent step flips each bit with probability f/2.",
                "p": "Probability that a bit that is then 1 is sent as 1, with a new draw each time.",
                "q": "Probability that a bit that is then 0 is sent as 1.",
            },
            {"hashes": "1", "f": "1/2", "p": "3/4", "q": "1/4"},
            lambda size, hashes, f, p, q: Rappor(hashes=int(hashes), f=f, p=p, q=q),
            _rappor,
            select="text",
            devices_only=True,
        ),
    )
}
